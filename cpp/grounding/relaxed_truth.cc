#include "grounding/relaxed_truth.h"

namespace asnets::grounding {

using pddl::Formula;
using Kind = pddl::Formula::Kind;

namespace {

class Evaluation {
public:
    Evaluation(Binding &binding, const Variables &variables, Database &database,
               std::vector<Literal> &watches)
        : binding_(binding), variables_(variables), database_(database), watches_(watches) {
    }

    Truth of(const Formula &formula) {
        switch (formula.kind) {
            case Kind::atom: return atom(formula.atom);
            case Kind::equality:
                return database_.holds(formula, binding_) ? Truth::holds : Truth::fails;
            case Kind::negation: return negation(formula);
            case Kind::conjunction:
                for (const Formula &child : formula.children) {
                    const Truth truth = of(child);  // the first that lacks is watched
                    if (truth != Truth::holds) return truth;
                }
                return Truth::holds;
            case Kind::disjunction: {
                Truth best = Truth::fails;  // all that lack are watched
                for (const Formula &child : formula.children) {
                    const Truth truth = of(child);
                    if (truth == Truth::holds) return truth;
                    if (truth == Truth::waits) best = truth;
                }
                return best;
            }
            case Kind::forall:
            case Kind::exists: return quantified(formula, 0);
        }
        return Truth::fails;
    }

private:
    Truth atom(const pddl::Atom &atom) {
        const Id id = database_.find(atom, binding_);
        if (id != no_id && database_.atoms.has(id, AtomTable::reached)) return Truth::holds;
        if (!database_.uses[atom.predicate].added) return Truth::fails;
        watches_.push_back({database_.intern(atom, binding_), false});
        return Truth::waits;
    }

    Truth negation(const Formula &formula) {
        const Formula &inner = formula.children[0];
        if (inner.kind == Kind::equality)
            return database_.holds(inner, binding_) ? Truth::fails : Truth::holds;
        const PredicateUse &use = database_.uses[inner.atom.predicate];
        const Id id = database_.find(inner.atom, binding_);
        if (use.derived || database_.negation_reached(id)) return Truth::holds;
        if (!use.deleted) return Truth::fails;
        watches_.push_back({id, true});
        return Truth::waits;
    }

    Truth quantified(const Formula &formula, std::size_t depth) {
        if (depth == formula.variables.size()) return of(formula.children[0]);
        const bool universal = formula.kind == Kind::forall;
        const Id variable = formula.variables[depth];
        Truth result = universal ? Truth::holds : Truth::fails;
        for (const Id object : variables_[variable].objects->members) {
            database_.interrupt.tick();
            binding_[variable] = object;
            const Truth truth = quantified(formula, depth + 1);
            if (universal ? truth != Truth::holds : truth == Truth::holds) {
                result = truth;
                break;
            }
            if (!universal && truth == Truth::waits) result = truth;
        }
        binding_[variable] = no_id;
        return result;
    }

    Binding &binding_;
    const Variables &variables_;
    Database &database_;
    std::vector<Literal> &watches_;
};

}  // namespace

Truth relaxed_truth(const Formula &formula, Binding &binding, const Variables &variables,
                    Database &database, std::vector<Literal> &watches) {
    return Evaluation(binding, variables, database, watches).of(formula);
}

}  // namespace asnets::grounding
