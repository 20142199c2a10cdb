#include "pddl/lexer.h"

#include <cstdio>
#include <string_view>

#include "base/utf8.h"

namespace asnets::pddl {

namespace {

bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

bool is_control(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20 && !is_blank(c)) || byte == 0x7f;
}

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

}  // namespace

std::string Token::describe() const {
    switch (kind) {
        case Kind::open: return "\"(\"";
        case Kind::close: return "\")\"";
        case Kind::word: return quote(text);
        case Kind::end: return "the end of the file";
    }
    return {};
}

Lexer::Lexer(const Source &source) : source_(source) {
    if (source.text.starts_with("\xef\xbb\xbf")) offset_ = 3;  // UTF-8 byte order mark
}

void Lexer::advance() {
    const char c = source_.text[offset_];
    if (is_control(c)) {
        char byte[8];
        std::snprintf(byte, sizeof byte, "0x%02x", static_cast<unsigned>(c));
        throw source_.error(position_, std::string("expected text, found the byte ") + byte +
                                           "; this is not a planning file");
    }
    ++offset_;
    if (c == '\n') {
        ++position_.line;
        position_.column = 1;
    } else if (offset_ == source_.text.size() ||
               (static_cast<unsigned char>(source_.text[offset_]) & 0xc0U) != 0x80U) {
        ++position_.column;
    }
}

void Lexer::skip_blanks() {
    const std::string &text = source_.text;
    while (offset_ < text.size() && (is_blank(text[offset_]) || text[offset_] == ';')) {
        if (text[offset_] == ';') {
            while (offset_ < text.size() && text[offset_] != '\n') advance();
        } else {
            advance();
        }
    }
}

Token Lexer::next() {
    skip_blanks();
    const std::string &text = source_.text;
    Token token{Token::Kind::end, "", position_};
    if (offset_ == text.size()) return token;
    if (text[offset_] == '(' || text[offset_] == ')') {
        token.kind = text[offset_] == '(' ? Token::Kind::open : Token::Kind::close;
        advance();
        return token;
    }
    token.kind = Token::Kind::word;
    while (offset_ < text.size() && !is_blank(text[offset_]) && text[offset_] != '(' &&
           text[offset_] != ')' && text[offset_] != ';' &&
           (text[offset_] != '?' || token.text.empty())) {  // `(on?x?y)` occurs
        token.text += lower(text[offset_]);
        advance();
    }
    if (!is_utf8(token.text)) throw source_.error(token.position, "expected a name in UTF-8");
    return token;
}

}  // namespace asnets::pddl
