#include "pddl/analysis.h"

#include <algorithm>
#include <set>

#include "pddl/features.h"
#include "pddl/initial.h"
#include "pddl/names.h"
#include "pddl/resolver.h"
#include "pddl/types.h"

namespace asnets::pddl {

namespace {

class Analysis {
public:
    Analysis(const std::shared_ptr<const Source> &domain_source, const syntax::Domain &domain,
             const std::shared_ptr<const Source> &problem_source, const syntax::Problem &problem,
             Interrupt &interrupt)
        : domain_source_(*domain_source),
          problem_source_(*problem_source),
          domain_(domain),
          problem_(problem),
          interrupt_(interrupt),
          types_(*domain_source, domain.types) {
        result_.domain_name = domain.name.text;
        result_.problem_name = problem.name.text;
        result_.domain_source = domain_source;
        result_.problem_source = problem_source;
        result_.types = types_.names();
        symbols_.types = &types_;
        symbols_.problem = &result_;
    }

    Problem run() {
        declare_objects();
        declare_predicates();
        declare_functions();
        for (const syntax::Derived &derived : domain_.derived) resolve_axiom(derived);
        stratify();
        resolve_schemas();
        resolve_problem();
        add_warnings();
        return std::move(result_);
    }

private:
    void declare_objects() {
        std::map<std::string, std::vector<Id>> objects;  // in lexicographic order
        const auto add = [&](const Source &source, const syntax::TypedList &list) {
            for (const syntax::TypedName &object : list) {
                interrupt_.tick();
                if (!object.types.empty()) features_.use(":typing");
                std::vector<Id> &types = objects[object.name.text];
                for (const Id type : types_.resolve(source, object.types))
                    if (std::find(types.begin(), types.end(), type) == types.end())
                        types.push_back(type);
            }
        };
        add(domain_source_, domain_.constants);
        add(problem_source_, problem_.objects);
        for (auto &[name, types] : objects) {
            symbols_.objects.emplace(name, checked_id(result_.objects.size()));
            result_.objects.push_back({name, std::move(types)});
        }
    }

    void declare_predicates() {
        std::map<std::string, const syntax::Declaration *> declared;
        for (const syntax::Declaration &predicate : domain_.predicates) {
            if (predicate.name.text == "=") continue;  // some files declare equality
            if (!declared.emplace(predicate.name.text, &predicate).second)
                throw domain_source_.error(predicate.name.position,
                                           "expected different predicates, found " +
                                               quote(predicate.name.text) + " twice");
        }
        for (const auto &[name, declaration] : declared) {
            symbols_.predicates.emplace(name, checked_id(result_.predicates.size()));
            Predicate predicate;
            predicate.name = name;
            for (const syntax::TypedName &parameter : declaration->parameters) {
                if (!parameter.types.empty()) features_.use(":typing");
                predicate.parameter_types.push_back(
                    types_.resolve(domain_source_, parameter.types));
            }
            result_.predicates.push_back(std::move(predicate));
        }
        for (const syntax::Derived &derived : domain_.derived)
            result_.predicates[symbols_.predicate(domain_source_, derived.head.name)].derived =
                true;
    }

    void declare_functions() {
        for (const syntax::Declaration &function : domain_.functions) {
            if (!symbols_.functions
                     .emplace(function.name.text, checked_id(result_.functions.size()))
                     .second)
                throw domain_source_.error(
                    function.name.position,
                    "expected different functions, found " + quote(function.name.text) + " twice");
            result_.functions.push_back({function.name.text, {}});
            symbols_.function_arity.push_back(function.parameters.size());
        }
    }

    void resolve_axiom(const syntax::Derived &derived) {
        features_.use(":derived-predicates");
        Axiom axiom;
        axiom.predicate = symbols_.predicate(domain_source_, derived.head.name);
        axiom.position = derived.head.name.position;
        axiom.arity = derived.head.parameters.size();
        const Predicate &predicate = result_.predicates[axiom.predicate];
        if (axiom.arity != predicate.parameter_types.size())
            throw domain_source_.error(axiom.position,
                                       quote(predicate.name) + " expects " +
                                           std::to_string(predicate.parameter_types.size()) +
                                           " arguments, found " + std::to_string(axiom.arity));
        // Where the head gives no types, the predicate's declaration does.
        syntax::TypedList parameters = derived.head.parameters;
        for (std::size_t i = 0; i < parameters.size(); ++i)
            if (parameters[i].types.empty() && predicate.parameter_types[i] != std::vector<Id>{0})
                for (const Id type : predicate.parameter_types[i])
                    parameters[i].types.push_back(
                        {types_.names()[type], parameters[i].name.position});
        Resolver resolver(domain_source_, symbols_, features_, axiom.variables);
        resolver.declare_parameters(parameters);
        axiom.body = resolver.formula(derived.body);
        result_.axioms.push_back(std::move(axiom));
    }

