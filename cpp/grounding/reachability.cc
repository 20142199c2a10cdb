#include "grounding/reachability.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "base/hash.h"
#include "grounding/conditional.h"
#include "grounding/relaxed_truth.h"

namespace asnets::grounding {

using pddl::Atom;
using pddl::Formula;

namespace {

Formula conjunction(const std::vector<Formula> &parts) {
    Formula result;
    result.children = parts;
    return result;
}

// Parameter bindings seen so far; only where a schema can be matched in several ways.
class InstanceSet {
public:
    bool insert(std::span<const Id> objects) {
        return set_.emplace(objects.begin(), objects.end()).second;
    }
    [[nodiscard]] bool contains(std::span<const Id> objects) const {
        return set_.contains(std::vector<Id>(objects.begin(), objects.end()));
    }

private:
    struct Hash {
        std::size_t operator()(const std::vector<Id> &objects) const {
            return hash_range(std::span<const Id>(objects));
        }
    };
    std::unordered_set<std::vector<Id>, Hash> set_;
};

// A conditional effect, ready to be run for each instance: `plan` binds the quantified variables
// through the static part of the condition, the rest is checked and watched.
struct ConditionalEffect {
    Plan plan;
    Formula residual;
    std::vector<Atom> adds;
    std::vector<Atom> removes;
};

// A schema or an axiom.
struct Operator {
    const Variables &variables;
    std::size_t arity;
    std::vector<Atom> adds;  // unconditional
    std::vector<Atom> removes;
    std::vector<ConditionalEffect> conditional;
    bool ambiguous = false;  // several matches may give the same instance
    InstanceSet seen;
    std::vector<Id> instances;
    std::size_t count = 0;
};

// One way to satisfy an operator's condition; plans[i], made when first used, continues from a
// match of fluent i, and a rule without fluents has the single plan that starts from nothing.
struct Rule {
    std::size_t owner;
    Body body;
    Formula residual;
    std::vector<std::optional<Plan>> plans;
};

struct Trigger {
    std::size_t rule;
    Id fluent;
};

// A match or a conditional effect whose residual condition does not hold yet.
struct Waiter {
    const Formula *condition;
    std::size_t owner;
    const ConditionalEffect *effect;  // or nullptr: the instance itself
    Binding binding;
    bool done = false;
};

class Exploration {
public:
    Exploration(const pddl::Problem &problem, Interrupt &interrupt)
        : problem_(problem), database_(make_database(problem, interrupt)) {
    }

    Reachable run() {
        load_initial();
        make_operators();
        for (std::size_t i = 0; i < rules_.size(); ++i)
            if (rules_[i].body.fluents.empty()) match(i, 0, no_id);
        while (next_ < events_.size()) {
            const Literal event = events_[next_++];
            database_.interrupt.tick();
            if (!event.negated) trigger(event.atom);
            wake(event);
        }
        Reachable result{std::move(database_), {}, {}, {}, {}};
        for (std::size_t i = 0; i < operators_.size(); ++i) {
            const bool is_schema = i < problem_.schemas.size();
            (is_schema ? result.schema_instances : result.axiom_instances)
                .push_back(std::move(operators_[i].instances));
            (is_schema ? result.schema_counts : result.axiom_counts).push_back(operators_[i].count);
        }
        return result;
    }

private:
    static Database make_database(const pddl::Problem &problem, Interrupt &interrupt) {
        std::vector<std::size_t> arities;
        for (const pddl::Predicate &predicate : problem.predicates)
            arities.push_back(predicate.parameter_types.size());
        return {AtomTable(arities, problem.objects.size()),
                std::vector<Relation>(problem.predicates.size()), predicate_uses(problem),
                problem.objects.size(), interrupt};
    }

    // Static facts become visible to joins at once, the others as events.
    void load_initial() {
        const auto load = [this](const pddl::GroundAtom &fact, bool always) {
            const Id atom = database_.atoms.intern(fact.predicate, fact.objects);
            if (always) database_.atoms.set(atom, AtomTable::always_initial);
            if (database_.uses[fact.predicate].added)
                reach_atom(atom);
            else if (!database_.atoms.has(atom, AtomTable::reached)) {
                database_.atoms.set(atom, AtomTable::reached);
                show(atom);
            }
        };
        for (const pddl::GroundAtom &fact : problem_.facts) load(fact, true);
        for (const pddl::InitialState &state : problem_.initial_states)
            for (const pddl::GroundAtom &fact : state.facts) load(fact, false);
    }

