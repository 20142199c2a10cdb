#pragma once

#include <span>
#include <vector>

#include "network/network_weights.h"

namespace asnets {

// One module's W u + b and nonlinearity, laid out for vectors as wide as the processor has them.
class Dense {
public:
    Dense(const NetworkWeights::Module &module, Nonlinearity nonlinearity, bool last);

    [[nodiscard]] std::size_t outputs() const {
        return biases_.size();
    }
    [[nodiscard]] const std::vector<float> &biases() const {
        return biases_;
    }
    // Adds W u to `out` for the part of u that begins at input `first`.
    void add_product(std::size_t first, std::span<const float> part, float *out) const;
    // f, in place.
    void activate(float *values) const;

private:
    std::vector<float> weights_;  // inputs x outputs
    std::vector<float> biases_;
    Nonlinearity nonlinearity_;
    bool last_;
};

}  // namespace asnets
