#include <pybind11/stl.h>

#include <cmath>

#include "networks.h"
#include "policy/explorer.h"
#include "searching.h"
#include "teachers.h"

namespace py = pybind11;

namespace asnets::bindings {

namespace {

Policy::Mode mode_of(bool sample) {
    return sample ? Policy::Mode::sample : Policy::Mode::best;
}

PyPolicy make_policy(std::shared_ptr<PyNetwork> network, std::shared_ptr<PyFeatures> features) {
    if (network->structure != features->structure)
        throw py::value_error("the network and the features belong to different structures");
    return {std::move(network), std::move(features)};
}

PyTrajectory roll_out(const PyPolicy &p, std::uint64_t seed, std::size_t max_steps, bool sample,
                      const std::optional<PyState> &start) {
    const Handle task = p.network->structure->shared_task();
    if (start) of_task(task, *start);
    return {task, p.take([&](Policy &policy) {
                Rng rng(seed);
                const State first = start ? start->state : sample_initial_state(*task, rng);
                Interrupt interrupt(&poll_signals);
                const Observe observe = [&](const State &state, const Counts &counts) {
                    interrupt.check();
                    return p.features->extractor.observe(state, counts);
                };
                return asnets::roll_out(*task, policy, mode_of(sample), observe, first, max_steps,
                                        rng);
            })};
}

py::dict probabilities(const PyPolicy &p, const PyObservation &observation) {
    if (observation.structure != p.network->structure)
        throw py::value_error("this observation belongs to another structure");
    const std::vector<double> values =
        p.take([&](Policy &policy) { return policy.probabilities(observation.observation); });
    py::dict result;
    for (std::size_t i = 0; i < values.size(); ++i)
        result[py::cast(PyAction{p.network->structure->shared_task(),
                                 observation.observation.applicable[i]})] = values[i];
    return result;
}

using Memory = std::shared_ptr<StateMemory>;
using Words = py::array_t<std::uint32_t, py::array::c_style>;

// `size` samples spread evenly over the memories, from memory `first` on.
Batch sample_batch(const std::vector<Memory> &memories, const std::string &landmarks, bool counts,
                   bool helpful, std::size_t size, std::size_t first, std::uint64_t seed) {
    if (memories.empty()) throw py::value_error("expected at least one memory");
    for (const Memory &memory : memories)
        if (memory->samples() == 0) throw py::value_error("a memory has no samples");
    const FeatureOptions options = feature_options(landmarks, counts, helpful);
    const py::gil_scoped_release released;
    Rng rng(seed);
    BatchBuilder builder(memories[0]->structure()->signature, options);
    for (std::size_t i = 0; i < size; ++i) {
        const StateMemory &memory = *memories[(first + i) % memories.size()];
        const auto sample =
            static_cast<std::size_t>(rng.uniform() * static_cast<double>(memory.samples()));
        builder.add(*memory.structure(), memory.observation(sample),
                    memory.good_of_state(memory.state_of_sample(sample)));
    }
    return builder.finish();
}

struct PyExplorer {
    Memory memory;
    PyTeacher teacher;
    std::unique_ptr<Explorer> explorer;
};

PyExplorer make_explorer(const Memory &memory, const PyTeacher &teacher,
                         const std::string &landmarks, bool counts, bool helpful) {
    if (teacher.task != memory->structure()->shared_task())
        throw py::value_error("the teacher is for another task");
    const FeatureOptions features = feature_options(landmarks, counts, helpful);
    return without_gil([&] {
        return PyExplorer{
            memory, teacher,
            std::make_unique<Explorer>(memory, features, teacher.teacher, &poll_signals)};
    });
}

py::dict report_dict(const ExplorationReport &report) {
    py::dict result;
    result["rollouts"] = report.rollouts;
    result["successes"] = report.successes;
    result["cost"] = report.cost;
    result["visits"] = report.visits;
    result["samples"] = report.samples;
    result["has_teacher"] = report.has_teacher;
    result["has_way"] = report.has_way;
    result["policy_seconds"] = report.policy_seconds;
    result["teacher_seconds"] = report.teacher_seconds;
    result["feature_seconds"] = report.feature_seconds;
    return result;
}

void bind_memory(py::module_ &module) {
    py::class_<StateMemory, Memory>(
        module, "StateMemory",
        "What was seen of a problem and learnt from a teacher, packed. A sample is a state with "
        "how often\neach action was taken before.")
        .def(py::init(
                 [](const PyStructure &s) { return std::make_shared<StateMemory>(s.structure); }),
             py::arg("structure"))
        .def_property_readonly("states", &StateMemory::states)
        .def_property_readonly("samples", &StateMemory::samples)
        .def_property_readonly("bytes", &StateMemory::bytes)
        .def(
            "since",
            [](const StateMemory &m, std::size_t states, std::size_t samples) {
                const std::vector<std::uint32_t> words = m.since(states, samples);
                return Words(static_cast<py::ssize_t>(words.size()), words.data());
            },
            py::arg("states") = 0, py::arg("samples") = 0,
            "What came after so many states and samples (numpy uint32), for append().")
        .def(
            "append",
            [](StateMemory &m, const Words &words) {
                m.append({words.data(), static_cast<std::size_t>(words.size())});
            },
            py::arg("words"), "Add what since() gave; ValueError if it does not fit.");
    module.def("sample_batch", &sample_batch, py::arg("memories"), py::kw_only(),
               py::arg("landmarks") = "article", py::arg("counts") = true,
               py::arg("helpful") = false, py::arg("size") = 64, py::arg("first") = 0,
               py::arg("seed") = 0,
               "Draw samples, spread evenly over the memories from number `first` on, as a Batch "
               "with targets.");
}

}  // namespace

void bind_policy(py::module_ &module) {
    py::class_<PyPolicy>(module, "Policy",
                         "What a network does in a task. Threads may share one, but it does one "
                         "thing at a time.")
        .def(py::init(&make_policy), py::arg("network"), py::arg("features"))
        .def("probabilities", &probabilities, py::arg("observation"),
             "For each applicable action how likely it is to be chosen.")
        .def("rollout", &roll_out, py::arg("seed") = 0, py::kw_only(), py::arg("max_steps") = 300,
             py::arg("sample") = false, py::arg("state") = py::none(),
             "Follow the policy from a state, or from an initial one: the most likely action "
             "(ties: the first by\nname), or a sampled one; outcomes are sampled.");
    bind_memory(module);
    py::class_<PyExplorer>(module, "Explorer",
                           "Fills a StateMemory with a policy's states and a teacher's, for the "
                           "trainer. For one thread.")
        .def(py::init(&make_explorer), py::arg("memory"), py::arg("teacher"), py::kw_only(),
             py::arg("landmarks") = "article", py::arg("counts") = true, py::arg("helpful") = false)
        .def(
            "teach",
            [](PyExplorer &e, std::size_t max_steps, std::uint64_t seed) {
                return report_dict(
                    e.teacher.turns.take([&] { return e.explorer->teach(max_steps, seed); }));
            },
            py::kw_only(), py::arg("max_steps") = 50, py::arg("seed") = 0,
            "Follow the teacher from the initial states.")
        .def(
            "explore",
            [](PyExplorer &e, const PyPolicy &p, std::size_t rollouts, std::size_t max_steps,
               bool sample, std::uint64_t seed) {
                if (p.network->structure != e.memory->structure())
                    throw py::value_error("the policy is for another structure");
                return report_dict(p.take([&](Policy &policy) {
                    const auto turn = e.teacher.turns.hold();
                    return e.explorer->explore(policy, mode_of(sample), rollouts, max_steps, seed);
                }));
            },
            py::arg("policy"), py::kw_only(), py::arg("rollouts") = 1, py::arg("max_steps") = 50,
            py::arg("sample") = true, py::arg("seed") = 0,
            "Follow the policy, and the teacher from each state on the way.");
}

}  // namespace asnets::bindings
