#include "task/ground_formula.h"

#include <algorithm>

namespace asnets {

using grounding::AtomTable;
using grounding::Binding;
using grounding::Variables;
using pddl::Formula;

namespace {

using Kind = GroundFormula::Kind;

GroundFormula constant(bool truth) {
    return {truth ? Kind::conjunction : Kind::disjunction, no_id, {}};
}

// Adds a part to a conjunction or disjunction; returns false if the whole is now decided.
bool add_part(GroundFormula &whole, GroundFormula &&part) {
    const bool conjunction = whole.kind == Kind::conjunction;
    if (conjunction ? part.is_false() : part.is_true()) {
        whole = std::move(part);
        return false;
    }
    if (part.kind == whole.kind) {
        for (GroundFormula &child : part.children) whole.children.push_back(std::move(child));
        return true;
    }
    whole.children.push_back(std::move(part));
    return true;
}

GroundFormula unwrap(GroundFormula &&formula) {
    if (formula.children.size() != 1) return std::move(formula);
    GroundFormula only = std::move(formula.children[0]);
    return only;
}

class Grounder {
public:
    Grounder(Binding &binding, const Variables &variables, const Ground &ground)
        : binding_(binding), variables_(variables), ground_(ground) {
    }

    GroundFormula of(const Formula &formula) {
        switch (formula.kind) {
            case Formula::Kind::atom: return literal(formula.atom, false);
            case Formula::Kind::equality:
                return constant(ground_.database.holds(formula, binding_));
            case Formula::Kind::negation:
                if (formula.children[0].kind == Formula::Kind::equality)
                    return constant(ground_.database.holds(formula, binding_));
                return literal(formula.children[0].atom, true);
            case Formula::Kind::conjunction:
            case Formula::Kind::disjunction: {
                GroundFormula result = constant(formula.kind == Formula::Kind::conjunction);
                for (const Formula &child : formula.children)
                    if (!add_part(result, of(child))) break;
                return unwrap(std::move(result));
            }
            case Formula::Kind::forall:
            case Formula::Kind::exists: {
                GroundFormula result = constant(formula.kind == Formula::Kind::forall);
                expand(formula, 0, result);
                return unwrap(std::move(result));
            }
        }
        return constant(false);
    }

    // True if a literal that binding the variable completed decides the formula: a false part of a
    // conjunction or, for `truth`, a true part of a disjunction.
    bool is_decided(const Formula &formula, Id variable, bool truth) {
        const auto decides = [&](const Formula &part) {
            if (!is_bound_literal(part, variable)) return false;
            const GroundFormula value = of(part);
            return truth ? value.is_true() : value.is_false();
        };
        const auto kind = truth ? Formula::Kind::disjunction : Formula::Kind::conjunction;
        if (formula.kind != kind) return decides(formula);
        return std::any_of(formula.children.begin(), formula.children.end(), decides);
    }

private:
    GroundFormula literal(const pddl::Atom &atom, bool negated) {
        const Id id = ground_.database.find(atom, binding_);
        if (id == no_id || !ground_.database.atoms.has(id, AtomTable::reached))
            return constant(negated);
        if (ground_.is_constant(id)) return constant(!negated);
        return {negated ? Kind::negative : Kind::positive, ground_.proposition[id], {}};
    }

    bool expand(const Formula &formula, std::size_t depth, GroundFormula &result) {
        if (depth == formula.variables.size()) return add_part(result, of(formula.children[0]));
        const Id variable = formula.variables[depth];
        bool open = true;
        for (const Id object : variables_[variable].objects->members) {
            ground_.database.interrupt.tick();
            binding_[variable] = object;
            if (is_decided(formula.children[0], variable, formula.kind == Formula::Kind::forall))
                continue;
            open = expand(formula, depth + 1, result);
            if (!open) break;
        }
        binding_[variable] = no_id;
        return open;
    }

    // A literal that names the variable and no unbound one?
    bool is_bound_literal(const Formula &formula, Id variable) const {
        const Formula &literal =
            formula.kind == Formula::Kind::negation ? formula.children[0] : formula;
        if (literal.kind != Formula::Kind::atom && literal.kind != Formula::Kind::equality)
            return false;
        bool named = false;
        for (const pddl::Term term : literal.atom.terms) {
            if (grounding::value(term, binding_) == no_id) return false;
            named = named || (pddl::is_variable(term) && static_cast<Id>(term) == variable);
        }
        return named;
    }

    Binding &binding_;
    const Variables &variables_;
    const Ground &ground_;
};

Id store(const GroundFormula &formula, Task &task, Interrupt &interrupt) {
    interrupt.tick();
    FormulaNode node;
    node.kind = static_cast<FormulaNode::Kind>(formula.kind);
    if (formula.kind == Kind::positive || formula.kind == Kind::negative) {
        node.begin = formula.proposition;
    } else {
        std::vector<Id> children;
        for (const GroundFormula &child : formula.children)
            children.push_back(store(child, task, interrupt));
        node.begin = task.formula_children.size();
        node.count = checked_id(children.size());
        task.formula_children.insert(task.formula_children.end(), children.begin(), children.end());
    }
    task.formulas.push_back(node);
    return checked_id(task.formulas.size() - 1);
}

void sort_unique(std::vector<Id> &ids) {
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
}

}  // namespace

GroundFormula ground_formula(const Formula &formula, Binding &binding, const Variables &variables,
                             const Ground &ground) {
    return Grounder(binding, variables, ground).of(formula);
}

bool fails_early(const Formula &condition, Id variable, Binding &binding,
                 const Variables &variables, const Ground &ground) {
    return Grounder(binding, variables, ground).is_decided(condition, variable, false);
}

GroundFormula conjoin(std::vector<GroundFormula> parts) {
    GroundFormula result = constant(true);
    for (GroundFormula &part : parts)
        if (!add_part(result, std::move(part))) break;
    return unwrap(std::move(result));
}

Condition store_condition(std::vector<Id> positive, std::vector<Id> negative, GroundFormula formula,
                          Task &task, Interrupt &interrupt) {
    GroundFormula whole = constant(true);
    add_part(whole, std::move(formula));
    if (whole.kind == Kind::conjunction)
        std::erase_if(whole.children, [&](const GroundFormula &part) {
            if (part.kind == Kind::positive) positive.push_back(part.proposition);
            if (part.kind == Kind::negative) negative.push_back(part.proposition);
            return part.kind == Kind::positive || part.kind == Kind::negative;
        });
    Condition condition;
    if (!whole.is_true()) condition.formula = store(unwrap(std::move(whole)), task, interrupt);
    sort_unique(positive);
    sort_unique(negative);
    condition.begin = task.literals.size();
    condition.positive_count = checked_id(positive.size());
    condition.negative_count = checked_id(negative.size());
    task.literals.insert(task.literals.end(), positive.begin(), positive.end());
    task.literals.insert(task.literals.end(), negative.begin(), negative.end());
    return condition;
}

Change store_change(std::vector<Id> added, std::vector<Id> removed, Task &task) {
    sort_unique(added);
    sort_unique(removed);
    std::erase_if(removed, [&added](Id proposition) {
        return std::binary_search(added.begin(), added.end(), proposition);
    });
    const Change change{task.literals.size(), checked_id(added.size()), checked_id(removed.size())};
    task.literals.insert(task.literals.end(), added.begin(), added.end());
    task.literals.insert(task.literals.end(), removed.begin(), removed.end());
    return change;
}

}  // namespace asnets
