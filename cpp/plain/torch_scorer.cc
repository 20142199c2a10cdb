#include "plain/torch_scorer.h"

#include <dlfcn.h>

#include "network/batch.h"
#include "network/model_error.h"
#include "plain/asnets_torch.h"

namespace asnets {

namespace {

[[noreturn]] void fail_to_open() {
    const std::string reason = dlerror();
    if (reason.find("cannot map") != std::string::npos ||
        reason.find("failed to map") != std::string::npos ||
        reason.find("llocate") != std::string::npos)
        throw std::bad_alloc();
    throw TorchError(reason);
}

// An open library. It stays open: libtorch cannot be unloaded.
class Library {
public:
    explicit Library(const std::string &path) : handle_(dlopen(path.c_str(), RTLD_NOW)) {
        if (handle_ == nullptr) fail_to_open();
    }

    template <typename Function>
    Function *find(const char *name) const {
        void *found = dlsym(handle_, name);
        if (found == nullptr) fail_to_open();
        return reinterpret_cast<Function *>(found);
    }

private:
    void *handle_;
};

class TorchScorer : public Scorer {
public:
    TorchScorer(const std::string &library, const std::string &model_file,
                std::shared_ptr<const NetworkStructure> structure, const FeatureOptions &features)
        : library_(library),
          model_file_(model_file),
          error_(library_.find<decltype(asnets_torch_error)>("asnets_torch_error")),
          lacks_memory_(
              library_.find<decltype(asnets_torch_lacks_memory)>("asnets_torch_lacks_memory")),
          run_(library_.find<decltype(asnets_torch_logits)>("asnets_torch_logits")),
          network_(
              library_.find<decltype(asnets_torch_load)>("asnets_torch_load")(model_file.c_str()),
              library_.find<decltype(asnets_torch_close)>("asnets_torch_close")),
          structure_(std::move(structure)),
          features_(features),
          all_(structure_->task().actions.size()) {
        if (network_ == nullptr) fail();
    }

    const std::vector<float> &logits(const Observation &observation,
                                     std::span<const Id> actions) override {
        BatchBuilder builder(structure_->signature, features_);
        builder.add(*structure_, observation);
        const Batch batch = builder.finish();
        schemas_.clear();
        for (const Batch::Schema &each : batch.schemas) {
            const std::size_t rows = std::max<std::size_t>(each.rows, 1);
            schemas_.push_back({static_cast<std::int64_t>(each.rows),
                                static_cast<std::int64_t>(each.inputs.size() / rows),
                                static_cast<std::int64_t>(each.slots.size() / rows),
                                each.inputs.data(), each.slots.data()});
        }
        pools_.clear();
        for (const std::vector<Batch::Pool> &predicate : batch.pools)
            for (const Batch::Pool &pool : predicate)
                pools_.push_back({static_cast<std::int64_t>(pool.begin.size()),
                                  static_cast<std::int64_t>(pool.members.size()), pool.begin.data(),
                                  pool.members.data()});
        if (run_(network_.get(), schemas_.data(), static_cast<std::int64_t>(schemas_.size()),
                 pools_.data(), static_cast<std::int64_t>(pools_.size()), all_.data(),
                 static_cast<std::int64_t>(all_.size())) == 0)
            fail();
        logits_.clear();
        for (const Id action : actions) logits_.push_back(all_[action]);
        return logits_;
    }

private:
    [[noreturn]] void fail() const {
        if (lacks_memory_() != 0) throw std::bad_alloc();
        throw ModelError(model_file_, std::string("libtorch cannot run it: ") + error_());
    }

    Library library_;
    std::string model_file_;
    decltype(asnets_torch_error) *error_;
    decltype(asnets_torch_lacks_memory) *lacks_memory_;
    decltype(asnets_torch_logits) *run_;
    std::unique_ptr<asnets_torch_network, decltype(asnets_torch_close) *> network_;
    std::shared_ptr<const NetworkStructure> structure_;
    FeatureOptions features_;
    std::vector<asnets_torch_schema> schemas_;
    std::vector<asnets_torch_pool> pools_;
    std::vector<float> all_;
    std::vector<float> logits_;
};

}  // namespace

std::shared_ptr<Scorer> torch_scorer(const std::string &library, const std::string &model_file,
                                     std::shared_ptr<const NetworkStructure> structure,
                                     const FeatureOptions &features) {
    return std::make_shared<TorchScorer>(library, model_file, std::move(structure), features);
}

}  // namespace asnets
