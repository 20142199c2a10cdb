// Zip archives made by hand, for tests: stored files with their checksums behind the content, as
// TorchScript archives have them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/zip.h"

namespace zip_bytes {

struct File {
    std::string name;
    std::string content;
};

// Where numbers of the directory are.
enum class Layout { plain, zip64 };

inline std::string little_endian(std::uint64_t value, int size) {
    std::string result;
    for (int i = 0; i < size; ++i) result += static_cast<char>(value >> 8 * i & 0xff);
    return result;
}

inline std::string archive(const std::vector<File> &files, Layout layout = Layout::plain) {
    const bool wide = layout == Layout::zip64;
    std::string result;
    std::string directory;
    for (const File &file : files) {
        const std::string name_size = little_endian(file.name.size(), 2);
        const std::string crc = little_endian(asnets::crc32(file.content), 4);
        const std::string size = little_endian(file.content.size(), 4);
        const std::string version_and_flags = little_endian(0, 2) + little_endian(8, 2);
        const std::uint64_t begin = result.size();
        const std::string padding(7, 'x');
        result += "PK\x03\x04" + version_and_flags + std::string(18, '\0') + name_size +
                  little_endian(padding.size() + 4, 2) + file.name + "FB" +
                  little_endian(padding.size(), 2) + padding + file.content;
        result += "PK\x07\x08" + crc + size + size;
        const std::string unknown = little_endian(0xffffffff, 4);
        const std::string extra =
            wide ? "FB" + little_endian(1, 2) + "x" + little_endian(1, 2) + little_endian(24, 2) +
                       little_endian(file.content.size(), 8) +
                       little_endian(file.content.size(), 8) + little_endian(begin, 8)
                 : "";
        directory += "PK\x01\x02" + little_endian(0, 2) + version_and_flags + std::string(6, '\0') +
                     crc + (wide ? unknown + unknown : size + size) + name_size +
                     little_endian(extra.size(), 2) + std::string(10, '\0') +
                     (wide ? unknown : little_endian(begin, 4)) + file.name + extra;
    }
    const std::uint64_t begin = result.size();
    result += directory;
    if (wide) {
        const std::uint64_t end = result.size();
        result += "PK\x06\x06" + little_endian(44, 8) + std::string(12, '\0') +
                  little_endian(files.size(), 8) + little_endian(files.size(), 8) +
                  little_endian(directory.size(), 8) + little_endian(begin, 8);
        result += "PK\x06\x07" + little_endian(0, 4) + little_endian(end, 8) + little_endian(1, 4);
    }
    const std::string count = little_endian(wide ? 0xffff : files.size(), 2);
    result += "PK\x05\x06" + little_endian(0, 4) + count + count +
              little_endian(wide ? 0xffffffff : directory.size(), 4) +
              little_endian(wide ? 0xffffffff : begin, 4) + little_endian(0, 2);
    return result;
}

}  // namespace zip_bytes
