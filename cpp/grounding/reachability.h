#pragma once

#include <memory>
#include <vector>

#include "base/interrupt.h"
#include "grounding/join.h"
#include "pddl/problem.h"

namespace asnets::grounding {

// What is reachable from the initial states when deletes are ignored: the atoms' flags tell which
// atoms can be true and which can be false; instances are flat lists of parameter bindings (arity
// objects each; a schema without parameters has a count of 0 or 1), each once, in no special order.
struct Reachable {
    Database database;
    std::vector<std::vector<Id>> schema_instances;
    std::vector<std::size_t> schema_counts;
    std::vector<std::vector<Id>> axiom_instances;
    std::vector<std::size_t> axiom_counts;
};

// Delete-relaxed reachability. A literal `not p` is reached if p is false in some initial state or
// deleted by a reached outcome; the negation of a derived atom counts as reached. Outcomes of
// probability zero count for nothing. Time is about linear in the number of partial joins; each
// atom and each instance is handled once.
Reachable reach(const pddl::Problem &problem, Interrupt &interrupt);

}  // namespace asnets::grounding
