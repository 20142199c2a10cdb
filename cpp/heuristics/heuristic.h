#pragma once

#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/interrupt.h"
#include "heuristics/relaxed_task.h"
#include "task/task.h"

namespace asnets {

// An estimate of the cost from a state to the goal, for reachable states. Not thread-safe: an
// object keeps its working memory from state to state; make one a thread. After an Interrupted it
// can be used again.
class Heuristic {
public:
    static constexpr double dead_end = std::numeric_limits<double>::infinity();

    virtual ~Heuristic() = default;

    Interrupt interrupt;  // looked at in long evaluations

    // dead_end if the goal cannot be reached even in the delete relaxation.
    virtual double value(const State &state) = 0;
    // Actions that look good in the last evaluated state, ascending. Only h_ff has them.
    [[nodiscard]] virtual std::vector<Id> helpful_actions() const {
        throw std::invalid_argument("only h_ff has helpful actions");
    }
    // Disjunctive action landmarks of the last evaluated state, each ascending: every plan from
    // there has an action of each. Only lm_cut has them.
    [[nodiscard]] virtual std::vector<std::vector<Id>> landmarks() const {
        throw std::invalid_argument("only lm_cut finds landmarks");
    }
};

using HeuristicFactory = std::function<std::unique_ptr<Heuristic>(std::shared_ptr<const Task>)>;

// All heuristics by name; the command line, Python and the tests read this table.
const std::map<std::string, HeuristicFactory> &heuristics();

// Throws std::invalid_argument that names the known ones.
std::unique_ptr<Heuristic> make_heuristic(const std::string &name,
                                          std::shared_ptr<const Task> task);

}  // namespace asnets
