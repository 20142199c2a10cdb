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

// Sums of costs that differ by no more are equal: they may have been added in another order.
inline constexpr double cost_tolerance = 1e-9;

struct SearchResult {
    Status status = Status::unsolvable;
    bool has_plan = false;  // also if a limit came before run_all had all of them
    std::vector<Id> plan;   // up to `end`
    State end;              // a goal, or a state whose cost was known
    double cost = 0;        // of the plan, and from its end to the goal
    std::shared_ptr<const StateTable> explored;  // if unsolvable: states that are all dead ends
    struct Passed {
        State state;
        double cost = 0;    // to the goal
        Id action = no_id;  // of one plan from here; none at its end
    };
    std::vector<Passed> optimal;  // of run_all: all states on plans of that cost
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
    // All optimal plans at once, up to states whose cost is known: every state whose cost so far
    // plus estimate is not above the optimal cost is expanded, which may be many more than one plan
    // takes where its actions may come in any order. is_optimal() and `known` must tell the truth.
    SearchResult run_all(const State &start, Budget &budget, const KnownCost &known = {});
    [[nodiscard]] bool is_optimal() const {
        return order_ == Order::astar && heuristic_->is_admissible();
    }

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

    struct Step {
        Id from = no_id;
        Id action = no_id;
        Id to = no_id;
    };

    void clear();
    SearchResult start_run(const State &start, Budget &budget, const KnownCost &known);
    Status search(const State &start, Budget &budget, SearchResult &result);
    [[nodiscard]] OpenList::Priority priority(const Node &node) const {
        if (order_ == Order::greedy) return {node.estimate, node.cost};
        return {node.cost + node.estimate, node.estimate};
    }
    void expand(Id id, const State &state, Budget &budget);
    void evaluate(Id id, const State &state, Id action);
    void extract_plan(Id id, SearchResult &result) const;
    void extract_optimal(SearchResult &result) const;

    std::shared_ptr<const Task> task_;
    Order order_;
    std::unique_ptr<Heuristic> heuristic_;
    bool lazy_;

    // Of one run:
    KnownCost known_;
    StateTable states_;
    std::vector<Node> nodes_;
    OpenList open_;
    bool all_ = false;
    std::vector<Step> steps_;  // for all plans: what was no detour when it was found
    std::vector<Id> ends_;     // for all plans: goals and known states, at the optimal cost
    Id last_evaluated_ = no_id;
    Statistics *statistics_ = nullptr;
    std::vector<Id> applicable_;
};

}  // namespace asnets
