#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/ids.h"
#include "pddl/source.h"

// A domain and one of its problems with every name looked up: the front end's result. Objects,
// predicates and schemas are numbered in lexicographic order of their names.
namespace asnets::pddl {

// A variable of the enclosing schema (>= 0) or the object ~term (< 0).
using Term = std::int32_t;

inline bool is_variable(Term term) {
    return term >= 0;
}
inline Id object_of(Term term) {
    return static_cast<Id>(~term);
}

// Objects of some types; shared by the variables of those types.
struct ObjectSet {
    std::vector<Id> members;     // ascending
    std::vector<bool> contains;  // by object
};

struct Variable {
    std::string name;                          // with its question mark
    std::vector<Id> types;                     // as written; several for `either`
    std::shared_ptr<const ObjectSet> objects;  // of those types
};

struct Atom {
    Id predicate = no_id;
    std::vector<Term> terms;
};

// A condition. Implications are written as disjunctions. Quantified variables are numbered apart
// from all others of their schema, so that no name hides another.
struct Formula {
    enum class Kind { conjunction, disjunction, negation, atom, equality, forall, exists };

    Kind kind = Kind::conjunction;  // an empty conjunction is true, an empty disjunction false
    Position position;
    std::vector<Formula> children;
    Atom atom;                  // atom; equality uses its two terms
    std::vector<Id> variables;  // forall and exists
};

// An effect; costs are kept apart.
struct Effect {
    enum class Kind { conjunction, add, remove, when, forall, probabilistic };

    Kind kind = Kind::conjunction;
    Position position;
    std::vector<Effect> children;
    Atom atom;                  // add and remove
    Formula condition;          // when
    std::vector<Id> variables;  // forall
    std::vector<double>
        probabilities;  // probabilistic: one a child; what is missing to 1: no change
};

// One `(increase (total-cost) ...)`: a number or the value of a static function.
struct CostTerm {
    double number = 0;
    Id function = no_id;
    std::vector<Term> terms;
    Position position;
};

struct Schema {
    std::string name;
    Position position;
    std::size_t arity = 0;            // the first `arity` variables are the parameters
    std::vector<Variable> variables;  // parameters, then quantified variables
    Formula precondition;
    Effect effect;
    std::vector<CostTerm> costs;
};

// `(:derived (p ?x) body)`: the first variables are the head's parameters.
struct Axiom {
    Id predicate = no_id;
    Position position;
    std::size_t arity = 0;
    std::vector<Variable> variables;
    Formula body;
};

struct Predicate {
    std::string name;
    std::vector<std::vector<Id>> parameter_types;
    bool derived = false;
    std::uint32_t layer =
        0;  // derived: bodies use lower layers under negation, at most its own else
};

struct Object {
    std::string name;
    std::vector<Id> types;
};

struct GroundAtom {
    Id predicate = no_id;
    std::vector<Id> objects;

    auto operator<=>(const GroundAtom &) const = default;
};

struct InitialState {
    double probability = 1;
    std::vector<GroundAtom> facts;  // in addition to the facts that all initial states share
};

struct Function {
    std::string name;
    std::map<std::vector<Id>, double> values;
};

struct Problem {
    std::string domain_name;
    std::string problem_name;
    std::shared_ptr<const Source> domain_source;
    std::shared_ptr<const Source> problem_source;
    std::vector<std::string> types;  // type 0 is `object`
    std::vector<Object> objects;
    std::vector<Predicate> predicates;
    std::vector<Function> functions;
    std::vector<Schema> schemas;
    std::vector<Axiom> axioms;
    std::vector<GroundAtom> facts;             // true in every initial state; sorted, no duplicates
    std::vector<InitialState> initial_states;  // at least one; probabilities sum to 1
    std::vector<Variable> goal_variables;      // those that quantifiers in the goal bind
    Formula goal;
    bool unit_cost = true;  // costs count only under `:metric minimize (total-cost)`
    std::vector<std::string> warnings;
};

}  // namespace asnets::pddl
