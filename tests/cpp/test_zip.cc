// Zip archives: what is in them is found, and nothing in a broken one is believed.
#include <optional>
#include <string>
#include <vector>

#include "base/zip.h"
#include "check.h"
#include "zip_bytes.h"

using asnets::crc32;
using asnets::ZipArchive;
using asnets::ZipError;
using zip_bytes::File;
using zip_bytes::Layout;

namespace {

const std::vector<File> files = {{"a/x", "first"}, {"a/empty", ""}, {"y", std::string(300, '\1')}};

std::vector<std::string> contents(const std::string &bytes) {
    const ZipArchive archive(bytes);
    std::vector<std::string> result;
    for (const ZipArchive::Entry &entry : archive.entries()) {
        result.emplace_back(entry.name);
        result.emplace_back(archive.read(entry));
    }
    return result;
}

const std::vector<std::string> expected = {"a/x", "first", "a/empty", "", "y", files[2].content};

// The message of the ZipError, "" if all can be read.
std::string mistake(const std::string &bytes) {
    try {
        contents(bytes);
    } catch (const ZipError &error) {
        return error.what();
    }
    return "";
}

std::string with(std::string bytes, std::size_t place, const std::string &part) {
    return bytes.replace(place, part.size(), part);
}

}  // namespace

TEST(crc_of_known_texts) {
    CHECK_EQ(crc32(""), 0);
    CHECK_EQ(crc32("123456789"), 0xcbf43926);
    CHECK_EQ(crc32(std::string(32, '\xff')), 0xff6cab0b);
}

TEST(reads_what_was_written) {
    CHECK_EQ(contents(zip_bytes::archive(files)), expected);
    CHECK_EQ(contents(zip_bytes::archive(files, Layout::zip64)), expected);
    CHECK_EQ(contents(zip_bytes::archive({})), std::vector<std::string>());
}

TEST(a_comment_may_follow) {
    std::string bytes = zip_bytes::archive(files);
    bytes.replace(bytes.size() - 2, 2, zip_bytes::little_endian(9, 2));
    CHECK_EQ(contents(bytes + "a comment"), expected);
    CHECK_EQ(mistake(bytes + "a commen"), "the end of the archive is missing");
    CHECK_EQ(mistake(bytes + "a comment!"), "the end of the archive is missing");
}

TEST(cut_short) {
    for (const Layout layout : {Layout::plain, Layout::zip64}) {
        const std::string bytes = zip_bytes::archive(files, layout);
        for (std::size_t size = 0; size < bytes.size(); ++size)
            CHECK_THROWS(ZipArchive(std::string_view(bytes).substr(0, size)), ZipError);
        // Numbers then point behind the end.
        for (std::size_t size = 1; size < bytes.size(); ++size)
            CHECK(mistake(bytes.substr(size)) != "");
    }
}

TEST(one_byte_changed) {
    std::size_t same = 0;
    std::size_t refused = 0;
    for (const Layout layout : {Layout::plain, Layout::zip64}) {
        const std::string bytes = zip_bytes::archive(files, layout);
        for (std::size_t i = 0; i < bytes.size(); ++i)
            for (const int change : {1, 0x80, 0xff}) {
                std::string changed = bytes;
                changed[i] = static_cast<char>(changed[i] ^ change);
                try {
                    // Names have no checksum, but stand at two places.
                    CHECK_EQ(contents(changed), expected);
                    ++same;
                } catch (const ZipError &) {
                    ++refused;
                }
            }
    }
    CHECK(same > 100);
    CHECK(refused > 1000);
}

TEST(what_is_not_stored) {
    const std::string bytes = zip_bytes::archive({{"a", "text"}});
    const std::size_t entry = bytes.find("PK\x01\x02");
    CHECK_EQ(mistake(with(bytes, entry + 8, "\1")), "encrypted");
    CHECK_EQ(mistake(with(bytes, entry + 10, "\x08")), "compressed; expected it stored as it is");
    CHECK_EQ(mistake(with(bytes, bytes.find("text"), "tent")), "its checksum (CRC-32) differs");
    CHECK_EQ(mistake(with(bytes, entry + 46, "b")), "not where the directory of the archive says");
    CHECK_EQ(mistake(with(bytes, entry + 24, "\5")), "not where the directory of the archive says");
}

TEST(numbers_that_lie) {
    const std::string bytes = zip_bytes::archive({{"a", "text"}});
    const std::size_t entry = bytes.find("PK\x01\x02");
    const std::size_t end = bytes.find("PK\x05\x06");
    CHECK_EQ(mistake(with(bytes, entry + 20, "\xff\xff\xff\x7f\xff\xff\xff\x7f")),
             "a part of the archive is missing");
    CHECK_EQ(mistake(with(bytes, entry + 42, "\xfe\xff\xff\xff")),
             "a part of the archive is missing");
    CHECK_EQ(mistake(with(bytes, entry + 42, "\xff\xff\xff\xff")), "a zip64 field is missing");
    CHECK_EQ(mistake(with(bytes, end + 10, "\2")), "the directory is damaged");
    CHECK_EQ(mistake(with(bytes, end + 10, "\xff\xff")), "the end of the archive is damaged");
    CHECK_EQ(mistake(with(bytes, end + 16, "\xfe\xff\xff\xff")),
             "a part of the archive is missing");

    const std::string wide = zip_bytes::archive({{"a", "text"}}, Layout::zip64);
    const std::string huge(8, '\xff');
    const std::size_t record = wide.find("PK\x06\x06");
    const std::size_t locator = wide.find("PK\x06\x07");
    CHECK_EQ(mistake(with(wide, record + 32, huge)), "the directory is damaged");
    CHECK_EQ(mistake(with(wide, record + 40, huge)), "a part of the archive is missing");
    CHECK_EQ(mistake(with(wide, record + 48, huge)), "a part of the archive is missing");
    CHECK_EQ(mistake(with(wide, locator + 8, huge)), "a part of the archive is missing");
    const std::size_t field = wide.find("PK\x01\x02") + 46 + 1 + 5 + 4;
    CHECK_EQ(mistake(with(wide, field, huge + huge)), "a part of the archive is missing");
    CHECK_EQ(mistake(with(wide, field + 16, huge)), "a part of the archive is missing");
}
