#pragma once

#include <vector>

#include "grounding/reachability.h"
#include "pddl/problem.h"
#include "task/task.h"

namespace asnets {

// A ground formula on its way into a task, simplified: literals whose value never changes are gone.
struct GroundFormula {
    enum class Kind { conjunction, disjunction, positive, negative };

    Kind kind = Kind::conjunction;  // an empty conjunction is true, an empty disjunction false
    Id proposition = no_id;
    std::vector<GroundFormula> children;

    [[nodiscard]] bool is_true() const {
        return kind == Kind::conjunction && children.empty();
    }
    [[nodiscard]] bool is_false() const {
        return kind == Kind::disjunction && children.empty();
    }
};

// Which propositions exist, and what is known of atoms after grounding.
struct Ground {
    const grounding::Database &database;
    std::vector<Id> proposition;  // by atom; no_id for atoms that can never be true

    // The proposition of an atom under a binding, or no_id.
    [[nodiscard]] Id find(const pddl::Atom &atom, const grounding::Binding &binding) const {
        const Id id = database.find(atom, binding);
        return id == no_id ? no_id : proposition[id];
    }
    // True in every reachable state?
    [[nodiscard]] bool is_constant(Id atom) const {
        return database.atoms.has(atom, grounding::AtomTable::always_initial) &&
               !database.atoms.has(atom, grounding::AtomTable::deleted);
    }
};

// Grounds a formula in negation normal form; quantifiers are expanded.
GroundFormula ground_formula(const pddl::Formula &formula, grounding::Binding &binding,
                             const grounding::Variables &variables, const Ground &ground);

// True if the condition (in negation normal form) is a literal, or a conjunction with a literal,
// that names the variable just bound, has no unbound one and is false: then no further binding
// helps.
bool fails_early(const pddl::Formula &condition, Id variable, grounding::Binding &binding,
                 const grounding::Variables &variables, const Ground &ground);

// The conjunction, flattened and simplified.
GroundFormula conjoin(std::vector<GroundFormula> parts);

// Puts literals and formula into the task. Literals may be unsorted and repeat; what a formula's
// top level says in plain literals becomes literals.
Condition store_condition(std::vector<Id> positive, std::vector<Id> negative, GroundFormula formula,
                          Task &task, Interrupt &interrupt);

// Puts a change into the task; what is added is not removed.
Change store_change(std::vector<Id> added, std::vector<Id> removed, Task &task);

}  // namespace asnets
