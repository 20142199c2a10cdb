#include "pddl/resolver.h"

#include <algorithm>

#include "pddl/names.h"

namespace asnets::pddl {

namespace {

std::vector<std::string> sorted_keys(const std::unordered_map<std::string, Id> &map) {
    std::vector<std::string> keys;
    keys.reserve(map.size());
    for (const auto &[key, value] : map) keys.push_back(key);
    std::sort(keys.begin(), keys.end());
    return keys;
}

Id look_up(const Source &source, const syntax::Word &word,
           const std::unordered_map<std::string, Id> &map, const std::string &what,
           const std::string &owner) {
    const auto found = map.find(word.text);
    if (found == map.end())
        throw source.error(word.position, "unknown " + what + " " + quote(word.text) +
                                              suggestion(word.text, owner, sorted_keys(map)));
    return found->second;
}

void check_arity(const Source &source, const syntax::Application &application, std::size_t arity) {
    if (application.terms.size() != arity)
        throw source.error(application.symbol.position,
                           quote(application.symbol.text) + " expects " + std::to_string(arity) +
                               (arity == 1 ? " argument" : " arguments") + ", found " +
                               std::to_string(application.terms.size()));
}

}  // namespace

Id Symbols::object(const Source &source, const syntax::Word &word) const {
    return look_up(source, word, objects, "object", "problem " + problem->problem_name);
}

Id Symbols::predicate(const Source &source, const syntax::Word &word) const {
    return look_up(source, word, predicates, "predicate", "domain " + problem->domain_name);
}

Id Symbols::function(const Source &source, const syntax::Word &word) const {
    return look_up(source, word, functions, "function", "domain " + problem->domain_name);
}

GroundAtom Symbols::ground(const Source &source, const syntax::Application &atom) const {
    GroundAtom result{predicate(source, atom.symbol), {}};
    const Predicate &declared = problem->predicates[result.predicate];
    check_arity(source, atom, declared.parameter_types.size());
    for (std::size_t i = 0; i < atom.terms.size(); ++i) {
        if (atom.terms[i].text[0] == '?')
            throw source.error(atom.terms[i].position, "expected an object, found the variable " +
                                                           quote(atom.terms[i].text));
        const Id id = object(source, atom.terms[i]);
        const Object &thing = problem->objects[id];
        if (!types->fits(thing.types, declared.parameter_types[i]))
            throw source.error(atom.terms[i].position,
                               "expected an object of type " +
                                   types->describe(declared.parameter_types[i]) + ", found " +
                                   quote(thing.name) + " of type " + types->describe(thing.types));
        result.objects.push_back(id);
    }
    return result;
}

std::shared_ptr<const ObjectSet> Symbols::objects_of(const std::vector<Id> &wanted) {
    std::shared_ptr<const ObjectSet> &known = object_sets_[wanted];
    if (known) return known;
    ObjectSet set;
    for (Id id = 0; id < problem->objects.size(); ++id) {
        set.contains.push_back(types->fits(problem->objects[id].types, wanted));
        if (set.contains.back()) set.members.push_back(id);
    }
    known = std::make_shared<const ObjectSet>(std::move(set));
    return known;
}

Id Resolver::declare(const syntax::TypedName &variable) {
    const Id id = checked_id(variables_.size());
    if (!variable.types.empty()) features_.use(":typing");
    std::vector<Id> types = symbols_.types->resolve(source_, variable.types);
    std::shared_ptr<const ObjectSet> objects = symbols_.objects_of(types);
    variables_.push_back({variable.name.text, std::move(types), std::move(objects)});
    return id;
}

void Resolver::declare_parameters(const syntax::TypedList &parameters) {
    for (const syntax::TypedName &parameter : parameters) {
        const auto [entry, is_new] = scope_.try_emplace(parameter.name.text, no_id);
        if (!is_new)
            throw source_.error(parameter.name.position, "expected different parameters, found " +
                                                             quote(parameter.name.text) + " twice");
        entry->second = declare(parameter);
    }
}

std::vector<Id> Resolver::declare_all(const syntax::TypedList &list) {
    std::vector<Id> result;
    for (const syntax::TypedName &variable : list) {
        result.push_back(declare(variable));
        scope_[variable.name.text] = result.back();
    }
    return result;
}

Term Resolver::term(const syntax::Word &word) const {
    if (word.text[0] != '?') return ~static_cast<Term>(symbols_.object(source_, word));
    const auto found = scope_.find(word.text);
    if (found == scope_.end())
        throw source_.error(word.position,
                            "unbound variable " + quote(word.text) +
                                suggestion(word.text, "this scope", sorted_keys(scope_)));
    return static_cast<Term>(found->second);
}

bool Resolver::shares_object(const ObjectSet &objects, const std::vector<Id> &types) const {
    return std::any_of(objects.members.begin(), objects.members.end(), [&](Id object) {
        return symbols_.types->fits(symbols_.problem->objects[object].types, types);
    });
}

Atom Resolver::atom(const syntax::Application &application) const {
    Atom result{symbols_.predicate(source_, application.symbol), {}};
    const Predicate &predicate = symbols_.problem->predicates[result.predicate];
    check_arity(source_, application, predicate.parameter_types.size());
    for (std::size_t i = 0; i < application.terms.size(); ++i) {
        const syntax::Word &word = application.terms[i];
        const std::vector<Id> &wanted = predicate.parameter_types[i];
        const Term value = term(word);
        const std::vector<Id> &types = is_variable(value)
                                           ? variables_[static_cast<std::size_t>(value)].types
                                           : symbols_.problem->objects[object_of(value)].types;
        // A variable of a wider type is fine: the atom is simply false for the other objects.
        const bool possible =
            is_variable(value)
                ? symbols_.types->overlaps(types, wanted) ||
                      shares_object(*variables_[static_cast<std::size_t>(value)].objects, wanted)
                : symbols_.types->fits(types, wanted);
        if (!possible)
            throw source_.error(word.position, "expected a term of type " +
                                                   symbols_.types->describe(wanted) + ", found " +
                                                   quote(word.text) + " of type " +
                                                   symbols_.types->describe(types));
        result.terms.push_back(value);
    }
    return result;
}

Formula Resolver::formula(const syntax::Formula &formula) {
    using From = syntax::Formula::Kind;
    using To = Formula::Kind;
    Formula result;
    result.position = formula.position;
    const auto resolve_children = [&] {
        for (const syntax::Formula &child : formula.children)
            result.children.push_back(this->formula(child));
    };
    switch (formula.kind) {
        case From::conjunction: resolve_children(); break;
        case From::disjunction:
            features_.use(":disjunctive-preconditions");
            result.kind = To::disjunction;
            resolve_children();
            break;
        case From::negation:
            if (formula.children[0].kind != From::equality)
                features_.use(":negative-preconditions");
            result.kind = To::negation;
            resolve_children();
            break;
        case From::implication: {
            features_.use(":disjunctive-preconditions");
            result.kind = To::disjunction;
            Formula premise;
            premise.kind = To::negation;
            premise.position = formula.children[0].position;
            premise.children.push_back(this->formula(formula.children[0]));
            result.children.push_back(std::move(premise));
            result.children.push_back(this->formula(formula.children[1]));
            break;
        }
        case From::atom:
            result.kind = To::atom;
            result.atom = atom(formula.atom);
            break;
        case From::equality:
            features_.use(":equality");
            result.kind = To::equality;
            result.atom.terms = {term(formula.atom.terms[0]), term(formula.atom.terms[1])};
            break;
        case From::forall:
        case From::exists: {
            const bool universal = formula.kind == From::forall;
            features_.use(universal ? ":universal-preconditions" : ":existential-preconditions");
            result.kind = universal ? To::forall : To::exists;
            const Scope outer = scope_;
            result.variables = declare_all(formula.variables);
            resolve_children();
            scope_ = outer;
            break;
        }
    }
    return result;
}

Effect Resolver::effect(const syntax::Effect &effect, std::vector<CostTerm> &costs, bool &rewards,
                        bool conditional) {
    using From = syntax::Effect::Kind;
    using To = Effect::Kind;
    Effect result;
    result.position = effect.position;
    const auto resolve_children = [&](bool inner) {
        for (const syntax::Effect &child : effect.children)
            result.children.push_back(this->effect(child, costs, rewards, inner));
    };
    switch (effect.kind) {
        case From::conjunction: resolve_children(conditional); break;
        case From::add:
        case From::remove:
            result.kind = effect.kind == From::add ? To::add : To::remove;
            result.atom = atom(effect.atom);
            if (symbols_.problem->predicates[result.atom.predicate].derived)
                throw source_.error(effect.atom.symbol.position,
                                    "expected a basic predicate, found the derived predicate " +
                                        quote(effect.atom.symbol.text) + " in an effect");
            break;
        case From::when:
            features_.use(":conditional-effects");
            result.kind = To::when;
            result.condition = formula(effect.condition[0]);
            resolve_children(true);
            break;
        case From::forall: {
            features_.use(":conditional-effects");
            result.kind = To::forall;
            const Scope outer = scope_;
            result.variables = declare_all(effect.variables);
            resolve_children(true);
            scope_ = outer;
            break;
        }
        case From::probabilistic:
            features_.use(":probabilistic-effects");
            result.kind = To::probabilistic;
            for (const syntax::Probability &probability : effect.probabilities)
                result.probabilities.push_back(std::min(probability.value, 1.0));
            resolve_children(true);
            break;
        case From::update: update(effect, costs, rewards, conditional); break;
    }
    return result;
}

void Resolver::update(const syntax::Effect &effect, std::vector<CostTerm> &costs, bool &rewards,
                      bool conditional) const {
    const std::string &function = effect.atom.symbol.text;
    if (function == "reward") {
        features_.use(":rewards");
        rewards = true;
        return;
    }
    if (function != "total-cost" || effect.operation != "increase")
        throw source_.error(effect.position, "not supported: numeric effect (" + effect.operation +
                                                 " (" + function +
                                                 " ...) ...); only total-cost may increase");
    features_.use(":action-costs");
    if (conditional)
        throw source_.error(effect.position,
                            "not supported: a cost inside a conditional, quantified or "
                            "probabilistic effect");
    CostTerm cost;
    cost.position = effect.position;
    if (effect.number) {
        if (*effect.number < 0)
            throw source_.error(effect.position,
                                "expected a cost of at least 0, found a negative one");
        cost.number = *effect.number;
    } else {
        cost.function = symbols_.function(source_, effect.value.symbol);
        check_arity(source_, effect.value, symbols_.function_arity[cost.function]);
        for (const syntax::Word &word : effect.value.terms) cost.terms.push_back(term(word));
    }
    costs.push_back(std::move(cost));
}

}  // namespace asnets::pddl
