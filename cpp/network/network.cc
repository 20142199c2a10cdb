#include "network/network.h"

#include <algorithm>
#include <tuple>

namespace asnets {

namespace {

// Bits of an action's extra inputs; its count is above them.
constexpr unsigned applicable_bit = 0;
constexpr unsigned landmark_bits = 1;
constexpr unsigned helpful_bit = 4;
constexpr unsigned last_bit = 5;
constexpr unsigned count_bits = 6;

// A kind's key: two bits a slot, and above them the combination of extras.
constexpr unsigned key_slots = 22;
constexpr std::size_t key_combinations = std::size_t{1} << 19U;

}  // namespace

const std::vector<float> &Network::logits(const Observation &observation) {
    return logits(observation, all_);
}

const std::vector<float> &Network::logits(const Observation &observation,
                                          std::span<const Id> actions) {
    try {
        run(observation, actions);
    } catch (...) {  // memory ended somewhere: what must be clean between calls may not be
        std::fill(differences_.begin(), differences_.end(), 0);
        for (Extras &each : extras_) std::fill(each.of.begin(), each.of.end(), 0);
        for (std::vector<std::uint8_t> &each : is_needed_) std::fill(each.begin(), each.end(), 0);
        throw;
    }
    return logits_;
}

void Network::run(const Observation &observation, std::span<const Id> actions) {
    read(observation);
    find_needed(actions);
    const auto schemas = static_cast<Id>(weights_->signature.schemas.size());
    const auto predicates = static_cast<Id>(weights_->signature.predicates.size());
    for (std::size_t layer = 0; layer < action_modules_.size(); ++layer) {
        for (Id p = 0; p < predicates; ++p)
            for (std::size_t i = 0; i < maxima_[p].size(); ++i) {
                const Id schema = weights_->signature.predicates[p].pools[i].schema;
                maxima_[p][i].use_for(action_modules_[layer][schema].width);
                maxima_[p][i].fill(lower_bound(weights_->nonlinearity));
            }
        for (Id s = 0; s < schemas; ++s) {
            if (layer == 0) {
                run_first(s);
            } else {
                multiply_for_slots(layer, s);
                run_actions(layer, s);
            }
        }
        for (Id p = 0; p < predicates; ++p) run_propositions(layer, p);
    }
    logits_.clear();
    for (const Id action : actions) logits_.push_back(logit(action));
}

void Network::read(const Observation &observation) {
    const Task &task = structure_->task();
    for (Id p = 0; p < code_.size(); ++p) {
        const Id first = task.predicate_begin[p];
        const Id end = task.predicate_begin[p + 1];
        for (Id row = 0; row < end - first; ++row) {
            const unsigned goal = code_[p][row] & 2U;
            code_[p][row] =
                static_cast<std::uint8_t>(goal | (observation.state.holds(first + row) ? 1U : 0U));
        }
    }
    // Few actions have more than the usual combination.
    const FeatureOptions &options = weights_->features;
    const bool article = options.landmarks == FeatureOptions::Landmarks::article;
    const std::uint64_t usual = article ? 4U << landmark_bits : 0U;
    unusual_.clear();
    const auto change = [&](Id action, std::uint64_t difference) {
        if (differences_[action] == 0) unusual_.push_back(action);
        differences_[action] |= difference;
    };
    for (const Id action : observation.applicable) change(action, 1U << applicable_bit);
    if (options.landmarks != FeatureOptions::Landmarks::none)
        for (const auto &[action, flags] : observation.landmarks)
            change(action, (std::uint64_t{flags} << landmark_bits) ^ usual);
    if (options.helpful)
        for (const Id action : observation.helpful) change(action, 1U << helpful_bit);
    if (options.counts)
        for (const auto &[action, count] : observation.history.counts)
            change(action, std::uint64_t{count} << count_bits);
    const Id last = observation.history.last;
    if (options.last_action && last != no_id) change(last, 1U << last_bit);
    for (Extras &each : extras_) {
        for (const Id row : each.special) each.of[row] = 0;
        each.special.clear();
        each.combinations.clear();
    }
    for (Id s = 0; s < extras_.size(); ++s) combination_of(s, usual);
    for (const Id action : unusual_) {
        const Id s = task.schema_of(action);
        const Id row = action - task.schema_begin[s];
        extras_[s].of[row] = combination_of(s, usual ^ differences_[action]);
        extras_[s].special.push_back(row);
        differences_[action] = 0;
    }
}

Id Network::combination_of(Id s, std::uint64_t combination) {
    Extras &extras = extras_[s];
    std::vector<std::uint64_t> &all = extras.combinations;
    const auto known = std::find(all.begin(), all.end(), combination);
    const auto number = static_cast<Id>(known - all.begin());
    if (known != all.end()) return number;
    all.push_back(combination);
    // W u + b, in the order of write_inputs.
    const Module &module = action_modules_[0][s];
    if (number == extras.bases.rows()) extras.bases.grow(2 * number + 8, module.width);
    float *base = extras.bases[number];
    std::copy_n(module.biases[0], module.width, base);
    const float *column = module.parts.back()[0];
    const auto add = [&](float input) {
        for (std::size_t i = 0; i < module.width; ++i) base[i] += input * column[i];
        column += module.parts.back().stride();
    };
    const auto add_bit = [&](unsigned bit) { add(static_cast<float>(combination >> bit & 1U)); };
    const FeatureOptions &options = weights_->features;
    add_bit(applicable_bit);
    if (options.landmarks != FeatureOptions::Landmarks::none)
        for (unsigned flag = 0; flag < 3; ++flag) add_bit(landmark_bits + flag);
    if (options.counts) add(static_cast<float>(combination >> count_bits));
    if (options.helpful) add_bit(helpful_bit);
    if (options.last_action) add_bit(last_bit);
    return number;
}

void Network::find_needed(std::span<const Id> actions) {
    for (Id p = 0; p < needed_.size(); ++p) {
        for (const Id row : needed_[p]) is_needed_[p][row] = 0;
        needed_[p].clear();
    }
    const Task &task = structure_->task();
    for (const Id action : actions) {
        const Id s = task.schema_of(action);
        const std::vector<Signature::Slot> &slots = weights_->signature.schemas[s].slots;
        const Id *row =
            structure_->slots[s].data() + (action - task.schema_begin[s]) * slots.size();
        for (const Signature::Slot &slot : slots) {
            std::uint8_t &mark = is_needed_[slot.predicate][*row];
            if (mark == 0) needed_[slot.predicate].push_back(*row);
            mark = 1;
            ++row;
        }
    }
}

void Network::find_kinds(Id s) {
    Kinds &kinds = kinds_[s];
    const std::vector<Signature::Slot> &slots = weights_->signature.schemas[s].slots;
    const bool has_keys =
        slots.size() <= key_slots && extras_[s].combinations.size() < key_combinations;
    kinds.table.clear();
    kinds.count = 0;
    kinds.propositions.clear();
    kinds.bases.clear();
    slots_.clear();
    for (const Signature::Slot &slot : slots)
        slots_.push_back({nullptr, code_[slot.predicate].data(), nullptr});
    const Id *propositions = structure_->slots[s].data();
    for (std::size_t row = 0; row < kinds.of.size(); ++row, propositions += slots.size()) {
        auto kind = static_cast<Id>(kinds.count);
        bool is_new = true;
        if (has_keys) {
            std::uint64_t key = extras_[s].of[row];
            for (std::size_t i = 0; i < slots.size(); ++i)
                key = key << 2U | slots_[i].codes[propositions[i]];
            std::tie(kind, is_new) = kinds.table.insert(key);
        }
        kinds.of[row] = kind;
        if (!is_new) continue;
        ++kinds.count;
        kinds.propositions.insert(kinds.propositions.end(), propositions,
                                  propositions + slots.size());
        kinds.bases.push_back(extras_[s].of[row]);
    }
}

void Network::run_first(Id s) {
    find_kinds(s);
    Kinds &kinds = kinds_[s];
    const std::size_t slots = weights_->signature.schemas[s].slots.size();
    const Module &module = action_modules_[0][s];
    if (kinds.values.rows() <= kinds.count)
        kinds.values = Vectors(2 * kinds.count + 8, module.width);
    for (std::size_t i = 0; i < slots; ++i) slots_[i].products = codes_[s][i][0];
    kernels::gather(slots_, kinds.propositions.data(), kinds.count, extras_[s].bases,
                    kinds.bases.data(), weights_->nonlinearity, kinds.values);
    std::fill_n(kinds.values[kinds.count], module.width, lower_bound(weights_->nonlinearity));
    for (std::size_t i = 0; i < slots; ++i)
        if (maxima_of_[s][i] != nullptr) slots_[i].maxima = (*maxima_of_[s][i])[0];
    kernels::pool(slots_, structure_->slots[s].data(), kinds.of.size(), kinds.values,
                  kinds.of.data());
}

void Network::run_actions(std::size_t layer, Id s) {
    const std::vector<Signature::Slot> &slots = weights_->signature.schemas[s].slots;
    const Module &module = action_modules_[layer][s];
    const std::size_t rows = structure_->action_rows(s);
    Vectors &out = action_values_[layer % 2][s];
    out.use_for(module.width);
    // b, and what comes from an action's own vector: in layer 2 the same for all of a kind.
    Kinds &kinds = kinds_[s];
    const bool by_kind = layer == 1;
    parts_.clear();
    if (weights_->skip)
        parts_.push_back({by_kind ? &kinds.values : &action_values_[(layer - 1) % 2][s], nullptr,
                          action_modules_[layer - 1][s].width, &module.parts.back()});
    if (by_kind && kinds.products.rows() < kinds.count)
        kinds.products = Vectors(kinds.values.rows(), module.width);
    Vectors &bases = by_kind ? kinds.products : out;
    kernels::multiply(parts_, module.biases[0], nullptr, by_kind ? kinds.count : rows, nullptr,
                      bases);
    slots_.clear();
    for (std::size_t i = 0; i < slots.size(); ++i)
        slots_.push_back({products_[s][i][0], nullptr,
                          maxima_of_[s][i] == nullptr ? nullptr : (*maxima_of_[s][i])[0]});
    std::fill_n(out[rows], module.width, lower_bound(weights_->nonlinearity));
    kernels::gather(slots_, structure_->slots[s].data(), rows, bases,
                    by_kind ? kinds.of.data() : nullptr, weights_->nonlinearity, out);
}

const Id *Network::only_kinds(Id p, std::size_t i) {
    const Kinds &kinds = kinds_[weights_->signature.predicates[p].pools[i].schema];
    const std::vector<Id> &only = only_member_[p][i];
    std::vector<Id> &result = only_kind_[p][i];
    result.resize(only.size());
    for (std::size_t row = 0; row < only.size(); ++row)
        result[row] =
            only[row] < kinds.of.size() ? kinds.of[only[row]] : static_cast<Id>(kinds.count);
    return result.data();
}

void Network::run_propositions(std::size_t layer, Id p) {
    const Module &module = proposition_modules_[layer][p];
    const std::vector<Signature::Pool> &pools = weights_->signature.predicates[p].pools;
    if (pools.empty()) return;
    const bool last = layer + 1 == proposition_modules_.size();
    Vectors &out = proposition_values_[layer % 2][p];
    out.use_for(module.width);
    parts_.clear();
    for (std::size_t i = 0; i < pools.size(); ++i) {
        const Id s = pools[i].schema;
        const std::size_t width = action_modules_[layer][s].width;
        const std::vector<Id> &only = only_member_[p][i];
        if (only.empty())
            parts_.push_back({&maxima_[p][i], nullptr, width, &module.parts[i]});
        else if (layer > 0)
            parts_.push_back({&action_values_[layer % 2][s], only.data(), width, &module.parts[i]});
        else
            parts_.push_back({&kinds_[s].values, only_kinds(p, i), width, &module.parts[i]});
    }
    if (weights_->skip && layer > 0)
        parts_.push_back({&proposition_values_[(layer - 1) % 2][p], nullptr,
                          proposition_modules_[layer - 1][p].width, &module.parts.back()});
    kernels::multiply(parts_, module.biases[0], last ? needed_[p].data() : nullptr,
                      last ? needed_[p].size() : structure_->proposition_rows(p),
                      &weights_->nonlinearity, out);
}

void Network::multiply_for_slots(std::size_t layer, Id s) {
    const std::vector<Signature::Slot> &slots = weights_->signature.schemas[s].slots;
    const Module &module = action_modules_[layer][s];
    for (std::size_t i = 0; i < slots.size(); ++i) {
        const Id p = slots[i].predicate;
        products_[s][i].use_for(module.width);
        parts_.assign(1, {&proposition_values_[(layer - 1) % 2][p], nullptr,
                          proposition_modules_[layer - 1][p].width, &module.parts[i]});
        kernels::multiply(parts_, no_biases_[0], nullptr, structure_->proposition_rows(p), nullptr,
                          products_[s][i]);
    }
}

float Network::logit(Id action) const {
    const Task &task = structure_->task();
    const Id s = task.schema_of(action);
    const Id row = action - task.schema_begin[s];
    const std::size_t layer = action_modules_.size() - 1;  // the last hidden one
    const NetworkWeights::Module &module = weights_->actions.back()[s];
    const float *weight = module.weights.data();
    float sum = module.biases[0];
    const auto add = [&](const float *values, std::size_t width) {
        for (std::size_t i = 0; i < width; ++i) sum += *weight++ * values[i];
    };
    const std::vector<Signature::Slot> &slots = weights_->signature.schemas[s].slots;
    for (std::size_t i = 0; i < slots.size(); ++i) {
        const Id p = slots[i].predicate;
        add(proposition_values_[layer % 2][p][structure_->slots[s][row * slots.size() + i]],
            proposition_modules_[layer][p].width);
    }
    const float *own =
        layer == 0 ? kinds_[s].values[kinds_[s].of[row]] : action_values_[layer % 2][s][row];
    if (weights_->skip) add(own, action_modules_[layer][s].width);
    return sum;
}

}  // namespace asnets
