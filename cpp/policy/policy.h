#pragma once

#include <memory>
#include <span>
#include <vector>

#include "base/random.h"
#include "network/scorer.h"

namespace asnets {

// How a policy chooses. best: the action with the highest logit. Those within `tie_band` of it tie,
// and the first of them in the order of their names is taken, so that rounding does not choose.
// sample: by the softmax of logit / temperature.
struct Selection {
    enum class Mode : std::uint8_t { best, sample };
    static constexpr float tie_band = 1e-4F;

    Mode mode = Mode::best;
    double temperature = 1;
};

// What a network does in a task: a distribution over the applicable actions of a state. Not
// thread-safe.
class Policy {
public:
    struct Choice {
        Id action = no_id;     // no_id if no action is applicable
        bool avoided = false;  // the best action is another one
    };

    explicit Policy(std::shared_ptr<Scorer> scorer) : scorer_(std::move(scorer)) {
    }

    // For each applicable action, the softmax of the logits of all of them over the temperature.
    std::vector<double> probabilities(const Observation &observation, double temperature = 1);
    // One that is not in `avoid`, unless all are.
    Choice choose(const Observation &observation, const Selection &selection, Rng &rng,
                  std::span<const Id> avoid = {});

private:
    // Of the applicable actions. Throws std::overflow_error if one is not finite.
    const std::vector<float> &scored(const Observation &observation);

    std::shared_ptr<Scorer> scorer_;
};

}  // namespace asnets
