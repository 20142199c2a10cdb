#pragma once

#include <memory>

#include "base/interrupt.h"
#include "pddl/problem.h"
#include "task/task.h"

namespace asnets {

// Grounds a problem. Time and memory are linear in the size of the ground task, plus the partial
// joins of its reachability. Throws PddlError for what only grounding can find (a missing function
// value, too many outcomes) and Interrupted.
std::shared_ptr<const Task> ground(pddl::Problem problem, Interrupt &interrupt);

}  // namespace asnets
