#include "policy/policy.h"

#include <algorithm>
#include <cmath>

#include "base/draw.h"

namespace asnets {

std::vector<double> Policy::probabilities(const Observation &observation) {
    const std::vector<float> &logits = network_->logits(observation, observation.applicable);
    std::vector<double> result(logits.begin(), logits.end());
    if (result.empty()) return result;
    const double highest = *std::max_element(result.begin(), result.end());
    double sum = 0;
    for (double &each : result) sum += each = std::exp(each - highest);
    for (double &each : result) each /= sum;
    return result;
}

Id Policy::choose(const Observation &observation, Mode mode, Rng &rng) {
    const std::vector<Id> &applicable = observation.applicable;
    if (applicable.empty()) return no_id;
    if (mode == Mode::sample) {
        const std::vector<double> probability = probabilities(observation);
        const double &chosen = draw(probability, std::identity(), rng.uniform());
        return applicable[static_cast<std::size_t>(&chosen - probability.data())];
    }
    const std::vector<float> &logits = network_->logits(observation, applicable);
    const float highest = *std::max_element(logits.begin(), logits.end());
    // The first action that is not worse; of logits that are no numbers, the first.
    const auto first = std::find_if(logits.begin(), logits.end(),
                                    [&](float each) { return !(each < highest - tie_band); });
    return applicable[static_cast<std::size_t>(first - logits.begin())];
}

}  // namespace asnets
