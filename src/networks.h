#pragma once

#include <pybind11/numpy.h>

#include <mutex>
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
FeatureOptions feature_options(const std::string &landmarks, bool counts, bool helpful);

class PyFeatures {
public:
    PyFeatures(const PyStructure &structure, const FeatureOptions &options);

    PyObservation observe(const PyState &s,
                          const std::optional<std::vector<std::uint32_t>> &counts);

    FeatureOptions options;
    Structure structure;
    FeatureExtractor extractor;  // use with the mutex locked
    std::mutex mutex;
};

// A network with what it takes to share it.
struct PyNetwork {
    Structure structure;
    std::shared_ptr<Network> network;  // use with the mutex locked
    std::shared_ptr<std::mutex> mutex = std::make_shared<std::mutex>();
};

// Follows a network; the features' and the network's mutexes guard what it uses.
struct PyPolicy {
    std::shared_ptr<PyNetwork> network;
    std::shared_ptr<PyFeatures> features;

    template <typename Use>
    auto locked(Use use) const {
        return without_gil([&] {
            const std::scoped_lock lock(*network->mutex, features->mutex);
            Policy policy(network->network);
            return use(policy);
        });
    }
};

}  // namespace asnets::bindings
