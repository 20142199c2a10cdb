#include "network/network.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "network/check_fits.h"

namespace asnets {

namespace {

using Module = NetworkWeights::Module;

float applied(Nonlinearity nonlinearity, float value) {
    switch (nonlinearity) {
        case Nonlinearity::elu: return value > 0 ? value : std::expm1(value);
        case Nonlinearity::relu: return std::max(value, 0.0F);
        case Nonlinearity::tanh: return std::tanh(value);
    }
    return value;
}

// W u + b into `out`.
void apply(const Module &module, const float *input, float *out) {
    for (std::size_t i = 0; i < module.outputs; ++i) {
        float sum = module.biases[i];
        for (std::size_t j = 0; j < module.inputs; ++j)
            sum += module.weights[i * module.inputs + j] * input[j];
        out[i] = sum;
    }
}

void check_module(const Module &module, std::size_t inputs, const std::string &name) {
    if (module.inputs == inputs && module.weights.size() == inputs * module.outputs &&
        module.biases.size() == module.outputs)
        return;
    throw std::invalid_argument("module " + name + " takes " + std::to_string(inputs) +
                                " inputs, but its weights are for " +
                                std::to_string(module.inputs));
}

}  // namespace

Nonlinearity nonlinearity_of(const std::string &name) {
    if (name == "elu") return Nonlinearity::elu;
    if (name == "relu") return Nonlinearity::relu;
    if (name == "tanh") return Nonlinearity::tanh;
    throw std::invalid_argument("unknown nonlinearity " + pddl::quote(name) +
                                "; known are elu, relu, tanh");
}

float lower_bound(Nonlinearity nonlinearity) {
    return nonlinearity == Nonlinearity::relu ? 0.0F : -1.0F;
}

void NetworkWeights::check() const {
    if (actions.size() != propositions.size() + 1 || propositions.empty())
        throw std::invalid_argument("a network has one more action layer than proposition layers");
    for (std::size_t layer = 0; layer < actions.size(); ++layer) {
        const std::string number = " of layer " + std::to_string(layer + 1);
        if (actions[layer].size() != signature.schemas.size() ||
            (layer < propositions.size() &&
             propositions[layer].size() != signature.predicates.size()))
            throw std::invalid_argument("the weights are for another number of modules");
        for (std::size_t s = 0; s < signature.schemas.size(); ++s) {
            const Signature::Schema &schema = signature.schemas[s];
            std::size_t inputs = 2 * schema.slots.size() + features.extra_inputs();
            if (layer > 0) {
                inputs = skip ? actions[layer - 1][s].outputs : 0;
                for (const Signature::Slot &slot : schema.slots)
                    inputs += propositions[layer - 1][slot.predicate].outputs;
            }
            check_module(actions[layer][s], inputs, schema.name + number);
        }
        if (layer == propositions.size()) break;
        for (std::size_t p = 0; p < signature.predicates.size(); ++p) {
            const Signature::Predicate &predicate = signature.predicates[p];
            if (predicate.pools.empty()) continue;
            std::size_t inputs = layer > 0 && skip ? propositions[layer - 1][p].outputs : 0;
            for (const Signature::Pool &pool : predicate.pools)
                inputs += actions[layer][pool.schema].outputs;
            check_module(propositions[layer][p], inputs, predicate.name + number);
        }
    }
    for (std::size_t s = 0; s < signature.schemas.size(); ++s)
        if (actions.back()[s].outputs != 1)
            throw std::invalid_argument("module " + signature.schemas[s].name +
                                        " of the last layer must have one output");
}

Network::Network(std::shared_ptr<const NetworkWeights> weights,
                 std::shared_ptr<const NetworkStructure> structure)
    : weights_(std::move(weights)), structure_(std::move(structure)) {
    weights_->check();
    check_fits(*weights_, *structure_);
    inputs_.resize(weights_->signature.schemas.size());
    for (Id s = 0; s < inputs_.size(); ++s)
        inputs_[s].resize(structure_->action_rows(s) * weights_->actions[0][s].inputs);
    logits_.resize(structure_->task().actions.size());
}

const std::vector<float> &Network::logits(const Observation &observation) {
    std::vector<float *> rows;
    for (std::vector<float> &each : inputs_) rows.push_back(each.data());
    write_inputs(*structure_, weights_->features, observation, rows);
    for (std::size_t layer = 0; layer < weights_->actions.size(); ++layer) {
        run_actions(layer);
        if (layer < weights_->propositions.size()) run_propositions(layer);
    }
    auto next = logits_.begin();
    for (const std::vector<float> &each : actions_)
        next = std::copy(each.begin(), each.end(), next);
    return logits_;
}

void Network::run_actions(std::size_t layer) {
    const Signature &signature = weights_->signature;
    const bool last = layer == weights_->propositions.size();
    Layer result(signature.schemas.size());
    for (Id s = 0; s < signature.schemas.size(); ++s) {
        const Module &module = weights_->actions[layer][s];
        const std::vector<Signature::Slot> &slots = signature.schemas[s].slots;
        result[s].resize(structure_->action_rows(s) * module.outputs);
        for (std::size_t row = 0; row < structure_->action_rows(s); ++row) {
            const float *input = inputs_[s].data() + row * module.inputs;
            if (layer > 0) {
                input_.clear();
                for (std::size_t slot = 0; slot < slots.size(); ++slot) {
                    const Id p = slots[slot].predicate;
                    const std::size_t width = weights_->propositions[layer - 1][p].outputs;
                    const float *from = propositions_[p].data() +
                                        structure_->slots[s][row * slots.size() + slot] * width;
                    input_.insert(input_.end(), from, from + width);
                }
                if (weights_->skip) {
                    const std::size_t width = weights_->actions[layer - 1][s].outputs;
                    const float *own = actions_[s].data() + row * width;
                    input_.insert(input_.end(), own, own + width);
                }
                input = input_.data();
            }
            apply(module, input, result[s].data() + row * module.outputs);
        }
        if (!last)
            for (float &each : result[s]) each = applied(weights_->nonlinearity, each);
    }
    actions_ = std::move(result);
}

void Network::run_propositions(std::size_t layer) {
    const Signature &signature = weights_->signature;
    Layer result(signature.predicates.size());
    for (Id p = 0; p < signature.predicates.size(); ++p) {
        const std::vector<Signature::Pool> &pools = signature.predicates[p].pools;
        if (pools.empty()) continue;
        const Module &module = weights_->propositions[layer][p];
        const std::size_t rows = structure_->proposition_rows(p);
        result[p].resize(rows * module.outputs);
        for (std::size_t row = 0; row < rows; ++row) {
            input_.clear();
            for (std::size_t i = 0; i < pools.size(); ++i) {
                const NetworkStructure::Pool &pool = structure_->pools[p][i];
                const std::size_t width = weights_->actions[layer][pools[i].schema].outputs;
                const std::size_t first = input_.size();
                input_.resize(first + width, lower_bound(weights_->nonlinearity));
                for (Id m = pool.begin[row]; m < pool.begin[row + 1]; ++m) {
                    const float *action =
                        actions_[pools[i].schema].data() + pool.members[m] * width;
                    for (std::size_t c = 0; c < width; ++c)
                        input_[first + c] = std::max(input_[first + c], action[c]);
                }
            }
            if (layer > 0 && weights_->skip) {
                const std::size_t width = weights_->propositions[layer - 1][p].outputs;
                const float *own = propositions_[p].data() + row * width;
                input_.insert(input_.end(), own, own + width);
            }
            apply(module, input_.data(), result[p].data() + row * module.outputs);
        }
        for (float &each : result[p]) each = applied(weights_->nonlinearity, each);
    }
    propositions_ = std::move(result);
}

}  // namespace asnets
