#include "task/build.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "grounding/normal_form.h"
#include "grounding/reachability.h"
#include "task/ground_effect.h"
#include "task/ground_formula.h"

namespace asnets {

using grounding::AtomTable;
using grounding::Binding;
using grounding::Reachable;
using grounding::Variables;
using pddl::Formula;

namespace {

// The order of rows of `arity` ids each, lexicographically. Short rows are packed into one word.
std::vector<Id> sorted_rows(const std::vector<Id> &rows, std::size_t arity, std::size_t count,
                            std::size_t objects) {
    std::vector<Id> order(count);
    std::iota(order.begin(), order.end(), Id{0});
    const auto bits = static_cast<std::size_t>(std::bit_width(objects));
    if (arity * bits <= 64) {
        std::vector<std::pair<std::uint64_t, Id>> keys(count);
        for (std::size_t row = 0; row < count; ++row) {
            std::uint64_t key = 0;
            for (std::size_t i = 0; i < arity; ++i) key = (key << bits) | rows[row * arity + i];
            keys[row] = {key, order[row]};
        }
        std::sort(keys.begin(), keys.end());
        for (std::size_t row = 0; row < count; ++row) order[row] = keys[row].second;
    } else {
        std::sort(order.begin(), order.end(), [&](Id a, Id b) {
            const Id *first = rows.data() + a * arity;
            const Id *second = rows.data() + b * arity;
            return std::lexicographical_compare(first, first + arity, second, second + arity);
        });
    }
    return order;
}

// Makes room for more elements at once; many such calls still take linear time in all.
void reserve_more(std::vector<Id> &list, std::size_t more) {
    const std::size_t needed = list.size() + more;
    if (needed > list.capacity()) list.reserve(std::max(needed, list.capacity() / 2 * 3));
}

class Builder {
public:
    Builder(pddl::Problem &&problem, Interrupt &interrupt)
        : problem_(std::make_shared<const pddl::Problem>(std::move(problem))),
          reachable_(grounding::reach(*problem_, interrupt)),
          ground_{reachable_.database, {}},
          task_(std::make_shared<Task>()) {
        task_->problem = problem_;
    }

    std::shared_ptr<const Task> run() {
        const Formula goal = grounding::negation_normal_form(problem_->goal);
        mark_goal(goal);
        number_propositions();
        store_goal(goal);
        std::size_t actions = 0;
        for (const std::size_t count : reachable_.schema_counts) actions += count;
        task_->actions.reserve(actions);
        task_->outcomes.reserve(actions);
        for (std::size_t schema = 0; schema < problem_->schemas.size(); ++schema)
            store_actions(schema);
        task_->schema_begin.push_back(checked_id(task_->actions.size()));
        store_axioms();
        store_initial_states();
        task_->applicability = Applicability(*task_);
        return std::move(task_);
    }

private:
    static const std::vector<Formula> &conjuncts(const Formula &formula,
                                                 std::vector<Formula> &single) {
        if (formula.kind == Formula::Kind::conjunction) return formula.children;
        single = {formula};
        return single;
    }

    // Atoms that the goal asks for are propositions even if they can never be true.
    void mark_goal(const Formula &goal) {
        std::vector<Formula> single;
        const Binding nothing;
        for (const Formula &part : conjuncts(goal, single))
            if (part.kind == Formula::Kind::atom)
                reachable_.database.atoms.set(reachable_.database.intern(part.atom, nothing),
                                              AtomTable::goal);
    }

    void number_propositions() {
        const AtomTable &atoms = reachable_.database.atoms;
        std::vector<std::vector<Id>> by_predicate(problem_->predicates.size());
        for (Id atom = 0; atom < atoms.size(); ++atom)
            if (atoms.has(atom, AtomTable::reached) || atoms.has(atom, AtomTable::goal))
                by_predicate[atoms.predicate(atom)].push_back(atom);
        ground_.proposition.assign(atoms.size(), no_id);
        std::size_t next = 0;
        for (const std::vector<Id> &members : by_predicate) {
            reachable_.database.interrupt.check();
            task_->predicate_begin.push_back(checked_id(next));
            task_->predicate_objects_begin.push_back(task_->proposition_objects.size());
            std::vector<Id> rows;
            for (const Id atom : members)
                rows.insert(rows.end(), atoms.objects(atom).begin(), atoms.objects(atom).end());
            const std::size_t arity = members.empty() ? 0 : rows.size() / members.size();
            for (const Id row :
                 sorted_rows(rows, arity, members.size(), problem_->objects.size())) {
                const Id atom = members[row];
                ground_.proposition[atom] = checked_id(next++);
                task_->proposition_objects.insert(task_->proposition_objects.end(),
                                                  atoms.objects(atom).begin(),
                                                  atoms.objects(atom).end());
            }
        }
        task_->predicate_begin.push_back(checked_id(next));
    }

    void store_goal(const Formula &goal) {
        Binding binding(problem_->goal_variables.size(), no_id);
        const Variables &variables = problem_->goal_variables;
        task_->goal = store_condition_of(goal, binding, variables);
    }

    // Plain positive literals are kept even if they never change; the rest is simplified.
    Condition store_condition_of(const Formula &condition, Binding &binding,
                                 const Variables &variables) {
        std::vector<Formula> single;
        std::vector<Id> positive;
        std::vector<GroundFormula> rest;
        for (const Formula &part : conjuncts(condition, single)) {
            const Id proposition =
                part.kind == Formula::Kind::atom ? ground_.find(part.atom, binding) : no_id;
            if (proposition != no_id)
                positive.push_back(proposition);
            else
                rest.push_back(ground_formula(part, binding, variables, ground_));
        }
        return store_condition(std::move(positive), {}, conjoin(std::move(rest)), *task_,
                               reachable_.database.interrupt);
    }

