#pragma once

#include <vector>

#include "heuristics/lists.h"
#include "heuristics/relaxed_task.h"
#include "heuristics/state_relaxation.h"

namespace asnets {

// All operators and effects of a state relaxation, whether they matter in a state or not, in the
// order in which it has those that do. An exploration of them all reaches the same facts at the
// same costs, and there is nothing to select.
//
// So that ties are broken alike too, an operator that states have in different places stands in all
// of them, and a state tells which of them are not its own.
class WholeRelaxation {
public:
    // `with_ties`: whether ties matter. Without a state selected.
    WholeRelaxation(const StateRelaxation &relaxation, const RelaxedTask &relaxed, bool with_ties);

    // The first operators are those of the state relaxation, others are more places of these.
    PackedLists effects;       // by operator
    PackedLists needed_by;     // by fact
    std::vector<Id> original;  // by operator: its number in the state relaxation

    // Calls visit(operator) for those that are not in their place in a state. `relaxation` is the
    // one it was made of.
    template <typename Visit>
    void for_each_misplaced(const StateRelaxation &relaxation, std::span<const Id> state_facts,
                            Visit visit) {
        if (movable_.empty()) return;
        for (const Id fact : state_facts) holds_[fact] = 1;
        bool found = false;
        for (const Place &place : movable_) {
            found = found && !place.first;
            if (found || holds_[place.fact] == 0 || !matters(relaxation, place))
                visit(place.op);
            else
                found = true;
        }
        for (const Id fact : state_facts) holds_[fact] = 0;
    }

private:
    // Where an operator stands in states in which one of some effects is the first that matters.
    struct Place {
        Id op = no_id;
        Id fact = no_id;    // that wakes these effects
        bool first = true;  // of the operator's places
        std::vector<Id> effects;
    };

    [[nodiscard]] bool matters(const StateRelaxation &relaxation, const Place &place) const;

    std::vector<Place> movable_;  // the places of operators that have several, in order
    std::vector<std::uint8_t> holds_;
};

}  // namespace asnets
