#include "network/state_memory.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace asnets {

namespace {

// Makes the next push_back one that cannot fail.
template <typename Value>
void make_room(std::vector<Value> &values) {
    if (values.size() == values.capacity()) values.reserve(2 * values.size() + 16);
}

std::size_t history_words(std::size_t pairs) {
    return 2 * pairs + 2;
}

// Reads words one after the other.
class Words {
public:
    explicit Words(std::span<const std::uint32_t> words) : words_(words) {
    }
    std::uint32_t next() {
        return take(1)[0];
    }
    std::span<const std::uint32_t> take(std::size_t count) {
        if (count > words_.size() - place_)
            throw std::invalid_argument("a state memory ends too early");
        place_ += count;
        return words_.subspan(place_ - count, count);
    }
    // A number of pairs, the pairs, and a word.
    std::span<const std::uint32_t> take_history() {
        const std::size_t pairs = next();
        --place_;
        return take(history_words(pairs));
    }
    [[nodiscard]] bool at_end() const {
        return place_ == words_.size();
    }

private:
    std::span<const std::uint32_t> words_;
    std::size_t place_ = 0;
};

}  // namespace

StateMemory::StateMemory(std::shared_ptr<const NetworkStructure> structure)
    : structure_(std::move(structure)), table_(structure_->task().proposition_count()) {
    if (structure_->task().actions.size() > action_mask) throw TooLarge();
}

std::size_t StateMemory::bytes() const {
    const std::size_t state_words = (structure_->task().proposition_count() + 63) / 64;
    return states() * (8 * state_words + 12) + record_begin_.size() * 8 + records_.size() * 4 +
           samples_.size() * (sizeof(Sample) + 32) + histories_.size() * 4;
}

Id StateMemory::find(const State &state) const {
    const Id id = table_.find(state);
    return id < record_begin_.size() ? id : no_id;
}

Id StateMemory::add_state(const Observation &observation, std::span<const Id> good) {
    std::vector<std::uint32_t> record = {checked_id(observation.applicable.size())};
    for (const Id action : observation.applicable) {
        const bool is_good = std::binary_search(good.begin(), good.end(), action);
        record.push_back(action | (is_good ? 1U << flag_shift : 0U));
    }
    record.push_back(checked_id(observation.landmarks.size()));
    for (const auto &[action, flags] : observation.landmarks)
        record.push_back(action | std::uint32_t{flags} << flag_shift);
    record.push_back(checked_id(observation.helpful.size()));
    record.insert(record.end(), observation.helpful.begin(), observation.helpful.end());
    return add_record(observation.state, record);
}

// If memory ends in here, nothing has changed.
Id StateMemory::add_record(const State &state, std::span<const std::uint32_t> record) {
    const std::uint64_t begin = records_.size();
    records_.insert(records_.end(), record.begin(), record.end());
    make_room(record_begin_);
    const Id id = table_.insert(state);
    if (id != record_begin_.size()) {
        records_.resize(begin);
        throw std::invalid_argument("a state memory has a state twice");
    }
    record_begin_.push_back(begin);
    return id;
}

bool StateMemory::add_sample(Id state, const History &history) {
    std::vector<std::uint32_t> words = {checked_id(history.counts.size())};
    for (const auto &[action, count] : history.counts) {
        words.push_back(action);
        words.push_back(count);
    }
    words.push_back(history.last);
    return add_history(state, words);
}

bool StateMemory::add_history(Id state, std::span<const std::uint32_t> history) {
    const std::uint64_t hash = mix(hash_range(history) + state);
    const auto [first, last] = sample_of_hash_.equal_range(hash);
    if (std::any_of(first, last, [&](const auto &each) {
            return samples_[each.second].state == state &&
                   std::ranges::equal(history_of(each.second), history);
        }))
        return false;
    const Sample sample{state, histories_.size()};
    histories_.insert(histories_.end(), history.begin(), history.end());
    make_room(samples_);
    sample_of_hash_.emplace(hash, checked_id(samples_.size()));
    samples_.push_back(sample);
    return true;
}

std::span<const std::uint32_t> StateMemory::record_of(Id state) const {
    const std::uint64_t end =
        state + 1 < record_begin_.size() ? record_begin_[state + 1] : records_.size();
    return {records_.data() + record_begin_[state], end - record_begin_[state]};
}

std::span<const std::uint32_t> StateMemory::history_of(std::size_t sample) const {
    const std::uint64_t begin = samples_[sample].history_begin;
    return {histories_.data() + begin, history_words(histories_[begin])};
}

