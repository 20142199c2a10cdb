#include <pybind11/stl.h>

#include "bindings.h"
#include "heuristics/heuristic.h"
#include "searching.h"

namespace py = pybind11;

namespace asnets::bindings {

namespace {

struct PyHeuristic {
    Handle task;
    std::string name;
    std::unique_ptr<Heuristic> heuristic;
    Turns turns = {};

    // Evaluates a state and lets `then` look at the heuristic before another thread may use it.
    template <typename Then>
    auto evaluate(const PyState &s, Then then) const {
        const State &state = of_task(task, s);
        return turns.take([&] { return then(heuristic->value(state)); });
    }
};

}  // namespace

void bind_heuristics(py::module_ &module) {
    module.attr("HEURISTICS") = keys_tuple(heuristics());
    py::class_<PyHeuristic>(module, "Heuristic",
                            R"doc(An estimate of the cost to the goal: one of HEURISTICS.

Threads may share one, but it evaluates one state at a time.

>>> from asnets import Heuristic, generators, ground_text
>>> task = ground_text(generators.domain_text("blocksworld"), generators.generate("blocksworld", 3, seed=1))
>>> lm_cut = Heuristic(task, "lm_cut")
>>> lm_cut(task.initial_state)
5.0
>>> for landmark in lm_cut.landmarks(task.initial_state)[:2]:
...     print(*landmark)
(stack b2 b3)
(pick-up b2)
)doc")
        .def(py::init([](const PyTask &t, const std::string &name) {
                 const py::gil_scoped_release released;
                 PyHeuristic result{t.task, name, make_heuristic(name, t.task)};
                 result.heuristic->interrupt = Interrupt(&poll_signals);
                 return result;
             }),
             py::arg("task"), py::arg("name"))
        .def_property_readonly("name", [](const PyHeuristic &h) { return h.name; })
        .def_property_readonly(
            "is_admissible", [](const PyHeuristic &h) { return h.heuristic->is_admissible(); },
            "Does it never exceed the cost of the cheapest plan?")
        .def(
            "__call__",
            [](const PyHeuristic &h, const PyState &s) {
                return h.evaluate(s, [](double value) { return value; });
            },
            py::arg("state"),
            "The estimate; infinite if the goal is out of reach even without deletes.")
        .def(
            "helpful_actions",
            [](const PyHeuristic &h, const PyState &s) {
                return actions_tuple(
                    h.task, h.evaluate(s, [&h](double) { return h.heuristic->helpful_actions(); }));
            },
            py::arg("state"), "The applicable actions of all relaxed plans that h_ff might make.")
        .def(
            "landmarks",
            [](const PyHeuristic &h, const PyState &s) {
                py::list result;
                for (const std::vector<Id> &landmark :
                     h.evaluate(s, [&h](double) { return h.heuristic->landmarks(); }))
                    result.append(actions_tuple(h.task, landmark));
                return result;
            },
            py::arg("state"),
            "lm_cut's disjunctive action landmarks: every plan from the state has an action of "
            "each.")
        .def("__repr__", [](const PyHeuristic &h) { return "<Heuristic " + h.name + ">"; });
}

}  // namespace asnets::bindings
