#include <string>
#include <vector>

#include "inline_task.h"
#include "pddl/lexer.h"
#include "pddl/token_stream.h"

using asnets::pddl::Lexer;
using asnets::pddl::parse_number;
using asnets::pddl::PddlError;
using asnets::pddl::Position;
using asnets::pddl::quote;
using asnets::pddl::Source;
using asnets::pddl::Token;
using inline_task::Names;

namespace {

std::vector<Token> tokens(const std::string &text) {
    const Source source{"f", text};
    Lexer lexer(source);
    std::vector<Token> result;
    do {
        result.push_back(lexer.next());
    } while (result.back().kind != Token::Kind::end);
    return result;
}

Names words(const std::string &text) {
    Names result;
    for (const Token &token : tokens(text)) {
        if (token.kind == Token::Kind::open) result.push_back("(");
        if (token.kind == Token::Kind::close) result.push_back(")");
        if (token.kind == Token::Kind::word) result.push_back(token.text);
    }
    return result;
}

Names places(const std::string &text) {
    Names result;
    for (const Token &token : tokens(text))
        result.push_back(std::to_string(token.position.line) + ":" +
                         std::to_string(token.position.column));
    return result;
}

double number(std::string_view text) {
    double value = -1;
    return parse_number(text, value) ? value : -1;
}

std::string excerpt(const std::string &text, Position position) {
    return Source{"f", text}.error(position, "m").excerpt;
}

}  // namespace

TEST(words_are_lower_case) {
    CHECK_EQ(words("(Define (DOMAIN Blocks_World-4) :Action ?X)"),
             (Names{"(", "define", "(", "domain", "blocks_world-4", ")", ":action", "?x", ")"}));
}

TEST(blanks_of_any_kind_separate_words) {
    CHECK_EQ(words("a\tb\r\nc\fd\ve  f"), (Names{"a", "b", "c", "d", "e", "f"}));
    CHECK_EQ(words(""), Names{});
    CHECK_EQ(words(" \n\t "), Names{});
}

TEST(comments_run_to_the_end_of_the_line) {
    CHECK_EQ(words("a;b (c\n;; d\ne; last"), (Names{"a", "e"}));
    CHECK_EQ(words("; only\r\nx"), Names{"x"});
}

TEST(variables_end_the_word_before_them) {
    CHECK_EQ(words("(on?x?y)"), (Names{"(", "on", "?x", "?y", ")"}));
    CHECK_EQ(words("?x-?y"), (Names{"?x-", "?y"}));
}

TEST(a_byte_order_mark_is_skipped) {
    CHECK_EQ(words("\xef\xbb\xbf(a)"), (Names{"(", "a", ")"}));
    CHECK_EQ(places("\xef\xbb\xbf(a)"), (Names{"1:1", "1:2", "1:3", "1:4"}));
}

TEST(positions_count_lines_and_characters_from_one) {
    CHECK_EQ(places("(a\n  bc ) ; x\n d"), (Names{"1:1", "1:2", "2:3", "2:6", "3:2", "3:3"}));
    CHECK_EQ(places("a\r\nb"), (Names{"1:1", "2:1", "2:2"}));
    CHECK_EQ(places("\xc3\xa9t\xc3\xa9 b"), (Names{"1:1", "1:5", "1:6"}));  // two accented letters
}

TEST(letters_beyond_ascii_are_kept) {
    CHECK_EQ(words("(\xc3\xa9t\xc3\xa9)"), (Names{"(", "\xc3\xa9t\xc3\xa9", ")"}));
}

TEST(control_bytes_are_refused_where_they_stand) {
    CHECK_MISTAKE(words(std::string("(a\0)", 4)), "1:3", "0x00");
    CHECK_MISTAKE(words("(a\n \x01 )"), "2:2", "0x01");
    CHECK_MISTAKE(words("; comment \x7f"), "1:11", "0x7f");
    CHECK_MISTAKE(words("\x01\x80"), "1:1", "0x01");  // before a byte that starts no character
    CHECK_MISTAKE(words("a\x02\x80\x80"), "1:2", "0x02");
    CHECK_MISTAKE(words("\x7f"
                        "ELF\x02\x01\x01"),
                  "1:1", "0x7f");
}

