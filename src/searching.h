#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

#include "bindings.h"
#include "search/teacher.h"
#include "search/trajectory.h"

// What the bindings of heuristics, searches and teachers share.
namespace asnets::bindings {

struct PyTrajectory {
    Handle task;
    Trajectory trajectory;
};

// Runs a long computation without the GIL; a signal handler's exception (KeyboardInterrupt) comes
// out as itself.
template <typename Use>
auto without_gil(Use use) {
    try {
        const pybind11::gil_scoped_release released;
        return use();
    } catch (const Interrupted &) {
        throw pybind11::error_already_set();
    }
}

// Guards what threads may share but what does one thing at a time.
class Turns {
    struct Shared {
        std::mutex mutex;
        std::atomic<std::thread::id> owner;
    };

public:
    // As long as it lives, it is this thread's turn.
    class Turn {
    public:
        // Throws std::logic_error if it is this thread's turn already.
        explicit Turn(Shared &shared) : shared_(shared) {
            if (shared.owner == std::this_thread::get_id())
                throw std::logic_error("it is at work: a function that it calls cannot use it");
            shared.mutex.lock();
            shared.owner = std::this_thread::get_id();
        }
        Turn(const Turn &) = delete;
        Turn &operator=(const Turn &) = delete;
        ~Turn() {
            shared_.owner = std::thread::id();
            shared_.mutex.unlock();
        }

    private:
        Shared &shared_;
    };

    // Runs `use` without the GIL when no other thread does.
    template <typename Use>
    auto take(Use use) const {
        return without_gil([&] {
            const Turn turn = hold();
            return use();
        });
    }
    // The same for a thread that has released the GIL.
    [[nodiscard]] Turn hold() const {
        return Turn(*shared_);
    }

private:
    std::shared_ptr<Shared> shared_ = std::make_shared<Shared>();
};

inline const State &of_task(const Handle &task, const PyState &s) {
    if (s.task != task) throw pybind11::value_error("this state belongs to another task");
    return s.state;
}

inline const State &only_initial_state(const Task &task) {
    if (task.initial_states.size() != 1)
        throw pybind11::value_error("the task has several initial states; name one of them");
    return task.initial_states[0].first;
}

inline pybind11::tuple actions_tuple(const Handle &task, const std::vector<Id> &ids) {
    pybind11::tuple result(ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i) result[i] = pybind11::cast(PyAction{task, ids[i]});
    return result;
}

inline pybind11::dict q_value_dict(const Handle &task, const std::vector<Teacher::QValue> &values) {
    pybind11::dict result;
    for (const Teacher::QValue &each : values)
        result[pybind11::cast(PyAction{task, each.action})] = each.value;
    return result;
}

// The names in a registry.
template <typename Table>
pybind11::tuple keys_tuple(const Table &table) {
    pybind11::tuple result(table.size());
    std::size_t i = 0;
    for (const auto &[name, entry] : table) result[i++] = pybind11::str(name);
    return result;
}

}  // namespace asnets::bindings
