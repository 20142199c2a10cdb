#include "grounding/join.h"

#include <algorithm>
#include <limits>

namespace asnets::grounding {

using pddl::Atom;
using pddl::Formula;
using pddl::is_variable;
using pddl::Term;

namespace {

// A ground atom's objects without an allocation for the usual arities.
class Objects {
public:
    Objects(const Atom &atom, const Binding &binding) : size_(atom.terms.size()) {
        if (size_ > std::size(near_)) far_.resize(size_);
        Id *out = size_ > std::size(near_) ? far_.data() : near_;
        for (std::size_t i = 0; i < size_; ++i) out[i] = value(atom.terms[i], binding);
    }

    [[nodiscard]] std::span<const Id> span() const {
        return {size_ > std::size(near_) ? far_.data() : near_, size_};
    }

private:
    std::size_t size_;
    Id near_[8];
    std::vector<Id> far_;
};

bool all_bound(const std::vector<bool> &used, const std::vector<bool> &bound) {
    for (std::size_t i = 0; i < used.size(); ++i)
        if (used[i] && !bound[i]) return false;
    return true;
}

// How many rows an atom is expected to match with some of its variables bound.
double expected_rows(const Atom &atom, bool is_static, const std::vector<bool> &bound,
                     const Variables &variables, const Database &database) {
    double free = 1;
    double all = 1;
    std::vector<Id> seen;
    for (const Term term : atom.terms) {
        const bool open = is_variable(term) && !bound[static_cast<std::size_t>(term)];
        const double size =
            is_variable(term)
                ? static_cast<double>(variables[static_cast<Id>(term)].objects->members.size())
                : static_cast<double>(database.object_count);
        all *= size;
        if (open && std::find(seen.begin(), seen.end(), static_cast<Id>(term)) == seen.end()) {
            free *= size;
            seen.push_back(static_cast<Id>(term));
        }
    }
    if (!is_static) return free;  // a fluent may come to hold for all objects
    const double density =
        static_cast<double>(database.relations[atom.predicate].rows().size()) / std::max(all, 1.0);
    return free * std::min(density, 1.0);
}

}  // namespace

Id Database::find(const Atom &atom, const Binding &binding) const {
    return atoms.find(atom.predicate, Objects(atom, binding).span());
}

Id Database::intern(const Atom &atom, const Binding &binding) {
    return atoms.intern(atom.predicate, Objects(atom, binding).span());
}

bool Database::negation_reached(Id atom) const {
    return atom == no_id || !atoms.has(atom, AtomTable::always_initial) ||
           atoms.has(atom, AtomTable::deleted);
}

bool Database::holds(const Formula &filter, const Binding &binding) const {
    if (filter.kind == Formula::Kind::negation) {
        const Formula &inner = filter.children[0];
        if (inner.kind == Formula::Kind::equality) return !holds(inner, binding);
        return negation_reached(find(inner.atom, binding));
    }
    return value(filter.atom.terms[0], binding) == value(filter.atom.terms[1], binding);
}

Plan::Plan(const Body &body, Id trigger, std::vector<bool> bound, const std::vector<bool> &wanted,
           const Variables &variables, Database &database) {
    struct Candidate {
        const Atom *atom;
        bool is_static;
        bool before_trigger;
    };
    std::vector<Candidate> open;
    for (const Atom &atom : body.statics) open.push_back({&atom, true, false});
    for (Id i = 0; i < body.fluents.size(); ++i)
        if (i != trigger)
            open.push_back({&body.fluents[i], false, trigger != no_id && i < trigger});
    std::vector<const Formula *> filters;
    for (const Formula &filter : body.filters) filters.push_back(&filter);

    const auto add_filters = [&] {
        std::erase_if(filters, [&](const Formula *filter) {
            std::vector<bool> used;
            free_variables(*filter, used);
            if (!all_bound(used, bound)) return false;
            Step step;
            step.kind = Step::Kind::filter;
            step.formula = *filter;
            steps_.push_back(std::move(step));
            return true;
        });
    };
    const auto enumerate = [&](Id variable) {
        Step step;
        step.kind = Step::Kind::enumerate;
        step.variable = variable;
        steps_.push_back(std::move(step));
        bound[variable] = true;
        add_filters();
    };
    add_filters();
    while (!open.empty()) {
        std::size_t best = 0;
        double fewest = std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < open.size(); ++i) {
            std::vector<bool> used;
            variables_of(*open[i].atom, used);
            const double rows =
                all_bound(used, bound)
                    ? 0
                    : expected_rows(*open[i].atom, open[i].is_static, bound, variables, database);
            if (rows < fewest) {
                fewest = rows;
                best = i;
            }
        }
        add_match(*open[best].atom, open[best].before_trigger, bound, database);
        open.erase(open.begin() + static_cast<std::ptrdiff_t>(best));
        add_filters();
    }
    std::vector<Id> rest;
    for (Id variable = 0; variable < wanted.size(); ++variable)
        if (wanted[variable] && !bound[variable]) rest.push_back(variable);
    std::stable_sort(rest.begin(), rest.end(), [&](Id a, Id b) {
        return variables[a].objects->members.size() < variables[b].objects->members.size();
    });
    for (const Id variable : rest) enumerate(variable);
}

bool Plan::passes(const Step &step, const Database &database, const Binding &binding,
                  Id trigger_atom) {
    if (step.kind == Step::Kind::filter) return database.holds(step.formula, binding);
    const Id atom = database.find(step.atom, binding);
    return atom != no_id && database.atoms.has(atom, AtomTable::in_relation) &&
           !(step.excludes_trigger && atom == trigger_atom);
}

void Plan::add_match(const Atom &atom, bool excludes_trigger, std::vector<bool> &bound,
                     Database &database) {
    Step step;
    step.atom = atom;
    step.excludes_trigger = excludes_trigger;
    std::vector<Id> new_variables;
    for (std::size_t column = 0; column < atom.terms.size(); ++column) {
        const Term term = atom.terms[column];
        if (!is_variable(term) || bound[static_cast<std::size_t>(term)]) {
            step.keys.push_back(column);
            continue;
        }
        const Id variable = static_cast<Id>(term);
        const bool again =
            std::find(new_variables.begin(), new_variables.end(), variable) != new_variables.end();
        (again ? step.repeats : step.outputs).push_back({column, variable});
        if (!again) new_variables.push_back(variable);
    }
    for (const Id variable : new_variables) bound[variable] = true;
    if (!step.keys.empty() && step.keys.size() < atom.terms.size())
        step.index = database.relations[atom.predicate].index(database.atoms, step.keys,
                                                              database.object_count);
    steps_.push_back(std::move(step));
}

}  // namespace asnets::grounding
