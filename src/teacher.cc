#include "search/teacher.h"

#include <pybind11/stl.h>

#include <cmath>
#include <optional>

#include "bindings.h"
#include "teachers.h"

namespace py = pybind11;

namespace asnets::bindings {

namespace {

PyTeacher make(const PyTask &t, const std::optional<std::string> &name, double time_limit,
               std::optional<std::uint64_t> max_expansions, double dead_end) {
    if (!(time_limit > 0)) throw py::value_error("time_limit must be positive");
    if (!(dead_end > 0 && std::isfinite(dead_end)))
        throw py::value_error("dead_end must be positive and finite");
    return without_gil([&] {
        TeacherOptions options;
        options.seconds = time_limit;
        if (max_expansions) options.expansions = *max_expansions;
        options.penalty = dead_end;
        PyTeacher result{t.task,
                         make_teacher(name.value_or(default_teacher(*t.task)), t.task, options)};
        result.teacher->poll = &poll_signals;
        return result;
    });
}

}  // namespace

void bind_teacher(py::module_ &module) {
    module.attr("TEACHERS") = keys_tuple(teachers());
    py::class_<PyTeacher>(module, "Teacher",
                          R"doc(The expert that a policy learns from: one of TEACHERS.

The default is "astar:h_add" for deterministic tasks and "lrtdp:h_add" for probabilistic ones
("value_iteration" if some action is free).
`time_limit` (seconds) and `max_expansions` are for each state that is asked for; the latter gives the
same answers on any machine. `dead_end` is what a dead end costs. What a teacher has
found out about a state it knows from then on. Threads may share one, but it does one thing at a
time.

>>> from asnets import Teacher, generators, ground_text
>>> task = ground_text(generators.domain_text("blocksworld"), generators.generate("blocksworld", 3, seed=1))
>>> teacher = Teacher(task, "astar:lm_cut")
>>> trajectory = teacher.rollout(task.initial_state)
>>> trajectory.cost, trajectory.reached_goal
(8.0, True)
>>> for action, cost in teacher.q_values(trajectory.states[1]).items():
...     print(action, cost)
(put-down b3) 7.0
(stack b3 b1) 9.0
)doc")
        .def(py::init(&make), py::arg("task"), py::arg("name") = py::none(), py::kw_only(),
             py::arg("time_limit") = 10.0, py::arg("max_expansions") = py::none(),
             py::arg("dead_end") = 500.0)
        .def_property_readonly("name", [](const PyTeacher &t) { return t.teacher->name; })
        .def(
            "q_values",
            [](const PyTeacher &t, const PyState &s) -> py::object {
                const State &state = of_task(t.task, s);
                const auto values = t.turns.take([&] { return t.teacher->q_values(state); });
                if (!values) return py::none();
                return q_value_dict(t.task, *values);
            },
            py::arg("state"),
            "For each applicable action the expected cost of taking it and then acting as the "
            "teacher does;\nnone at a goal. None if the state reached a limit.")
        .def(
            "good_actions",
            [](const PyTeacher &t, const PyState &s) -> py::object {
                const State &state = of_task(t.task, s);
                const auto good = t.turns.take([&] { return t.teacher->good_actions(state); });
                if (!good) return py::none();
                return actions_tuple(t.task, *good);
            },
            py::arg("state"),
            "The actions that a policy learns to take: those whose Q-value is within 0.01 of the "
            "least, or equals it\nif plans are optimal, where one search does for all states on "
            "them. Empty if none is better than\nanother, None if the state reached a limit.")
        .def(
            "rollout",
            [](const PyTeacher &t, const PyState &s, std::uint64_t seed,
               std::size_t max_steps) -> std::optional<PyTrajectory> {
                const State &state = of_task(t.task, s);
                auto found =
                    t.turns.take([&] { return t.teacher->rollout(state, max_steps, seed); });
                if (!found) return std::nullopt;
                return PyTrajectory{t.task, std::move(*found)};
            },
            py::arg("state"), py::arg("seed") = 0, py::kw_only(), py::arg("max_steps") = 300,
            "What the teacher does from a state on; outcomes are sampled, and so are plans if it "
            "has all optimal\nones. None if the state reached a limit.")
        .def_property_readonly(
            "statistics",
            [](const PyTeacher &t) {
                const TeacherStatistics s = t.turns.take([&] { return t.teacher->statistics(); });
                py::dict result;
                result["labelled"] = s.labelled;
                result["given_up"] = s.given_up;
                result["expansions"] = s.expansions;
                result["searches"] = s.searches;
                result["timeouts"] = s.timeouts;
                result["seconds"] = s.seconds;
                return result;
            },
            "States with labels, states that reached a limit, expansions, searches, those that "
            "the clock or the\nmemory ended, and the seconds spent in them.")
        .def(
            "save",
            [](const PyTeacher &t) {
                return py::bytes(t.turns.take([&] {
                    ByteWriter out;
                    t.teacher->save(out);
                    return out.seal();
                }));
            },
            "All that it has found out, for load().")
        .def(
            "load",
            [](const PyTeacher &t, const py::bytes &data) {
                const std::string_view bytes = data;
                t.turns.take([&] {
                    ByteReader in(unsealed(bytes));
                    t.teacher->load(in);
                });
            },
            py::arg("data"),
            "Forget what it knows and know what another teacher of the same name, task and "
            "dead_end had saved:\nit answers from then on as that one would. ValueError for "
            "another teacher's or task's data,\nRuntimeError for damaged ones, and nothing has "
            "changed.")
        .def("__repr__", [](const PyTeacher &t) { return "<Teacher " + t.teacher->name + ">"; });
}

}  // namespace asnets::bindings
