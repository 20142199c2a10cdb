#include "grounding/normal_form.h"

#include <algorithm>
#include <set>

namespace asnets::grounding {

using pddl::Atom;
using pddl::Effect;
using pddl::Formula;
using Kind = pddl::Formula::Kind;

namespace {

constexpr std::size_t most_bodies = 64;
constexpr std::size_t most_joined = 16;

void note_effect(const Effect &effect, std::vector<PredicateUse> &uses) {
    if (effect.kind == Effect::Kind::add) uses[effect.atom.predicate].added = true;
    if (effect.kind == Effect::Kind::remove) uses[effect.atom.predicate].deleted = true;
    for (std::size_t i = 0; i < effect.children.size(); ++i)
        if (effect.kind != Effect::Kind::probabilistic || effect.probabilities[i] > 0)
            note_effect(effect.children[i], uses);
}

bool is_negated_atom(const Formula &formula) {
    return formula.kind == Kind::negation && formula.children[0].kind == Kind::atom;
}

void append(std::vector<Formula> &list, const Formula &formula) {
    list.push_back(formula);
}

// Atoms without variables bind nothing: a long list of them is cheaper to watch than to join.
void watch_ground_atoms(std::vector<Atom> &atoms, Body &body) {
    if (atoms.size() <= most_joined) return;
    std::erase_if(atoms, [&body](const Atom &atom) {
        if (std::any_of(atom.terms.begin(), atom.terms.end(), pddl::is_variable)) return false;
        Formula formula;
        formula.kind = Kind::atom;
        formula.atom = atom;
        body.residual.push_back(std::move(formula));
        return true;
    });
}

void remove_duplicates(std::vector<Atom> &atoms) {
    std::set<std::pair<Id, std::vector<pddl::Term>>> seen;
    std::erase_if(atoms, [&seen](const Atom &atom) {
        return !seen.emplace(atom.predicate, atom.terms).second;
    });
}

class Splitter {
public:
    explicit Splitter(const std::vector<PredicateUse> &uses) : uses_(uses) {
    }

    // Adds one conjunct to a body; disjunctions wait in `choices`.
    void add(const Formula &formula, Body &body, std::vector<const Formula *> &choices) const {
        switch (formula.kind) {
            case Kind::conjunction:
                for (const Formula &child : formula.children) add(child, body, choices);
                break;
            case Kind::atom:
                (uses_[formula.atom.predicate].added ? body.fluents : body.statics)
                    .push_back(formula.atom);
                break;
            case Kind::equality: append(body.filters, formula); break;
            case Kind::negation: add_negated(formula, body); break;
            case Kind::exists:
                body.existential.insert(body.existential.end(), formula.variables.begin(),
                                        formula.variables.end());
                add(formula.children[0], body, choices);
                break;
            case Kind::forall: append(body.residual, formula); break;
            case Kind::disjunction: choices.push_back(&formula); break;
        }
    }

    void add_negated(const Formula &formula, Body &body) const {
        if (!is_negated_atom(formula)) {
            append(body.filters, formula);
            return;
        }
        const PredicateUse &use = uses_[formula.children[0].atom.predicate];
        if (use.derived) return;  // the relaxation takes it as true
        append(use.deleted ? body.residual : body.filters, formula);
    }

    // The bodies of a condition; returns false if there would be too many.
    bool bodies(const Formula &formula, std::vector<Body> &result) const {
        Body body;
        std::vector<const Formula *> choices;
        add(formula, body, choices);
        std::vector<bool> bound;
        for (const Atom &atom : body.fluents) variables_of(atom, bound);
        for (const Atom &atom : body.statics) variables_of(atom, bound);
        std::vector<Body> open = {std::move(body)};
        for (const Formula *choice : choices) {
            std::vector<bool> used;
            free_variables(*choice, used);
            bool needed = false;  // to bind a variable
            for (std::size_t i = 0; i < used.size(); ++i)
                needed = needed || (used[i] && (i >= bound.size() || !bound[i]));
            std::vector<Body> alternatives;
            if (needed)
                for (const Formula &child : choice->children)
                    needed = needed && bodies(child, alternatives);
            if (!needed || open.size() * alternatives.size() > most_bodies) {
                for (Body &each : open) append(each.residual, *choice);
                continue;
            }
            std::vector<Body> combined;
            for (const Body &left : open)
                for (const Body &right : alternatives) combined.push_back(join(left, right));
            open = std::move(combined);
        }
        result.insert(result.end(), open.begin(), open.end());
        return result.size() <= most_bodies;
    }

private:
    static Body join(const Body &left, const Body &right) {
        Body both = left;
        const auto extend = [](auto &to, const auto &from) {
            to.insert(to.end(), from.begin(), from.end());
        };
        extend(both.fluents, right.fluents);
        extend(both.statics, right.statics);
        extend(both.filters, right.filters);
        extend(both.residual, right.residual);
        extend(both.existential, right.existential);
        return both;
    }

