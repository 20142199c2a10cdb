#include "network/model_file.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <system_error>

#include "base/sha256.h"
#include "base/zip.h"
#include "network/manifest.h"

namespace asnets {

namespace {

constexpr std::size_t largest_file = std::size_t{256} << 20;
constexpr std::size_t largest_manifest = std::size_t{8} << 20;
constexpr std::string_view zip_magic = "PK\x03\x04";

// The file whole, or as much as shows that it is no model.
std::string read_bytes(const std::filesystem::path &path) {
    const auto fail = [&path] {
        return std::system_error(errno, std::generic_category(), path.string());
    };
    const std::unique_ptr<std::FILE, int (*)(std::FILE *)> file(std::fopen(path.c_str(), "rb"),
                                                                &std::fclose);
    if (!file) throw fail();
    std::string result;
    char buffer[1 << 16];
    while (const std::size_t count = std::fread(buffer, 1, sizeof buffer, file.get())) {
        result.append(buffer, count);
        if (!result.starts_with(zip_magic) || result.size() > largest_file) return result;
    }
    if (std::ferror(file.get()) != 0) throw fail();
    return result;
}

// The extra files of a TorchScript archive, which lie in the folder `extra` of its only root
// folder.
class ExtraFiles {
public:
    ExtraFiles(std::string_view bytes, const std::string &file)
        : archive_(open(bytes, file)), file_(file) {
        constexpr std::string_view manifest = "/extra/manifest.json";
        std::size_t found = 0;
        for (const ZipArchive::Entry &entry : archive_.entries())
            if (entry.name.ends_with(manifest) &&
                entry.name.find('/') == entry.name.size() - manifest.size()) {
                root_ = entry.name.substr(0, entry.name.size() - manifest.size());
                ++found;
            }
        if (found == 0) throw ModelError::foreign(file, "there is no extra/manifest.json in it");
        if (found > 1) throw ModelError::damaged(file, "it has several extra/manifest.json");
    }

    [[nodiscard]] std::string_view read(const std::string &name) const {
        const std::string path = root_ + "/extra/" + name;
        const ZipArchive::Entry *found = nullptr;
        for (const ZipArchive::Entry &entry : archive_.entries())
            if (entry.name == path) {
                if (found != nullptr) fail(name, "there are two of this name");
                found = &entry;
            }
        if (found == nullptr) fail(name, "missing");
        try {
            return archive_.read(*found);
        } catch (const ZipError &error) {
            fail(name, error.what());
        }
    }

    [[noreturn]] void fail(const std::string &name, const std::string &what) const {
        throw ModelError::damaged(file_, name + ": " + what);
    }

private:
    static ZipArchive open(std::string_view bytes, const std::string &file) {
        try {
            return ZipArchive(bytes);
        } catch (const ZipError &error) {
            throw ModelError::damaged(file, error.what());
        }
    }

    ZipArchive archive_;
    std::string file_;
    std::string root_;
};

// Takes the modules' weights one after the other; throws std::invalid_argument that names a module.
class ModuleReader {
public:
    ModuleReader(const std::vector<Manifest::Module> &modules, std::string_view bytes)
        : modules_(modules), bytes_(bytes) {
    }

    NetworkWeights::Module take(const std::string &kind, std::size_t layer,
                                const std::string &name) {
        const std::string what =
            kind + " module " + pddl::quote(name) + " of layer " + std::to_string(layer);
        if (next_ == modules_.size()) throw std::invalid_argument(what + " is missing");
        const Manifest::Module &module = modules_[next_++];
        if (module.kind != kind || module.layer != layer || module.name != name)
            throw std::invalid_argument("expected " + what + ", found " + pddl::quote(module.kind) +
                                        " " + pddl::quote(module.name) + " of layer " +
                                        std::to_string(module.layer));
        if (module.offset != offset_)
            throw std::invalid_argument(what + ": expected offset " + std::to_string(offset_) +
                                        ", found " + std::to_string(module.offset));
        // Neither product nor sum overflows: the factors are at most 2^26.
        const std::uint64_t left = bytes_.size() / 4;
        if (module.inputs > largest_file / 4 || module.outputs > left ||
            module.outputs * module.inputs + module.outputs > left)
            throw std::invalid_argument(what + ": weights.bin ends before its weights");
        NetworkWeights::Module result;
        result.inputs = module.inputs;
        result.outputs = module.outputs;
        result.weights = floats(module.outputs * module.inputs, what);
        result.biases = floats(module.outputs, what);
        return result;
    }

