#pragma once

#include <memory>
#include <vector>

#include "heuristics/bucket_queue.h"
#include "heuristics/heuristic.h"
#include "heuristics/relaxed_task.h"

namespace asnets {

// LM-cut (Helmert and Domshlak 2009): the sum of the costs of disjunctive action landmarks, found
// one after the other as cuts of the h_max justification graph. Admissible. Ties are broken by
// number, so that equal states have equal landmarks.
class LmCut : public Heuristic {
public:
    explicit LmCut(std::shared_ptr<const Task> task);

    double value(const State &state) override;
    [[nodiscard]] std::vector<std::vector<Id>> landmarks() const override;

private:
    using Cost = RelaxedTask::Cost;

    static constexpr Cost unreached = std::numeric_limits<Cost>::max();

    struct OperatorState {
        Id missing = 0;        // preconditions not reached yet
        Id supporter = no_id;  // a most expensive precondition
        Cost supporter_cost = 0;
    };
    enum class Zone : std::uint8_t { none, goal, before };

    void explore();
    void lower(const std::vector<Id> &groups);
    void mark_goal_zone();
    void find_cut();
    void offer(Id fact, Cost cost) {
        if (cost < cost_[fact]) {
            cost_[fact] = cost;
            queue_.push(cost, fact);
        }
    }
    void choose_supporter(Id op);

    std::shared_ptr<const Task> task_;
    RelaxedTask relaxed_;
    std::vector<OperatorState> start_;  // what operators look like before a state is explored
    std::vector<OperatorState> operators_;
    std::vector<Cost> group_cost_;  // what is left of each group's cost
    std::vector<Cost> cost_;        // h_max by fact
    std::vector<Zone> zone_;
    std::vector<Id> zone_facts_;  // those whose zone is set
    std::vector<Id> state_facts_;
    std::vector<Id> stack_;
    std::vector<Id> cut_;                     // operators
    std::vector<std::vector<Id>> landmarks_;  // groups
    BucketQueue queue_;
    Lists group_operators_;
};

}  // namespace asnets
