// A test framework in one header, included by one file per executable.
//
//   TEST(adds_up) {
//     CHECK(1 < 2);
//     CHECK_EQ(1 + 1, 2);
//     CHECK_THROWS(std::stoi("x"), std::invalid_argument);
//   }
//
// A failed check is printed with its place and the test goes on; an exception ends the test.
// The program's arguments, if any, name the tests to run.
#pragma once

#include <concepts>
#include <cstddef>
#include <exception>
#include <iostream>
#include <string_view>
#include <utility>
#include <vector>

namespace check {

struct Test {
    std::string_view name;
    void (*body)();
};

inline std::vector<Test> &tests() {
    static std::vector<Test> all;
    return all;
}

inline int failures = 0;  // failed checks so far

struct Register {
    Register(std::string_view name, void (*body)()) {
        tests().push_back({name, body});
    }
};

inline std::ostream &fail(const char *file, int line) {
    ++failures;
    return std::cerr << file << ':' << line << ": ";
}

template <class T>
concept Number = std::integral<T> && !std::same_as<T, bool> && !std::same_as<T, char>;

// Compares integers by value, whatever their signs and widths.
template <class A, class B>
bool equal(const A &a, const B &b) {
    if constexpr (Number<A> && Number<B>) {
        return std::cmp_equal(a, b);
    } else {
        return a == b;
    }
}

template <class T>
void show(std::ostream &out, const T &value) {
    if constexpr (requires { out << value; }) {
        out << value;
    } else if constexpr (requires { value.begin() != value.end(); }) {
        out << '{';
        const char *separator = "";
        for (const auto &element : value) {
            show(out << std::exchange(separator, ", "), element);
        }
        out << '}';
    } else {
        out << "<value>";
    }
}

template <class A, class B>
void check_equal(const A &a, const B &b, const char *text, const char *file, int line) {
    if (equal(a, b)) return;
    std::ostream &out = fail(file, line);
    out << text << ": ";
    show(out, a);
    out << " != ";
    show(out, b);
    out << '\n';
}

inline bool selected(std::string_view name, int argc, char **argv) {
    if (argc < 2) return true;
    for (int i = 1; i < argc; ++i) {
        if (name == argv[i]) return true;
    }
    return false;
}

inline int run(int argc, char **argv) {
    std::size_t passed = 0;
    std::size_t failed = 0;
    for (const Test &test : tests()) {
        if (!selected(test.name, argc, argv)) continue;
        const int before = failures;
        try {
            test.body();
        } catch (const std::exception &error) {
            ++failures;
            std::cerr << "uncaught exception: " << error.what() << '\n';
        } catch (...) {
            ++failures;
            std::cerr << "uncaught exception\n";
        }
        if (failures == before) {
            ++passed;
        } else {
            ++failed;
            std::cerr << "FAILED " << test.name << '\n';
        }
    }
    std::cout << passed << " passed, " << failed << " failed\n";
    return failed > 0 || passed == 0 ? 1 : 0;
}

}  // namespace check

#define TEST(name)                                                    \
    static void test_##name();                                        \
    static const check::Register register_##name(#name, test_##name); \
    static void test_##name()

#define CHECK(...)                                                                   \
    do {                                                                             \
        if (!(__VA_ARGS__)) check::fail(__FILE__, __LINE__) << #__VA_ARGS__ << '\n'; \
    } while (false)

#define CHECK_EQ(a, b) check::check_equal((a), (b), #a " == " #b, __FILE__, __LINE__)

#define CHECK_THROWS(expression, Type)                                                             \
    do {                                                                                           \
        bool thrown_ = false;                                                                      \
        try {                                                                                      \
            static_cast<void>(expression);                                                         \
        } catch (const Type &) {                                                                   \
            thrown_ = true;                                                                        \
        }                                                                                          \
        if (!thrown_) check::fail(__FILE__, __LINE__) << #expression " did not throw " #Type "\n"; \
    } while (false)

int main(int argc, char **argv) {
    return check::run(argc, argv);
}
