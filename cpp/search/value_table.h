#pragma once

#include <cmath>
#include <memory>
#include <span>
#include <vector>

#include "base/bytes.h"
#include "heuristics/heuristic.h"
#include "search/limits.h"
#include "search/state_table.h"
#include "task/task.h"

namespace asnets {

// The part of an SSP that has been seen: states, their values, and once expanded their choices.
//
// Dead ends follow Mausam and Kolobov's finite-penalty setting: giving up costs the penalty D
// anywhere, so V(s) = min(D, min_a cost(a) + sum_s' P(s' | s, a) V(s')), and V = 0 at goals.
// Values start from the heuristic, when first asked for; at most from D / 2 if it is not admissible
// and the state no dead end.
class ValueTable {
public:
    struct Successor {
        Id state = no_id;
        double probability = 1;
    };
    // An applicable action.
    struct Choice {
        Id action = no_id;
        std::uint32_t successor_count = 0;
        std::uint64_t successor_begin = 0;
    };
    // The cheapest choice of a state, the lowest action of equally cheap ones.
    struct Best {
        const Choice *choice = nullptr;  // null: there is none, or giving up costs no more
        double value = 0;
    };

    struct Node {
        double value = 0;  // NaN before it is first asked for
        std::uint64_t choice_begin = 0;
        std::uint32_t choice_count = 0;
        bool goal = false;
        bool expanded = false;
    };
    // All that a table knows.
    struct Content {
        StateTable states;
        std::vector<Node> nodes;  // by state
        std::vector<Choice> choices;
        std::vector<Successor> successors;
    };

    // Without a heuristic all values start at D, which value iteration needs.
    ValueTable(std::shared_ptr<const Task> task, std::unique_ptr<Heuristic> heuristic,
               double penalty);

    [[nodiscard]] const Task &task() const {
        return *task_;
    }
    [[nodiscard]] double penalty() const {
        return penalty_;
    }
    [[nodiscard]] std::size_t size() const {
        return states_.size();
    }
    [[nodiscard]] State state(Id id) const {
        return states_[id];
    }
    // What values are until they are right: bounds from below with an admissible heuristic, from
    // above without any, else neither.
    enum class Bound : std::uint8_t { none, lower, upper };
    [[nodiscard]] Bound bound() const {
        if (!heuristic_) return Bound::upper;
        return heuristic_->is_admissible() ? Bound::lower : Bound::none;
    }
    // Uses a budget from now on, for counting and for limits.
    void use(Budget &budget);

    Id insert(const State &state);
    // no_id if the state is not there.
    [[nodiscard]] Id find(const State &state) const {
        return states_.find(state);
    }
    [[nodiscard]] bool is_goal(Id id) const {
        return nodes_[id].goal;
    }
    [[nodiscard]] double value(Id id) {
        if (std::isnan(nodes_[id].value)) evaluate(id);
        return nodes_[id].value;
    }
    // The applicable actions, ascending, with what they lead to; a goal has none. Valid until the
    // next call that expands.
    std::span<const Choice> choices(Id id);
    [[nodiscard]] std::span<const Successor> successors(const Choice &choice) const {
        return {successors_.data() + choice.successor_begin, choice.successor_count};
    }
    // Q(s, a), not capped.
    double q(const Choice &choice);
    // What Bellman's equation gives with the present values; a goal has no choice and costs 0.
    // Valid until the next call that expands.
    Best best(Id id);
    // Sets the value to that.
    Best update(Id id) {
        const Best found = best(id);
        nodes_[id].value = found.value;
        return found;
    }

    void save(ByteWriter &out) const;
    // What another table of the task saved, to be given to replace(). Throws std::runtime_error if
    // it makes no sense.
    [[nodiscard]] Content read(ByteReader &in) const;
    void replace(Content content) noexcept;

private:
    void evaluate(Id id);
    void expand(Id id);
    void check(const Content &content) const;

    std::shared_ptr<const Task> task_;
    std::unique_ptr<Heuristic> heuristic_;
    double penalty_;
    StateTable states_;
    std::vector<Node> nodes_;
    std::vector<Choice> choices_;
    std::vector<Successor> successors_;
    Budget *budget_ = nullptr;
    std::vector<Id> applicable_;
};

}  // namespace asnets
