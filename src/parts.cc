#include <pybind11/stl.h>

#include <algorithm>
#include <sstream>

#include "bindings.h"
#include "pddl/names.h"

namespace py = pybind11;

namespace asnets::bindings {

namespace {

struct PyConditionalEffect {
    Handle task;
    ConditionalChange change;
};

struct PyOutcome {
    Handle task;
    Outcome outcome;
};

py::tuple propositions(const Handle &task, std::span<const Id> ids) {
    py::tuple result(ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i) result[i] = py::cast(PyProposition{task, ids[i]});
    return result;
}

py::tuple object_names(const Handle &task, std::span<const Id> objects) {
    py::tuple result(objects.size());
    for (std::size_t i = 0; i < objects.size(); ++i)
        result[i] = task->problem->objects[objects[i]].name;
    return result;
}

// A formula as nested tuples: ("and", ...), ("or", ...), ("not", proposition) or a proposition.
py::object formula_tuple(const Handle &task, Id formula) {
    const FormulaNode &node = task->formulas[formula];
    if (node.kind == FormulaNode::Kind::positive)
        return py::cast(PyProposition{task, static_cast<Id>(node.begin)});
    if (node.kind == FormulaNode::Kind::negative)
        return py::make_tuple("not", PyProposition{task, static_cast<Id>(node.begin)});
    py::tuple result(node.count + 1);
    result[0] = node.kind == FormulaNode::Kind::conjunction ? "and" : "or";
    for (std::uint32_t i = 0; i < node.count; ++i)
        result[i + 1] = formula_tuple(task, task->formula_children[node.begin + i]);
    return result;
}

std::string formula_text(const Task &task, Id formula) {
    const FormulaNode &node = task.formulas[formula];
    if (node.kind == FormulaNode::Kind::positive)
        return "(" + task.proposition_name(static_cast<Id>(node.begin)) + ")";
    if (node.kind == FormulaNode::Kind::negative)
        return "(not (" + task.proposition_name(static_cast<Id>(node.begin)) + "))";
    std::string text = node.kind == FormulaNode::Kind::conjunction ? "(and" : "(or";
    for (std::uint32_t i = 0; i < node.count; ++i)
        text += " " + formula_text(task, task.formula_children[node.begin + i]);
    return text + ")";
}

std::string condition_text(const Task &task, const Condition &condition) {
    std::vector<std::string> parts;
    for (const Id id : task.positive(condition))
        parts.push_back("(" + task.proposition_name(id) + ")");
    for (const Id id : task.negative(condition))
        parts.push_back("(not (" + task.proposition_name(id) + "))");
    if (condition.formula != no_id) parts.push_back(formula_text(task, condition.formula));
    if (parts.size() == 1) return parts[0];
    std::string text = "(and";
    for (const std::string &part : parts) text += " " + part;
    return text + ")";
}

// "(Stack A  B)" -> {"stack", "a", "b"}
std::vector<std::string> words_of(std::string text) {
    for (char &c : text) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
        if (c == '(' || c == ')' || c == ',') c = ' ';
    }
    std::istringstream stream(text);
    std::vector<std::string> words;
    for (std::string word; stream >> word;) words.push_back(word);
    return words;
}

// The position of a name in a list sorted by name; KeyError with a suggestion if it is not there.
template <typename Named>
Id find_name(const std::vector<Named> &list, const std::string &name, const std::string &what) {
    const auto found =
        std::lower_bound(list.begin(), list.end(), name,
                         [](const Named &each, const std::string &key) { return each.name < key; });
    if (found == list.end() || found->name != name) {
        std::vector<std::string> names;
        for (const Named &each : list) names.push_back(each.name);
        throw py::key_error("unknown " + what + " " + pddl::quote(name) +
                            pddl::suggestion(name, "the task", names));
    }
    return static_cast<Id>(found - list.begin());
}

// Head and objects of "(name object ...)", checked for arity.
template <typename Named, typename Arity>
std::pair<Id, std::vector<Id>> parse_name(const Task &task, const std::string &text,
                                          const std::vector<Named> &heads, const std::string &what,
                                          Arity arity) {
    const std::vector<std::string> words = words_of(text);
    if (words.empty())
        throw py::key_error("expected " + what + " and objects, found " + pddl::quote(text));
    const Id head = find_name(heads, words[0], what);
    std::vector<Id> objects;
    for (std::size_t i = 1; i < words.size(); ++i)
        objects.push_back(find_name(task.problem->objects, words[i], "object"));
    if (objects.size() != arity(heads[head]))
        throw py::key_error(pddl::quote(words[0]) + " expects " +
                            std::to_string(arity(heads[head])) + " objects, found " +
                            std::to_string(objects.size()));
    return {head, std::move(objects)};
}

// An index given as a Python integer; negative ones count from the end.
Id to_index(const py::handle &number, std::size_t size, const char *what) {
    const auto value = number.cast<py::ssize_t>();
    const py::ssize_t index = value < 0 ? value + static_cast<py::ssize_t>(size) : value;
    if (index < 0 || index >= static_cast<py::ssize_t>(size))
        throw py::index_error(std::string(what) + " index " + std::to_string(value) +
                              " out of range for " + std::to_string(size));
    return static_cast<Id>(index);
}

template <typename Numbered>
Id same_task(const Handle &task, const Numbered &part, const char *what) {
    if (part.task != task)
        throw py::value_error(std::string("this ") + what + " belongs to another task");
    return part.index;
}

// What all numbered parts have in common.
template <typename Numbered>
void bind_numbered(py::class_<Numbered> &type) {
    type.def_property_readonly("index", [](const Numbered &part) { return part.index; });
    type.def("__index__", [](const Numbered &part) { return part.index; });
    type.def("__hash__", [](const Numbered &part) { return py::hash(py::int_(part.index)); });
    type.def("__eq__", [](const Numbered &a, const py::object &b) {
        return py::isinstance<Numbered>(b) && a == b.cast<const Numbered &>();
    });
}

void bind_proposition(py::module_ &module) {
    py::class_<PyProposition> type(module, "Proposition",
                                   "A ground atom that can be true; its `str` is \"(on a b)\".");
    bind_numbered(type);
    type.def_property_readonly(
        "name", [](const PyProposition &p) { return p.task->proposition_name(p.index); });
    type.def_property_readonly("predicate", [](const PyProposition &p) {
        return p.task->problem->predicates[p.task->predicate_of(p.index)].name;
    });
    type.def_property_readonly("arguments", [](const PyProposition &p) {
        return object_names(p.task, p.task->objects_of_proposition(p.index));
    });
    type.def("__str__",
             [](const PyProposition &p) { return "(" + p.task->proposition_name(p.index) + ")"; });
    type.def("__repr__", [](const PyProposition &p) {
        return "<Proposition " + std::to_string(p.index) + " (" +
               p.task->proposition_name(p.index) + ")>";
    });
}

void bind_schema(py::module_ &module) {
    py::class_<PySchema> type(module, "Schema", "An action schema of the domain.");
    bind_numbered(type);
    const auto schema = [](const PySchema &s) -> const pddl::Schema & {
        return s.task->problem->schemas[s.index];
    };
    type.def_property_readonly("name", [schema](const PySchema &s) { return schema(s).name; });
    type.def_property_readonly(
        "line", [schema](const PySchema &s) { return schema(s).position.line; },
        "The line of the domain file where the schema starts.");
    type.def_property_readonly(
        "parameters",
        [schema](const PySchema &s) {
            py::tuple result(schema(s).arity);
            for (std::size_t i = 0; i < schema(s).arity; ++i) {
                const pddl::Variable &variable = schema(s).variables[i];
                py::tuple types(variable.types.size());
                for (std::size_t j = 0; j < variable.types.size(); ++j)
                    types[j] = s.task->problem->types[variable.types[j]];
                result[i] = py::make_tuple(variable.name, types);
            }
            return result;
        },
        "The parameters as pairs of name and types (several for `either`).");
    type.def_property_readonly(
        "action_range",
        [](const PySchema &s) {
            return py::module_::import("builtins")
                .attr("range")(s.task->schema_begin[s.index], s.task->schema_begin[s.index + 1]);
        },
        "The indices of the schema's ground actions.");
    type.def("__str__", [schema](const PySchema &s) { return schema(s).name; });
    type.def("__repr__", [schema](const PySchema &s) { return "<Schema " + schema(s).name + ">"; });
}

void bind_action(py::module_ &module) {
    py::class_<PyAction> type(module, "Action", "A ground action; its `str` is \"(stack a b)\".");
    bind_numbered(type);
    type.def_property_readonly("name",
                               [](const PyAction &a) { return a.task->action_name(a.index); });
    type.def_property_readonly(
        "schema", [](const PyAction &a) { return PySchema{a.task, a.task->schema_of(a.index)}; });
    type.def_property_readonly("arguments", [](const PyAction &a) {
        return object_names(a.task, a.task->objects_of_action(a.index));
    });
    type.def_property_readonly("cost",
                               [](const PyAction &a) { return a.task->actions[a.index].cost; });
    type.def_property_readonly("precondition", [](const PyAction &a) {
        return PyCondition{a.task, a.task->actions[a.index].precondition};
    });
    type.def_property_readonly("outcomes", [](const PyAction &a) {
        py::list result;
        for (const Outcome &outcome : a.task->outcomes_of(a.index))
            result.append(PyOutcome{a.task, outcome});
        return py::tuple(result);
    });
    type.def_property_readonly(
        "origin",
        [](const PyAction &a) {
            return a.task->origin.empty() ? a.index : a.task->origin[a.index];
        },
        "In a determinisation: the index of the action in the original task.");
    type.def_property_readonly(
        "outcome",
        [](const PyAction &a) {
            return a.task->origin.empty() ? 0 : a.task->origin_outcome[a.index];
        },
        "In a determinisation: which outcome of the original action this is.");
    type.def("__str__", [](const PyAction &a) { return "(" + a.task->action_name(a.index) + ")"; });
    type.def("__repr__", [](const PyAction &a) {
        return "<Action " + std::to_string(a.index) + " (" + a.task->action_name(a.index) + ")>";
    });
}

void bind_conditions(py::module_ &module) {
    py::class_<PyCondition>(module, "Condition",
                            R"doc(A ground condition: all literals and the formula must hold.

`formula` is None, or nested tuples ("and", ...), ("or", ...) and ("not", proposition) for what the
literals do not say. The `str` is PDDL.)doc")
        .def_property_readonly("positive",
                               [](const PyCondition &c) {
                                   return propositions(c.task, c.task->positive(c.condition));
                               })
        .def_property_readonly("negative",
                               [](const PyCondition &c) {
                                   return propositions(c.task, c.task->negative(c.condition));
                               })
        .def_property_readonly("formula",
                               [](const PyCondition &c) -> py::object {
                                   if (c.condition.formula == no_id) return py::none();
                                   return formula_tuple(c.task, c.condition.formula);
                               })
        .def(
            "holds",
            [](const PyCondition &c, const PyState &s) {
                if (s.task != c.task) throw py::value_error("this state belongs to another task");
                return c.task->holds(c.condition, s.state);
            },
            py::arg("state"))
        .def("__str__", [](const PyCondition &c) { return condition_text(*c.task, c.condition); })
        .def("__repr__", [](const PyCondition &c) {
            return "<Condition " + condition_text(*c.task, c.condition) + ">";
        });
    py::class_<PyConditionalEffect>(module, "ConditionalEffect",
                                    "What an outcome changes where a condition holds.")
        .def_property_readonly(
            "condition",
            [](const PyConditionalEffect &e) { return PyCondition{e.task, e.change.condition}; })
        .def_property_readonly("add",
                               [](const PyConditionalEffect &e) {
                                   return propositions(e.task, e.task->added(e.change.change));
                               })
        .def_property_readonly("delete", [](const PyConditionalEffect &e) {
            return propositions(e.task, e.task->removed(e.change.change));
        });
    py::class_<PyOutcome>(module, "Outcome", "One possible result of an action.")
        .def_property_readonly("probability",
                               [](const PyOutcome &o) { return o.outcome.probability; })
        .def_property_readonly("add",
                               [](const PyOutcome &o) {
                                   return propositions(o.task, o.task->added(o.outcome.change));
                               })
        .def_property_readonly("delete",
                               [](const PyOutcome &o) {
                                   return propositions(o.task, o.task->removed(o.outcome.change));
                               })
        .def_property_readonly(
            "conditional",
            [](const PyOutcome &o) {
                py::list result;
                for (const ConditionalChange &change : o.task->conditional(o.outcome))
                    result.append(PyConditionalEffect{o.task, change});
                return py::tuple(result);
            })
        .def("__repr__", [](const PyOutcome &o) {
            std::string text =
                "<Outcome " + std::string(py::str(py::float_(o.outcome.probability)));
            for (const Id id : o.task->added(o.outcome.change))
                text += " (" + o.task->proposition_name(id) + ")";
            for (const Id id : o.task->removed(o.outcome.change))
                text += " (not (" + o.task->proposition_name(id) + "))";
            return text + (o.outcome.conditional_count > 0 ? " ...>" : ">");
        });
}

}  // namespace

