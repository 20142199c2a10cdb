#pragma once

#include <vector>

#include "grounding/join.h"
#include "pddl/problem.h"

namespace asnets::grounding {

// An atom or its negation, as an event of the relaxed exploration.
struct Literal {
    Id atom = no_id;
    bool negated = false;
};

enum class Truth { holds, waits, fails };

// Truth of a condition (in negation normal form) under a binding, as far as the exploration has
// come. Conditions only ever become true: `waits` means that it may yet hold, and then not before
// one of the literals appended to `watches` is reached; `fails` is for good. Quantifiers are
// expanded on the way, nothing is stored.
Truth relaxed_truth(const pddl::Formula &formula, Binding &binding, const Variables &variables,
                    Database &database, std::vector<Literal> &watches);

}  // namespace asnets::grounding