Observation StateMemory::observation_of_state(Id state) const {
    Observation result;
    result.state = table_[state];
    Words record(record_of(state));
    for (const std::uint32_t word : record.take(record.next()))
        result.applicable.push_back(word & action_mask);
    for (const std::uint32_t word : record.take(record.next()))
        result.landmarks.emplace_back(word & action_mask,
                                      static_cast<std::uint8_t>(word >> flag_shift));
    const auto helpful = record.take(record.next());
    result.helpful.assign(helpful.begin(), helpful.end());
    return result;
}

std::vector<Id> StateMemory::good_of_state(Id state) const {
    std::vector<Id> result;
    Words record(record_of(state));
    for (const std::uint32_t word : record.take(record.next()))
        if (word >> flag_shift != 0) result.push_back(word & action_mask);
    return result;
}

Observation StateMemory::observation(std::size_t sample) const {
    Observation result = observation_of_state(samples_[sample].state);
    const std::span<const std::uint32_t> words = history_of(sample);
    for (std::size_t i = 1; i + 1 < words.size(); i += 2)
        result.history.counts.emplace_back(words[i], words[i + 1]);
    result.history.last = words.back();
    return result;
}

std::vector<std::uint32_t> StateMemory::since(std::size_t first_state,
                                              std::size_t first_sample) const {
    if (first_state > states() || first_sample > samples())
        throw std::invalid_argument("a state memory has not got as far");
    std::vector<std::uint32_t> result = {
        checked_id(first_state), checked_id(states() - first_state), checked_id(first_sample),
        checked_id(samples() - first_sample)};
    const auto put = [&result](std::span<const std::uint32_t> words) {
        result.insert(result.end(), words.begin(), words.end());
    };
    for (auto id = static_cast<Id>(first_state); id < states(); ++id) {
        const State state = table_[id];
        for (const std::uint64_t word : state.words()) {
            result.push_back(static_cast<std::uint32_t>(word));
            result.push_back(static_cast<std::uint32_t>(word >> 32U));
        }
        const std::span<const std::uint32_t> record = record_of(id);
        result.push_back(checked_id(record.size()));
        put(record);
    }
    for (std::size_t i = first_sample; i < samples(); ++i) {
        result.push_back(samples_[i].state);
        put(history_of(i));
    }
    return result;
}

void StateMemory::append(std::span<const std::uint32_t> words) {
    Words in(words);
    const std::uint32_t first_state = in.next();
    const std::uint32_t new_states = in.next();
    const std::uint32_t first_sample = in.next();
    const std::uint32_t new_samples = in.next();
    if (first_state != states() || first_sample != samples())
        throw std::invalid_argument("a state memory does not go on where this one ends");
    const std::size_t propositions = structure_->task().proposition_count();
    for (std::uint32_t i = 0; i < new_states; ++i) {
        std::vector<std::uint64_t> state;
        for (std::size_t word = 0; word < (propositions + 63) / 64; ++word) {
            const auto halves = in.take(2);
            state.push_back(halves[0] | std::uint64_t{halves[1]} << 32U);
        }
        if (propositions % 64 != 0 && state.back() >> (propositions % 64) != 0)
            throw std::invalid_argument("a state memory is of another problem");
        const std::span<const std::uint32_t> record = in.take(in.next());
        check_record(record);
        add_record(State(state), record);
    }
    for (std::uint32_t i = 0; i < new_samples; ++i) {
        const std::uint32_t state = in.next();
        const std::span<const std::uint32_t> history = in.take_history();
        if (state >= states())
            throw std::invalid_argument("a state memory has a sample without a state");
        check_history(history);
        add_history(state, history);
    }
    if (!in.at_end()) throw std::invalid_argument("a state memory goes on after its end");
}

void StateMemory::check_history(std::span<const std::uint32_t> history) const {
    const auto is_action = [this](std::uint32_t word) {
        return word < structure_->task().actions.size();
    };
    bool fits = history.back() == no_id || is_action(history.back());
    for (std::size_t place = 1; place + 1 < history.size(); place += 2)
        fits = fits && is_action(history[place]);
    if (!fits) throw std::invalid_argument("a state memory is of another problem");
}

void StateMemory::check_record(std::span<const std::uint32_t> record) const {
    Words in(record);
    for (int list = 0; list < 3; ++list)
        for (const std::uint32_t word : in.take(in.next()))
            if ((word & action_mask) >= structure_->task().actions.size())
                throw std::invalid_argument("a state memory is of another problem");
    if (!in.at_end()) throw std::invalid_argument("a state memory has a record with loose ends");
}

}  // namespace asnets
