#pragma once

#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "pddl/features.h"
#include "pddl/problem.h"
#include "pddl/syntax.h"
#include "pddl/types.h"

namespace asnets::pddl {

// What names stand for; filled by the analysis before formulae are resolved.
struct Symbols {
    const TypeTable *types = nullptr;
    Problem *problem = nullptr;
    std::unordered_map<std::string, Id> objects;
    std::unordered_map<std::string, Id> predicates;
    std::unordered_map<std::string, Id> functions;
    std::vector<std::size_t> function_arity;

    [[nodiscard]] Id object(const Source &source, const syntax::Word &word) const;
    [[nodiscard]] Id predicate(const Source &source, const syntax::Word &word) const;
    [[nodiscard]] Id function(const Source &source, const syntax::Word &word) const;
    // A fact without variables, checked for arity and types.
    [[nodiscard]] GroundAtom ground(const Source &source, const syntax::Application &atom) const;
    [[nodiscard]] std::shared_ptr<const ObjectSet> objects_of(const std::vector<Id> &types);

private:
    std::map<std::vector<Id>, std::shared_ptr<const ObjectSet>> object_sets_;
};

// Looks up the names of one schema, axiom or goal. Variables are appended to `variables` as they
// are met; features used are noted in `features`.
class Resolver {
public:
    Resolver(const Source &source, Symbols &symbols, Features &features,
             std::vector<Variable> &variables)
        : source_(source), symbols_(symbols), features_(features), variables_(variables) {
    }

    // Brings parameters into scope; their names must differ.
    void declare_parameters(const syntax::TypedList &parameters);
    [[nodiscard]] Formula formula(const syntax::Formula &formula);
    // Costs found on the way go to `costs`; `rewards` is set if the effect has any.
    [[nodiscard]] Effect effect(const syntax::Effect &effect, std::vector<CostTerm> &costs,
                                bool &rewards, bool conditional = false);

private:
    using Scope = std::unordered_map<std::string, Id>;

    [[nodiscard]] Id declare(const syntax::TypedName &variable);
    [[nodiscard]] std::vector<Id> declare_all(const syntax::TypedList &list);
    [[nodiscard]] Term term(const syntax::Word &word) const;
    // Is one of the objects of one of these types, whatever the hierarchy says?
    [[nodiscard]] bool shares_object(const ObjectSet &objects, const std::vector<Id> &types) const;
    [[nodiscard]] Atom atom(const syntax::Application &application) const;
    void update(const syntax::Effect &effect, std::vector<CostTerm> &costs, bool &rewards,
                bool conditional) const;

    const Source &source_;
    Symbols &symbols_;
    Features &features_;
    std::vector<Variable> &variables_;
    Scope scope_;
};

}  // namespace asnets::pddl
