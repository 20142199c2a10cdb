// Plain data written and read back, and data that end too early or were damaged.
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/random.h"
#include "check.h"

using asnets::ByteReader;
using asnets::ByteWriter;

namespace {

std::string sample() {
    ByteWriter out;
    out.put(std::uint8_t{7});
    out.put(-2.5);
    out.put_all(std::vector<std::uint32_t>{1, 2, 3});
    out.put_all(std::string("text"));
    out.put_all(std::vector<double>());
    return out.bytes();
}

void read_sample(const std::string &bytes) {
    ByteReader in(bytes);
    CHECK_EQ(in.get<std::uint8_t>(), 7);
    CHECK_EQ(in.get<double>(), -2.5);
    std::vector<std::uint32_t> numbers = {9};
    in.get_all(numbers);
    CHECK_EQ(numbers, (std::vector<std::uint32_t>{1, 2, 3}));
    std::string text;
    in.get_all(text);
    CHECK_EQ(text, "text");
    std::vector<double> none = {1};
    in.get_all(none);
    CHECK(none.empty());
    in.end();
}

}  // namespace

TEST(reads_what_was_written) {
    read_sample(sample());
}

TEST(an_early_end_is_an_error) {
    const std::string bytes = sample();
    for (std::size_t length = 0; length < bytes.size(); ++length)
        CHECK_THROWS(read_sample(bytes.substr(0, length)), std::runtime_error);
    CHECK_THROWS(read_sample(bytes + "x"), std::runtime_error);
}

TEST(a_count_takes_no_memory_that_the_data_cannot_fill) {
    for (const std::uint64_t count :
         {std::uint64_t{2}, std::uint64_t{1} << 40U, std::numeric_limits<std::uint64_t>::max()}) {
        ByteWriter out;
        out.put_count(count);
        out.put(std::uint64_t{1});
        ByteReader in(out.bytes());
        std::vector<std::uint64_t> numbers = {5};
        CHECK_THROWS(in.get_all(numbers), std::runtime_error);
        CHECK_EQ(numbers.size(), 1);
        ByteReader again(out.bytes());
        CHECK_THROWS(again.get_count(8), std::runtime_error);
    }
}

TEST(objects_of_plain_data) {
    asnets::Rng rng(5);
    rng.next();
    ByteWriter out;
    out.put(rng);
    asnets::Rng copy(0);
    ByteReader(out.bytes()).get(copy);
    CHECK_EQ(copy.next(), rng.next());
}

TEST(a_seal_shows_damage) {
    ByteWriter out;
    out.put_all(std::string("some text that is longer than a word"));
    const std::string plain = out.bytes();
    const std::string sealed = out.seal();
    CHECK_EQ(asnets::unsealed(sealed), plain);
    for (std::size_t i = 0; i < sealed.size(); ++i) {
        CHECK_THROWS(asnets::unsealed(sealed.substr(0, i)), std::runtime_error);
        for (unsigned bit = 0; bit < 8; ++bit) {
            std::string other = sealed;
            other[i] = static_cast<char>(other[i] ^ (1 << bit));
            CHECK_THROWS(asnets::unsealed(other), std::runtime_error);
        }
    }
    CHECK_EQ(asnets::unsealed(ByteWriter().seal()), "");
}