    void check_end() const {
        if (next_ != modules_.size())
            throw std::invalid_argument("expected " + std::to_string(next_) + " modules, found " +
                                        std::to_string(modules_.size()));
        if (!bytes_.empty())
            throw std::invalid_argument("weights.bin goes on after the last module");
    }

private:
    // Little-endian.
    std::vector<float> floats(std::size_t count, const std::string &what) {
        std::vector<float> result(count);
        for (std::size_t i = 0; i < count; ++i) {
            std::uint32_t word = 0;
            for (std::size_t j = 4; j-- > 0;)
                word = word << 8 | static_cast<unsigned char>(bytes_[4 * i + j]);
            result[i] = std::bit_cast<float>(word);
            if (!std::isfinite(result[i]))
                throw std::invalid_argument(what + " has a weight that is not a finite number");
        }
        bytes_.remove_prefix(4 * count);
        offset_ += count;
        return result;
    }

    const std::vector<Manifest::Module> &modules_;
    std::string_view bytes_;  // the rest
    std::size_t next_ = 0;
    std::uint64_t offset_ = 0;
};

NetworkWeights weights_of(Manifest &&manifest, std::string_view bytes) {
    NetworkWeights result;
    result.signature = std::move(manifest.signature);
    result.features = manifest.features;
    result.nonlinearity = manifest.nonlinearity;
    result.skip = manifest.skip;
    ModuleReader reader(manifest.modules, bytes);
    for (std::size_t layer = 1; layer <= manifest.layers + 1; ++layer) {
        std::vector<NetworkWeights::Module> &actions = result.actions.emplace_back();
        for (const Signature::Schema &schema : result.signature.schemas)
            actions.push_back(reader.take("action", layer, schema.name));
        if (layer > manifest.layers) break;
        std::vector<NetworkWeights::Module> &propositions = result.propositions.emplace_back();
        for (const Signature::Predicate &predicate : result.signature.predicates)
            propositions.push_back(predicate.pools.empty()
                                       ? NetworkWeights::Module()
                                       : reader.take("proposition", layer, predicate.name));
    }
    reader.check_end();
    result.check();
    return result;
}

}  // namespace

ModelFile parse_model(std::string_view bytes, const std::string &file) {
    if (!bytes.starts_with(zip_magic)) throw ModelError::foreign(file, "it is no zip archive");
    if (bytes.size() > largest_file) throw ModelError::foreign(file, "it is larger than 256 MB");
    const ExtraFiles files(bytes, file);
    ModelFile result;
    const std::string_view text = files.read("manifest.json");
    if (text.size() > largest_manifest) files.fail("manifest.json", "larger than 8 MB");
    result.manifest = text;
    Manifest manifest = read_manifest(text, file);
    result.domain_name = manifest.domain_name;
    result.pooling = manifest.pooling;
    result.domain_text = files.read("domain.pddl");
    if (sha256(result.domain_text) != manifest.domain_sha256)
        files.fail("domain.pddl", "its SHA-256 is not the manifest's");
    const std::string_view weights = files.read("weights.bin");
    if (weights.size() % 4 != 0 || weights.size() / 4 != manifest.floats)
        files.fail("weights.bin", "expected " + std::to_string(manifest.floats) +
                                      " floats, found " + std::to_string(weights.size()) +
                                      " bytes");
    if (sha256(weights) != manifest.weights_sha256)
        files.fail("weights.bin", "its SHA-256 is not the manifest's");
    try {
        result.weights = weights_of(std::move(manifest), weights);
    } catch (const std::invalid_argument &error) {
        throw ModelError::damaged(file, error.what());
    }
    return result;
}

ModelFile read_model(const std::filesystem::path &path) {
    return parse_model(read_bytes(path), path.string());
}

}  // namespace asnets
