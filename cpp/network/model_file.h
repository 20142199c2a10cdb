#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "network/model_error.h"
#include "network/network_weights.h"

namespace asnets {

// A trained network with what belongs to it (docs/model-format.md).
struct ModelFile {
    std::string domain_name;
    std::string domain_text;  // as it was read: comments may hold any bytes
    Pooling pooling = Pooling::by_slot;
    NetworkWeights weights;
    std::string manifest;  // JSON, with the record of the training
};

// Reads a model file without libtorch and checks all of it: checksums, sizes, that the signature is
// consistent, that the modules fit it and each other, that weights are finite. Throws ModelError,
// or std::system_error if the file cannot be read.
ModelFile read_model(const std::filesystem::path &path);

// The same from a file's content; `file` is its name in errors.
ModelFile parse_model(std::string_view bytes, const std::string &file);

}  // namespace asnets
