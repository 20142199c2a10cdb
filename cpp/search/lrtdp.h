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

protected:
    void improve(Id state) override {
        trials_.solve(state, solved_);
    }
    void save_own(ByteWriter &out) const override {
        out.put(trials_.rng);
    }
    std::function<void()> read_own(ByteReader &in, std::size_t) override {
        Rng rng = trials_.rng;
        in.get(rng);
        return [this, rng] { trials_.rng = rng; };
    }

    LabelledTrials trials_;
};

}  // namespace asnets
