#pragma once

#include <vector>

#include "base/interrupt.h"
#include "pddl/resolver.h"
#include "pddl/syntax.h"

namespace asnets::pddl {

// Fills the problem's facts, initial states and function values from `:init`.
void resolve_initial(const Source &source, const Symbols &symbols,
                     const std::vector<syntax::Initial> &elements, Problem &problem,
                     Interrupt &interrupt);

}  // namespace asnets::pddl
