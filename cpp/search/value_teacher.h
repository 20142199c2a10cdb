#pragma once

#include "search/labels.h"
#include "search/ssp_solver.h"
#include "search/teacher.h"

namespace asnets {

// Solves SSPs: Q(s, a) = min(D, cost(a) + sum_s' P(s' | s, a) V(s')), with all successors solved.
// One table of values for the task grows with what is asked.
class ValueTeacher : public Teacher {
public:
    ValueTeacher(std::string name_, std::shared_ptr<const Task> task,
                 std::unique_ptr<SspSolver> solver, const TeacherOptions &options)
        : Teacher(std::move(name_), std::move(task), options), solver_(std::move(solver)) {
    }

    std::optional<std::vector<QValue>> q_values(const State &state) override;
    std::optional<Trajectory> rollout(const State &state, std::size_t most_steps,
                                      std::uint64_t seed) override;

protected:
    void save_own(ByteWriter &out) const override;
    void load_own(ByteReader &in) override;

private:
    bool solve(Id state, Budget &allowed);
    void give_up(Id state);

    std::unique_ptr<SspSolver> solver_;
    Labels labelled_;
    Labels given_up_;
};

}  // namespace asnets
