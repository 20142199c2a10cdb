#pragma once

#include "base/interrupt.h"
#include "pddl/source.h"
#include "pddl/syntax.h"

namespace asnets::pddl {

// Reads every domain and problem of a file. Throws PddlError at the first mistake, and for the
// constructs that are not supported, by name: durative actions, numeric fluents beyond action
// costs, preferences, trajectory constraints, timed literals, `oneof`.
syntax::File parse(const Source &source, Interrupt &interrupt);

}  // namespace asnets::pddl
