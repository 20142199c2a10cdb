// What a network does once for its task: weights and memory as the kernels want them.
#include <algorithm>
#include <numeric>

#include "network/check_fits.h"
#include "network/network.h"

namespace asnets {

Network::Network(std::shared_ptr<const NetworkWeights> weights,
                 std::shared_ptr<const NetworkStructure> structure)
    : weights_(std::move(weights)), structure_(std::move(structure)) {
    weights_->check();
    check_fits(*weights_, *structure_);
    arrange_weights();
    allocate();
    all_.resize(structure_->task().actions.size());
    differences_.resize(all_.size());
    std::iota(all_.begin(), all_.end(), Id{0});
}

Network::Module Network::arranged(const NetworkWeights::Module &module,
                                  const std::vector<std::size_t> &part_widths) {
    Module result;
    result.width = module.outputs;
    result.biases = Vectors(1, module.outputs);
    std::copy(module.biases.begin(), module.biases.end(), result.biases[0]);
    std::size_t first = 0;
    for (const std::size_t width : part_widths) {
        Vectors &part = result.parts.emplace_back(width, module.outputs);
        for (std::size_t j = 0; j < width; ++j)
            for (std::size_t i = 0; i < module.outputs; ++i)
                part[j][i] = module.weights[i * module.inputs + first + j];
        first += width;
    }
    return result;
}

void Network::arrange_weights() {
    const Signature &signature = weights_->signature;
    std::vector<std::size_t> widths;
    for (std::size_t layer = 0; layer < weights_->propositions.size(); ++layer) {
        std::vector<Module> &actions = action_modules_.emplace_back();
        for (Id s = 0; s < signature.schemas.size(); ++s) {
            widths.clear();
            for (const Signature::Slot &slot : signature.schemas[s].slots)
                widths.push_back(
                    layer == 0 ? 2 : weights_->propositions[layer - 1][slot.predicate].outputs);
            if (layer == 0)
                widths.push_back(weights_->features.extra_inputs());
            else if (weights_->skip)
                widths.push_back(weights_->actions[layer - 1][s].outputs);
            actions.push_back(arranged(weights_->actions[layer][s], widths));
        }
        std::vector<Module> &propositions = proposition_modules_.emplace_back();
        for (Id p = 0; p < signature.predicates.size(); ++p) {
            widths.clear();
            for (const Signature::Pool &pool : signature.predicates[p].pools)
                widths.push_back(actions[pool.schema].width);
            if (layer > 0 && weights_->skip)
                widths.push_back(weights_->propositions[layer - 1][p].outputs);
            propositions.push_back(arranged(weights_->propositions[layer][p], widths));
        }
    }
    for (Id s = 0; s < signature.schemas.size(); ++s) arrange_codes(s);
}

void Network::arrange_codes(Id s) {
    const Module &module = action_modules_[0][s];
    std::vector<Vectors> &codes = codes_.emplace_back();
    for (std::size_t slot = 0; slot < weights_->signature.schemas[s].slots.size(); ++slot) {
        const Vectors &w = module.parts[slot];
        Vectors &products = codes.emplace_back(4, module.width);
        for (unsigned code = 0; code < 4; ++code)
            for (std::size_t i = 0; i < module.width; ++i)
                products[code][i] =
                    ((code & 1U) != 0 ? w[0][i] : 0) + ((code & 2U) != 0 ? w[1][i] : 0);
    }
}

std::vector<Id> Network::only_members(Id p, std::size_t i) const {
    const NetworkStructure::Pool &pool = structure_->pools[p][i];
    const std::size_t none =
        structure_->action_rows(weights_->signature.predicates[p].pools[i].schema);
    std::vector<Id> result;
    for (std::size_t row = 0; row + 1 < pool.begin.size(); ++row) {
        if (pool.begin[row + 1] - pool.begin[row] > 1) return {};
        result.push_back(pool.begin[row] == pool.begin[row + 1] ? static_cast<Id>(none)
                                                                : pool.members[pool.begin[row]]);
    }
    return result;
}

void Network::allocate() {
    const Signature &signature = weights_->signature;
    std::size_t widest = 0;
    const auto widest_of = [&](const std::vector<std::vector<Module>> &layers, Id i) {
        std::size_t result = 0;
        for (const std::vector<Module> &layer : layers) result = std::max(result, layer[i].width);
        widest = std::max(widest, result);
        return result;
    };
    for (Id p = 0; p < signature.predicates.size(); ++p) {
        const std::size_t rows = structure_->proposition_rows(p);
        std::vector<std::uint8_t> &codes = code_.emplace_back();
        for (const std::uint8_t goal : structure_->goal[p]) codes.push_back(goal != 0 ? 2 : 0);
        is_needed_.emplace_back(rows);
        needed_.emplace_back();
        for (std::vector<Vectors> &each : proposition_values_)
            each.emplace_back(rows, widest_of(proposition_modules_, p));
        std::vector<Vectors> &maxima = maxima_.emplace_back();
        only_member_.emplace_back();
        only_kind_.emplace_back(signature.predicates[p].pools.size());
        for (std::size_t i = 0; i < signature.predicates[p].pools.size(); ++i) {
            const Id s = signature.predicates[p].pools[i].schema;
            std::vector<Id> &only = only_member_.back().emplace_back(only_members(p, i));
            maxima.emplace_back(only.empty() ? rows : 0, widest_of(action_modules_, s));
        }
    }
    for (Id s = 0; s < signature.schemas.size(); ++s) {
        const std::vector<Signature::Slot> &slots = signature.schemas[s].slots;
        const std::size_t width = widest_of(action_modules_, s);
        extras_.emplace_back().of.resize(structure_->action_rows(s));
        for (std::size_t turn = 0; turn < 2; ++turn) {  // of layer 2, and of layer 3
            const bool has_layer = action_modules_.size() > (turn == 1 ? 1U : 2U);
            action_values_[turn].emplace_back(has_layer ? structure_->action_rows(s) + 1 : 0,
                                              width);
        }
        products_.emplace_back();
        if (action_modules_.size() > 1)
            for (const Signature::Slot &slot : slots)
                products_.back().emplace_back(structure_->proposition_rows(slot.predicate), width);
        maxima_of_.emplace_back(slots.size());
        kinds_.emplace_back().of.resize(structure_->action_rows(s));
    }
    for (Id p = 0; p < signature.predicates.size(); ++p)
        for (std::size_t i = 0; i < maxima_[p].size(); ++i)
            for (const Id slot : signature.predicates[p].pools[i].slots)
                maxima_of_[signature.predicates[p].pools[i].schema][slot] =
                    only_member_[p][i].empty() ? &maxima_[p][i] : nullptr;
    no_biases_ = Vectors(1, widest);
}

}  // namespace asnets
