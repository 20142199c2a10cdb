#pragma once

#include <memory>

#include "network/structure.h"

// What the bindings of networks and models share.
namespace asnets::bindings {

using Structure = std::shared_ptr<const NetworkStructure>;

struct PyStructure {
    Structure structure;
};

}  // namespace asnets::bindings
