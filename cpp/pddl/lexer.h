#pragma once

#include <cstddef>
#include <string>

#include "pddl/source.h"

namespace asnets::pddl {

struct Token {
    enum class Kind { open, close, word, end };

    Kind kind = Kind::end;
    std::string text;  // a word's text in lower case
    Position position;

    [[nodiscard]] std::string describe() const;
};

// Cuts a source into parentheses and words; comments run from `;` to the end of the line. A word is
// any run of other printable characters: what it stands for (name, `?variable`, `:keyword`, `-`,
// number) depends on where it stands. Control bytes, and words that are not UTF-8, are an error.
class Lexer {
public:
    explicit Lexer(const Source &source);

    Token next();

private:
    void advance();
    void skip_blanks();

    const Source &source_;
    std::size_t offset_ = 0;
    Position position_;
};

}  // namespace asnets::pddl
