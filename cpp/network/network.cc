#include "network/network.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "network/check_fits.h"

namespace asnets {

namespace {

// Bits of an action's extra inputs.
constexpr unsigned applicable_bit = 0;
constexpr unsigned landmark_bits = 1;
constexpr unsigned helpful_bit = 4;
constexpr std::uint32_t landmark_mask = 7U << landmark_bits;

constexpr unsigned slots_of_word = 16;  // two bits each

// More are forgotten before the next state.
constexpr std::size_t most_vectors = std::size_t{1} << 15U;

}  // namespace

Network::Network(std::shared_ptr<const NetworkWeights> weights,
                 std::shared_ptr<const NetworkStructure> structure)
    : weights_(std::move(weights)), structure_(std::move(structure)) {
    weights_->check();
    check_fits(*weights_, *structure_);
    const Task &task = structure_->task();
    // Atoms that are never true have a bit past all others.
    const auto never = static_cast<Id>((task.proposition_count() + 63) / 64 * 64);
    for (Id s = 0; s < weights_->signature.schemas.size(); ++s) {
        const std::vector<Signature::Slot> &slots = weights_->signature.schemas[s].slots;
        words_.push_back((slots.size() + slots_of_word - 1) / slots_of_word);
        std::vector<Id> &propositions = slot_propositions_.emplace_back();
        std::vector<std::uint32_t> &goals = goal_bits_.emplace_back();
        goals.resize(structure_->action_rows(s) * words_[s]);
        for (std::size_t i = 0; i < structure_->slots[s].size(); ++i) {
            const std::size_t slot = i % slots.size();
            const Id p = slots[slot].predicate;
            const Id row = structure_->slots[s][i];
            const Id proposition = task.predicate_begin[p] + row;
            propositions.push_back(proposition < task.predicate_begin[p + 1] ? proposition : never);
            if (structure_->goal[p][row] != 0)
                goals[i / slots.size() * words_[s] + slot / slots_of_word] |=
                    1U << (2 * (slot % slots_of_word) + 1);
        }
    }
    all_.resize(task.actions.size());
    std::iota(all_.begin(), all_.end(), Id{0});
    forget();
}

void Network::forget() {
    const Signature &signature = weights_->signature;
    const std::size_t own = weights_->skip ? 1 : 0;
    actions_.clear();
    propositions_.clear();
    maxima_.clear();
    for (std::size_t layer = 0; layer < weights_->actions.size(); ++layer) {
        const bool last = layer == weights_->propositions.size();
        Layer &actions = actions_.emplace_back();
        for (Id s = 0; s < signature.schemas.size(); ++s) {
            const std::size_t width =
                layer == 0 ? words_[s] + 2 : signature.schemas[s].slots.size() + own;
            actions.emplace_back(weights_->actions[layer][s], *weights_, last, width);
            actions.back().class_of.resize(structure_->action_rows(s));
        }
        if (last) break;
        Layer &propositions = propositions_.emplace_back();
        maxima_.emplace_back();
        for (Id p = 0; p < signature.predicates.size(); ++p) {
            const std::vector<Signature::Pool> &pools = signature.predicates[p].pools;
            propositions.emplace_back(weights_->propositions[layer][p], *weights_, false,
                                      pools.size() + (layer > 0 ? own : 0));
            propositions.back().class_of.resize(structure_->proposition_rows(p));
            std::vector<Maxima> &maxima = maxima_.back().emplace_back();
            for (const Signature::Pool &pool : pools)
                maxima.emplace_back(actions[pool.schema].dense.outputs());
        }
    }
}

std::size_t Network::kept_vectors() const {
    std::size_t sum = 0;
    for (const std::vector<Layer> *layers : {&actions_, &propositions_})
        for (const Layer &layer : *layers)
            for (const Modules &modules : layer) sum += modules.classes.size();
    for (const auto &layer : maxima_)
        for (const auto &predicate : layer)
            for (const Maxima &maxima : predicate) sum += maxima.numbers.size();
    return sum;
}

const std::vector<float> &Network::logits(const Observation &observation) {
    return logits(observation, all_);
}

const std::vector<float> &Network::logits(const Observation &observation,
                                          std::span<const Id> actions) {
    if (kept_vectors() > most_vectors) forget();
    const Task &task = structure_->task();
    const std::size_t hidden = weights_->propositions.size();
    logits_.clear();
    try {
        read(observation);
        for (Id s = 0; s < actions_[0].size(); ++s) find_first_classes(s);
        for (std::size_t layer = 0; layer < hidden; ++layer) {
            if (layer > 0)
                for (Id s = 0; s < actions_[layer].size(); ++s) find_action_classes(layer, s);
            for (Id p = 0; p < propositions_[layer].size(); ++p) find_proposition_classes(layer, p);
        }
        for (const Id action : actions) {
            const Id s = task.schema_of(action);
            const Id found = action_class(hidden, s, action - task.schema_begin[s]);
            logits_.push_back(actions_[hidden][s].vectors[found]);
        }
    } catch (...) {  // memory ended somewhere
        forget();
        throw;
    }
    return logits_;
}

void Network::read(const Observation &observation) {
    const FeatureOptions &options = weights_->features;
    const std::span<const std::uint64_t> words = observation.state.words();
    truth_.assign(words.begin(), words.end());
    truth_.push_back(0);
    const bool article = options.landmarks == FeatureOptions::Landmarks::article;
    extras_.assign(all_.size(), article ? 4U << landmark_bits : 0U);
    counts_.assign(all_.size(), 0);
    for (const Id action : observation.applicable) extras_[action] |= 1U << applicable_bit;
    if (options.landmarks != FeatureOptions::Landmarks::none)
        for (const auto &[action, flags] : observation.landmarks)
            extras_[action] = (extras_[action] & ~landmark_mask) | std::uint32_t{flags}
                                                                       << landmark_bits;
    if (options.helpful)
        for (const Id action : observation.helpful) extras_[action] |= 1U << helpful_bit;
    if (options.counts)
        for (const auto &[action, count] : observation.counts) counts_[action] = count;
}

template <typename Input>
Id Network::class_of(Modules &modules, Input input) {
    const auto [id, is_new] = modules.classes.insert(key_.data());
    if (is_new) {
        input_.clear();
        input();
        const std::size_t end = modules.vectors.size();
        modules.vectors.resize(end + modules.dense.outputs());
        modules.dense.apply(input_.data(), modules.vectors.data() + end);
    }
    return id;
}

void Network::append(const Modules &source, Id number) {
    const std::size_t width = source.dense.outputs();
    const auto first = source.vectors.begin() + static_cast<std::ptrdiff_t>(number * width);
    input_.insert(input_.end(), first, first + static_cast<std::ptrdiff_t>(width));
}

void Network::find_first_classes(Id s) {
    Modules &modules = actions_[0][s];
    const FeatureOptions &options = weights_->features;
    const std::size_t slots = weights_->signature.schemas[s].slots.size();
    const std::size_t words = words_[s];
    const Id first_action = structure_->task().schema_begin[s];
    const Id *proposition = slot_propositions_[s].data();
    key_.resize(words + 2);
    for (std::size_t row = 0; row < modules.class_of.size(); ++row) {
        std::copy_n(goal_bits_[s].data() + row * words, words, key_.data());
        for (std::size_t slot = 0; slot < slots; ++slot, ++proposition) {
            const std::uint64_t bit = truth_[*proposition >> 6U] >> (*proposition & 63U) & 1U;
            key_[slot / slots_of_word] |= static_cast<std::uint32_t>(bit)
                                          << (2 * (slot % slots_of_word));
        }
        key_[words] = extras_[first_action + row];
        key_[words + 1] = counts_[first_action + row];
        modules.class_of[row] = class_of(modules, [&] {
            const auto put = [&](std::uint32_t word, unsigned bit) {
                input_.push_back((word >> bit & 1U) != 0 ? 1.0F : 0.0F);
            };
            for (unsigned slot = 0; slot < slots; ++slot) {
                const std::uint32_t word = key_[slot / slots_of_word];
                put(word, 2 * (slot % slots_of_word));
                put(word, 2 * (slot % slots_of_word) + 1);
            }
            put(key_[words], applicable_bit);
            if (options.landmarks != FeatureOptions::Landmarks::none)
                for (unsigned flag = 0; flag < 3; ++flag) put(key_[words], landmark_bits + flag);
            if (options.counts) input_.push_back(static_cast<float>(key_[words + 1]));
            if (options.helpful) put(key_[words], helpful_bit);
        });
    }
}

void Network::find_action_classes(std::size_t layer, Id s) {
    std::vector<Id> &classes = actions_[layer][s].class_of;
    for (std::size_t row = 0; row < classes.size(); ++row)
        classes[row] = action_class(layer, s, row);
}

Id Network::action_class(std::size_t layer, Id s, std::size_t row) {
    const std::vector<Signature::Slot> &slots = weights_->signature.schemas[s].slots;
    const Id *rows = structure_->slots[s].data() + row * slots.size();
    const Layer &propositions = propositions_[layer - 1];
    key_.resize(slots.size() + 1);
    for (std::size_t slot = 0; slot < slots.size(); ++slot)
        key_[slot] = propositions[slots[slot].predicate].class_of[rows[slot]];
    key_[slots.size()] = actions_[layer - 1][s].class_of[row];  // not read without skips
    return class_of(actions_[layer][s], [&] {
        for (std::size_t slot = 0; slot < slots.size(); ++slot)
            append(propositions[slots[slot].predicate], key_[slot]);
        if (weights_->skip) append(actions_[layer - 1][s], key_[slots.size()]);
    });
}

void Network::find_proposition_classes(std::size_t layer, Id p) {
    const std::vector<Signature::Pool> &pools = weights_->signature.predicates[p].pools;
    if (pools.empty()) return;
    Modules &modules = propositions_[layer][p];
    const bool own = weights_->skip && layer > 0;
    for (std::size_t row = 0; row < modules.class_of.size(); ++row) {
        key_.resize(pools.size() + 1);
        for (std::size_t i = 0; i < pools.size(); ++i) {
            const NetworkStructure::Pool &pool = structure_->pools[p][i];
            key_[i] = pooled(
                maxima_[layer][p][i], actions_[layer][pools[i].schema],
                {pool.members.data() + pool.begin[row], pool.members.data() + pool.begin[row + 1]});
        }
        if (own) key_[pools.size()] = propositions_[layer - 1][p].class_of[row];
        modules.class_of[row] = class_of(modules, [&] {
            for (std::size_t i = 0; i < pools.size(); ++i) {
                const std::size_t width = actions_[layer][pools[i].schema].dense.outputs();
                const auto first = maxima_[layer][p][i].vectors.begin() +
                                   static_cast<std::ptrdiff_t>(key_[i] * width);
                input_.insert(input_.end(), first, first + static_cast<std::ptrdiff_t>(width));
            }
            if (own) append(propositions_[layer - 1][p], key_[pools.size()]);
        });
    }
}

Id Network::pooled(Maxima &maxima, const Modules &actions, std::span<const Id> members) {
    const std::size_t width = actions.dense.outputs();
    const auto vector_of = [&](Id number) { return actions.vectors.data() + number * width; };
    if (members.empty()) {
        if (maxima.of_none == no_id) {
            highest_.assign(width, lower_bound(weights_->nonlinearity));
            maxima.of_none = numbered(maxima, highest_);
        }
        return maxima.of_none;
    }
    const Id first = actions.class_of[members[0]];
    const std::size_t classes = actions.classes.size();
    if (maxima.seen.size() < classes) {
        maxima.seen.resize(classes);
        maxima.of_one.resize(classes, no_id);
    }
    ++pools_;
    maxima.seen[first] = pools_;
    bool alone = true;
    for (const Id member : members) {
        const Id each = actions.class_of[member];
        if (maxima.seen[each] == pools_) continue;
        maxima.seen[each] = pools_;
        if (alone) highest_.assign(vector_of(first), vector_of(first) + width);
        alone = false;
        const float *other = vector_of(each);
        for (std::size_t c = 0; c < width; ++c) highest_[c] = std::max(highest_[c], other[c]);
    }
    if (!alone) return numbered(maxima, highest_);
    if (maxima.of_one[first] == no_id)
        maxima.of_one[first] = numbered(maxima, {vector_of(first), width});
    return maxima.of_one[first];
}

Id Network::numbered(Maxima &maxima, std::span<const float> vector) {
    bits_.resize(vector.size());
    std::transform(vector.begin(), vector.end(), bits_.begin(),
                   [](float value) { return std::bit_cast<std::uint32_t>(value); });
    const auto [number, is_new] = maxima.numbers.insert(bits_.data());
    if (is_new) maxima.vectors.insert(maxima.vectors.end(), vector.begin(), vector.end());
    return number;
}

}  // namespace asnets
