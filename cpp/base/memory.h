#pragma once

#include <cstddef>

namespace asnets {

// Memory that this process holds now, in bytes; 0 where the system does not say. Microseconds.
std::size_t resident_bytes();

}  // namespace asnets
