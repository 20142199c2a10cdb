#pragma once

#include <cstdint>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace asnets {

// What is wrong with an archive, in one line.
struct ZipError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// The files of a zip archive that are stored uncompressed, zip64 included. Believes no number in
// the archive: every place is checked before it is looked at, and nothing is copied.
class ZipArchive {
public:
    struct Entry {
        std::string_view name;
        std::uint16_t flags = 0;
        std::uint16_t method = 0;
        std::uint32_t crc = 0;
        std::uint64_t size = 0;
        std::uint64_t stored_size = 0;
        std::uint64_t header = 0;  // where its local header begins
    };

    // Reads the central directory; throws ZipError if there is none or it is damaged. The bytes
    // must outlive the archive.
    explicit ZipArchive(std::string_view bytes);

    [[nodiscard]] const std::vector<Entry> &entries() const {
        return entries_;
    }

    // An entry's content. Throws ZipError if it is compressed, encrypted or damaged (CRC-32).
    [[nodiscard]] std::string_view read(const Entry &entry) const;

private:
    std::string_view bytes_;
    std::vector<Entry> entries_;
};

// The checksum that zip archives have. About 400 MB a second.
std::uint32_t crc32(std::string_view bytes);

}  // namespace asnets