Id to_proposition(const Handle &task, const py::handle &name) {
    if (py::isinstance<PyProposition>(name))
        return same_task(task, name.cast<const PyProposition &>(), "proposition");
    if (PyIndex_Check(name.ptr()) != 0)
        return to_index(py::module_::import("operator").attr("index")(name),
                        task->proposition_count(), "proposition");
    if (!py::isinstance<py::str>(name))
        throw py::type_error("expected an index, a Proposition or a string such as \"(on a b)\"");
    const auto [predicate, objects] =
        parse_name(*task, name.cast<std::string>(), task->problem->predicates, "predicate",
                   [](const pddl::Predicate &p) { return p.parameter_types.size(); });
    return task->find_proposition(predicate, objects);
}

Id to_action(const Handle &task, const py::handle &name) {
    if (py::isinstance<PyAction>(name))
        return same_task(task, name.cast<const PyAction &>(), "action");
    if (PyIndex_Check(name.ptr()) != 0)
        return to_index(py::module_::import("operator").attr("index")(name), task->actions.size(),
                        "action");
    if (!py::isinstance<py::str>(name))
        throw py::type_error("expected an index, an Action or a string such as \"(stack a b)\"");
    const auto [schema, objects] =
        parse_name(*task, name.cast<std::string>(), task->problem->schemas, "action",
                   [](const pddl::Schema &s) { return s.arity; });
    const Id action = task->find_action(schema, objects);
    if (action == no_id)
        throw py::key_error("no reachable action " + pddl::quote(name.cast<std::string>()) +
                            " in this task");
    return action;
}

void bind_parts(py::module_ &module) {
    bind_proposition(module);
    bind_schema(module);
    bind_action(module);
    bind_conditions(module);
}

}  // namespace asnets::bindings
