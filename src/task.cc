#include <pybind11/stl.h>

#include "base/random.h"
#include "bindings.h"

namespace py = pybind11;

namespace asnets::bindings {

namespace {

struct PyPropositions {
    Handle task;

    [[nodiscard]] std::size_t size() const {
        return task->proposition_count();
    }
    using Part = PyProposition;
};

struct PyActions {
    Handle task;

    [[nodiscard]] std::size_t size() const {
        return task->actions.size();
    }
    using Part = PyAction;
};

// A read-only sequence that makes its elements when asked for them.
template <typename List>
void bind_sequence(py::module_ &module, const char *name) {
    using Part = typename List::Part;
    const auto get = [](const List &list, py::ssize_t index) {
        const auto size = static_cast<py::ssize_t>(list.size());
        if (index < 0) index += size;
        if (index < 0 || index >= size) throw py::index_error("index out of range");
        return Part{list.task, static_cast<Id>(index)};
    };
    py::class_<List> type(module, name);
    type.def("__len__", &List::size);
    type.def("__getitem__", get);
    type.def("__getitem__", [get](const List &list, const py::slice &slice) {
        std::size_t start = 0;
        std::size_t stop = 0;
        std::size_t step = 0;
        std::size_t count = 0;
        if (!slice.compute(list.size(), &start, &stop, &step, &count))
            throw py::error_already_set();
        py::list result;
        for (std::size_t i = 0; i < count; ++i)
            result.append(get(list, static_cast<py::ssize_t>(start + i * step)));
        return result;
    });
    type.def("__iter__", [](const py::object &self) {
        return py::reinterpret_steal<py::object>(PySeqIter_New(self.ptr()));
    });
    type.def("__contains__", [](const List &list, const py::object &part) {
        return py::isinstance<Part>(part) && part.cast<const Part &>().task == list.task;
    });
    type.def("index", [](const List &list, const Part &part) {
        if (part.task != list.task) throw py::value_error("not in this sequence");
        return part.index;
    });
    type.def("count", [](const List &list, const py::object &part) {
        return py::isinstance<Part>(part) && part.cast<const Part &>().task == list.task ? 1 : 0;
    });
}

const State &check_state(const PyTask &t, const PyState &s) {
    if (s.task != t.task) throw py::value_error("this state belongs to another task");
    return s.state;
}

Id check_action(const PyTask &t, const PyState &s, const py::object &name) {
    const Id action = to_action(t.task, name);
    if (!t.task->is_applicable(action, check_state(t, s)))
        throw py::value_error("action (" + t.task->action_name(action) +
                              ") is not applicable in this state");
    return action;
}

py::list distribution(const Handle &task, const std::vector<std::pair<State, double>> &states) {
    py::list result;
    for (const auto &[state, probability] : states)
        result.append(py::make_tuple(PyState{task, state}, probability));
    return result;
}

PyState make_state(const PyTask &t, const py::iterable &atoms) {
    PyState result{t.task, State(t.task->proposition_count())};
    for (const py::handle atom : atoms) {
        const Id id = to_proposition(t.task, atom);
        if (id == no_id)
            throw py::value_error("atom " + atom.cast<std::string>() +
                                  " can never be true in this task");
        result.state.add(id);
    }
    t.task->derive(result.state);
    return result;
}

PyTask determinised(const PyTask &t, const std::string &kind) {
    if (kind != "all_outcomes" && kind != "most_likely")
        throw py::value_error("expected \"all_outcomes\" or \"most_likely\", found \"" + kind +
                              "\"");
    const py::gil_scoped_release released;
    return {determinise(*t.task, kind == "all_outcomes" ? Determinisation::all_outcomes
                                                        : Determinisation::most_likely)};
}

void bind_properties(py::class_<PyTask> &type) {
    type.def_property_readonly("domain_name",
                               [](const PyTask &t) { return t.task->problem->domain_name; });
    type.def_property_readonly("problem_name",
                               [](const PyTask &t) { return t.task->problem->problem_name; });
    type.def_property_readonly(
        "warnings", [](const PyTask &t) { return py::tuple(py::cast(t.task->problem->warnings)); },
        "What is odd about the files, a line each.");
    type.def_property_readonly(
        "objects",
        [](const PyTask &t) {
            py::list names;
            for (const pddl::Object &object : t.task->problem->objects) names.append(object.name);
            return py::tuple(names);
        },
        "Constants and objects in lexicographic order.");
    type.def_property_readonly("propositions",
                               [](const PyTask &t) { return PyPropositions{t.task}; });
    type.def_property_readonly("actions", [](const PyTask &t) { return PyActions{t.task}; });
    type.def_property_readonly("schemas", [](const PyTask &t) {
        py::list result;
        for (Id i = 0; i < t.task->problem->schemas.size(); ++i) result.append(PySchema{t.task, i});
        return py::tuple(result);
    });
    type.def_property_readonly("goal",
                               [](const PyTask &t) { return PyCondition{t.task, t.task->goal}; });
    type.def_property_readonly("is_deterministic",
                               [](const PyTask &t) { return t.task->is_deterministic(); });
    type.def_property_readonly(
        "has_unit_cost", [](const PyTask &t) { return t.task->has_unit_cost(); },
        "Does every action cost 1?");
    type.def_property_readonly(
        "initial_states",
        [](const PyTask &t) { return py::tuple(distribution(t.task, t.task->initial_states)); },
        "Pairs of state and probability.");
    type.def_property_readonly(
        "initial_state",
        [](const PyTask &t) {
            if (t.task->initial_states.size() != 1)
                throw py::value_error("this task has " +
                                      std::to_string(t.task->initial_states.size()) +
                                      " initial states; see initial_states");
            return PyState{t.task, t.task->initial_states[0].first};
        },
        "The initial state, if there is one only.");
}

void bind_methods(py::class_<PyTask> &type) {
    type.def(
        "proposition",
        [](const PyTask &t, const py::object &name) {
            const Id id = to_proposition(t.task, name);
            if (id == no_id)
                throw py::key_error("atom " + name.cast<std::string>() +
                                    " can never be true in this task");
            return PyProposition{t.task, id};
        },
        py::arg("name"),
        "The proposition with this name, such as \"on a b\"; KeyError if there is none.");
    type.def(
        "action",
        [](const PyTask &t, const py::object &name) {
            return PyAction{t.task, to_action(t.task, name)};
        },
        py::arg("name"),
        "The action with this name, such as \"stack a b\"; KeyError if there is none.");
    type.def("state", &make_state, py::arg("atoms"),
             "The state in which these atoms (strings, Propositions, indices) and no others are "
             "true, and what "
             "the axioms derive from them.");
    type.def(
        "is_goal",
        [](const PyTask &t, const PyState &s) { return t.task->is_goal(check_state(t, s)); },
        py::arg("state"));
    type.def(
        "successors",
        [](const PyTask &t, const PyState &s, const py::object &action) {
            return distribution(t.task, t.task->successors(s.state, check_action(t, s, action)));
        },
        py::arg("state"), py::arg("action"),
        R"doc(The next states of an applicable action with their probabilities, equal states merged.

>>> from asnets import generators, ground_text
>>> task = ground_text(generators.domain_text("triangle-tireworld"), generators.generate("triangle-tireworld", 1))
>>> action = task.initial_state.applicable()[0]
>>> [probability for state, probability in task.successors(task.initial_state, action)]
[0.5, 0.5]
)doc");
    type.def(
        "sample",
        [](const PyTask &t, const PyState &s, const py::object &action, const py::object &rng) {
            const double uniform = rng.attr("random")().cast<double>();
            return PyState{t.task, t.task->sample(s.state, check_action(t, s, action), uniform)};
        },
        py::arg("state"), py::arg("action"), py::arg("rng"),
        "A random next state; `rng` is a Rng or anything else with a method random(), such as "
        "random.Random.");
    type.def(
        "determinise", &determinised, py::arg("kind"),
        R"doc(A deterministic task: "all_outcomes" has an action for each outcome, "most_likely" for each
action's likeliest outcome. Its actions tell their `origin` and `outcome`.)doc");
    type.def("__repr__", [](const PyTask &t) {
        return "<Task " + t.task->problem->problem_name + " of " + t.task->problem->domain_name +
               ": " + std::to_string(t.task->actions.size()) + " actions, " +
               std::to_string(t.task->proposition_count()) + " propositions>";
    });
}

}  // namespace

void bind_task(py::module_ &module) {
    py::class_<Rng>(module, "Rng", "A seeded source of random numbers, the same on every machine.")
        .def(py::init([](const py::int_ &seed) {
                 return Rng(PyLong_AsUnsignedLongLongMask(seed.ptr()));
             }),
             py::arg("seed"))
        .def("random", &Rng::uniform, "A number in [0, 1).");
    bind_sequence<PyPropositions>(module, "Propositions");
    bind_sequence<PyActions>(module, "Actions");
    py::class_<PyTask> type(
        module, "Task",
        "A ground planning task. Propositions and actions are in lexicographic order of "
        "their names; everywhere an action may be named by its index, its Action or its name.");
    bind_properties(type);
    bind_methods(type);
}

}  // namespace asnets::bindings
