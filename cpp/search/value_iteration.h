#pragma once

#include "search/ssp_solver.h"

namespace asnets {

// Updates all states that can be reached, over and over, until none moves by more than epsilon.
// Values fall from the penalty towards the optimal ones, so that circles of free actions and
// states that never get anywhere need no special care. Looks at no heuristic.
class ValueIteration : public SspSolver {
public:
    ValueIteration(std::shared_ptr<const Task> task, const SspOptions &options)
        : SspSolver(std::move(task), nullptr, options) {
    }

protected:
    void improve(Id state) override;
};

}  // namespace asnets
