// JSON texts: every kind of value, and one line for everything that is not JSON.
#include <limits>
#include <string>
#include <string_view>
#include <variant>

#include "base/json.h"
#include "base/json_field.h"
#include "base/utf8.h"
#include "check.h"

using asnets::is_utf8;
using asnets::Json;
using asnets::JsonError;
using asnets::JsonField;
using asnets::parse_json;

namespace {

std::string text_of(std::string_view json) {
    return std::get<std::string>(parse_json(json).value);
}

double number_of(std::string_view json) {
    return std::get<double>(parse_json(json).value);
}

std::int64_t integer_of(std::string_view json) {
    return std::get<std::int64_t>(parse_json(json).value);
}

template <typename Run>
std::string mistake(Run &&run) {
    try {
        static_cast<void>(run());
    } catch (const JsonError &error) {
        return error.what();
    }
    return "";
}

std::string mistake_in(std::string_view json) {
    return mistake([&] { return parse_json(json); });
}

}  // namespace

TEST(every_kind_of_value) {
    CHECK(std::holds_alternative<std::nullptr_t>(parse_json("null").value));
    CHECK(std::get<bool>(parse_json(" true\n").value));
    CHECK(!std::get<bool>(parse_json("false").value));
    CHECK_EQ(text_of("\"\""), "");
    CHECK(std::get<Json::List>(parse_json("[ ]").value).empty());
    CHECK(std::get<Json::Object>(parse_json("{ }").value).empty());
    const Json json = parse_json("{\"b\": [1, [\"x\"]], \"a\" :\t{\"\": null}}");
    CHECK_EQ(std::get<Json::List>(json.find("b")->value).size(), 2);
    CHECK(json.find("a")->find("") != nullptr);
    CHECK(json.find("c") == nullptr);
    CHECK(json.find("b")->find("b") == nullptr);
}

TEST(numbers) {
    CHECK_EQ(integer_of("0"), 0);
    CHECK_EQ(integer_of("-0"), 0);
    CHECK_EQ(integer_of("-17"), -17);
    CHECK_EQ(integer_of("9223372036854775807"), std::numeric_limits<std::int64_t>::max());
    CHECK_EQ(number_of("9223372036854775808"), 0x1.0p63);
    CHECK_EQ(number_of("0.0"), 0.0);
    CHECK_EQ(number_of("0e1"), 0.0);
    CHECK_EQ(number_of("3E0"), 3.0);
    CHECK_EQ(number_of("-0.5"), -0.5);
    CHECK_EQ(number_of("12.5e-1"), 1.25);
    CHECK_EQ(number_of("1E+2"), 100.0);
    CHECK_EQ(number_of("5e-324"), std::numeric_limits<double>::denorm_min());
    CHECK_EQ(number_of("1.7976931348623157e308"), std::numeric_limits<double>::max());
    for (const char *bad : {"+1", "01", "1.", ".5", "-", "1e", "1e+", "0x1", "NaN", "Infinity",
                            "-Infinity", "nan", "1e999", "--1", "1_000"})
        CHECK_THROWS(parse_json(bad), JsonError);
    CHECK_THROWS(parse_json(std::string(5000, '9')), JsonError);
}

TEST(texts) {
    CHECK_EQ(text_of(R"("a\"\\\/\b\f\n\r\t")"), "a\"\\/\b\f\n\r\t");
    CHECK_EQ(text_of(R"("\u0041\u00e9\u20AC\ud83d\ude00\u07ff\u0800\uffff")"),
             "A\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\xdf\xbf\xe0\xa0\x80\xef\xbf\xbf");
    CHECK_EQ(text_of("\"\xc3\xa9\x7f\""), "\xc3\xa9\x7f");
    CHECK_EQ(text_of(R"("\u0000")"), std::string(1, '\0'));
    CHECK(is_utf8(text_of(R"("\udbff\udfff")")));
    for (const char *bad : {R"("\x")", R"("\u12")", R"("\u12g4")", R"("\u+123")", R"("\ud800")",
                            R"("\ud800\n")", R"("\ud800\u0041")", R"("\udc00")", "\"\n\"", "\"\\",
                            "\"\\u", "\"", "'a'", "\"\xff\"", "\"\xed\xa0\x80\"", "\"\xc0\x80\""})
        CHECK_THROWS(parse_json(bad), JsonError);
}

