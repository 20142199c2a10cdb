#pragma once

#include <pybind11/numpy.h>

#include <vector>

#include "bindings.h"
#include "network/batch.h"
#include "network/network.h"
#include "policy/policy.h"
#include "searching.h"

// What the bindings of networks and policies share.
namespace asnets::bindings {

using Structure = std::shared_ptr<const NetworkStructure>;

struct PyStructure {
    Structure structure;
};

struct PyObservation {
    Structure structure;
    Observation observation;
};

// Throws ValueError that names the known encodings of landmarks.
FeatureOptions feature_options(const std::string &landmarks, bool counts, bool helpful,
                               bool last_action);

History history_of(const Handle &task, const pybind11::iterable &actions);

class PyFeatures {
public:
    PyFeatures(const PyStructure &structure, const FeatureOptions &options);

    PyObservation observe(const PyState &s, const pybind11::iterable &history);

    FeatureOptions options;
    Structure structure;
    FeatureExtractor extractor;
    Turns turns;
};

// A network with what it takes to share it.
struct PyNetwork {
    Structure structure;
    std::shared_ptr<Network> network;
    Turns turns = {};
};

// What a network, or a function in Python, does in a task.
struct PyTaskPolicy {
    std::shared_ptr<Scorer> scorer;
    Turns scorer_turns;
    std::shared_ptr<PyFeatures> features;

    [[nodiscard]] const Handle &task() const {
        return features->structure->shared_task();
    }
    // Runs `use` with a policy, without the GIL, when no other thread has the scorer or the
    // features.
    template <typename Use>
    auto take(Use use) const {
        return scorer_turns.take([&] {
            const auto turn = features->turns.hold();
            Policy policy(scorer);
            return use(policy);
        });
    }
};

}  // namespace asnets::bindings
