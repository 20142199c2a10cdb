#include "pddl/token_stream.h"

#include <charconv>
#include <cmath>
#include <utility>

namespace asnets::pddl {

namespace {

bool parse_decimal(std::string_view text, double &value) {
    if (text.empty() || (text[0] != '.' && (text[0] < '0' || text[0] > '9'))) return false;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    return code == std::errc() && end == text.data() + text.size() && std::isfinite(value);
}

}  // namespace

bool parse_number(std::string_view text, double &value) {
    if (text.starts_with('-')) {
        const bool good = parse_number(text.substr(1), value) && !text.starts_with("--");
        value = -value;
        return good;
    }
    const std::size_t slash = text.find('/');
    if (slash == std::string_view::npos) return parse_decimal(text, value);
    double denominator = 0;
    if (!parse_decimal(text.substr(0, slash), value) ||
        !parse_decimal(text.substr(slash + 1), denominator) || denominator == 0)
        return false;
    value /= denominator;
    return std::isfinite(value);
}

Token TokenStream::take() {
    interrupt_.tick();
    return std::exchange(next_, lexer_.next());
}

Position TokenStream::open(std::string_view what) {
    if (!at(Token::Kind::open)) throw expected("\"(\" of " + std::string(what));
    return take().position;
}

void TokenStream::close(std::string_view what, Position opened) {
    if (!at(Token::Kind::close))
        throw expected("\")\" to close " + std::string(what) + " opened at " +
                       std::to_string(opened.line) + ":" + std::to_string(opened.column));
    take();
}

syntax::Word TokenStream::name(std::string_view what) {
    if (!at(Token::Kind::word) || next_.text[0] == '?' || next_.text[0] == ':' || next_.text == "-")
        throw expected(what);
    Token token = take();
    return {std::move(token.text), token.position};
}

syntax::Word TokenStream::variable() {
    if (!at(Token::Kind::word) || next_.text[0] != '?' || next_.text.size() == 1)
        throw expected("a variable such as ?x");
    Token token = take();
    return {std::move(token.text), token.position};
}

double TokenStream::number(std::string_view what) {
    double value = 0;
    if (!at(Token::Kind::word) || !parse_number(next_.text, value)) throw expected(what);
    take();
    return value;
}

void TokenStream::skip_to_close(Position opened) {
    for (std::size_t depth = 1; depth > 0;) {
        if (at(Token::Kind::end)) close("the section", opened);
        const Token token = take();
        if (token.kind == Token::Kind::open) ++depth;
        if (token.kind == Token::Kind::close) --depth;
    }
}

PddlError TokenStream::expected(std::string_view what) const {
    return source_.error(next_.position,
                         "expected " + std::string(what) + ", found " + next_.describe());
}

}  // namespace asnets::pddl
