#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace asnets {

// What is wrong with a JSON text, and where, in one line.
struct JsonError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// A value of a JSON text (RFC 8259).
struct Json {
    struct Member;
    using List = std::vector<Json>;
    using Object = std::vector<Member>;  // in the order of the keys

    // A number is an integer if it is written as one, without fraction and exponent, and fits.
    std::variant<std::nullptr_t, bool, std::int64_t, double, std::string, List, Object> value;

    // The member of an object; null if there is none or this is no object. Logarithmic.
    [[nodiscard]] const Json *find(std::string_view key) const;
};

struct Json::Member {
    std::string key;
    Json value;
};

// Reads a whole text. Strict: UTF-8, different keys in an object, numbers that a double can hold,
// at most 64 levels. Throws JsonError. Memory is at most some 60 times the text.
Json parse_json(std::string_view text);

}  // namespace asnets
