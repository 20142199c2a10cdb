#pragma once

#include <vector>

#include "heuristics/relaxed_task.h"

namespace asnets {

// The effects that h_max and h_add can do without: another operator adds the same fact, costs no
// more and needs some of the same preconditions and no others; of equal ones the first stays. By
// place in relaxed.effects. Landmarks must not leave them out: a plan may use such an operator.
// Operators with many preconditions are not looked at.
std::vector<bool> dominated_effects(const RelaxedTask &relaxed);

}  // namespace asnets