TEST(tokens_describe_themselves) {
    const std::vector<Token> all = tokens("( On )");
    CHECK_EQ(all[0].describe(), "\"(\"");
    CHECK_EQ(all[1].describe(), "\"on\"");
    CHECK_EQ(all[2].describe(), "\")\"");
    CHECK_EQ(all[3].describe(), "the end of the file");
}

TEST(numbers_are_decimals_or_fractions) {
    CHECK_EQ(number("0"), 0.0);
    CHECK_EQ(number("12"), 12.0);
    CHECK_EQ(number("0.25"), 0.25);
    CHECK_EQ(number(".5"), 0.5);
    CHECK_EQ(number("1."), 1.0);
    CHECK_EQ(number("1e-2"), 0.01);
    CHECK_EQ(number("1/4"), 0.25);
    CHECK_EQ(number("3/2"), 1.5);
    CHECK_EQ(number("0.5/2"), 0.25);
}

TEST(other_words_are_no_numbers) {
    for (const char *text : {"", ".", "-1", "+1", "1/0", "0/0", "/2", "1/", "1/2/3", "1x", "x1",
                             "inf", "nan", "0x10", "1e999", "1,5", "?x"})
        CHECK_EQ(number(text), -1.0);
}

TEST(errors_show_the_line_and_a_caret) {
    const PddlError error = Source{"d.pddl", "(a\n  (b c)\n)"}.error({2, 6}, "odd");
    CHECK_EQ(std::string(error.what()), "d.pddl:2:6: odd\n  (b c)\n     ^");
    CHECK_EQ(error.file, "d.pddl");
    CHECK_EQ(error.message, "odd");
    CHECK_EQ(error.position.line, 2);
    CHECK_EQ(error.position.column, 6);
}

TEST(carets_keep_their_place) {
    CHECK_EQ(excerpt("\t(a b)", {1, 5}), "\t(a b)\n\t   ^");     // tabs stay tabs
    CHECK_EQ(excerpt("a b\r\n", {1, 3}), "a b\n  ^");            // without the \r
    CHECK_EQ(excerpt("\xc3\xa9 b", {1, 3}), "\xc3\xa9 b\n  ^");  // one column a character
    CHECK_EQ(excerpt("(a", {1, 3}), "(a\n  ^");                  // the end of the file
    CHECK_EQ(excerpt("(a\n", {2, 1}), "\n^");
    CHECK_EQ(excerpt("", {1, 1}), "\n^");
    CHECK_EQ(excerpt(std::string("a\0b", 3), {1, 2}), "a?b\n ^");
}

TEST(long_lines_are_cut_around_the_caret) {
    const std::string text = std::string(5000, 'a') + "X" + std::string(5000, 'b');
    const std::string shown = excerpt(text, {1, 5001});
    const std::size_t line_end = shown.find('\n');
    CHECK(line_end < 120);
    CHECK_EQ(shown.find('X'), shown.size() - line_end - 2);  // under it stands the caret
    CHECK_EQ(shown.back(), '^');
}

TEST(quoted_words_are_short_and_printable) {
    CHECK_EQ(quote("on"), "\"on\"");
    CHECK_EQ(quote(std::string(200, 'x')), "\"" + std::string(40, 'x') + "...\"");
    CHECK_EQ(quote(std::string("a\0b", 3)), "\"a\\x00b\"");
    // A character of two or three bytes is kept whole or left out.
    CHECK_EQ(quote(std::string(39, 'x') + "\xc3\xa9" + "yy"),
             "\"" + std::string(39, 'x') + "...\"");
    CHECK_EQ(quote(std::string(38, 'x') + "\xe2\x82\xac" + "yy"),
             "\"" + std::string(38, 'x') + "...\"");
    CHECK_EQ(quote(std::string(38, 'x') + "\xc3\xa9" + "yy"),
             "\"" + std::string(38, 'x') + "\xc3\xa9...\"");
}

TEST(files_that_cannot_be_read_are_system_errors) {
    CHECK_THROWS(Source::read("/nonexistent/domain.pddl", asnets::Interrupt()), std::system_error);
    CHECK_THROWS(Source::read("/", asnets::Interrupt()), std::system_error);
}
