#pragma once

#include <span>
#include <vector>

#include "base/interrupt.h"
#include "grounding/normal_form.h"
#include "grounding/relation.h"
#include "pddl/problem.h"

namespace asnets::grounding {

// Objects bound to a schema's variables; no_id where unbound.
using Binding = std::vector<Id>;

// One predicate's atoms for every predicate, with the table that names them.
struct Database {
    AtomTable atoms;
    std::vector<Relation> relations;
    std::vector<PredicateUse> uses;
    std::size_t object_count;
    Interrupt &interrupt;

    // Truth of an equality, or of a literal that never changes, under a binding.
    [[nodiscard]] bool holds(const pddl::Formula &filter, const Binding &binding) const;
    // The atom's number, or no_id if it was never met.
    [[nodiscard]] Id find(const pddl::Atom &atom, const Binding &binding) const;
    Id intern(const pddl::Atom &atom, const Binding &binding);
    // True if the negated atom holds in some relaxed-reachable state.
    [[nodiscard]] bool negation_reached(Id atom) const;
};

inline Id value(pddl::Term term, const Binding &binding) {
    return pddl::is_variable(term) ? binding[static_cast<std::size_t>(term)]
                                   : pddl::object_of(term);
}

// The variables of a schema, an axiom or a goal.
using Variables = std::vector<pddl::Variable>;

// An order in which to match the atoms of a body: most selective first, each filter as soon as its
// variables are bound, types checked on binding, variables that no atom binds enumerated last.
class Plan {
public:
    // `bound` are the variables that the caller binds; `wanted` those that must be bound in the
    // end. `trigger` is the fluent that the caller has matched, or no_id.
    Plan(const Body &body, Id trigger, std::vector<bool> bound, const std::vector<bool> &wanted,
         const Variables &variables, Database &database);

    // Calls `found()` for each way to extend the binding. A fluent before the trigger does not
    // match `trigger_atom` itself, so that each combination of atoms is found once.
    template <typename Found>
    void run(const Database &database, const Variables &variables, Binding &binding,
             Id trigger_atom, Found &&found) const {
        extend(0, database, variables, binding, trigger_atom, found);
    }

private:
    struct Column {
        std::size_t column = 0;
        Id variable = no_id;
    };
    struct Step {
        enum class Kind { match, enumerate, filter };

        Kind kind = Kind::match;
        pddl::Atom atom;
        bool excludes_trigger = false;
        std::size_t index = 0;          // of the relation, if some columns but not all are bound
        std::vector<std::size_t> keys;  // bound columns
        std::vector<Column> outputs;    // columns that bind a variable
        std::vector<Column> repeats;    // columns that must equal a variable bound by this step
        Id variable = no_id;            // enumerate
        pddl::Formula formula;          // filter

        [[nodiscard]] bool binds_nothing() const {
            return kind == Kind::filter ||
                   (kind == Kind::match && keys.size() == atom.terms.size());
        }
    };

    void add_match(const pddl::Atom &atom, bool excludes_trigger, std::vector<bool> &bound,
                   Database &database);

    // Truth of a step that binds nothing.
    static bool passes(const Step &step, const Database &database, const Binding &binding,
                       Id trigger_atom);

    // Recursion is as deep as there are steps that bind variables.
    template <typename Found>
    void extend(std::size_t position, const Database &database, const Variables &variables,
                Binding &binding, Id trigger_atom, Found &found) const {
        while (position < steps_.size() && steps_[position].binds_nothing())
            if (!passes(steps_[position++], database, binding, trigger_atom)) return;
        if (position == steps_.size()) {
            found();
            return;
        }
        const Step &step = steps_[position];
        const auto go_on = [&] {
            extend(position + 1, database, variables, binding, trigger_atom, found);
        };
        if (step.kind == Step::Kind::enumerate) {
            for (const Id object : variables[step.variable].objects->members) {
                database.interrupt.tick();
                binding[step.variable] = object;
                go_on();
            }
            binding[step.variable] = no_id;
            return;
        }
        const auto match = [&](Id atom) {
            database.interrupt.tick();
            if (step.excludes_trigger && atom == trigger_atom) return;
            const std::span<const Id> objects = database.atoms.objects(atom);
            for (const Column &output : step.outputs) {
                if (!variables[output.variable].objects->contains[objects[output.column]]) return;
                binding[output.variable] = objects[output.column];
            }
            for (const Column &repeat : step.repeats)
                if (objects[repeat.column] != binding[repeat.variable]) return;
            go_on();
        };
        const Relation &relation = database.relations[step.atom.predicate];
        if (step.keys.empty()) {
            for (std::size_t row = 0; row < relation.rows().size(); ++row)
                match(relation.rows()[row]);
        } else {
            Id key[16];
            std::vector<Id> long_key;
            std::span<Id> span(key, std::min<std::size_t>(step.keys.size(), 16));
            if (step.keys.size() > 16) {
                long_key.resize(step.keys.size());
                span = long_key;
            }
            for (std::size_t i = 0; i < step.keys.size(); ++i)
                span[i] = value(step.atom.terms[step.keys[i]], binding);
            const Index &index = relation.get(step.index);
            for (Id row = index.first(database.atoms, relation.rows(), span); row != no_id;
                 row = index.next(row))
                match(relation.rows()[row]);
        }
        for (const Column &output : step.outputs) binding[output.variable] = no_id;
    }

    std::vector<Step> steps_;
};

}  // namespace asnets::grounding