    void show(Id atom) {
        database_.atoms.set(atom, AtomTable::in_relation);
        database_.relations[database_.atoms.predicate(atom)].add(database_.atoms, atom);
    }

    void make_operators() {
        operators_.reserve(problem_.schemas.size() + problem_.axioms.size());
        triggers_.resize(problem_.predicates.size());
        for (const pddl::Schema &schema : problem_.schemas) {
            database_.interrupt.tick();
            Operator &op = add_operator(schema.variables, schema.arity, schema.precondition);
            std::vector<RelaxedEffect> effects = relax(schema.effect);
            op.adds = std::move(effects[0].adds);
            op.removes = std::move(effects[0].removes);
            for (std::size_t i = 1; i < effects.size(); ++i) add_conditional(op, effects[i]);
        }
        for (const pddl::Axiom &axiom : problem_.axioms) {
            Operator &op = add_operator(axiom.variables, axiom.arity, axiom.body);
            Atom head{axiom.predicate, {}};
            for (std::size_t i = 0; i < axiom.arity; ++i)
                head.terms.push_back(static_cast<pddl::Term>(i));
            op.adds.push_back(std::move(head));
        }
    }

    Operator &add_operator(const Variables &variables, std::size_t arity,
                           const Formula &condition) {
        operators_.push_back({variables, arity, {}, {}, {}, false, {}, {}, 0});
        Operator &op = operators_.back();
        std::vector<Body> bodies = split(negation_normal_form(condition), database_.uses);
        op.ambiguous = bodies.size() > 1;
        for (Body &body : bodies) {
            op.ambiguous = op.ambiguous || !body.existential.empty();
            Rule rule{operators_.size() - 1, std::move(body), {}, {}};
            rule.residual = conjunction(rule.body.residual);
            rule.plans.resize(std::max<std::size_t>(rule.body.fluents.size(), 1));
            for (Id fluent = 0; fluent < rule.body.fluents.size(); ++fluent)
                triggers_[rule.body.fluents[fluent].predicate].push_back({rules_.size(), fluent});
            rules_.push_back(std::move(rule));
        }
        return op;
    }

    void add_conditional(Operator &op, RelaxedEffect &effect) {
        const Body body = effect_body(effect.condition, database_.uses);
        std::vector<bool> bound(op.variables.size());
        for (std::size_t i = 0; i < op.arity; ++i) bound[i] = true;
        std::vector<bool> wanted = bound;
        for (const Id variable : effect.variables) wanted[variable] = true;
        op.conditional.push_back({Plan(body, no_id, bound, wanted, op.variables, database_),
                                  conjunction(body.residual), std::move(effect.adds),
                                  std::move(effect.removes)});
    }

    void trigger(Id atom) {
        show(atom);
        for (const Trigger &each : triggers_[database_.atoms.predicate(atom)])
            match(each.rule, each.fluent, atom);
    }

    // Finds the instances of a rule that use `atom` as the given fluent (no_id: a rule without
    // any).
    void match(std::size_t rule_index, Id fluent, Id atom) {
        Rule &rule = rules_[rule_index];
        const Operator &op = operators_[rule.owner];
        binding_.assign(op.variables.size(), no_id);
        if (atom != no_id && !unify(rule.body.fluents[fluent], atom, op.variables)) return;
        std::optional<Plan> &plan = rule.plans[fluent];
        if (!plan) plan = make_plan(rule.body, atom == no_id ? no_id : fluent, op);
        plan->run(database_, op.variables, binding_, atom,
                  [&] { instance(rule.owner, &rule.residual); });
    }

    Plan make_plan(const Body &body, Id fluent, const Operator &op) {
        std::vector<bool> bound(op.variables.size());
        if (fluent != no_id) variables_of(body.fluents[fluent], bound);
        std::vector<bool> wanted(op.variables.size());
        for (std::size_t i = 0; i < op.arity; ++i) wanted[i] = true;
        for (const Id variable : body.existential) wanted[variable] = true;
        return {body, fluent, std::move(bound), wanted, op.variables, database_};
    }

    bool unify(const Atom &pattern, Id atom, const Variables &variables) {
        const std::span<const Id> objects = database_.atoms.objects(atom);
        for (std::size_t i = 0; i < objects.size(); ++i) {
            const pddl::Term term = pattern.terms[i];
            if (!pddl::is_variable(term)) {
                if (pddl::object_of(term) != objects[i]) return false;
                continue;
            }
            Id &bound = binding_[static_cast<std::size_t>(term)];
            if (bound == no_id && variables[static_cast<Id>(term)].objects->contains[objects[i]])
                bound = objects[i];
            if (bound != objects[i]) return false;
        }
        return true;
    }

