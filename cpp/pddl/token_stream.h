#pragma once

#include <string>
#include <string_view>

#include "base/interrupt.h"
#include "pddl/lexer.h"
#include "pddl/syntax.h"

namespace asnets::pddl {

// The tokens of a source with one token of look-ahead, and the errors every parser function needs.
class TokenStream {
public:
    TokenStream(const Source &source, Interrupt &interrupt)
        : source_(source), interrupt_(interrupt), lexer_(source), next_(lexer_.next()) {
    }

    [[nodiscard]] const Token &peek() const {
        return next_;
    }
    [[nodiscard]] bool at(Token::Kind kind) const {
        return next_.kind == kind;
    }
    Token take();

    // Takes "(" / ")"; `what` says what the parenthesis opens or closes. Returns its position.
    Position open(std::string_view what);
    void close(std::string_view what, Position opened);
    // Takes a word that is neither a `?variable` nor a `:keyword` nor `-`.
    syntax::Word name(std::string_view what);
    syntax::Word variable();
    // Takes a number: decimal or fraction.
    double number(std::string_view what);
    // Takes everything up to and including the parenthesis that closes the current level.
    void skip_to_close(Position opened);

    [[nodiscard]] PddlError expected(std::string_view what) const;
    [[nodiscard]] PddlError error(Position position, const std::string &message) const {
        return source_.error(position, message);
    }

private:
    const Source &source_;
    Interrupt &interrupt_;
    Lexer lexer_;
    Token next_;
};

// True if the word reads as a number; `value` is then set.
bool parse_number(std::string_view text, double &value);

}  // namespace asnets::pddl