    const std::vector<PredicateUse> &uses_;
};

}  // namespace

std::vector<PredicateUse> predicate_uses(const pddl::Problem &problem) {
    std::vector<PredicateUse> uses(problem.predicates.size());
    for (const pddl::Schema &schema : problem.schemas) note_effect(schema.effect, uses);
    for (std::size_t i = 0; i < uses.size(); ++i)
        if (problem.predicates[i].derived) uses[i] = {true, true, true};
    return uses;
}

Formula negation_normal_form(const Formula &formula, bool negated) {
    Formula result;
    result.position = formula.position;
    switch (formula.kind) {
        case Kind::negation: return negation_normal_form(formula.children[0], !negated);
        case Kind::atom:
        case Kind::equality:
            if (!negated) return formula;
            result.kind = Kind::negation;
            result.children.push_back(formula);
            return result;
        case Kind::forall:
        case Kind::exists:
            result.kind = (formula.kind == Kind::forall) != negated ? Kind::forall : Kind::exists;
            result.variables = formula.variables;
            result.children.push_back(negation_normal_form(formula.children[0], negated));
            if (result.children[0].kind == result.kind) {  // one quantifier for nested ones
                Formula inner = std::move(result.children[0]);
                result.variables.insert(result.variables.end(), inner.variables.begin(),
                                        inner.variables.end());
                result.children = std::move(inner.children);
            }
            return result;
        case Kind::conjunction:
        case Kind::disjunction: break;
    }
    result.kind =
        (formula.kind == Kind::conjunction) != negated ? Kind::conjunction : Kind::disjunction;
    for (const Formula &child : formula.children) {
        Formula inner = negation_normal_form(child, negated);
        if (inner.kind == result.kind)
            result.children.insert(result.children.end(), inner.children.begin(),
                                   inner.children.end());
        else
            result.children.push_back(std::move(inner));
    }
    if (result.children.size() == 1) {
        Formula only = std::move(result.children[0]);
        return only;
    }
    return result;
}

std::vector<Body> split(const Formula &condition, const std::vector<PredicateUse> &uses) {
    std::vector<Body> result;
    if (Splitter(uses).bodies(condition, result)) {
        for (Body &body : result) {
            remove_duplicates(body.fluents);
            remove_duplicates(body.statics);
            watch_ground_atoms(body.fluents, body);
            watch_ground_atoms(body.statics, body);
        }
        return result;
    }
    Body whole;  // too many cases: enumerate by type and check
    whole.residual.push_back(condition);
    return {whole};
}

Body effect_body(const Formula &condition, const std::vector<PredicateUse> &uses) {
    Body body;
    const std::vector<Formula> single = {condition};
    for (const Formula &conjunct :
         condition.kind == Kind::conjunction ? condition.children : single) {
        if (conjunct.kind == Kind::atom && !uses[conjunct.atom.predicate].added)
            body.statics.push_back(conjunct.atom);
        else if (conjunct.kind == Kind::equality)
            body.filters.push_back(conjunct);
        else if (conjunct.kind == Kind::negation)
            Splitter(uses).add_negated(conjunct, body);
        else
            body.residual.push_back(conjunct);
    }
    return body;
}

void variables_of(const Atom &atom, std::vector<bool> &variables) {
    for (const pddl::Term term : atom.terms)
        if (pddl::is_variable(term)) {
            const auto variable = static_cast<std::size_t>(term);
            if (variables.size() <= variable) variables.resize(variable + 1);
            variables[variable] = true;
        }
}

void free_variables(const Formula &formula, std::vector<bool> &variables) {
    if (formula.kind == Kind::atom || formula.kind == Kind::equality)
        variables_of(formula.atom, variables);
    for (const Formula &child : formula.children) free_variables(child, variables);
    for (const Id bound : formula.variables)
        if (bound < variables.size()) variables[bound] = false;
}

}  // namespace asnets::grounding
