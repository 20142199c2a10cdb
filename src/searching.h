#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <mutex>
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
public:
    // Runs `use` without the GIL when no other thread does.
    template <typename Use>
    auto take(Use use) const {
        return without_gil([&] {
            const auto turn = hold();
            return use();
        });
    }
    // The same for a thread that has released the GIL.
    [[nodiscard]] std::unique_lock<std::mutex> hold() const {
        return std::unique_lock<std::mutex>(*mutex_);
    }

private:
    std::shared_ptr<std::mutex> mutex_ = std::make_shared<std::mutex>();
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
