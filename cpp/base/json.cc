#include "base/json.h"

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "base/utf8.h"

namespace asnets {

namespace {

constexpr int deepest = 64;

class Parser {
public:
    explicit Parser(std::string_view text) : text_(text) {
    }

    Json parse() {
        Json result = value(0);
        skip_blanks();
        if (next_ < text_.size()) fail("expected the end");
        return result;
    }

private:
    [[noreturn]] void fail(const std::string &message) const {
        const std::string_view before = text_.substr(0, next_);
        const auto line = std::count(before.begin(), before.end(), '\n') + 1;
        const std::size_t column = next_ - (before.rfind('\n') + 1) + 1;  // npos + 1 is 0
        throw JsonError("line " + std::to_string(line) + ", byte " + std::to_string(column) + ": " +
                        message);
    }

    [[nodiscard]] char peek() const {
        return next_ < text_.size() ? text_[next_] : '\0';
    }

    bool take(std::string_view word) {
        if (!text_.substr(next_).starts_with(word)) return false;
        next_ += word.size();
        return true;
    }

    void skip_blanks() {
        while (peek() == ' ' || peek() == '\t' || peek() == '\r' || peek() == '\n') ++next_;
    }

    Json value(int depth) {
        if (depth == deepest) fail("nested too deeply");
        skip_blanks();
        if (take("[")) return {list(depth)};
        if (take("{")) return {object(depth)};
        if (take("\"")) return {string()};
        if (take("true")) return {true};
        if (take("false")) return {false};
        if (take("null")) return {nullptr};
        return number();
    }

    Json::List list(int depth) {
        Json::List result;
        skip_blanks();
        if (take("]")) return result;
        for (;;) {
            result.push_back(value(depth + 1));
            skip_blanks();
            if (take("]")) return result;
            if (!take(",")) fail("expected , or ]");
        }
    }

    Json::Object object(int depth) {
        Json::Object result;
        skip_blanks();
        if (take("}")) return result;
        for (;;) {
            skip_blanks();
            if (!take("\"")) fail("expected a key");
            std::string key = string();
            skip_blanks();
            if (!take(":")) fail("expected :");
            result.push_back({std::move(key), value(depth + 1)});
            skip_blanks();
            if (take("}")) break;
            if (!take(",")) fail("expected , or }");
        }
        std::ranges::sort(result, {}, &Json::Member::key);
        if (std::ranges::adjacent_find(result, {}, &Json::Member::key) != result.end())
            fail("expected different keys in the object that ends here");
        return result;
    }

    // After the opening quote.
    std::string string() {
        std::string result;
        for (;;) {
            if (next_ == text_.size()) fail("expected \" to end a text");
            const char c = text_[next_];
            if (static_cast<unsigned char>(c) < 0x20)
                fail("expected \\ before a control character");
            ++next_;
            if (c == '"') return result;
            if (c == '\\')
                escape(result);
            else
                result += c;
        }
    }

    // After the backslash.
    void escape(std::string &result) {
        constexpr std::string_view letters = "\"\\/bfnrt";
        constexpr std::string_view meanings = "\"\\/\b\f\n\r\t";
        const std::size_t known = letters.find(peek());
        if (known != std::string_view::npos) {
            ++next_;
            result += meanings[known];
            return;
        }
        std::uint32_t code = unit();
        if (code >= 0xd800 && code < 0xdc00) {  // the first half of a character
            if (!take("\\")) fail("expected the second half of a character");
            const std::uint32_t second = unit();
            if (second < 0xdc00 || second > 0xdfff) fail("expected the second half of a character");
            code = 0x10000 + ((code - 0xd800) << 10) + (second - 0xdc00);
        } else if (code >= 0xdc00 && code <= 0xdfff) {
            fail("expected the first half of a character before the second");
        }
        append_utf8(result, code);
    }

    // uXXXX.
    std::uint32_t unit() {
        if (!take("u")) fail("expected one of \"\\/bfnrtu after \\");
        const std::string_view digits = text_.substr(next_, 4);
        std::uint32_t code = 0;
        const auto [end, error] =
            std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
        if (error != std::errc() || end != digits.data() + 4) fail("expected 4 hexadecimal digits");
        next_ += 4;
        return code;
    }

    void digits() {
        if (peek() < '0' || peek() > '9') fail("expected a digit");
        while (peek() >= '0' && peek() <= '9') ++next_;
    }

    // The number that is written from `begin` to here.
    template <typename Number>
    bool convert(std::size_t begin, Number &result) const {
        const char *last = text_.data() + next_;
        const auto [end, error] = std::from_chars(text_.data() + begin, last, result);
        return error == std::errc() && end == last;
    }

    Json number() {
        const std::size_t begin = next_;
        if (!take("-") && (peek() < '0' || peek() > '9')) fail("expected a value");
        if (!take("0")) digits();
        const bool is_integer = peek() != '.' && peek() != 'e' && peek() != 'E';
        if (std::int64_t integer = 0; is_integer && convert(begin, integer)) return {integer};
        if (take(".")) digits();
        if (take("e") || take("E")) {
            if (!take("+")) take("-");
            digits();
        }
        double result = 0;
        if (convert(begin, result)) return {result};
        next_ = begin;
        fail("expected a number that a double can hold");
    }

    std::string_view text_;
    std::size_t next_ = 0;
};

}  // namespace

const Json *Json::find(std::string_view key) const {
    const auto *members = std::get_if<Object>(&value);
    if (members == nullptr) return nullptr;
    const auto found = std::ranges::lower_bound(*members, key, {}, &Member::key);
    return found != members->end() && found->key == key ? &found->value : nullptr;
}

Json parse_json(std::string_view text) {
    if (!is_utf8(text)) throw JsonError("not UTF-8");
    return Parser(text).parse();
}

}  // namespace asnets
