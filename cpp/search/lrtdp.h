#pragma once

#include "search/labelled_trials.h"
#include "search/ssp_solver.h"

namespace asnets {

// Labelled real-time dynamic programming (Bonet and Geffner 2003).
class Lrtdp : public SspSolver {
public:
    // Throws std::invalid_argument if an action of the task is free: values rise by what actions
    // cost, so trials could go round in a circle of free ones for ever.
    Lrtdp(std::shared_ptr<const Task> task, std::unique_ptr<Heuristic> heuristic,
          const SspOptions &options);

    [[nodiscard]] bool is_solved(Id state) const override {
        return table.is_goal(state) || solved_.has(state);
    }

protected:
    void improve(Id state) override {
        trials_.solve(state, solved_);
    }

    Labels solved_;
    LabelledTrials trials_;
};

}  // namespace asnets