TEST(what_is_not_json) {
    for (const char *bad : {"",
                            " ",
                            "tru",
                            "nul",
                            "[1,]",
                            "[,]",
                            "[1 2]",
                            "[",
                            "]",
                            "{",
                            "{\"a\"}",
                            "{\"a\":}",
                            "{\"a\":1,}",
                            "{a:1}",
                            "{1:1}",
                            "1 2",
                            "[1]]",
                            "// x\n1",
                            "\xef\xbb\xbf[]",
                            "{\"a\":1,\"a\":1}",
                            "True",
                            "nullx"})
        CHECK_THROWS(parse_json(bad), JsonError);
    CHECK_THROWS(parse_json(std::string_view("1\0", 2)), JsonError);
    CHECK_THROWS(parse_json(std::string_view("\0", 1)), JsonError);
}

TEST(messages_tell_where) {
    CHECK_EQ(mistake_in("[1,\n 2;]"), "line 2, byte 3: expected , or ]");
    CHECK_EQ(mistake_in("{\"a\" 1}"), "line 1, byte 6: expected :");
    CHECK_EQ(mistake_in("[1e999]"), "line 1, byte 2: expected a number that a double can hold");
    CHECK_EQ(mistake_in("\xff"), "not UTF-8");
}

TEST(depth_is_limited) {
    const auto nested = [](std::size_t depth) {
        return std::string(depth, '[') + std::string(depth, ']');
    };
    CHECK_EQ(mistake_in(nested(64)), "");
    CHECK_EQ(mistake_in(nested(65)), "line 1, byte 65: nested too deeply");
    CHECK_THROWS(parse_json(std::string(1'000'000, '[')), JsonError);
    std::string objects;
    for (int i = 0; i < 100'000; ++i) objects += "{\"a\":";
    CHECK_THROWS(parse_json(objects), JsonError);
}

TEST(every_beginning_of_a_text_is_refused) {
    const std::string json = R"({"a": [true, false, null, -1.5e3, "\u00e9\ud83d\ude00"], "b": {}})";
    CHECK_EQ(mistake_in(json), "");
    for (std::size_t size = 0; size < json.size(); ++size)
        CHECK_THROWS(parse_json(json.substr(0, size)), JsonError);
}

TEST(fields_tell_their_place) {
    const Json json = parse_json(R"({"a": [{"n": 3, "t": "x", "f": true}, {"n": 1.5}], "b": -1})");
    const JsonField field(json);
    const std::vector<JsonField> list = field["a"].list();
    CHECK_EQ(list[0]["n"].number(), 3);
    CHECK_EQ(list[0]["t"].text(), "x");
    CHECK(list[0]["f"].flag());
    CHECK_EQ(mistake([&] { return list[1]["n"].number(); }),
             "a[1].n: expected a whole number, found a number");
    CHECK_EQ(mistake([&] { return field["b"].number(); }),
             "b: expected a whole number, found a negative one");
    CHECK_EQ(mistake([&] { return list[0]["t"].number(); }),
             "a[0].t: expected a whole number, found a text");
    CHECK_EQ(mistake([&] { return list[0]["n"].text(); }),
             "a[0].n: expected a text, found a whole number");
    CHECK_EQ(mistake([&] { return list[0]["x"].text(); }), "a[0].x: missing");
    CHECK_EQ(mistake([&] { return field["b"]["x"].text(); }),
             "b: expected an object, found a whole number");
    CHECK_EQ(mistake([&] { return field["b"].flag(); }),
             "b: expected true or false, found a whole number");
    CHECK_EQ(mistake([&] { return field.list(); }), "expected a list, found an object");
    CHECK_EQ(JsonField(parse_json("9223372036854775807")).number(), (1ULL << 63) - 1);
    for (const char *other : {"1e3", "3.0", "9223372036854775808", "-1"})
        CHECK_THROWS(JsonField(parse_json(other)).number(), JsonError);
}
