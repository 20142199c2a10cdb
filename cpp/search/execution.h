#pragma once

#include "base/random.h"
#include "search/ssp_solver.h"
#include "search/trajectory.h"

namespace asnets {

// Follows a solver's greedy policy on sampled outcomes for at most `most_steps` actions, or until
// it gives up. States that are not solved are solved first while the planning budget lasts, and
// then acted on with the values they have. Throws Interrupted.
Trajectory execute(SspSolver &solver, const State &start, std::size_t most_steps, Rng &rng,
                   Budget &planning, Interrupt::Poll poll = nullptr);

}  // namespace asnets
