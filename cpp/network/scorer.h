#pragma once

#include <span>
#include <vector>

#include "network/features.h"

namespace asnets {

// Says how good actions are in what a network sees of a state. Not thread-safe.
class Scorer {
public:
    virtual ~Scorer() = default;
    // The logits of some actions; valid until the next call.
    virtual const std::vector<float> &logits(const Observation &observation,
                                             std::span<const Id> actions) = 0;
};

}  // namespace asnets
