#pragma once

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

#include "base/interrupt.h"

namespace asnets::pddl {

// Where a construct starts; lines and columns count from 1, columns in characters.
struct Position {
    std::uint32_t line = 1;
    std::uint32_t column = 1;
};

// A mistake in a planning file. what() is `file:line:column: message`, then the source line and a
// caret under the place.
class PddlError : public std::runtime_error {
public:
    PddlError(std::string file, Position position, std::string message, std::string excerpt);

    std::string file;
    Position position;
    std::string message;
    std::string excerpt;
};

// A planning file's name and text.
struct Source {
    std::string name;
    std::string text;

    // Reads a file whole; throws std::system_error if it cannot be read.
    static Source read(const std::filesystem::path &path, const Interrupt &interrupt);

    [[nodiscard]] PddlError error(Position position, const std::string &message) const;
    [[nodiscard]] std::string warning(Position position, const std::string &message) const;
};

// The text in double quotes, shortened if it is long, with unprintable bytes escaped.
std::string quote(std::string_view text);

}  // namespace asnets::pddl
