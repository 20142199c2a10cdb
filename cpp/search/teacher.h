#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "search/limits.h"
#include "search/trajectory.h"
#include "task/task.h"

namespace asnets {

struct TeacherOptions {
    // For each state that is asked for.
    double seconds = 10;
    std::uint64_t expansions = std::numeric_limits<std::uint64_t>::max();
    double penalty = 500;   // D: the cost of a dead end
    double epsilon = 1e-4;  // of lrtdp and ssipp
};

struct TeacherStatistics {
    std::uint64_t labelled = 0;  // states whose Q-values or good actions were asked for and known
    std::uint64_t given_up = 0;  // states that reached a limit
    std::uint64_t searches = 0;
    std::uint64_t expansions = 0;
    std::uint64_t timeouts = 0;  // searches that the clock or the memory ended
    double seconds = 0;          // spent in them
};

// The expert that a policy learns from: what each action is worth in a state. What it has found
// out about a state it knows from then on. Not thread-safe.
class Teacher {
public:
    struct QValue {
        Id action = no_id;
        double value = 0;
    };
    static constexpr double good_band = 0.01;

    Teacher(std::string name_, std::shared_ptr<const Task> task, const TeacherOptions &options)
        : name(std::move(name_)), task_(std::move(task)), options_(options) {
    }
    virtual ~Teacher() = default;

    const std::string name;  // in teachers()
    Interrupt::Poll poll = nullptr;

    // The applicable actions, ascending, each with the expected cost of taking it and then acting
    // as the teacher does, at most D for an SSP; none at a goal. Nothing if the time for the state
    // was not enough, which it remembers. Throws Interrupted.
    virtual std::optional<std::vector<QValue>> q_values(const State &state) = 0;
    // The actions whose Q-value is within good_band of the least, or equals it if the teacher has
    // all optimal plans, ascending; empty if none is better than another. Nothing and Interrupted
    // as above.
    virtual std::optional<std::vector<Id>> good_actions(const State &state);
    // Would good_actions and rollout need no search? It may say no though they would not.
    [[nodiscard]] virtual bool knows(const State & /*state*/) const {
        return false;
    }
    // What the teacher does from a state, for at most `most_steps` actions; outcomes are sampled,
    // and so are actions if it has all optimal plans. Nothing and Interrupted as above. Empty at a
    // dead end.
    virtual std::optional<Trajectory> rollout(const State &state, std::size_t most_steps,
                                              std::uint64_t seed) = 0;

    [[nodiscard]] const TeacherStatistics &statistics() const {
        return statistics_;
    }

    // All that it has found out. A teacher of the same name, task, penalty and epsilon that loads
    // it forgets what it knew and answers from then on as this one would, but for the times that
    // limits in seconds depend on.
    void save(ByteWriter &out) const;
    // Reads to the end of the data. Throws std::invalid_argument if another teacher saved them or
    // for another task, and std::runtime_error if they make no sense; it has then changed nothing.
    void load(ByteReader &in);

protected:
    // What the subclass knows. load_own reads to the end and changes nothing if it throws.
    virtual void save_own(ByteWriter &out) const = 0;
    virtual void load_own(ByteReader &in) = 0;

    // What may be spent on one state.
    [[nodiscard]] Budget budget() const {
        Limits limits;
        limits.seconds = options_.seconds;
        limits.expansions = options_.expansions;
        return Budget(limits, poll);
    }

    std::shared_ptr<const Task> task_;
    TeacherOptions options_;
    TeacherStatistics statistics_;
};

using TeacherFactory =
    std::function<std::unique_ptr<Teacher>(std::shared_ptr<const Task>, const TeacherOptions &)>;

// All teachers by name, "<search>:<heuristic>" or "value_iteration".
const std::map<std::string, TeacherFactory> &teachers();
// The one for tasks of this kind.
const char *default_teacher(const Task &task);
// Throws std::invalid_argument that names the known ones, or that the task is not for it.
std::unique_ptr<Teacher> make_teacher(const std::string &name, std::shared_ptr<const Task> task,
                                      const TeacherOptions &options);

}  // namespace asnets
