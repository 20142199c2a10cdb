#include "network/dense.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

// Compiled once for every processor and once for those with AVX2; the program's start chooses.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__)
#define ASNETS_CLONES __attribute__((target_clones("arch=haswell", "default")))
#else
#define ASNETS_CLONES
#endif

namespace asnets {

namespace {

ASNETS_CLONES void multiply(const float *weights, const float *input, std::size_t inputs,
                            float *__restrict out, std::size_t outputs) {
    for (std::size_t j = 0; j < inputs; ++j)
        for (std::size_t i = 0; i < outputs; ++i) out[i] += weights[j * outputs + i] * input[j];
}

// exp(x) - 1 for x <= 0, with an absolute error of some 1e-7: x = n ln 2 + r, and a polynomial in
// r.
inline float minus_one(float x) {
    x = std::max(x, -80.0F);
    const auto n = static_cast<std::int32_t>(x * 1.44269504F - 0.5F);
    const float r =
        x - static_cast<float>(n) * 0.693359375F + static_cast<float>(n) * 2.12194440e-4F;
    const float p =
        r * (1.0F + r * (0.5F + r * (1.0F / 6 + r * (1.0F / 24 + r * (1.0F / 120 + r / 720)))));
    const float power = std::bit_cast<float>((n + 127) << 23);
    return power * p + (power - 1.0F);
}

ASNETS_CLONES void elu(float *values, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        const float low = minus_one(std::min(values[i], 0.0F));
        values[i] = values[i] > 0 ? values[i] : low;
    }
}

}  // namespace

Dense::Dense(const NetworkWeights::Module &module, Nonlinearity nonlinearity, bool last)
    : inputs_(module.inputs),
      weights_(module.weights.size()),
      biases_(module.biases),
      nonlinearity_(nonlinearity),
      last_(last) {
    for (std::size_t i = 0; i < module.outputs; ++i)
        for (std::size_t j = 0; j < module.inputs; ++j)
            weights_[j * module.outputs + i] = module.weights[i * module.inputs + j];
}

void Dense::apply(const float *input, float *out) const {
    std::copy(biases_.begin(), biases_.end(), out);
    multiply(weights_.data(), input, inputs_, out, outputs());
    if (last_) return;
    if (nonlinearity_ == Nonlinearity::elu) return elu(out, outputs());
    for (std::size_t i = 0; i < outputs(); ++i)
        out[i] = nonlinearity_ == Nonlinearity::relu ? std::max(out[i], 0.0F) : std::tanh(out[i]);
}

}  // namespace asnets
