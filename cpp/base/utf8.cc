#include "base/utf8.h"

namespace asnets {

namespace {

// Length of the UTF-8 character at the start of the text, or 0 if there is none.
std::size_t character_length(std::string_view text) {
    const auto byte = [&text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const std::size_t length = byte(0) < 0x80   ? 1
                               : byte(0) < 0xc2 ? 0
                               : byte(0) < 0xe0 ? 2
                               : byte(0) < 0xf0 ? 3
                               : byte(0) < 0xf5 ? 4
                                                : 0;
    if (length == 0 || length > text.size()) return 0;
    for (std::size_t i = 1; i < length; ++i)
        if ((byte(i) & 0xc0U) != 0x80U) return 0;
    const bool overlong =
        (byte(0) == 0xe0 && byte(1) < 0xa0) || (byte(0) == 0xf0 && byte(1) < 0x90);
    const bool out_of_range =
        (byte(0) == 0xed && byte(1) > 0x9f) || (byte(0) == 0xf4 && byte(1) > 0x8f);
    return overlong || out_of_range ? 0 : length;
}

}  // namespace

bool is_utf8(std::string_view text) {
    while (!text.empty()) {
        const std::size_t length = character_length(text);
        if (length == 0) return false;
        text.remove_prefix(length);
    }
    return true;
}

void append_utf8(std::string &text, std::uint32_t code) {
    const auto append = [&text](std::uint32_t byte) { text += static_cast<char>(byte); };
    if (code < 0x80) {
        append(code);
        return;
    }
    const int rest = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;  // bytes after the first
    append((0xff00U >> (rest + 1) & 0xffU) | code >> 6 * rest);
    for (int i = rest - 1; i >= 0; --i) append(0x80U | (code >> 6 * i & 0x3fU));
}

}  // namespace asnets