    void resolve_schemas() {
        for (const syntax::Action &action : domain_.actions) {
            interrupt_.tick();
            Schema schema;
            schema.name = action.name.text;
            schema.position = action.name.position;
            schema.arity = action.parameters.size();
            Resolver resolver(domain_source_, symbols_, features_, schema.variables);
            resolver.declare_parameters(action.parameters);
            if (action.precondition) schema.precondition = resolver.formula(*action.precondition);
            if (action.effect)
                schema.effect = resolver.effect(*action.effect, schema.costs, rewards_);
            result_.schemas.push_back(std::move(schema));
        }
        std::stable_sort(result_.schemas.begin(), result_.schemas.end(),
                         [](const Schema &a, const Schema &b) { return a.name < b.name; });
        for (std::size_t i = 1; i < result_.schemas.size(); ++i)
            if (result_.schemas[i].name == result_.schemas[i - 1].name)
                throw domain_source_.error(result_.schemas[i].position,
                                           "expected different actions, found " +
                                               quote(result_.schemas[i].name) + " twice");
    }

    void resolve_problem() {
        static const std::vector<syntax::Initial> nothing;
        resolve_initial(problem_source_, symbols_, problem_.initial ? *problem_.initial : nothing,
                        result_, interrupt_);
        if (!problem_.goal)
            throw problem_source_.error(
                problem_.name.position,
                "expected a (:goal ...), found none in problem " + quote(result_.problem_name));
        if (result_.initial_states.size() > 1) features_.use(":probabilistic-effects");
        Features ignored;  // what else the problem uses is not the domain's business
        result_.goal = Resolver(problem_source_, symbols_, ignored, result_.goal_variables)
                           .formula(*problem_.goal);
        if (!problem_.metric) return;
        const std::string &function = problem_.metric->function.text;
        const bool harmless = function == "reward" || function == "goal-achieved" ||
                              function == "goal-probability" || function == "total-time";
        if (function == "total-cost" && problem_.metric->minimize)
            result_.unit_cost = false;
        else if (!harmless)
            throw problem_source_.error(
                problem_.metric->position,
                "not supported: metric other than (minimize (total-cost)) and "
                "(maximize (reward))");
        rewards_ = rewards_ || function == "reward";
    }

    // Numbers the layers of derived predicates so that a body uses only lower layers under
    // negation.
    void stratify() {
        std::size_t derived = 0;
        for (const Predicate &predicate : result_.predicates) derived += predicate.derived ? 1 : 0;
        for (bool changed = true; changed;) {
            changed = false;
            for (const Axiom &axiom : result_.axioms) {
                std::uint32_t &layer = result_.predicates[axiom.predicate].layer;
                const std::uint32_t needed = layer_of(axiom.body, false);
                if (needed <= layer) continue;
                if (needed > derived)
                    throw domain_source_.error(axiom.position,
                                               "derived predicate " +
                                                   quote(result_.predicates[axiom.predicate].name) +
                                                   " depends on its own negation");
                layer = needed;
                changed = true;
            }
        }
    }

    [[nodiscard]] std::uint32_t layer_of(const Formula &formula, bool negated) const {
        if (formula.kind == Formula::Kind::atom) {
            const Predicate &predicate = result_.predicates[formula.atom.predicate];
            return predicate.derived ? predicate.layer + (negated ? 1 : 0) : 0;
        }
        if (formula.kind == Formula::Kind::negation) negated = !negated;
        std::uint32_t layer = 0;
        for (const Formula &child : formula.children)
            layer = std::max(layer, layer_of(child, negated));
        return layer;
    }

    void add_warnings() {
        result_.warnings = features_.warnings(domain_source_, domain_.name, domain_.requirements);
        if (!problem_.domain.text.empty() && problem_.domain.text != domain_.name.text)
            result_.warnings.push_back(problem_source_.warning(
                problem_.domain.position, "problem " + quote(result_.problem_name) +
                                              " is for domain " + quote(problem_.domain.text) +
                                              ", not " + quote(result_.domain_name)));
        if (!problem_.initial)
            result_.warnings.push_back(problem_source_.warning(
                problem_.name.position, "no (:init ...); every atom is initially false"));
        if (rewards_ || problem_.goal_reward)
            result_.warnings.push_back(problem_source_.warning(
                problem_.goal_reward.value_or(problem_.metric ? problem_.metric->position
                                                              : problem_.name.position),
                "rewards are not optimised: every action costs 1 until the goal"));
    }

    const Source &domain_source_;
    const Source &problem_source_;
    const syntax::Domain &domain_;
    const syntax::Problem &problem_;
    Interrupt &interrupt_;
    TypeTable types_;
    Symbols symbols_;
    Features features_;
    Problem result_;
    bool rewards_ = false;
};

}  // namespace

Problem analyse(const std::shared_ptr<const Source> &domain_source, const syntax::Domain &domain,
                const std::shared_ptr<const Source> &problem_source, const syntax::Problem &problem,
                Interrupt &interrupt) {
    return Analysis(domain_source, domain, problem_source, problem, interrupt).run();
}

}  // namespace asnets::pddl
