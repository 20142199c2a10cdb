#include "policy/policy.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "base/draw.h"

namespace asnets {

namespace {

std::vector<double> softmax(std::vector<double> values, double temperature) {
    if (values.empty()) return values;
    const double highest = *std::max_element(values.begin(), values.end());
    double sum = 0;
    for (double &each : values) sum += each = std::exp((each - highest) / temperature);
    for (double &each : values) each /= sum;
    return values;
}

// The first logit that is not worse than another one.
std::size_t best_of(const std::vector<double> &logits) {
    const double highest = *std::max_element(logits.begin(), logits.end());
    const auto first = std::find_if(logits.begin(), logits.end(), [&](double each) {
        return !(each < highest - Selection::tie_band);
    });
    return static_cast<std::size_t>(first - logits.begin());
}

}  // namespace

const std::vector<float> &Policy::scored(const Observation &observation) {
    const std::vector<float> &logits = scorer_->logits(observation, observation.applicable);
    if (!std::ranges::all_of(logits, [](float each) { return std::isfinite(each); }))
        throw std::overflow_error("the network gives a logit that is not finite");
    return logits;
}

std::vector<double> Policy::probabilities(const Observation &observation, double temperature) {
    const std::vector<float> &logits = scored(observation);
    return softmax({logits.begin(), logits.end()}, temperature);
}

Policy::Choice Policy::choose(const Observation &observation, const Selection &selection, Rng &rng,
                              std::span<const Id> avoid) {
    std::vector<Id> actions = observation.applicable;
    if (actions.empty()) return {};
    const std::vector<float> &found = scored(observation);
    std::vector<double> logits(found.begin(), found.end());
    const Id best = actions[best_of(logits)];
    const auto is_avoided = [&](Id action) {
        return std::ranges::find(avoid, action) != avoid.end();
    };
    const bool can_avoid = !std::ranges::all_of(actions, is_avoided);
    const bool avoids = can_avoid && is_avoided(best);
    if (can_avoid) {
        std::size_t kept = 0;
        for (std::size_t i = 0; i < actions.size(); ++i) {
            if (is_avoided(actions[i])) continue;
            actions[kept] = actions[i];
            logits[kept++] = logits[i];
        }
        actions.resize(kept);
        logits.resize(kept);
    }
    if (selection.mode == Selection::Mode::best) return {actions[best_of(logits)], avoids};
    const std::vector<double> probability = softmax(std::move(logits), selection.temperature);
    const double &drawn = draw(probability, std::identity(), rng.uniform());
    return {actions[static_cast<std::size_t>(&drawn - probability.data())], avoids};
}

}  // namespace asnets
