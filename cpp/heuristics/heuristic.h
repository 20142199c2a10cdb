#pragma once

#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/interrupt.h"
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
    // Does value() never exceed the cost of the cheapest plan?
    [[nodiscard]] virtual bool is_admissible() const {
        return false;
    }
    // After value(): a lower bound on the cost of a plan from the state that an outcome of `action`
    // leads to. Only admissible heuristics have more to say than 0.
    [[nodiscard]] virtual double bound_after(Id action) const {
        (void)action;
        return 0;
    }
    // Does successor_value() profit from expand()?
    [[nodiscard]] virtual bool is_incremental() const {
        return false;
    }
    // Announces the parent of the states that successor_value() will be asked for.
    virtual void expand(const State &parent) {
        (void)parent;
    }
    // The value of a state that an outcome of `action` leads to from the last expanded parent.
    virtual double successor_value(const State &state, Id action) {
        (void)action;
        return value(state);
    }
    // Actions that look good in the last evaluated state, ascending. Only h_ff has them.
    [[nodiscard]] virtual std::vector<Id> helpful_actions() {
        throw std::invalid_argument("only h_ff has helpful actions");
    }
    // Disjunctive action landmarks of the last evaluated state, each ascending: every plan from
    // there has an action of each. Only lm_cut and lm_cut_incremental have them.
    [[nodiscard]] virtual std::vector<std::vector<Id>> landmarks() const {
        throw std::invalid_argument("only lm_cut and lm_cut_incremental find landmarks");
    }
};

using HeuristicFactory = std::function<std::unique_ptr<Heuristic>(std::shared_ptr<const Task>)>;

// All heuristics by name; the command line, Python and the tests read this table.
const std::map<std::string, HeuristicFactory> &heuristics();

// Throws std::invalid_argument that names the known ones.
std::unique_ptr<Heuristic> make_heuristic(const std::string &name,
                                          std::shared_ptr<const Task> task);

}  // namespace asnets
