#include "network/signature.h"

#include <algorithm>

namespace asnets {

namespace {

using pddl::Effect;
using pddl::Formula;

// Collects a schema's slots: precondition, then effect, depth first.
class SlotReader {
public:
    SlotReader(const pddl::Problem &problem, const pddl::Schema &schema)
        : problem_(problem), schema_(schema) {
        read(schema.precondition);
        read(schema.effect);
    }

    std::vector<Signature::Slot> slots;

private:
    void read(const Formula &formula) {
        switch (formula.kind) {
            case Formula::Kind::forall:
            case Formula::Kind::exists: refuse_quantifier(formula.position);
            case Formula::Kind::equality: return;
            case Formula::Kind::atom: add(formula.atom); return;
            case Formula::Kind::conjunction:
            case Formula::Kind::disjunction:
            case Formula::Kind::negation:
                for (const Formula &child : formula.children) read(child);
        }
    }

    void read(const Effect &effect) {
        switch (effect.kind) {
            case Effect::Kind::forall: refuse_quantifier(effect.position);
            case Effect::Kind::add:
            case Effect::Kind::remove: add(effect.atom); return;
            case Effect::Kind::when: read(effect.condition); [[fallthrough]];
            case Effect::Kind::conjunction:
            case Effect::Kind::probabilistic:
                for (const Effect &child : effect.children) read(child);
        }
    }

    void add(const pddl::Atom &atom) {
        Signature::Slot slot{atom.predicate, {}};
        for (const pddl::Term term : atom.terms)
            slot.terms.push_back(pddl::is_variable(term)
                                     ? schema_.variables[static_cast<std::size_t>(term)].name
                                     : problem_.objects[pddl::object_of(term)].name);
        if (std::find(slots.begin(), slots.end(), slot) == slots.end()) slots.push_back(slot);
    }

    [[noreturn]] void refuse_quantifier(pddl::Position position) const {
        throw problem_.domain_source->error(
            position, "action " + pddl::quote(schema_.name) +
                          " has a quantifier: what it touches depends on the problem, which a "
                          "network cannot follow");
    }

    const pddl::Problem &problem_;
    const pddl::Schema &schema_;
};

void check_goal(const pddl::Problem &problem, const Formula &goal) {
    if (goal.kind == Formula::Kind::conjunction)
        for (const Formula &child : goal.children) check_goal(problem, child);
    else if (goal.kind != Formula::Kind::atom)
        throw problem.problem_source->error(
            goal.position,
            "expected a goal that is a conjunction of atoms: a network takes no other");
}

}  // namespace

std::vector<std::vector<Signature::Pool>> pools_of(const Signature &signature, Pooling pooling) {
    std::vector<std::vector<Signature::Pool>> result(signature.predicates.size());
    for (Id s = 0; s < signature.schemas.size(); ++s)
        for (Id slot = 0; slot < signature.schemas[s].slots.size(); ++slot) {
            auto &pools = result[signature.schemas[s].slots[slot].predicate];
            if (pooling == Pooling::by_slot || pools.empty() || pools.back().schema != s)
                pools.push_back({s, {}});
            pools.back().slots.push_back(slot);
        }
    return result;
}

Signature signature_of(const pddl::Problem &problem, Pooling pooling) {
    if (!problem.axioms.empty())
        throw problem.domain_source->error(
            problem.axioms[0].position,
            "predicate " + pddl::quote(problem.predicates[problem.axioms[0].predicate].name) +
                " is derived, which a network cannot follow");
    check_goal(problem, problem.goal);
    Signature result;
    for (const pddl::Predicate &predicate : problem.predicates)
        result.predicates.push_back({predicate.name, predicate.parameter_types.size(), {}});
    for (const pddl::Schema &schema : problem.schemas) {
        Signature::Schema &own = result.schemas.emplace_back();
        own.name = schema.name;
        for (std::size_t i = 0; i < schema.arity; ++i)
            own.parameters.push_back(schema.variables[i].name);
        own.slots = SlotReader(problem, schema).slots;
    }
    const auto pools = pools_of(result, pooling);
    for (Id p = 0; p < pools.size(); ++p) result.predicates[p].pools = pools[p];
    return result;
}

}  // namespace asnets
