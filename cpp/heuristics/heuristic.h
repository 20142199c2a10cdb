#pragma once

#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "heuristics/relaxed_task.h"
#include "task/task.h"

namespace asnets {

// An estimate of the cost from a state to the goal, for reachable states. Not thread-safe: an
// object keeps its working memory from state to state; make one a thread.
class Heuristic {
public:
    static constexpr double dead_end = std::numeric_limits<double>::infinity();

    virtual ~Heuristic() = default;
    // dead_end if the goal cannot be reached even in the delete relaxation.
    virtual double value(const State &state) = 0;
    // Actions that look good in the last evaluated state, ascending; only h_ff has an opinion.
    [[nodiscard]] virtual std::vector<Id> helpful_actions() const {
        return {};
    }
    // Disjunctive action landmarks of the last evaluated state, each ascending: every plan from
    // there has an action of each. Only lm_cut finds any.
    [[nodiscard]] virtual std::vector<std::vector<Id>> landmarks() const {
        return {};
    }
};

using HeuristicFactory = std::function<std::unique_ptr<Heuristic>(std::shared_ptr<const Task>)>;

// All heuristics by name; the command line, Python and the tests read this table.
const std::map<std::string, HeuristicFactory> &heuristics();

// Throws std::invalid_argument that names the known ones.
std::unique_ptr<Heuristic> make_heuristic(const std::string &name,
                                          std::shared_ptr<const Task> task);

}  // namespace asnets
