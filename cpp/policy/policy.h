#pragma once

#include <memory>
#include <vector>

#include "base/random.h"
#include "network/network.h"

namespace asnets {

// What a network does in a task: a distribution over the applicable actions of a state. Not
// thread-safe.
class Policy {
public:
    // best: the action with the highest logit. Those within `tie_band` of it tie, and the first of
    // them in the order of their names is taken, so that rounding does not choose.
    enum class Mode : std::uint8_t { best, sample };
    static constexpr float tie_band = 1e-4F;

    explicit Policy(std::shared_ptr<Network> network) : network_(std::move(network)) {
    }

    // For each applicable action, the softmax of the logits of all of them.
    std::vector<double> probabilities(const Observation &observation);
    // no_id if no action is applicable.
    Id choose(const Observation &observation, Mode mode, Rng &rng);

private:
    std::shared_ptr<Network> network_;
};

}  // namespace asnets
