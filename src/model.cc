#include <pybind11/numpy.h>
#include <pybind11/stl/filesystem.h>

#include <algorithm>
#include <filesystem>

#include "bindings.h"
#include "network/check_fits.h"
#include "network/model_file.h"
#include "networks.h"

namespace py = pybind11;

namespace asnets::bindings {

namespace {

struct PyModel {
    std::shared_ptr<const ModelFile> model;

    // Throws std::invalid_argument with the first difference if the model is for another domain.
    [[nodiscard]] PyStructure structure_of(const PyTask &t) const {
        auto structure = std::make_shared<const NetworkStructure>(t.task, model->pooling);
        check_fits(model->weights, *structure);
        return {std::move(structure)};
    }
};

py::array_t<float> array(const std::vector<float> &values, std::vector<py::ssize_t> shape) {
    py::array_t<float> result(std::move(shape));
    std::copy(values.begin(), values.end(), result.mutable_data());
    return result;
}

py::list arrays_of(const NetworkWeights &weights) {
    py::list result;
    const auto append = [&result](const NetworkWeights::Module &module) {
        const auto outputs = static_cast<py::ssize_t>(module.outputs);
        const auto inputs = static_cast<py::ssize_t>(module.inputs);
        result.append(array(module.weights, {outputs, inputs}));
        result.append(array(module.biases, {outputs}));
    };
    for (std::size_t layer = 0; layer < weights.actions.size(); ++layer) {
        for (const NetworkWeights::Module &module : weights.actions[layer]) append(module);
        if (layer == weights.propositions.size()) break;
        for (std::size_t p = 0; p < weights.signature.predicates.size(); ++p)
            if (!weights.signature.predicates[p].pools.empty())
                append(weights.propositions[layer][p]);
    }
    return result;
}

}  // namespace

void bind_model(py::module_ &module) {
    py::class_<PyModel>(module, "Model", "A trained network with what belongs to it, from a file.")
        .def_property_readonly("domain_name", [](const PyModel &m) { return m.model->domain_name; })
        .def_property_readonly(
            "domain_text", [](const PyModel &m) { return text(m.model->domain_text); },
            "The PDDL text of the domain that the network was trained on; what is not UTF-8 in its "
            "comments is\nreplaced.")
        .def_property_readonly(
            "manifest",
            [](const PyModel &m) {
                return py::module_::import("json").attr("loads")(m.model->manifest);
            },
            "Options, signature and the record of the training, as docs/model-format.md tells; a "
            "new\ndictionary each time.")
        .def_property_readonly(
            "arrays", [](const PyModel &m) { return arrays_of(m.model->weights); },
            "Matrix and vector of each module, as Network takes them (numpy float32; copies).")
        .def(
            "structure_of",
            [](const PyModel &m, const PyTask &t) {
                const py::gil_scoped_release released;
                return m.structure_of(t);
            },
            py::arg("task"),
            "How this network is connected for a task. Raises ValueError with the first difference "
            "if the\nmodel is for another domain, PddlError where no network can follow the task.")
        .def(
            "policy",
            [](const PyModel &m, const PyTask &t) {
                const py::gil_scoped_release released;
                const PyStructure structure = m.structure_of(t);
                // The weights belong to the model and stay with it.
                std::shared_ptr<const NetworkWeights> weights(m.model, &m.model->weights);
                return PyTaskPolicy{std::make_shared<Network>(weights, structure.structure),
                                    Turns(),
                                    std::make_shared<PyFeatures>(structure, weights->features)};
            },
            py::arg("task"), "What the network does in a task; raises what structure_of raises.");
    module.def(
        "read_model",
        [](const std::filesystem::path &path) {
            const py::gil_scoped_release released;
            return PyModel{std::make_shared<const ModelFile>(read_model(path))};
        },
        py::arg("path"),
        "Read a model file, without torch, and check all of it. Raises ModelError if it is no "
        "model or\ndamaged, and OSError if it cannot be read.");
}

}  // namespace asnets::bindings
