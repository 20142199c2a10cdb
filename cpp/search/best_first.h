#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "heuristics/heuristic.h"
#include "search/limits.h"
#include "search/open_list.h"
#include "search/state_table.h"
#include "task/task.h"

namespace asnets {

// astar takes the state with the least cost so far plus estimate, and its plans are optimal if the
// heuristic is admissible; greedy takes the one with the least estimate.
enum class Order : std::uint8_t { astar, greedy };

// By the names that users give them.
const std::map<std::string, Order> &best_first_orders();

struct SearchResult {
    Status status = Status::unsolvable;
    std::vector<Id> plan;                        // up to `end`
    State end;                                   // a goal, or a state whose cost was known
    double cost = 0;                             // of the plan, and from its end to the goal
    std::shared_ptr<const StateTable> explored;  // if unsolvable: states that are all dead ends
};

// The cost to the goal from a state where the caller knows it: the search need not go on from
// there.
using KnownCost = std::function<std::optional<double>(const State &)>;

// Best-first search on a deterministic task, with exact duplicate detection; states are expanded
// again when astar finds a cheaper way to them.
//
// With an admissible heuristic a new state starts with a bound that its parent's evaluation gives
// for free, and is evaluated once that bound makes it the next to expand (lazy A*).
class BestFirst {
public:
    // Throws std::invalid_argument if the task is not deterministic.
    BestFirst(std::shared_ptr<const Task> task, Order order, std::unique_ptr<Heuristic> heuristic);

    SearchResult run(const State &start, Budget &budget, const KnownCost &known = {});

private:
    struct Node {
        double cost = 0;      // of the cheapest way found
        double estimate = 0;  // of the rest; if not evaluated, a lower bound of it
        Id parent = no_id;
        Id action = no_id;  // from the parent
        bool evaluated = false;
        bool known = false;
        bool closed = false;  // expanded, or a dead end
    };

    void clear();
    Status search(const State &start, Budget &budget, SearchResult &result);
    [[nodiscard]] OpenList::Priority priority(const Node &node) const {
        if (order_ == Order::greedy) return {node.estimate, node.cost};
        return {node.cost + node.estimate, node.estimate};
    }
    void expand(Id id, const State &state, Budget &budget);
    void evaluate(Id id, const State &state, Id action);
    void extract_plan(Id id, SearchResult &result) const;

    std::shared_ptr<const Task> task_;
    Order order_;
    std::unique_ptr<Heuristic> heuristic_;
    bool lazy_;

    // Of one run:
    KnownCost known_;
    StateTable states_;
    std::vector<Node> nodes_;
    OpenList open_;
    Id last_evaluated_ = no_id;
    Statistics *statistics_ = nullptr;
    std::vector<Id> applicable_;
};

}  // namespace asnets