    // `binding_` satisfies the joined part of an operator's condition.
    void instance(std::size_t owner, const Formula *residual) {
        Operator &op = operators_[owner];
        const std::span<const Id> parameters(binding_.data(), op.arity);
        if (op.ambiguous && op.seen.contains(parameters)) return;
        if (!check(residual, owner, nullptr, binding_)) return;
        reach_instance(owner, binding_);
    }

    // True if the condition holds now; else the continuation waits, if it can ever hold.
    bool check(const Formula *condition, std::size_t owner, const ConditionalEffect *effect,
               Binding &binding) {
        if (condition->children.empty()) return true;
        watches_.clear();
        const Truth truth =
            relaxed_truth(*condition, binding, operators_[owner].variables, database_, watches_);
        if (truth == Truth::waits) {
            waiters_.push_back({condition, owner, effect, binding, false});
            watch(waiters_.size() - 1);
        }
        return truth == Truth::holds;
    }

    void watch(std::size_t waiter) {
        for (const Literal &literal : watches_) waiting_[key(literal)].push_back(waiter);
    }

    void wake(Literal event) {
        const auto found = waiting_.find(key(event));
        if (found == waiting_.end()) return;
        const std::vector<std::size_t> woken = std::move(found->second);
        waiting_.erase(found);
        for (const std::size_t index : woken) {
            database_.interrupt.tick();
            if (waiters_[index].done) continue;
            Binding binding = waiters_[index].binding;
            const std::size_t owner = waiters_[index].owner;
            watches_.clear();
            const Truth truth = relaxed_truth(*waiters_[index].condition, binding,
                                              operators_[owner].variables, database_, watches_);
            if (truth == Truth::waits) watch(index);
            if (truth != Truth::holds) continue;
            waiters_[index].done = true;
            Binding().swap(waiters_[index].binding);
            if (const ConditionalEffect *effect = waiters_[index].effect)
                apply(effect->adds, effect->removes, binding);
            else
                reach_instance(owner, binding);
        }
    }

    void reach_instance(std::size_t owner, const Binding &binding) {
        Operator &op = operators_[owner];
        const std::span<const Id> parameters(binding.data(), op.arity);
        if (op.ambiguous && !op.seen.insert(parameters)) return;
        op.instances.insert(op.instances.end(), parameters.begin(), parameters.end());
        ++op.count;
        apply(op.adds, op.removes, binding);
        if (op.conditional.empty()) return;
        Binding inner(binding.size(), no_id);  // a join may be going on in `binding`
        std::copy(parameters.begin(), parameters.end(), inner.begin());
        for (const ConditionalEffect &effect : op.conditional)
            effect.plan.run(database_, op.variables, inner, no_id, [&] {
                if (check(&effect.residual, owner, &effect, inner))
                    apply(effect.adds, effect.removes, inner);
            });
    }

    void apply(const std::vector<Atom> &adds, const std::vector<Atom> &removes,
               const Binding &binding) {
        for (const Atom &atom : adds) reach_atom(database_.intern(atom, binding));
        for (const Atom &atom : removes) {
            const Id id = database_.find(atom, binding);
            if (id == no_id || database_.negation_reached(id)) continue;
            database_.atoms.set(id, AtomTable::deleted);
            events_.push_back({id, true});
        }
    }

    void reach_atom(Id atom) {
        if (database_.atoms.has(atom, AtomTable::reached)) return;
        database_.atoms.set(atom, AtomTable::reached);
        events_.push_back({atom, false});
    }

    static std::uint64_t key(Literal literal) {
        return (static_cast<std::uint64_t>(literal.atom) << 1U) | (literal.negated ? 1U : 0U);
    }

    const pddl::Problem &problem_;
    Database database_;
    std::vector<Operator> operators_;  // schemas, then axioms
    std::vector<Rule> rules_;
    std::vector<std::vector<Trigger>> triggers_;  // by predicate
    std::vector<Literal> events_;  // reached literals in order; a queue from next_ on
    std::size_t next_ = 0;
    std::vector<Waiter> waiters_;
    std::unordered_map<std::uint64_t, std::vector<std::size_t>> waiting_;
    std::vector<Literal> watches_;
    Binding binding_;
};

}  // namespace

Reachable reach(const pddl::Problem &problem, Interrupt &interrupt) {
    return Exploration(problem, interrupt).run();
}

}  // namespace asnets::grounding
