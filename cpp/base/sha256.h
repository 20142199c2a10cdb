#pragma once

#include <string>
#include <string_view>

namespace asnets {

// The SHA-256 of the bytes (FIPS 180-4) in 64 lower-case hexadecimal digits. About 200 MB a second.
std::string sha256(std::string_view bytes);

}  // namespace asnets
