#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <string>

#include "task/task.h"

// What the binding files share. Python sees a task and its parts as small handles that keep the
// task alive; the task itself never changes.
namespace asnets::bindings {

using Handle = std::shared_ptr<const Task>;

// A numbered part of a task: `Part` only tells propositions, actions and schemas apart.
template <int Part>
struct Numbered {
    Handle task;
    Id index = 0;

    bool operator==(const Numbered &) const = default;
};

using PyProposition = Numbered<0>;
using PyAction = Numbered<1>;
using PySchema = Numbered<2>;

struct PyTask {
    Handle task;
};

struct PyState {
    Handle task;
    State state;
};

struct PyCondition {
    Handle task;
    Condition condition;
};

void bind_errors(pybind11::module_ &module);
void bind_parts(pybind11::module_ &module);
void bind_state(pybind11::module_ &module);
void bind_task(pybind11::module_ &module);
void bind_ground(pybind11::module_ &module);
void bind_heuristics(pybind11::module_ &module);
void bind_search(pybind11::module_ &module);
void bind_teacher(pybind11::module_ &module);
void bind_network(pybind11::module_ &module);
void bind_policy(pybind11::module_ &module);
void bind_model(pybind11::module_ &module);

// The proposition that a user names by index, Proposition or text such as "(on a b)". Throws
// KeyError or ValueError if it is none of this task's; no_id for an atom that can never be true.
Id to_proposition(const Handle &task, const pybind11::handle &name);
// The same for actions, which must exist.
Id to_action(const Handle &task, const pybind11::handle &name);

// A part of a file, which may hold any bytes: what is not UTF-8 is replaced.
pybind11::str text(const std::string &bytes);

// For Interrupt: true once Python has a signal to handle, looked at ten times a second.
bool poll_signals();

}  // namespace asnets::bindings
