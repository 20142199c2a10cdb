#include "plain/asnets_torch.h"

#include <ATen/Parallel.h>
#include <c10/core/InferenceMode.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/serialization/import.h>

#include <algorithm>
#include <string>
#include <vector>

struct asnets_torch_network {
    torch::jit::Module module;
};

namespace {

thread_local std::string error;
thread_local bool lacks_memory = false;

// Runs `use`; the last line of what it throws becomes the error: errors in a script begin with
// where they happened.
template <typename Use>
bool succeeds(Use use) {
    try {
        use();
        return true;
    } catch (const std::bad_alloc &) {
        error = "out of memory";
        lacks_memory = true;
        return false;
    } catch (const c10::Error &bad) {
        error = bad.what_without_backtrace();
    } catch (const std::exception &bad) {
        error = bad.what();
    }
    lacks_memory = error.find("alloc") != std::string::npos;  // of torch's allocator
    error.erase(error.find_last_not_of('\n') + 1);
    error.erase(0, error.rfind('\n') + 1);
    return false;
}

// A tensor that shows an array; networks do not write to their inputs.
template <typename Value>
at::Tensor view(const Value *values, std::vector<std::int64_t> shape) {
    const auto type = std::is_same_v<Value, float> ? at::kFloat : at::kLong;
    const bool is_empty =
        std::any_of(shape.begin(), shape.end(), [](auto size) { return size == 0; });
    if (is_empty) return at::empty(shape, type);
    return at::from_blob(const_cast<Value *>(values), shape, type);
}

}  // namespace

asnets_torch_network *asnets_torch_load(const char *model_file) {
    asnets_torch_network *result = nullptr;
    succeeds([&] {
        at::set_num_threads(1);
        result = new asnets_torch_network{torch::jit::load(model_file)};
    });
    return result;
}

void asnets_torch_close(asnets_torch_network *network) {
    delete network;
}

int asnets_torch_logits(asnets_torch_network *network, const asnets_torch_schema *schemas,
                        int64_t schema_count, const asnets_torch_pool *pools, int64_t pool_count,
                        float *logits, int64_t logit_count) {
    return succeeds([&] {
        const c10::InferenceMode inference;
        std::vector<at::Tensor> inputs, slots, begin, members;
        for (int64_t i = 0; i < schema_count; ++i) {
            inputs.push_back(view(schemas[i].inputs, {schemas[i].rows, schemas[i].input_width}));
            slots.push_back(view(schemas[i].slots, {schemas[i].rows, schemas[i].slot_width}));
        }
        for (int64_t i = 0; i < pool_count; ++i) {
            begin.push_back(view(pools[i].begin, {pools[i].begin_count}));
            members.push_back(view(pools[i].members, {pools[i].member_count}));
        }
        const at::Tensor found =
            network->module.forward({inputs, slots, begin, members}).toTensor().contiguous();
        if (found.numel() != logit_count || found.scalar_type() != at::kFloat)
            throw std::runtime_error("the exported network does not give a logit for each action");
        std::copy_n(found.const_data_ptr<float>(), logit_count, logits);
    });
}

const char *asnets_torch_error(void) {
    return error.c_str();
}

int asnets_torch_lacks_memory(void) {
    return lacks_memory ? 1 : 0;
}
