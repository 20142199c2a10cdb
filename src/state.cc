#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "bindings.h"

namespace py = pybind11;

namespace asnets::bindings {

namespace {

// A numpy array that takes over a vector's memory.
template <typename Value>
py::array_t<Value> to_array(std::vector<Value> &&values) {
    auto *owned = new std::vector<Value>(std::move(values));
    const py::capsule owner(
        owned, [](void *pointer) { delete static_cast<std::vector<Value> *>(pointer); });
    return py::array_t<Value>(owned->size(), owned->data(), owner);
}

std::vector<Id> applicable(const PyState &s) {
    std::vector<Id> actions;
    s.task->applicable_actions(s.state, actions);
    return actions;
}

py::array_t<bool> mask(std::size_t size, const std::vector<Id> &members) {
    py::array_t<bool> result(static_cast<py::ssize_t>(size));
    bool *data = result.mutable_data();
    std::fill_n(data, size, false);
    for (const Id member : members) data[member] = true;
    return result;
}

py::frozenset atoms(const PyState &s) {
    py::set result;
    s.state.for_each([&](Id id) { result.add("(" + s.task->proposition_name(id) + ")"); });
    return py::frozenset(result);
}

bool holds(const PyState &s, const py::handle &name) {
    const Id id = to_proposition(s.task, name);
    return id != no_id && s.state.holds(id);
}

}  // namespace

void bind_state(py::module_ &module) {
    py::class_<PyState>(module, "State",
                        R"doc(The set of propositions that are true, statics included. Immutable.

>>> from asnets import generators, ground_text
>>> task = ground_text(generators.domain_text("blocksworld"), generators.generate("blocksworld", 3, seed=1))
>>> state = task.initial_state
>>> "(handempty)" in state, "(holding b1)" in state
(True, False)
>>> task.state(state.atoms()) == state
True
)doc")
        .def("holds", &holds, py::arg("proposition"),
             "Is the proposition (index, Proposition or text) true? Same as `in`.")
        .def("__contains__", &holds)
        .def("atoms", &atoms, "The true atoms as a frozenset of strings such as \"(on a b)\".")
        .def("__iter__",
             [](const PyState &s) {
                 py::list names;
                 s.state.for_each(
                     [&](Id id) { names.append("(" + s.task->proposition_name(id) + ")"); });
                 return py::iter(names);
             })
        .def("__len__", [](const PyState &s) { return s.state.count(); })
        .def("__eq__",
             [](const PyState &a, const py::object &b) {
                 if (!py::isinstance<PyState>(b)) return false;
                 const auto &other = b.cast<const PyState &>();
                 return a.task == other.task && a.state == other.state;
             })
        .def("__hash__",
             [](const PyState &s) { return static_cast<py::ssize_t>(s.state.hash() >> 1U); })
        .def_property_readonly("is_goal", [](const PyState &s) { return s.task->is_goal(s.state); })
        .def(
            "applicable",
            [](const PyState &s) {
                const std::vector<Id> ids = applicable(s);
                py::tuple result(ids.size());
                for (std::size_t i = 0; i < ids.size(); ++i)
                    result[i] = py::cast(PyAction{s.task, ids[i]});
                return result;
            },
            "The applicable actions in lexicographic order.")
        .def_property_readonly(
            "applicable_ids", [](const PyState &s) { return to_array(applicable(s)); },
            "The applicable actions' indices, ascending (numpy uint32).")
        .def_property_readonly(
            "applicable_mask",
            [](const PyState &s) { return mask(s.task->actions.size(), applicable(s)); },
            "For each action, is it applicable? (numpy bool)")
        .def_property_readonly(
            "truth",
            [](const PyState &s) {
                std::vector<Id> members;
                s.state.for_each([&](Id id) { members.push_back(id); });
                return mask(s.task->proposition_count(), members);
            },
            "For each proposition, is it true? (numpy bool)")
        .def_property_readonly(
            "words",
            [](const py::object &self) {
                const auto &state = self.cast<const PyState &>().state;
                py::array_t<std::uint64_t> view(state.words().size(), state.words().data(), self);
                view.attr("flags").attr("writeable") = false;
                return view;
            },
            "The packed bits, 64 propositions a word: a read-only view of the state's own memory.")
        .def("__repr__", [](const PyState &s) {
            std::string text = "<State";
            s.state.for_each([&](Id id) { text += " (" + s.task->proposition_name(id) + ")"; });
            return text + ">";
        });
}

}  // namespace asnets::bindings
