#pragma once

#include "search/best_first.h"
#include "search/state_table.h"
#include "search/teacher.h"

namespace asnets {

// Plans on deterministic tasks: Q(s, a) = cost(a) + cost of the plan from the successor, and at
// least D if there is none. Every state on a plan that was found is known, and later searches end
// when they come upon one.
//
// If its plans are optimal, good_actions and rollout find all of them at once, so that one search
// tells which actions are good in all states on these plans: those that lead to another such state,
// and no others however close. Rollouts draw among them. If a limit is reached when only one plan
// is known, that is followed, and good_actions goes by Q-values.
class PlanTeacher : public Teacher {
public:
    PlanTeacher(std::string name, std::shared_ptr<const Task> task, Order order,
                std::unique_ptr<Heuristic> heuristic, const TeacherOptions &options);

    std::optional<std::vector<QValue>> q_values(const State &state) override;
    std::optional<std::vector<Id>> good_actions(const State &state) override;
    [[nodiscard]] bool knows(const State &state) const override;
    std::optional<Trajectory> rollout(const State &state, std::size_t most_steps,
                                      std::uint64_t seed) override;

protected:
    void save_own(ByteWriter &out) const override;
    void load_own(ByteReader &in) override;

private:
    struct Entry {
        double cost = 0;         // to the goal; NaN: not known
        Id action = no_id;       // of the plan
        bool all_plans = false;  // are the next states of all optimal plans known?
        bool no_plan = false;    // reached a limit before there was one
        bool no_labels = false;  // reached a limit before all successors had theirs
        bool labelled = false;
    };

    // The state's number, in states_ and entries_.
    Id insert(const State &state);
    void give_up(Id state, bool Entry::*what);
    // One plan, or all optimal ones, for a state that is not known; false if a limit was reached
    // before there was one.
    bool plan(const State &state, Budget &budget, bool all);
    // Plans for a state unless it is known; false and remembered if a limit was or had been
    // reached.
    bool know(Id id, const State &state, Budget &budget);
    std::optional<std::vector<QValue>> q_values(Id id, const State &state, Budget &budget);
    // The actions of all optimal plans from a state; none if it is a goal or a dead end.
    void optimal_actions(Id id, const State &state, std::vector<Id> &result) const;

    BestFirst search_;
    StateTable states_;
    std::vector<Entry> entries_;
};

}  // namespace asnets
