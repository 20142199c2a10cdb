#pragma once

#include <memory>
#include <vector>

#include "heuristics/goal_cut.h"
#include "heuristics/heuristic.h"
#include "heuristics/justification_graph.h"
#include "heuristics/relaxed_task.h"

namespace asnets {

// LM-cut (Helmert and Domshlak 2009): the sum of the costs of disjunctive action landmarks, found
// one after the other as cuts of the h_max justification graph. Admissible. Equal states have equal
// landmarks.
class LmCut : public Heuristic {
public:
    explicit LmCut(std::shared_ptr<const Task> task);

    double value(const State &state) override;
    [[nodiscard]] bool is_admissible() const override {
        return true;
    }
    [[nodiscard]] double bound_after(Id action) const override;
    [[nodiscard]] std::vector<std::vector<Id>> landmarks() const override;

protected:
    using Cost = RelaxedTask::Cost;

    struct Landmarks {
        Lists groups;             // of each landmark, in no order
        std::vector<Cost> costs;  // what each adds to the value

        void clear() {
            groups.clear();
            costs.clear();
        }
    };

    // An evaluation: begin, take landmarks that are known already, find the others.
    void begin(const State &state);
    void take(std::span<const Id> groups, Cost cost);
    double find_others();

    [[nodiscard]] const Landmarks &found() const {
        return landmarks_;
    }
    [[nodiscard]] Id action_of(Id group) const {
        return relaxed_.group_action[group];
    }

private:
    void take_cut(const std::vector<Id> &cut);

    std::shared_ptr<const Task> task_;
    RelaxedTask relaxed_;
    JustificationGraph graph_;
    GoalCut goal_cut_;
    std::vector<Id> state_facts_;
    std::vector<bool> in_cut_;  // by group
    std::vector<Id> groups_;    // of a cut
    Landmarks landmarks_;
    std::int64_t total_ = 0;
};

}  // namespace asnets
