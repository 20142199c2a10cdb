#pragma once

#include <memory>
#include <string>

#include "network/scorer.h"

namespace asnets {

// The network of a model file, run as TorchScript by a library that offers asnets_torch.h. Throws
// TorchError if the library cannot be opened, ModelError if it does not take the model.
std::shared_ptr<Scorer> torch_scorer(const std::string &library, const std::string &model_file,
                                     std::shared_ptr<const NetworkStructure> structure,
                                     const FeatureOptions &features);

// The library or libtorch is not there.
class TorchError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

}  // namespace asnets
