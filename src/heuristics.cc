#include <pybind11/stl.h>

#include "bindings.h"
#include "heuristics/heuristic.h"

namespace py = pybind11;

namespace asnets::bindings {

namespace {

struct PyHeuristic {
    Handle task;
    std::string name;
    std::unique_ptr<Heuristic> heuristic;

    double evaluate(const PyState &s) const {
        if (s.task != task) throw py::value_error("this state belongs to another task");
        const py::gil_scoped_release released;
        return heuristic->value(s.state);
    }
};

py::tuple actions(const Handle &task, const std::vector<Id> &ids) {
    py::tuple result(ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i) result[i] = py::cast(PyAction{task, ids[i]});
    return result;
}

}  // namespace

void bind_heuristics(py::module_ &module) {
    py::list names;
    for (const auto &[name, factory] : heuristics()) names.append(name);
    module.attr("HEURISTICS") = py::tuple(names);
    py::class_<PyHeuristic>(module, "Heuristic",
                            R"doc(An estimate of the cost to the goal: one of HEURISTICS.

An object keeps its working memory between states: use one a thread.

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
                 return PyHeuristic{t.task, name, make_heuristic(name, t.task)};
             }),
             py::arg("task"), py::arg("name"))
        .def_property_readonly("name", [](const PyHeuristic &h) { return h.name; })
        .def("__call__", &PyHeuristic::evaluate, py::arg("state"),
             "The estimate; infinite if the goal is out of reach even without deletes.")
        .def(
            "helpful_actions",
            [](const PyHeuristic &h, const PyState &s) {
                h.evaluate(s);
                return actions(h.task, h.heuristic->helpful_actions());
            },
            py::arg("state"),
            "The applicable actions of h_ff's relaxed plan; none for other heuristics.")
        .def(
            "landmarks",
            [](const PyHeuristic &h, const PyState &s) {
                h.evaluate(s);
                py::list result;
                for (const std::vector<Id> &landmark : h.heuristic->landmarks())
                    result.append(actions(h.task, landmark));
                return result;
            },
            py::arg("state"),
            "lm_cut's disjunctive action landmarks: every plan from the state has an action of "
            "each.")
        .def("__repr__", [](const PyHeuristic &h) { return "<Heuristic " + h.name + ">"; });
}

}  // namespace asnets::bindings
