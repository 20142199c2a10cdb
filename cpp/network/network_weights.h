#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "network/features.h"
#include "network/structure.h"

namespace asnets {

// What a hidden module applies to each of its channels.
enum class Nonlinearity : std::uint8_t { elu, relu, tanh };

// By its name: "elu", "relu", "tanh". Throws std::invalid_argument that names the known ones.
Nonlinearity nonlinearity_of(const std::string &name);

// No value is less: -1, for relu 0. A pool without actions has it.
float lower_bound(Nonlinearity nonlinearity);

// A network's weights, for all tasks of its domain (JAIR 2020, section 3).
//
// Layers alternate: action modules 1, proposition modules 1, ..., action modules L + 1, whose one
// channel is an action's logit. A module is f(W u + b) with f the nonlinearity, in the last layer
// the identity. u of an action: the vectors of its slots' propositions, and from layer 2 on, with
// skip connections, its own of the layer before; layer 1 takes the inputs that write_inputs
// describes. u of a proposition: for each pool the maximum over its actions, the nonlinearity's
// lower bound if there is none, and from layer 2 on, with skip connections, its own of the layer
// before.
struct NetworkWeights {
    struct Module {
        std::size_t inputs = 0;
        std::size_t outputs = 0;
        std::vector<float> weights;  // outputs x inputs
        std::vector<float> biases;
    };

    Signature signature;
    FeatureOptions features;
    Nonlinearity nonlinearity = Nonlinearity::elu;
    bool skip = true;
    std::vector<std::vector<Module>> actions;       // by layer, by schema
    std::vector<std::vector<Module>> propositions;  // by layer, by predicate; empty if unused

    // Throws std::invalid_argument that names the first module whose size does not fit.
    void check() const;
};

}  // namespace asnets
