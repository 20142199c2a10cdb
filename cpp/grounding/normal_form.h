#pragma once

#include <vector>

#include "pddl/problem.h"

namespace asnets::grounding {

// What a task's actions and axioms can do to each predicate.
struct PredicateUse {
    bool added = false;    // by an effect or, for a derived predicate, an axiom
    bool deleted = false;  // by an effect
    bool derived = false;
};

std::vector<PredicateUse> predicate_uses(const pddl::Problem &problem);

// The formula with negation only in front of atoms and equalities; nested conjunctions,
// disjunctions and quantifiers of one kind are flattened.
pddl::Formula negation_normal_form(const pddl::Formula &formula, bool negated = false);

// One conjunction that makes a condition true in the delete relaxation, taken apart by how
// grounding handles each conjunct.
struct Body {
    std::vector<pddl::Atom> fluents;      // atoms that may become true later: joined as they do
    std::vector<pddl::Atom> statics;      // atoms that are true initially or never: joined at once
    std::vector<pddl::Formula> filters;   // equalities and negated atoms whose truth never changes
    std::vector<pddl::Formula> residual;  // anything else: grounded and watched
    std::vector<Id> existential;          // variables bound by `exists`, joined like parameters
};

// The bodies whose disjunction is the condition (in negation normal form). Disjunctions are split
// only where a variable is bound in no other way, and quantified ones stay together past a limit.
std::vector<Body> split(const pddl::Formula &condition, const std::vector<PredicateUse> &uses);

// The condition of a conditional effect as one body: everything that may change goes to `residual`.
Body effect_body(const pddl::Formula &condition, const std::vector<PredicateUse> &uses);

// Adds the variables that occur free in the formula to `variables` (a flag a variable).
void free_variables(const pddl::Formula &formula, std::vector<bool> &variables);
void variables_of(const pddl::Atom &atom, std::vector<bool> &variables);

}  // namespace asnets::grounding
