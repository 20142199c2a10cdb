#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pddl/source.h"

// What a planning file says, before its names are looked up. Names are in lower case.
namespace asnets::pddl::syntax {

struct Word {
    std::string text;
    Position position;
};

// `name - type` or `name - (either type ...)`; no types means `object`.
struct TypedName {
    Word name;
    std::vector<Word> types;
};

using TypedList = std::vector<TypedName>;

// A symbol and its terms: an atom or a numeric function's term.
struct Application {
    Word symbol;
    std::vector<Word> terms;
};

struct Formula {
    enum class Kind {
        conjunction,
        disjunction,
        negation,
        implication,
        atom,
        equality,
        forall,
        exists
    };

    Kind kind = Kind::conjunction;
    Position position;
    std::vector<Formula> children;
    Application atom;     // atom and equality
    TypedList variables;  // forall and exists
};

struct Probability {
    double value = 0;
    Position position;
};

struct Effect {
    enum class Kind { conjunction, add, remove, when, forall, probabilistic, update };

    Kind kind = Kind::conjunction;
    Position position;
    std::vector<Effect> children;
    Application atom;                        // add, remove; the function of an update
    std::vector<Formula> condition;          // when: exactly one
    TypedList variables;                     // forall
    std::vector<Probability> probabilities;  // probabilistic: one a child
    std::string operation;                   // update: increase or decrease
    std::optional<double> number;            // update by a number ...
    Application value;                       // ... or by a function's value
};

// A predicate or numeric function with its parameters.
struct Declaration {
    Word name;
    TypedList parameters;
};

struct Action {
    Word name;
    TypedList parameters;
    std::optional<Formula> precondition;
    std::optional<Effect> effect;
};

struct Derived {
    Declaration head;
    Formula body;
};

struct Domain {
    Word name;
    std::optional<std::vector<Word>> requirements;
    TypedList types;
    TypedList constants;
    std::vector<Declaration> predicates;
    std::vector<Declaration> functions;
    std::vector<Action> actions;
    std::vector<Derived> derived;
};

struct Initial {
    enum class Kind { atom, negated_atom, value, probabilistic };

    Kind kind = Kind::atom;
    Position position;
    Application atom;  // the function of a value
    double number = 0;
    std::vector<Probability> probabilities;
    std::vector<std::vector<Initial>> branches;  // one a probability
};

struct Metric {
    Position position;
    bool minimize = true;
    Word function;
};

struct Problem {
    Word name;
    Word domain;
    std::vector<Word> requirements;
    TypedList objects;
    std::optional<std::vector<Initial>> initial;
    std::optional<Formula> goal;
    std::optional<Position> goal_reward;
    std::optional<Metric> metric;
};

struct File {
    std::vector<Domain> domains;
    std::vector<Problem> problems;
};

}  // namespace asnets::pddl::syntax
