#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "network/network_weights.h"

namespace asnets {

// What the manifest.json of a model file says (docs/model-format.md).
struct Manifest {
    static constexpr std::uint64_t version = 1;

    struct Module {
        std::string kind;  // "action", "proposition"
        std::uint64_t layer = 0;
        std::string name;
        std::uint64_t inputs = 0;
        std::uint64_t outputs = 0;
        std::uint64_t offset = 0;  // of its first weight, in floats
    };

    std::string domain_name;
    std::string domain_sha256;
    Signature signature;
    Pooling pooling = Pooling::by_slot;
    FeatureOptions features;
    Nonlinearity nonlinearity = Nonlinearity::elu;
    bool skip = true;
    std::size_t layers = 0;  // from 1 to some thousands: bounded by the size of the signature
    std::vector<Module> modules;
    std::uint64_t floats = 0;
    std::string weights_sha256;
};

// Reads a manifest; its signature is consistent, its modules are not looked at. Throws ModelError
// for the named file.
Manifest read_manifest(std::string_view text, const std::string &file);

}  // namespace asnets
