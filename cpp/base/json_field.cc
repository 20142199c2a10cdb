#include "base/json_field.h"

#include <array>
#include <utility>

namespace asnets {

JsonField::JsonField(const Json &json, std::string place) : json_(&json), place_(std::move(place)) {
}

void JsonField::fail(const std::string &message) const {
    throw JsonError(place_.empty() ? message : place_ + ": " + message);
}

template <typename Kind>
const Kind &JsonField::get(const char *expected) const {
    constexpr std::array names = {"null",   "true or false", "a whole number", "a number",
                                  "a text", "a list",        "an object"};
    if (const Kind *found = std::get_if<Kind>(&json_->value)) return *found;
    fail(std::string("expected ") + expected + ", found " + names.at(json_->value.index()));
}

JsonField JsonField::operator[](std::string_view key) const {
    (void)get<Json::Object>("an object");
    const std::string place = (place_.empty() ? "" : place_ + ".") + std::string(key);
    const Json *member = json_->find(key);
    if (member == nullptr) throw JsonError(place + ": missing");
    return JsonField(*member, place);
}

bool JsonField::has(std::string_view key) const {
    (void)get<Json::Object>("an object");
    return json_->find(key) != nullptr;
}

std::vector<JsonField> JsonField::list() const {
    std::vector<JsonField> result;
    for (const Json &each : get<Json::List>("a list"))
        result.emplace_back(each, place_ + "[" + std::to_string(result.size()) + "]");
    return result;
}

const std::string &JsonField::text() const {
    return get<std::string>("a text");
}

std::uint64_t JsonField::number() const {
    const std::int64_t value = get<std::int64_t>("a whole number");
    if (value < 0) fail("expected a whole number, found a negative one");
    return static_cast<std::uint64_t>(value);
}

bool JsonField::flag() const {
    return get<bool>("true or false");
}

}  // namespace asnets
