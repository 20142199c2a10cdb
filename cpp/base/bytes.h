#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "base/hash.h"

namespace asnets {

// What is written as its bytes: any of them make a value, and equal values have equal bytes.
template <typename T>
concept PlainData =
    std::is_trivially_copyable_v<T> && !std::is_same_v<T, bool> && !std::is_pointer_v<T> &&
    (std::has_unique_object_representations_v<T> || std::is_floating_point_v<T>);

// 64 bits of a sequence of bytes: equal sequences agree, and damage shows.
inline std::uint64_t checksum(std::string_view bytes) {
    std::uint64_t hash = mix(bytes.size());
    for (std::size_t i = 0; i < bytes.size(); i += sizeof(std::uint64_t)) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data() + i, std::min(sizeof word, bytes.size() - i));
        hash = mix(hash ^ word) + 0x9e3779b97f4a7c15ULL;
    }
    return hash;
}

// Writes plain data one after the other, for a ByteReader on a machine with the same byte order.
class ByteWriter {
public:
    template <PlainData T>
    void put(const T &value) {
        bytes_.append(reinterpret_cast<const char *>(&value), sizeof value);
    }
    // A count that get_count reads.
    void put_count(std::size_t count) {
        put(std::uint64_t{count});
    }
    // A vector, span or string.
    template <typename Range>
    void put_all(const Range &range) {
        static_assert(PlainData<std::remove_cvref_t<decltype(*range.data())>>);
        put_count(range.size());
        if (range.size() > 0)
            bytes_.append(reinterpret_cast<const char *>(range.data()),
                          range.size() * sizeof *range.data());
    }
    [[nodiscard]] const std::string &bytes() const {
        return bytes_;
    }
    // Gives the bytes away, with a checksum behind them for unsealed().
    [[nodiscard]] std::string seal() {
        put(checksum(bytes_));
        return std::move(bytes_);
    }

private:
    std::string bytes_;
};

// Reads what a ByteWriter wrote, in the same order. Throws std::runtime_error where the data ends
// too early, before it takes memory for what is not there. Does not own the data.
class ByteReader {
public:
    explicit ByteReader(std::string_view bytes) : rest_(bytes) {
    }

    template <PlainData T>
    void get(T &value) {
        need(1, sizeof value);
        std::memcpy(static_cast<void *>(&value), rest_.data(), sizeof value);
        rest_.remove_prefix(sizeof value);
    }
    template <PlainData T>
    [[nodiscard]] T get() {
        T value{};
        get(value);
        return value;
    }
    // The count of things that take at least so many bytes each.
    [[nodiscard]] std::size_t get_count(std::size_t bytes_each) {
        const auto count = get<std::uint64_t>();
        need(count, bytes_each);
        return count;
    }
    // Replaces what a vector or string held.
    template <typename Range>
    void get_all(Range &range) {
        using Value = typename Range::value_type;
        static_assert(PlainData<Value>);
        const std::size_t count = get_count(sizeof(Value));
        range.resize(count);
        if (count > 0) std::memcpy(range.data(), rest_.data(), count * sizeof(Value));
        rest_.remove_prefix(count * sizeof(Value));
    }
    // Throws std::runtime_error if there is more.
    void end() const {
        if (!rest_.empty()) throw std::runtime_error("the data go on after their end");
    }

private:
    void need(std::uint64_t count, std::size_t bytes_each) const {
        if (bytes_each > 0 && count > rest_.size() / bytes_each)
            throw std::runtime_error("the data end too early");
    }

    std::string_view rest_;
};

// What ByteWriter::seal() gave without the checksum; throws std::runtime_error if it is wrong.
inline std::string_view unsealed(std::string_view bytes) {
    std::uint64_t seal = 0;
    if (bytes.size() < sizeof seal) throw std::runtime_error("the data end too early");
    const std::string_view content = bytes.substr(0, bytes.size() - sizeof seal);
    ByteReader(bytes.substr(content.size())).get(seal);
    if (seal != checksum(content)) throw std::runtime_error("the data are damaged");
    return content;
}

}  // namespace asnets
