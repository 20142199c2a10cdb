#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace asnets {

// Is it well-formed UTF-8 (no overlong forms, no surrogates)?
bool is_utf8(std::string_view text);

// Appends a character by its number, which must be one (at most 0x10ffff, no surrogate).
void append_utf8(std::string &text, std::uint32_t code);

}  // namespace asnets
