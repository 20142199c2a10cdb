#pragma once

#include "search/best_first.h"
#include "search/state_table.h"
#include "search/teacher.h"

namespace asnets {

// Plans on deterministic tasks: Q(s, a) = cost(a) + cost of the plan from the successor, and at
// least D if there is none. Every state on a plan that was found is known, and later searches end
// when they come upon one.
class PlanTeacher : public Teacher {
public:
    PlanTeacher(std::string name, std::shared_ptr<const Task> task, Order order,
                std::unique_ptr<Heuristic> heuristic, const TeacherOptions &options);

    std::optional<std::vector<QValue>> q_values(const State &state) override;
    std::optional<Trajectory> rollout(const State &state, std::size_t most_steps,
                                      std::uint64_t seed) override;

protected:
    void save_own(ByteWriter &out) const override;
    void load_own(ByteReader &in) override;

private:
    struct Entry {
        double cost = 0;         // to the goal; NaN: not known
        Id action = no_id;       // of the plan
        bool no_plan = false;    // reached a limit before there was one
        bool no_labels = false;  // reached a limit before all successors had theirs
        bool labelled = false;
    };

    // The state's number, in states_ and entries_.
    Id insert(const State &state);
    void give_up(Id state, bool Entry::*what);
    // Plans for a state that is not known; false if a limit was reached.
    bool plan(const State &state, Budget &budget);

    BestFirst search_;
    StateTable states_;
    std::vector<Entry> entries_;
};

}  // namespace asnets
