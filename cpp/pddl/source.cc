#include "pddl/source.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <system_error>

namespace asnets::pddl {

namespace {

constexpr std::size_t excerpt_width = 100;

bool starts_character(char c) {
    return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U;  // not a UTF-8 continuation byte
}

std::string_view line_at(std::string_view text, std::uint32_t line) {
    for (std::uint32_t current = 1; current < line; ++current) {
        const std::size_t end = text.find('\n');
        if (end == std::string_view::npos) return {};
        text.remove_prefix(end + 1);
    }
    std::string_view result = text.substr(0, text.find('\n'));
    if (result.ends_with('\r')) result.remove_suffix(1);
    return result;
}

// The source line around the column, and a second line with the caret.
std::string make_excerpt(std::string_view text, Position position) {
    std::string_view line = line_at(text, position.line);
    std::size_t caret = 0;  // in bytes
    for (std::uint32_t column = 1; column < position.column && caret < line.size(); ++column) {
        ++caret;
        while (caret < line.size() && !starts_character(line[caret])) ++caret;
    }
    std::string shown;
    std::string pad;
    std::size_t begin = 0;
    if (caret > excerpt_width / 2) {
        begin = caret - excerpt_width / 2;
        while (begin < caret && !starts_character(line[begin])) ++begin;
        shown = pad = "...";
        pad = "   ";
    }
    std::size_t end = std::min(line.size(), begin + excerpt_width);
    while (end < line.size() && !starts_character(line[end])) ++end;
    for (std::size_t i = begin; i < end; ++i) {
        const auto byte = static_cast<unsigned char>(line[i]);
        shown += (byte < 0x20 && byte != '\t') || byte == 0x7f ? '?' : line[i];
        if (i < caret && starts_character(line[i])) pad += line[i] == '\t' ? '\t' : ' ';
    }
    return shown + "\n" + pad + "^";
}

std::string place(const std::string &file, Position position) {
    return file + ":" + std::to_string(position.line) + ":" + std::to_string(position.column);
}

}  // namespace

PddlError::PddlError(std::string file_, Position position_, std::string message_,
                     std::string excerpt_)
    : std::runtime_error(place(file_, position_) + ": " + message_ +
                         (excerpt_.empty() ? "" : "\n" + excerpt_)),
      file(std::move(file_)),
      position(position_),
      message(std::move(message_)),
      excerpt(std::move(excerpt_)) {
}

Source Source::read(const std::filesystem::path &path, const Interrupt &interrupt) {
    const auto fail = [&path] {
        return std::system_error(errno, std::generic_category(), path.string());
    };
    const std::unique_ptr<std::FILE, int (*)(std::FILE *)> file(std::fopen(path.c_str(), "rb"),
                                                                &std::fclose);
    if (!file) throw fail();
    Source source{path.string(), ""};
    char buffer[1 << 16];
    while (const std::size_t count = std::fread(buffer, 1, sizeof buffer, file.get())) {
        interrupt.check();
        source.text.append(buffer, count);
        if (std::memchr(buffer, 0, count) != nullptr) break;  // not a text: the lexer will say so
    }
    if (std::ferror(file.get()) != 0) throw fail();
    return source;
}

PddlError Source::error(Position position, const std::string &message) const {
    return {name, position, message, make_excerpt(text, position)};
}

std::string Source::warning(Position position, const std::string &message) const {
    return place(name, position) + ": " + message;
}

std::string quote(std::string_view text) {
    constexpr std::size_t longest = 40;
    std::string result = "\"";
    std::size_t end = std::min(longest, text.size());
    while (end > 0 && end < text.size() && !starts_character(text[end])) --end;
    for (const char c : text.substr(0, end)) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x20 || byte == 0x7f) {
            char escape[8];
            std::snprintf(escape, sizeof escape, "\\x%02x", static_cast<unsigned>(byte));
            result += escape;
        } else {
            result += c;
        }
    }
    return result + (end < text.size() ? "...\"" : "\"");
}

}  // namespace asnets::pddl
