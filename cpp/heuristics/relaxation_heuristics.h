#pragma once

#include <memory>
#include <vector>

#include "heuristics/bucket_queue.h"
#include "heuristics/heuristic.h"
#include "heuristics/relaxed_task.h"
#include "heuristics/state_relaxation.h"

namespace asnets {

// Dijkstra's search over the facts of the delete relaxation (Bonet and Geffner 2001): a set of
// preconditions costs as much as its most expensive member (h_max) or as all together (h_add).
class RelaxedExploration {
public:
    enum class Combine { maximum, sum };

    RelaxedExploration(std::shared_ptr<const Task> task, Combine combine);

    // Explores from a state up to the goal; returns its scaled cost or `unreached`.
    RelaxedTask::Cost explore(const State &state, Interrupt &interrupt);

    static constexpr RelaxedTask::Cost unreached = std::numeric_limits<RelaxedTask::Cost>::max();

    std::shared_ptr<const Task> task;
    RelaxedTask relaxed;
    StateRelaxation relaxation;

    // The cheapest operator that adds a fact; no_id if the fact is true. For the goal and what
    // costs less.
    [[nodiscard]] Id achiever(Id fact) const {
        return facts_[fact].achiever;
    }

private:
    struct Fact {
        RelaxedTask::Cost cost = unreached;
        Id achiever = no_id;
    };
    struct Operator {
        Id missing;  // preconditions not reached yet
        RelaxedTask::Cost
            cost;  // its own and, if they are summed, those of the other preconditions
    };

    template <Combine combine>
    void run(Interrupt &interrupt);

    Combine combine_;
    std::vector<Fact> facts_;
    std::vector<Operator> start_;  // the operators before a state is explored
    std::vector<Operator> operators_;
    std::vector<Id> state_facts_;
    BucketQueue queue_;
};

// h_max (admissible) and h_add (not).
class RelaxationHeuristic : public Heuristic {
public:
    RelaxationHeuristic(std::shared_ptr<const Task> task, RelaxedExploration::Combine combine)
        : exploration_(std::move(task), combine), combine_(combine) {
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
// Its helpful actions are those of the relaxed plan that are applicable at once.
class FfHeuristic : public Heuristic {
public:
    explicit FfHeuristic(std::shared_ptr<const Task> task);

    double value(const State &state) override;
    [[nodiscard]] std::vector<Id> helpful_actions() const override {
        return helpful_;
    }

private:
    RelaxedExploration exploration_;
    std::vector<Id> helpful_;
    std::vector<bool> fact_done_;
    std::vector<bool> group_done_;
};

}  // namespace asnets
