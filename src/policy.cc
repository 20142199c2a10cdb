#include <pybind11/stl.h>

#include <cmath>
#include <limits>

#include "networks.h"
#include "policy/explorer.h"
#include "searching.h"
#include "teachers.h"

namespace py = pybind11;

namespace asnets::bindings {

namespace {

Selection selection_of(bool sample, double temperature) {
    if (!(temperature > 0 && std::isfinite(temperature)))
        throw py::value_error("temperature must be positive and finite");
    return {sample ? Selection::Mode::sample : Selection::Mode::best, temperature};
}

// Asks a function in Python, which takes a Batch and returns the logits of all actions.
class CalledScorer : public Scorer {
public:
    CalledScorer(py::function function, Structure structure, const FeatureOptions &options)
        : function_(std::move(function)), structure_(std::move(structure)), options_(options) {
    }

    const std::vector<float> &logits(const Observation &observation,
                                     std::span<const Id> actions) override {
        BatchBuilder builder(structure_->signature, options_);
        builder.add(*structure_, observation);
        const py::gil_scoped_acquire acquired;
        const auto all = function_(builder.finish())
                             .cast<py::array_t<float, py::array::c_style | py::array::forcecast>>();
        if (all.size() != static_cast<py::ssize_t>(structure_->task().actions.size()))
            throw py::value_error("expected a logit for each action");
        logits_.clear();
        for (const Id action : actions) logits_.push_back(all.data()[action]);
        return logits_;
    }

private:
    py::function function_;
    Structure structure_;
    FeatureOptions options_;
    std::vector<float> logits_;
};

PyTaskPolicy policy_of_network(const std::shared_ptr<PyNetwork> &network,
                               std::shared_ptr<PyFeatures> features) {
    if (network->structure != features->structure)
        throw py::value_error("the network and the features belong to different structures");
    return {network->network, network->turns, std::move(features)};
}

PyTaskPolicy policy_of_function(py::function function, std::shared_ptr<PyFeatures> features) {
    auto scorer =
        std::make_shared<CalledScorer>(std::move(function), features->structure, features->options);
    return {std::move(scorer), Turns(), std::move(features)};
}

const State &state_or_initial(const PyTaskPolicy &p, const std::optional<PyState> &state) {
    return state ? of_task(p.task(), *state) : only_initial_state(*p.task());
}

py::dict probabilities(const PyTaskPolicy &p, const std::optional<PyState> &s,
                       const py::iterable &history, double temperature) {
    const State &state = state_or_initial(p, s);
    const Selection selection = selection_of(true, temperature);
    const History taken = history_of(p.task(), history);
    Observation seen;
    const std::vector<double> values = p.take([&](Policy &policy) {
        seen = p.features->extractor.observe(state, taken);
        return policy.probabilities(seen, selection.temperature);
    });
    py::dict result;
    for (std::size_t i = 0; i < values.size(); ++i)
        result[py::cast(PyAction{p.task(), seen.applicable[i]})] = values[i];
    return result;
}

const char *end_name(Run::End end) {
    switch (end) {
        case Run::End::goal: return "goal";
        case Run::End::dead_end: return "dead end";
        case Run::End::loop: return "loop";
        case Run::End::step_limit: return "step limit";
        case Run::End::time_limit: return "time limit";
    }
    return "";
}

struct PyRun : PyTrajectory {
    Run::End end = Run::End::goal;
    std::size_t avoided = 0;
    double feature_seconds = 0;
    double network_seconds = 0;
};

// The extractor of features is interrupted like what uses it, for as long as this lives.
class Guarded {
public:
    Guarded(FeatureExtractor &extractor, const Interrupt &interrupt) : extractor_(extractor) {
        extractor.set_interrupt(interrupt);
    }
    Guarded(const Guarded &) = delete;
    Guarded &operator=(const Guarded &) = delete;
    ~Guarded() {
        extractor_.set_interrupt(Interrupt(&poll_signals));
    }

private:
    FeatureExtractor &extractor_;
};

PyRun run(const PyTaskPolicy &p, std::uint64_t seed, std::size_t limit, bool sample,
          double temperature, std::optional<bool> avoid_loops, bool find_dead_ends,
          std::optional<double> time_limit, const std::optional<PyState> &start) {
    if (start) of_task(p.task(), *start);
    if (time_limit && !(*time_limit > 0)) throw py::value_error("time_limit must be positive");
    const double seconds = time_limit.value_or(std::numeric_limits<double>::infinity());
    RunOptions options;
    options.selection = selection_of(sample, temperature);
    options.most_steps = limit;
    options.avoid_loops = avoid_loops;
    options.find_dead_ends = find_dead_ends;
    options.sees_history = p.features->options.history();
    Run found = p.take([&](Policy &policy) {
        const Interrupt interrupt(&poll_signals, Interrupt::after(seconds));
        FeatureExtractor &extractor = p.features->extractor;
        const Guarded guarded(extractor, interrupt);
        Rng rng(seed);
        const State first = start ? start->state : sample_initial_state(*p.task(), rng);
        const Observe observe = [&](const State &state, const History &history) {
            return extractor.observe(state, history);
        };
        return roll_out(*p.task(), policy, options, observe, first, rng, interrupt);
    });
    return {{p.task(), std::move(found)},
            found.end,
            found.avoided,
            found.feature_seconds,
            found.network_seconds};
}

using Memory = std::shared_ptr<StateMemory>;
using Words = py::array_t<std::uint32_t, py::array::c_style>;

// `size` samples spread evenly over the memories, from memory `first` on.
Batch sample_batch(const std::vector<Memory> &memories, const std::string &landmarks, bool counts,
                   bool helpful, bool last_action, std::size_t size, std::size_t first,
                   std::uint64_t seed) {
    if (memories.empty()) throw py::value_error("expected at least one memory");
    for (const Memory &memory : memories)
        if (memory->samples() == 0) throw py::value_error("a memory has no samples");
    const FeatureOptions options = feature_options(landmarks, counts, helpful, last_action);
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
                         const std::string &landmarks, bool counts, bool helpful,
                         bool last_action) {
    if (teacher.task != memory->structure()->shared_task())
        throw py::value_error("the teacher is for another task");
    const FeatureOptions features = feature_options(landmarks, counts, helpful, last_action);
    return without_gil([&] {
        return PyExplorer{
            memory, teacher,
            std::make_unique<Explorer>(memory, features, teacher.teacher, &poll_signals)};
    });
}

ExplorationOptions exploration(std::size_t rollouts, std::size_t max_steps, std::size_t wander,
                               std::optional<std::uint64_t> teacher_expansions) {
    ExplorationOptions options;
    options.rollouts = rollouts;
    options.most_steps = max_steps;
    options.wander = wander;
    if (teacher_expansions) options.teacher_expansions = *teacher_expansions;
    return options;
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
        "what was\ndone before.")
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
               py::arg("helpful") = false, py::arg("last_action") = false, py::arg("size") = 64,
               py::arg("first") = 0, py::arg("seed") = 0,
               "Draw samples, spread evenly over the memories from number `first` on, as a Batch "
               "with targets.");
}

}  // namespace

