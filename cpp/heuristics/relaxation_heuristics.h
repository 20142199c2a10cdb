#pragma once

#include <memory>
#include <vector>

#include "heuristics/bucket_queue.h"
#include "heuristics/heuristic.h"
#include "heuristics/relaxed_task.h"

namespace asnets {

// Dijkstra's search over the facts of the delete relaxation (Bonet and Geffner 2001): a set of
// preconditions costs as much as its most expensive member (h_max) or as all together (h_add).
class RelaxedExploration {
public:
    enum class Combine { maximum, sum };

    RelaxedExploration(std::shared_ptr<const Task> task, Combine combine);

    // Explores from a state; returns the scaled cost of the goal or `unreached`.
    RelaxedTask::Cost explore(const State &state);

    static constexpr RelaxedTask::Cost unreached = std::numeric_limits<RelaxedTask::Cost>::max();

    std::shared_ptr<const Task> task;
    RelaxedTask relaxed;
    std::vector<RelaxedTask::Cost> cost;  // by fact
    std::vector<Id> achiever;  // by fact: its cheapest operator; no_id if true or unreached

private:
    template <Combine combine>
    void run();

    Combine combine_;
    std::vector<Id> missing_;                       // by operator: preconditions not reached yet
    std::vector<RelaxedTask::Cost> operator_cost_;  // of the preconditions reached so far
    std::vector<Id> precondition_counts_;
    std::vector<Id> state_facts_;
    BucketQueue queue_;
};

// h_max (admissible) and h_add (not).
class RelaxationHeuristic : public Heuristic {
public:
    RelaxationHeuristic(std::shared_ptr<const Task> task, RelaxedExploration::Combine combine)
        : exploration_(std::move(task), combine) {
    }
    double value(const State &state) override;

private:
    RelaxedExploration exploration_;
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
