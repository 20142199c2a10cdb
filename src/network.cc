#include "network/network.h"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <mutex>

#include "bindings.h"
#include "network/batch.h"
#include "searching.h"
#include "structures.h"

namespace py = pybind11;

namespace asnets::bindings {

namespace {

struct PyObservation {
    Structure structure;
    Observation observation;
};

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

FeatureOptions feature_options(const std::string &landmarks, bool counts, bool helpful) {
    FeatureOptions options;
    options.counts = counts;
    options.helpful = helpful;
    if (landmarks == "none")
        options.landmarks = FeatureOptions::Landmarks::none;
    else if (landmarks == "article")
        options.landmarks = FeatureOptions::Landmarks::article;
    else if (landmarks == "last-cut")
        options.landmarks = FeatureOptions::Landmarks::last_cut;
    else
        throw py::value_error("unknown landmark encoding \"" + landmarks +
                              "\"; known are none, article, last-cut");
    return options;
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

class PyFeatures {
public:
    PyFeatures(const PyStructure &structure, const FeatureOptions &options_)
        : options(options_), structure_(structure.structure), extractor_(structure_, options) {
        extractor_.set_interrupt(Interrupt(&poll_signals));
    }

    PyObservation observe(const PyState &s,
                          const std::optional<std::vector<std::uint32_t>> &counts) {
        const State &state = of_task(structure_->shared_task(), s);
        if (counts && counts->size() != structure_->task().actions.size())
            throw py::value_error("expected a count for each of the " +
                                  std::to_string(structure_->task().actions.size()) + " actions");
        return {structure_, without_gil([&] {
                    const std::lock_guard<std::mutex> lock(mutex_);
                    return extractor_.observe(state, counts
                                                         ? std::span<const std::uint32_t>(*counts)
                                                         : std::span<const std::uint32_t>());
                })};
    }

    FeatureOptions options;

private:
    Structure structure_;
    FeatureExtractor extractor_;
    std::mutex mutex_;
};

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

class PyNetwork {
public:
    PyNetwork(const PyStructure &structure, const PyFeatures &features, const Arrays &arrays,
              std::size_t layers, bool skip, const std::string &nonlinearity)
        : structure_(structure.structure) {
        auto weights = std::make_shared<NetworkWeights>();
        weights->signature = structure_->signature;
        weights->features = features.options;
        weights->nonlinearity = nonlinearity_of(nonlinearity);
        weights->skip = skip;
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
        network_ = std::make_unique<Network>(std::move(weights), structure_);
    }

    py::array_t<float> logits(const PyObservation &observation) {
        if (observation.structure != structure_)
            throw py::value_error("this observation belongs to another structure");
        const std::vector<float> values = without_gil([&] {
            const std::lock_guard<std::mutex> lock(mutex_);
            return network_->logits(observation.observation);
        });
        return array(values);
    }

private:
    Structure structure_;
    std::unique_ptr<Network> network_;
    std::mutex mutex_;
};

}  // namespace

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
    py::class_<PyFeatures>(module, "Features",
                           R"doc(Computes what a network sees of states.

`landmarks` is "none", "article" (only action of a landmark / in one of several / in none) or
"last-cut" (in any / only action of one / in the last cut); `counts`: how often each action was taken
before; `helpful`: h_ff's helpful actions.
)doc")
        .def(py::init([](const PyStructure &structure, const std::string &landmarks, bool counts,
                         bool helpful) {
                 const FeatureOptions options = feature_options(landmarks, counts, helpful);
                 const py::gil_scoped_release released;
                 return std::make_unique<PyFeatures>(structure, options);
             }),
             py::arg("structure"), py::kw_only(), py::arg("landmarks") = "article",
             py::arg("counts") = true, py::arg("helpful") = false)
        .def("observe", &PyFeatures::observe, py::arg("state"), py::arg("counts") = py::none(),
             "`counts` has how often each action was taken on the way to the state.")
        .def("batch", &batch_of, py::arg("observations"),
             "Put observations of states, of any tasks of the domain, side by side.");
    py::class_<Batch>(module, "Batch",
                      "The inputs of several states' networks, side by side: by schema, the rows "
                      "of the first\nstate's actions come first.")
        .def_readonly("states", &Batch::states)
        .def_property_readonly(
            "inputs",
            [](const Batch &b) {
                py::list result;
                for (const Batch::Schema &each : b.schemas)
                    result.append(array(
                        each.inputs, {size(each.rows),
                                      each.rows == 0 ? 0 : size(each.inputs.size() / each.rows)}));
                return result;
            },
            "By schema: rows x inputs (numpy float32).")
        .def_property_readonly(
            "slots",
            [](const Batch &b) {
                py::list result;
                for (const Batch::Schema &each : b.schemas)
                    result.append(array(
                        each.slots, {size(each.rows),
                                     each.rows == 0 ? 0 : size(each.slots.size() / each.rows)}));
                return result;
            },
            "By schema: rows x slots, rows of the slot's predicate (numpy uint32).")
        .def_property_readonly(
            "state_of_row",
            [](const Batch &b) {
                py::list result;
                for (const Batch::Schema &each : b.schemas) result.append(array(each.state));
                return result;
            },
            "By schema: the state that each row belongs to (numpy uint32).")
        .def_readonly("proposition_rows", &Batch::proposition_rows, "By predicate.")
        .def_property_readonly(
            "pools",
            [](const Batch &b) {
                py::list result;
                for (const auto &predicate : b.pools) {
                    py::list own;
                    for (const Batch::Pool &pool : predicate)
                        own.append(py::make_tuple(array(pool.begin), array(pool.members)));
                    result.append(own);
                }
                return result;
            },
            "By predicate, by pool: where each row's members begin, and the members (numpy "
            "uint32).")
        .def_property_readonly(
            "applicable", [](const Batch &b) { return array(b.applicable); },
            "For each action row, all schemas one after the other (numpy uint8).");
    py::class_<PyNetwork>(module, "Network",
                          "The forward pass for one task. `weights` has matrix and vector of each "
                          "module, layer by layer:\naction modules by schema, then proposition "
                          "modules by predicate, leaving out unused ones. `nonlinearity` is "
                          "\"elu\", \"relu\" or \"tanh\".")
        .def(py::init<const PyStructure &, const PyFeatures &, const Arrays &, std::size_t, bool,
                      const std::string &>(),
             py::arg("structure"), py::arg("features"), py::arg("weights"), py::arg("layers"),
             py::arg("skip") = true, py::arg("nonlinearity") = "elu")
        .def("logits", &PyNetwork::logits, py::arg("observation"),
             "The logit of every action, applicable or not (numpy float32).");
}

}  // namespace asnets::bindings
