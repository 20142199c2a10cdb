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
    // f(W u + b) into `out`.
    void apply(const float *input, float *out) const;

private:
    std::size_t inputs_;
    std::vector<float> weights_;  // inputs x outputs
    std::vector<float> biases_;
    Nonlinearity nonlinearity_;
    bool last_;
};

}  // namespace asnets