void bind_policy(py::module_ &module) {
    py::class_<PyRun, PyTrajectory>(module, "Run", "A policy's execution in a task.")
        .def_property_readonly(
            "end", [](const PyRun &r) { return end_name(r.end); },
            "\"goal\", \"dead end\", \"loop\", \"step limit\" or \"time limit\".")
        .def_readonly("avoided", &PyRun::avoided,
                      "Steps in which the best action had been taken in the same state before, and "
                      "another one was.")
        .def_property_readonly(
            "seconds",
            [](const PyRun &r) {
                py::dict result;
                result["features"] = r.feature_seconds;
                result["network"] = r.network_seconds;
                return result;
            },
            "By phase: features, network.");
    py::class_<PyTaskPolicy>(
        module, "TaskPolicy",
        "What a network does in one task. In its place may be a function that takes a Batch of one "
        "state and\nreturns the logits of all actions. Threads may share a policy, but it does one "
        "thing at a time.")
        .def(py::init(&policy_of_network), py::arg("network"), py::arg("features"))
        .def(py::init(&policy_of_function), py::arg("network"), py::arg("features"))
        .def("probabilities", &probabilities, py::arg("state") = py::none(),
             py::arg("history") = py::tuple(), py::kw_only(), py::arg("temperature") = 1.0,
             "For each applicable action how likely sampling is to choose it; `history` has the "
             "actions that\nwere taken before.")
        .def("run", &run, py::arg("seed") = 0, py::arg("limit") = 300, py::arg("sample") = false,
             py::kw_only(), py::arg("temperature") = 1.0, py::arg("avoid_loops") = py::none(),
             py::arg("find_dead_ends") = false, py::arg("time_limit") = py::none(),
             py::arg("state") = py::none(),
             "Follow the policy for at most `limit` steps: the most likely action (ties: the first "
             "by name), or a\nsampled one; outcomes are sampled.");
    bind_memory(module);
    py::class_<PyExplorer>(module, "Explorer",
                           "Fills a StateMemory with a policy's states and a teacher's, for the "
                           "trainer. For one thread.")
        .def(py::init(&make_explorer), py::arg("memory"), py::arg("teacher"), py::kw_only(),
             py::arg("landmarks") = "article", py::arg("counts") = true, py::arg("helpful") = false,
             py::arg("last_action") = false)
        .def(
            "teach",
            [](PyExplorer &e, std::size_t max_steps, std::uint64_t seed) {
                return report_dict(
                    e.teacher.turns.take([&] { return e.explorer->teach(max_steps, seed); }));
            },
            py::kw_only(), py::arg("max_steps") = 50, py::arg("seed") = 0,
            "Follow the teacher from the initial states.")
        .def(
            "wander",
            [](PyExplorer &e, std::size_t rollouts, std::size_t max_steps, std::size_t wander,
               std::optional<std::uint64_t> teacher_expansions, std::uint64_t seed) {
                const ExplorationOptions options =
                    exploration(rollouts, max_steps, wander, teacher_expansions);
                return report_dict(
                    e.teacher.turns.take([&] { return e.explorer->wander(options, seed); }));
            },
            py::kw_only(), py::arg("rollouts") = 1, py::arg("max_steps") = 50,
            py::arg("wander") = 20, py::arg("teacher_expansions") = py::none(), py::arg("seed") = 0,
            "Follow the teacher, `rollouts` times, from where at most `wander` actions drawn by "
            "chance lead to.\nAfter `teacher_expansions` it is only followed from initial states, "
            "if it knows them.")
        .def(
            "explore",
            [](PyExplorer &e, const PyTaskPolicy &p, std::size_t rollouts, std::size_t max_steps,
               bool sample, bool consult, std::size_t wander,
               std::optional<std::uint64_t> teacher_expansions, std::uint64_t seed) {
                if (p.features->structure != e.memory->structure())
                    throw py::value_error("the policy is for another structure");
                ExplorationOptions options =
                    exploration(rollouts, max_steps, wander, teacher_expansions);
                options.mode = selection_of(sample, 1).mode;
                options.consult = consult;
                return report_dict(p.take([&](Policy &policy) {
                    const auto turn = e.teacher.turns.hold();
                    return e.explorer->explore(policy, options, seed);
                }));
            },
            py::arg("policy"), py::kw_only(), py::arg("rollouts") = 1, py::arg("max_steps") = 50,
            py::arg("sample") = true, py::arg("consult") = true, py::arg("wander") = 0,
            py::arg("teacher_expansions") = py::none(), py::arg("seed") = 0,
            "Follow the policy, and with `consult` the teacher from each state on the way; then, "
            "as "
            "often, the teacher from\nwhere at most `wander` actions drawn by chance lead to. "
            "After "
            "`teacher_expansions` it is only asked about what it knows.");
}

}  // namespace asnets::bindings
