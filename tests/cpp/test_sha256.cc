// SHA-256 against published vectors, and at every way a text can fill its last block.
#include <string>
#include <utility>
#include <vector>

#include "base/sha256.h"
#include "check.h"

using asnets::sha256;

TEST(published_vectors) {
    CHECK_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    CHECK_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    CHECK_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
             "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    CHECK_EQ(sha256(std::string(1'000'000, 'a')),
             "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(lengths_around_a_block) {
    const std::vector<std::pair<std::size_t, std::string>> expected = {
        {55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"},
        {56, "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"},
        {63, "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34"},
        {64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"},
        {65, "635361c48bb9eab14198e76ea8ab7f1a41685d6ad62aa9146d301d4f17eb0ae0"},
        {120, "2f3d335432c70b580af0e8e1b3674a7c020d683aa5f73aaaedfdc55af904c21c"},
    };
    for (const auto &[length, sum] : expected) CHECK_EQ(sha256(std::string(length, 'a')), sum);
}

TEST(any_byte_counts) {
    const std::string zeros(3, '\0');
    CHECK_EQ(sha256(zeros), "709e80c88487a2411e1ee4dfb9f22a861492d20c4765150c0c794abd70f8147c");
    CHECK(sha256(zeros) != sha256(std::string(2, '\0')));
    CHECK_EQ(sha256("\xff"), "a8100ae6aa1940d0b663bb31cd466142ebbdbd5187131b92d93818987832eb89");
}
