#include "policy/policy.h"

#include <algorithm>
#include <cmath>

namespace asnets {

std::vector<double> Policy::probabilities(const Observation &observation) {
    const std::vector<float> &logits = network_->logits(observation);
    std::vector<double> result;
    for (const Id action : observation.applicable) result.push_back(logits[action]);
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
        double uniform = rng.uniform();
        std::size_t chosen = 0;
        while (chosen + 1 < applicable.size() && uniform >= probability[chosen])
            uniform -= probability[chosen++];
        return applicable[chosen];
    }
    const std::vector<float> &logits = network_->logits(observation);
    float highest = logits[applicable[0]];
    for (const Id action : applicable) highest = std::max(highest, logits[action]);
    return *std::find_if(applicable.begin(), applicable.end(),
                         [&](Id action) { return logits[action] >= highest - tie_band; });
}

}  // namespace asnets