    void store_actions(std::size_t index) {
        const pddl::Schema &schema = problem_->schemas[index];
        const std::vector<Id> &rows = reachable_.schema_instances[index];
        const std::size_t count = reachable_.schema_counts[index];
        task_->schema_begin.push_back(checked_id(task_->actions.size()));
        task_->schema_objects_begin.push_back(task_->action_objects.size());
        const Variables &variables = schema.variables;
        const Formula precondition = grounding::negation_normal_form(schema.precondition);
        EffectGrounder effect(*problem_, schema, variables, ground_);
        Binding binding(schema.variables.size(), no_id);
        reserve_more(task_->action_objects, rows.size());
        const std::size_t literals = task_->literals.size();
        for (const Id row : sorted_rows(rows, schema.arity, count, problem_->objects.size())) {
            reachable_.database.interrupt.tick();
            std::copy_n(rows.begin() + static_cast<std::ptrdiff_t>(row * schema.arity),
                        schema.arity, binding.begin());
            task_->action_objects.insert(
                task_->action_objects.end(), binding.begin(),
                binding.begin() + static_cast<std::ptrdiff_t>(schema.arity));
            GroundAction action;
            action.precondition = store_condition_of(precondition, binding, variables);
            action.cost = cost(schema, binding);
            effect.store(binding, action, *task_);
            if (task_->actions.size() == task_->schema_begin.back())  // the others will be alike
                reserve_more(task_->literals, (task_->literals.size() - literals) * (count - 1));
            task_->actions.push_back(action);
            checked_id(task_->actions.size());
        }
        std::vector<Id>().swap(reachable_.schema_instances[index]);
    }

    double cost(const pddl::Schema &schema, const Binding &binding) const {
        if (problem_->unit_cost) return 1;
        double total = 0;
        for (const pddl::CostTerm &term : schema.costs) {
            if (term.function == no_id) {
                total += term.number;
                continue;
            }
            const pddl::Function &function = problem_->functions[term.function];
            std::vector<Id> objects;
            for (const pddl::Term each : term.terms)
                objects.push_back(grounding::value(each, binding));
            const auto found = function.values.find(objects);
            if (found == function.values.end()) {
                std::string name = function.name;
                for (const Id object : objects) name += " " + problem_->objects[object].name;
                throw problem_->domain_source->error(
                    term.position,
                    "expected a value for (" + name + ") in (:init ...), found none");
            }
            if (found->second < 0)
                throw problem_->domain_source->error(
                    term.position,
                    "expected a cost of at least 0, found a negative one in (:init ...)");
            total += found->second;
        }
        return total;
    }

    void store_axioms() {
        std::vector<std::size_t> order(problem_->axioms.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        const auto layer = [this](std::size_t axiom) {
            return problem_->predicates[problem_->axioms[axiom].predicate].layer;
        };
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t a, std::size_t b) { return layer(a) < layer(b); });
        for (std::size_t i = 0; i < order.size(); ++i) {
            if (i == 0 || layer(order[i]) != layer(order[i - 1]))
                task_->axiom_layer_begin.push_back(task_->axioms.size());
            store_axiom(order[i]);
        }
        task_->axiom_layer_begin.push_back(task_->axioms.size());
        task_->axiom_index = AxiomIndex(*task_);
    }

    void store_axiom(std::size_t index) {
        const pddl::Axiom &axiom = problem_->axioms[index];
        const std::vector<Id> &rows = reachable_.axiom_instances[index];
        const Variables &variables = axiom.variables;
        const Formula body = grounding::negation_normal_form(axiom.body);
        Binding binding(axiom.variables.size(), no_id);
        for (const Id row : sorted_rows(rows, axiom.arity, reachable_.axiom_counts[index],
                                        problem_->objects.size())) {
            reachable_.database.interrupt.tick();
            std::copy_n(rows.begin() + static_cast<std::ptrdiff_t>(row * axiom.arity), axiom.arity,
                        binding.begin());
            const std::span<const Id> head(binding.data(), axiom.arity);
            GroundAxiom ground;
            ground.head =
                ground_.proposition[reachable_.database.atoms.find(axiom.predicate, head)];
            GroundFormula formula = ground_formula(body, binding, variables, ground_);
            std::vector<GroundFormula> alternatives;  // an axiom each, so that bodies stay small
            if (formula.kind == GroundFormula::Kind::disjunction)
                alternatives = std::move(formula.children);
            else
                alternatives.push_back(std::move(formula));
            for (GroundFormula &alternative : alternatives) {
                ground.body = store_condition({}, {}, std::move(alternative), *task_,
                                              reachable_.database.interrupt);
                task_->axioms.push_back(ground);
            }
        }
    }

    void store_initial_states() {
        const auto proposition = [this](const pddl::GroundAtom &fact) {
            return ground_
                .proposition[reachable_.database.atoms.find(fact.predicate, fact.objects)];
        };
        for (const pddl::InitialState &initial : problem_->initial_states) {
            State state(task_->proposition_count());
            for (const pddl::GroundAtom &fact : problem_->facts) state.add(proposition(fact));
            for (const pddl::GroundAtom &fact : initial.facts) state.add(proposition(fact));
            task_->derive(state);
            task_->initial_states.emplace_back(std::move(state), initial.probability);
        }
    }

    std::shared_ptr<const pddl::Problem> problem_;
    Reachable reachable_;
    Ground ground_;
    std::shared_ptr<Task> task_;
};

}  // namespace

std::shared_ptr<const Task> ground(pddl::Problem problem, Interrupt &interrupt) {
    return Builder(std::move(problem), interrupt).run();
}

}  // namespace asnets
