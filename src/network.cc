#include <pybind11/stl.h>

#include "networks.h"
#include "searching.h"

namespace py = pybind11;

namespace asnets::bindings {

namespace {

// A copy as an array of the given shape.
template <typename Value>
py::array_t<Value> array(const std::vector<Value> &values, std::vector<py::ssize_t> shape) {
    py::array_t<Value> result(std::move(shape));
    std::copy(values.begin(), values.end(), result.mutable_data());
    return result;
}

template <typename Value>
py::array_t<Value> array(const std::vector<Value> &values) {
    return array(values, {static_cast<py::ssize_t>(values.size())});
}

py::ssize_t size(std::size_t value) {
    return static_cast<py::ssize_t>(value);
}

// Plain lists and dictionaries, as a model file has them.
py::dict describe(const Signature &signature) {
    py::list schemas;
    for (const Signature::Schema &schema : signature.schemas) {
        py::list slots;
        for (const Signature::Slot &slot : schema.slots) {
            py::dict one;
            one["predicate"] = slot.predicate;
            one["terms"] = slot.terms;
            slots.append(one);
        }
        py::dict one;
        one["name"] = schema.name;
        one["parameters"] = schema.parameters;
        one["slots"] = slots;
        schemas.append(one);
    }
    py::list predicates;
    for (const Signature::Predicate &predicate : signature.predicates) {
        py::list pools;
        for (const Signature::Pool &pool : predicate.pools) {
            py::dict one;
            one["schema"] = pool.schema;
            one["slots"] = pool.slots;
            pools.append(one);
        }
        py::dict one;
        one["name"] = predicate.name;
        one["arity"] = predicate.arity;
        one["pools"] = pools;
        predicates.append(one);
    }
    py::dict result;
    result["schemas"] = schemas;
    result["predicates"] = predicates;
    return result;
}

Batch batch_of(const PyFeatures &features, const std::vector<const PyObservation *> &observations) {
    if (observations.empty()) throw py::value_error("expected at least one observation");
    const py::gil_scoped_release released;
    BatchBuilder builder(observations[0]->structure->signature, features.options);
    for (const PyObservation *each : observations) builder.add(*each->structure, each->observation);
    return builder.finish();
}

using Arrays = std::vector<py::array_t<float, py::array::c_style | py::array::forcecast>>;

NetworkWeights::Module module_of(const Arrays &arrays, std::size_t &next) {
    if (next + 2 > arrays.size()) throw py::value_error("too few arrays of weights");
    const auto &weights = arrays[next];
    const auto &biases = arrays[next + 1];
    next += 2;
    if (weights.ndim() != 2 || biases.ndim() != 1)
        throw py::value_error("expected a matrix and a vector for each module");
    NetworkWeights::Module module;
    module.outputs = static_cast<std::size_t>(weights.shape(0));
    module.inputs = static_cast<std::size_t>(weights.shape(1));
    module.weights.assign(weights.data(), weights.data() + weights.size());
    module.biases.assign(biases.data(), biases.data() + biases.size());
    return module;
}

PyNetwork make_network(const PyStructure &structure, const PyFeatures &features,
                       const Arrays &arrays, std::size_t layers, bool skip,
                       const std::string &nonlinearity) {
    auto weights = std::make_shared<NetworkWeights>();
    weights->signature = structure.structure->signature;
    weights->features = features.options;
    weights->skip = skip;
    weights->nonlinearity = nonlinearity_of(nonlinearity);
    std::size_t next = 0;
    for (std::size_t layer = 0; layer <= layers; ++layer) {
        weights->actions.emplace_back();
        for (std::size_t i = 0; i < weights->signature.schemas.size(); ++i)
            weights->actions.back().push_back(module_of(arrays, next));
        if (layer == layers) break;
        weights->propositions.emplace_back();
        for (const Signature::Predicate &predicate : weights->signature.predicates)
            weights->propositions.back().push_back(
                predicate.pools.empty() ? NetworkWeights::Module() : module_of(arrays, next));
    }
    if (next != arrays.size()) throw py::value_error("too many arrays of weights");
    return {structure.structure,
            std::make_shared<Network>(std::move(weights), structure.structure)};
}

py::array_t<float> logits(const PyNetwork &n, const PyObservation &observation) {
    if (observation.structure != n.structure)
        throw py::value_error("this observation belongs to another structure");
    return array(n.turns.take([&] { return n.network->logits(observation.observation); }));
}

// An array that shows a part of a batch and keeps it alive.
template <typename Value>
py::array_t<Value> view(const py::object &batch, const std::vector<Value> &values,
                        std::vector<py::ssize_t> shape) {
    return py::array_t<Value>(std::move(shape), values.data(), batch);
}

template <typename Value>
py::array_t<Value> view(const py::object &batch, const std::vector<Value> &values) {
    return view(batch, values, {size(values.size())});
}

// One of a schema's arrays, a row an action.
template <typename Value>
py::list views_by_schema(const py::object &batch, std::vector<Value> Batch::Schema::*part) {
    py::list result;
    for (const Batch::Schema &each : batch.cast<const Batch &>().schemas)
        result.append(
            view(batch, each.*part,
                 {size(each.rows), each.rows == 0 ? 0 : size((each.*part).size() / each.rows)}));
    return result;
}

// One of a pool's arrays, for the pools of all predicates.
py::list views_by_pool(const py::object &batch, std::vector<Batch::Index> Batch::Pool::*part) {
    py::list result;
    for (const std::vector<Batch::Pool> &predicate : batch.cast<const Batch &>().pools)
        for (const Batch::Pool &pool : predicate) result.append(view(batch, pool.*part));
    return result;
}

void bind_batch(py::module_ &module) {
    py::class_<Batch>(module, "Batch",
                      "The inputs of several states' networks, side by side: by schema, the rows "
                      "of the first\nstate's actions come first.")
        .def_readonly("states", &Batch::states)
        .def_property_readonly(
            "inputs",
            [](const py::object &b) { return views_by_schema(b, &Batch::Schema::inputs); },
            "By schema: rows x inputs (numpy float32).")
        .def_property_readonly(
            "slots", [](const py::object &b) { return views_by_schema(b, &Batch::Schema::slots); },
            "By schema: rows x slots, rows of the slot's predicate (numpy int64).")
        .def_readonly("proposition_rows", &Batch::proposition_rows, "By predicate.")
        .def_property_readonly(
            "pool_begin", [](const py::object &b) { return views_by_pool(b, &Batch::Pool::begin); },
            "By pool, all predicates one after the other: where each row's members begin "
            "(numpy int64).")
        .def_property_readonly(
            "pool_members",
            [](const py::object &b) { return views_by_pool(b, &Batch::Pool::members); },
            "By pool: rows of its schema (numpy int64).")
        .def_property_readonly(
            "choice_rows",
            [](const py::object &b) { return view(b, b.cast<const Batch &>().choice_rows); },
            "The applicable actions, state by state: their rows, all schemas one after the other "
            "(numpy int64).")
        .def_property_readonly(
            "choice_states",
            [](const py::object &b) { return view(b, b.cast<const Batch &>().choice_states); },
            "The states of choice_rows (numpy int64).")
        .def_property_readonly(
            "targets", [](const py::object &b) { return view(b, b.cast<const Batch &>().targets); },
            "With which probability each of choice_rows should be chosen; all 0 if nobody said "
            "(numpy float32).");
}

}  // namespace

FeatureOptions feature_options(const std::string &landmarks, bool counts, bool helpful,
                               bool last_action) {
    FeatureOptions options;
    options.counts = counts;
    options.helpful = helpful;
    options.last_action = last_action;
    if (landmarks == "none")
        options.landmarks = FeatureOptions::Landmarks::none;
    else if (landmarks == "article")
        options.landmarks = FeatureOptions::Landmarks::article;
    else if (landmarks == "last-cut")
        options.landmarks = FeatureOptions::Landmarks::last_cut;
    else if (landmarks == "necessary")
        options.landmarks = FeatureOptions::Landmarks::necessary;
    else
        throw py::value_error("unknown landmark encoding \"" + landmarks +
                              "\"; known are none, article, last-cut, necessary");
    return options;
}

PyFeatures::PyFeatures(const PyStructure &structure_, const FeatureOptions &options_)
    : options(options_), structure(structure_.structure), extractor(structure, options) {
    extractor.set_interrupt(Interrupt(&poll_signals));
}

History history_of(const Handle &task, const py::iterable &actions) {
    History result;
    for (const py::handle &action : actions) result.add(to_action(task, action));
    return result;
}

PyObservation PyFeatures::observe(const PyState &s, const py::iterable &history) {
    const Handle &task = structure->shared_task();
    const State &state = of_task(task, s);
    const History taken = history_of(task, history);
    return {structure, turns.take([&] { return extractor.observe(state, taken); })};
}

void bind_network(py::module_ &module) {
    py::class_<PyStructure>(module, "NetworkStructure",
                            R"doc(How the modules of a task's network are connected.

Throws PddlError where a network cannot follow the domain or the goal: quantifiers, derived
predicates, a goal that is not a conjunction of atoms.

>>> from asnets import NetworkStructure, generators, ground_text
>>> task = ground_text(generators.domain_text("blocksworld"), generators.generate("blocksworld", 3, seed=1))
>>> structure = NetworkStructure(task)
>>> [(schema["name"], len(schema["slots"])) for schema in structure.signature["schemas"]]
[('pick-up', 4), ('put-down', 4), ('stack', 5), ('unstack', 5)]
)doc")
        .def(py::init([](const PyTask &t, const std::string &pooling) {
                 if (pooling != "slot" && pooling != "schema")
                     throw py::value_error("unknown pooling \"" + pooling +
                                           "\"; known are slot, schema");
                 const py::gil_scoped_release released;
                 return PyStructure{std::make_shared<const NetworkStructure>(
                     t.task, pooling == "slot" ? Pooling::by_slot : Pooling::by_schema)};
             }),
             py::arg("task"), py::arg("pooling") = "slot")
        .def_property_readonly(
            "signature", [](const PyStructure &s) { return describe(s.structure->signature); },
            "What all networks of the domain share: schemas with their slots, predicates with "
            "their pools.")
        .def_property_readonly(
            "slots",
            [](const PyStructure &s) {
                py::list result;
                for (Id i = 0; i < s.structure->signature.schemas.size(); ++i)
                    result.append(array(s.structure->slots[i],
                                        {size(s.structure->action_rows(i)),
                                         size(s.structure->signature.schemas[i].slots.size())}));
                return result;
            },
            "By schema: for each action and slot the row of its proposition among its predicate's "
            "(numpy uint32).")
        .def_property_readonly(
            "goal",
            [](const PyStructure &s) {
                py::list result;
                for (const auto &each : s.structure->goal) result.append(array(each));
                return result;
            },
            "By predicate: for each row whether the goal has it (numpy uint8). Rows past the "
            "task's own\npropositions are atoms that can never be true.");
    py::class_<PyObservation>(module, "Observation", "What a network sees of a state.");
    py::class_<PyFeatures, std::shared_ptr<PyFeatures>>(
        module, "Features",
        R"doc(Computes what a network sees of states.

`landmarks` is "none", "article" (only action of a landmark / in one of several / in none),
"last-cut" (in any / only action of one / in the last cut) or "necessary" (the same, and an applicable
action that no relaxed plan can do without is the only one of one); `counts`: how often each action
was taken before; `helpful`: h_ff's helpful actions; `last_action`: which action was taken last.
)doc")
        .def(py::init([](const PyStructure &structure, const std::string &landmarks, bool counts,
                         bool helpful, bool last_action) {
                 const FeatureOptions options =
                     feature_options(landmarks, counts, helpful, last_action);
                 const py::gil_scoped_release released;
                 return std::make_shared<PyFeatures>(structure, options);
             }),
             py::arg("structure"), py::kw_only(), py::arg("landmarks") = "article",
             py::arg("counts") = true, py::arg("helpful") = false, py::arg("last_action") = false)
        .def("observe", &PyFeatures::observe, py::arg("state"), py::arg("history") = py::tuple(),
             "`history` has the actions that were taken on the way to the state.")
        .def("batch", &batch_of, py::arg("observations"),
             "Put observations of states, of any tasks of the domain, side by side.");
    bind_batch(module);
    py::class_<PyNetwork, std::shared_ptr<PyNetwork>>(
        module, "Network",
        "The forward pass for one task. `weights` has matrix and vector of each "
        "module, layer by layer:\naction modules by schema, then proposition "
        "modules by predicate, leaving out unused ones. `nonlinearity` is "
        "\"elu\", \"relu\" or \"tanh\".")
        .def(py::init(&make_network), py::arg("structure"), py::arg("features"), py::arg("weights"),
             py::arg("layers"), py::arg("skip") = true, py::arg("nonlinearity") = "elu")
        .def("logits", &logits, py::arg("observation"),
             "The logit of every action, applicable or not (numpy float32).");
}

}  // namespace asnets::bindings
