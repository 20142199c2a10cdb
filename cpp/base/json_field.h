#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"

namespace asnets {

// A value together with its place, for reading a JSON text of known shape: whatever is missing or
// of another kind is a JsonError such as `modules[3].inputs: expected a whole number, found a
// text`. Refers to the value, which must outlive it.
class JsonField {
public:
    explicit JsonField(const Json &json, std::string place = "");

    // A member of an object; other members do not matter.
    [[nodiscard]] JsonField operator[](std::string_view key) const;
    [[nodiscard]] bool has(std::string_view key) const;
    [[nodiscard]] std::vector<JsonField> list() const;
    [[nodiscard]] const std::string &text() const;
    // Written as an integer, from 0 to 2^63 - 1.
    [[nodiscard]] std::uint64_t number() const;
    [[nodiscard]] bool flag() const;

    [[noreturn]] void fail(const std::string &message) const;

private:
    template <typename Kind>
    [[nodiscard]] const Kind &get(const char *expected) const;

    const Json *json_;
    std::string place_;
};

}  // namespace asnets
