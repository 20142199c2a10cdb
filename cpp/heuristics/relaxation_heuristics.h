#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "heuristics/bucket_queue.h"
#include "heuristics/heuristic.h"
#include "heuristics/relaxed_task.h"
#include "heuristics/state_relaxation.h"
#include "heuristics/whole_relaxation.h"

namespace asnets {

// Dijkstra's search over the facts of the delete relaxation (Bonet and Geffner 2001): a set of
// preconditions costs as much as its most expensive member (h_max) or as all together (h_add).
class RelaxedExploration {
public:
    enum class Combine { maximum, sum };

    // `with_achievers`: whether achiever() will be asked.
    RelaxedExploration(std::shared_ptr<const Task> task, Combine combine, bool with_achievers);

    // Explores from a state up to the goal; returns its scaled cost or `unreached`.
    RelaxedTask::Cost explore(const State &state, Interrupt &interrupt);

    static constexpr RelaxedTask::Cost unreached = std::numeric_limits<RelaxedTask::Cost>::max();

    // Where preconditions are summed: does an operator of `relaxed` add a fact as cheaply as its
    // achiever? For the goal and what costs less.
    [[nodiscard]] bool is_cheapest(Id op, Id fact) const;

    std::shared_ptr<const Task> task;
    RelaxedTask relaxed;
    StateRelaxation relaxation;

    // The cheapest operator that adds a fact; no_id if the fact is true. For the goal and what
    // costs less.
    [[nodiscard]] Id achiever(Id fact) const {
        const Id op = facts_[fact].achiever;
        return whole_ && op != no_id ? whole_->original[op] : op;
    }

private:
    struct Fact {
        RelaxedTask::Cost cost = unreached;
        Id achiever = no_id;
    };
    struct Operator {
        Id missing = 0;              // preconditions not reached yet
        RelaxedTask::Cost cost = 0;  // its own and, if they are summed, those of the others
    };

    [[nodiscard]] bool most_are_awake() const;
    void prepare_operators();
    template <typename Relaxation>
    void explore(const Relaxation &part, Interrupt &interrupt);
    template <Combine combine, typename Relaxation>
    void run(const Relaxation &part, Interrupt &interrupt);

    Combine combine_;
    std::optional<WholeRelaxation> whole_;  // where selecting would cost more than it saves
    std::vector<Fact> facts_;
    // As they are before a state is explored, from start_ on; and before that as they are now.
    std::vector<Operator> operators_;
    std::size_t start_ = 0;
    std::vector<Id> state_facts_;
    BucketQueue queue_;
};

// h_max (admissible) and h_add (not).
class RelaxationHeuristic : public Heuristic {
public:
    RelaxationHeuristic(std::shared_ptr<const Task> task, RelaxedExploration::Combine combine)
        : exploration_(std::move(task), combine, false), combine_(combine) {
    }
    double value(const State &state) override;
    [[nodiscard]] bool is_admissible() const override {
        return combine_ == RelaxedExploration::Combine::maximum;
    }

private:
    RelaxedExploration exploration_;
    RelaxedExploration::Combine combine_;
};

// h_ff (Hoffmann and Nebel 2001): the cost of a relaxed plan made of h_add's cheapest achievers.
// Its helpful actions are those that are applicable at once and in any such plan: of actions that
// are as cheap, no order of names calls one more helpful than the other.
class FfHeuristic : public Heuristic {
public:
    explicit FfHeuristic(std::shared_ptr<const Task> task);

    double value(const State &state) override;
    [[nodiscard]] std::vector<Id> helpful_actions() override;

private:
    RelaxedExploration exploration_;
    State state_;  // the last evaluated one
    bool is_dead_end_ = true;
    std::vector<bool> fact_done_;
    std::vector<bool> group_done_;
};

}  // namespace asnets
