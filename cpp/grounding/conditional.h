#pragma once

#include <vector>

#include "grounding/normal_form.h"
#include "pddl/problem.h"

namespace asnets::grounding {

// What a schema may do under one condition, whatever the outcome: the delete relaxation's view of
// an effect. Quantified variables are bound one object at a time.
struct RelaxedEffect {
    std::vector<Id> variables;  // quantified around this effect
    pddl::Formula condition;    // in negation normal form
    std::vector<pddl::Atom> adds;
    std::vector<pddl::Atom> removes;
};

// Flattens an effect; the first entry is the unconditional part, possibly empty.
std::vector<RelaxedEffect> relax(const pddl::Effect &effect);

}  // namespace asnets::grounding
