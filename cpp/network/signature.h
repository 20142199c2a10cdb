#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/ids.h"
#include "pddl/problem.h"

namespace asnets {

// What all networks of a domain share (JAIR 2020, section 3): which predicates are related to which
// schemas, and at which positions. Two problems of one domain have equal signatures.
struct Signature {
    // An atom that a schema's precondition or effect mentions.
    struct Slot {
        Id predicate = no_id;
        std::vector<std::string> terms;  // "?x", or a constant's name

        bool operator==(const Slot &) const = default;
    };
    struct Schema {
        std::string name;
        std::vector<std::string> parameters;  // "?x"
        std::vector<Slot> slots;              // in the order of their first mention

        bool operator==(const Schema &) const = default;
    };
    // The positions over which a predicate's modules take one maximum.
    struct Pool {
        Id schema = no_id;
        std::vector<Id> slots;

        bool operator==(const Pool &) const = default;
    };
    struct Predicate {
        std::string name;
        std::size_t arity = 0;
        std::vector<Pool> pools;  // by schema and slot; none if no schema mentions the predicate

        bool operator==(const Predicate &) const = default;
    };

    std::vector<Schema> schemas;  // in the order of their names, as in the task
    std::vector<Predicate> predicates;

    bool operator==(const Signature &) const = default;
};

// A pool for each slot, or one for all slots of a schema that have the predicate.
enum class Pooling : std::uint8_t { by_slot, by_schema };

// By predicate, the pools that follow from the schemas' slots.
std::vector<std::vector<Signature::Pool>> pools_of(const Signature &signature, Pooling pooling);

// Throws PddlError where a network cannot follow the domain or the goal: quantifiers, derived
// predicates, a goal that is not a conjunction of atoms.
Signature signature_of(const pddl::Problem &problem, Pooling pooling = Pooling::by_slot);

}  // namespace asnets
