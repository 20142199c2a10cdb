#include "base/zip.h"

#include <array>

namespace asnets {

namespace {

using Entry = ZipArchive::Entry;

// Signatures and sizes of the records (APPNOTE.TXT, section 4.3); names and the like follow them.
constexpr std::uint32_t local_header = 0x04034b50;
constexpr std::uint32_t directory_header = 0x02014b50;
constexpr std::uint32_t end_record = 0x06054b50;
constexpr std::uint32_t end_record64 = 0x06064b50;
constexpr std::uint32_t end_locator64 = 0x07064b50;
constexpr std::size_t local_header_size = 30;
constexpr std::size_t directory_header_size = 46;
constexpr std::size_t end_record_size = 22;
constexpr std::size_t end_record64_size = 56;
constexpr std::size_t end_locator64_size = 20;

constexpr std::uint16_t zip64_field = 1;
constexpr std::uint64_t in_zip64 = 0xffffffff;  // what stands where a number does not fit
constexpr std::uint64_t in_zip64_short = 0xffff;

// `size` bytes from `begin` on.
std::string_view part(std::string_view bytes, std::uint64_t begin, std::uint64_t size) {
    if (begin > bytes.size() || size > bytes.size() - begin)
        throw ZipError("a part of the archive is missing");
    return bytes.substr(begin, size);
}

// A little-endian number.
std::uint64_t number(std::string_view bytes, std::size_t begin, std::size_t size) {
    std::uint64_t result = 0;
    for (const char byte : part(bytes, begin, size))
        result = result >> 8 | std::uint64_t{static_cast<unsigned char>(byte)} << 56;
    return result >> (64 - 8 * size);
}

std::uint16_t number16(std::string_view bytes, std::size_t begin) {
    return static_cast<std::uint16_t>(number(bytes, begin, 2));
}

std::uint32_t number32(std::string_view bytes, std::size_t begin) {
    return static_cast<std::uint32_t>(number(bytes, begin, 4));
}

// The last record of the archive; only a comment may follow, whose length it tells.
std::size_t find_end(std::string_view bytes) {
    constexpr std::size_t longest_comment = 0xffff;
    for (std::size_t comment = 0;
         comment <= longest_comment && comment + end_record_size <= bytes.size(); ++comment) {
        const std::size_t begin = bytes.size() - end_record_size - comment;
        if (number32(bytes, begin) == end_record && number16(bytes, begin + 20) == comment)
            return begin;
    }
    throw ZipError("the end of the archive is missing");
}

struct Directory {
    std::uint64_t count = 0;
    std::string_view records;
};

Directory find_directory(std::string_view bytes) {
    const std::size_t end = find_end(bytes);
    std::uint64_t count = number(bytes, end + 10, 2);
    std::uint64_t size = number(bytes, end + 12, 4);
    std::uint64_t begin = number(bytes, end + 16, 4);
    if (count == in_zip64_short || size == in_zip64 || begin == in_zip64) {
        if (end < end_locator64_size || number32(bytes, end - end_locator64_size) != end_locator64)
            throw ZipError("the end of the archive is damaged");
        const std::string_view record =
            part(bytes, number(bytes, end - end_locator64_size + 8, 8), end_record64_size);
        if (number32(record, 0) != end_record64)
            throw ZipError("the end of the archive is damaged");
        count = number(record, 32, 8);
        size = number(record, 40, 8);
        begin = number(record, 48, 8);
    }
    return {count, part(bytes.substr(0, end), begin, size)};
}

// Replaces numbers that do not fit by those of the zip64 field, which has only these, in this
// order.
void read_zip64(Entry &entry, std::string_view extra) {
    while (!extra.empty()) {
        const std::string_view field = part(extra, 4, number(extra, 2, 2));
        if (number16(extra, 0) == zip64_field) {
            std::size_t next = 0;
            for (std::uint64_t *value : {&entry.size, &entry.stored_size, &entry.header})
                if (*value == in_zip64) {
                    *value = number(field, next, 8);
                    next += 8;
                }
            return;
        }
        extra.remove_prefix(4 + field.size());
    }
    throw ZipError("a zip64 field is missing");
}

// Takes one record off the front of the directory.
Entry take_entry(std::string_view &records) {
    const std::string_view header = part(records, 0, directory_header_size);
    if (number32(header, 0) != directory_header) throw ZipError("the directory is damaged");
    const std::size_t name_size = number16(header, 28);
    const std::size_t extra_size = number16(header, 30);
    const std::size_t comment_size = number16(header, 32);
    Entry entry;
    entry.flags = number16(header, 8);
    entry.method = number16(header, 10);
    entry.crc = number32(header, 16);
    entry.stored_size = number(header, 20, 4);
    entry.size = number(header, 24, 4);
    entry.header = number(header, 42, 4);
    entry.name = part(records, directory_header_size, name_size);
    const std::string_view extra = part(records, directory_header_size + name_size, extra_size);
    if (entry.size == in_zip64 || entry.stored_size == in_zip64 || entry.header == in_zip64)
        read_zip64(entry, extra);
    const std::size_t all = directory_header_size + name_size + extra_size + comment_size;
    records.remove_prefix(part(records, 0, all).size());
    return entry;
}

constexpr std::array<std::uint32_t, 256> make_crc_table() {
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t i = 0; i < 256; ++i) {
        table[i] = i;
        for (int bit = 0; bit < 8; ++bit)
            table[i] = table[i] >> 1 ^ ((table[i] & 1) != 0 ? 0xedb88320 : 0);
    }
    return table;
}

}  // namespace

ZipArchive::ZipArchive(std::string_view bytes) : bytes_(bytes) {
    Directory directory = find_directory(bytes);
    while (!directory.records.empty()) entries_.push_back(take_entry(directory.records));
    if (entries_.size() != directory.count) throw ZipError("the directory is damaged");
}

std::string_view ZipArchive::read(const Entry &entry) const {
    constexpr std::uint16_t encrypted = 1;
    if ((entry.flags & encrypted) != 0) throw ZipError("encrypted");
    if (entry.method != 0) throw ZipError("compressed; expected it stored as it is");
    const std::string_view header = part(bytes_, entry.header, local_header_size);
    // Its sizes and checksum may be missing (flag bit 3): the directory has them.
    const std::uint64_t name_begin = entry.header + local_header_size;
    const std::size_t name_size = number16(header, 26);
    if (number32(header, 0) != local_header || entry.size != entry.stored_size ||
        part(bytes_, name_begin, name_size) != entry.name)
        throw ZipError("not where the directory of the archive says");
    const std::string_view content =
        part(bytes_, name_begin + name_size + number16(header, 28), entry.size);
    if (crc32(content) != entry.crc) throw ZipError("its checksum (CRC-32) differs");
    return content;
}

std::uint32_t crc32(std::string_view bytes) {
    static constexpr std::array<std::uint32_t, 256> table = make_crc_table();
    std::uint32_t result = 0xffffffff;
    for (const char byte : bytes)
        result = result >> 8 ^ table[(result ^ static_cast<unsigned char>(byte)) & 0xff];
    return ~result;
}

}  // namespace asnets
