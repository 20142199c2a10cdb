#pragma once

#include "network/network_weights.h"

namespace asnets {

// Throws std::invalid_argument with the first difference unless the weights are for the structure's
// domain and pooling: `schema stack: slot 3 is (on ?x ?y) in the model, (on ?y ?x) in the task`.
void check_fits(const NetworkWeights &weights, const NetworkStructure &structure);

}  // namespace asnets
