#include "task/applicability.h"

#include <algorithm>
#include <bit>

#include "task/task.h"

namespace asnets {

Applicability::Applicability(const Task &task)
    : watched_((task.proposition_count() + 63) / 64), begin_(task.proposition_count() + 1) {
    std::vector<Id> needed(task.proposition_count());
    for (const GroundAction &action : task.actions)
        for (const Id proposition : task.positive(action.precondition)) ++needed[proposition];
    std::vector<Id> place(task.actions.size(), no_id);
    for (Id action = 0; action < task.actions.size(); ++action) {
        for (const Id proposition : task.positive(task.actions[action].precondition))
            if (place[action] == no_id || needed[proposition] < needed[place[action]])
                place[action] = proposition;
        if (place[action] == no_id)
            always_.push_back(action);
        else
            ++begin_[place[action] + 1];
    }
    for (std::size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
    waiting_.resize(begin_.back());
    std::vector<std::uint64_t> next(begin_.begin(), begin_.end() - 1);
    for (Id action = 0; action < task.actions.size(); ++action)
        if (place[action] != no_id) {
            waiting_[next[place[action]]++] = action;
            watched_[place[action] >> 6U] |= std::uint64_t{1} << (place[action] & 63U);
        }
}

void Applicability::find(const Task &task, const State &state, std::vector<Id> &result) const {
    result.clear();
    for (const Id action : always_)
        if (task.is_applicable(action, state)) result.push_back(action);
    const std::span<const std::uint64_t> words = state.words();
    for (std::size_t i = 0; i < words.size(); ++i)
        for (std::uint64_t word = words[i] & watched_[i]; word != 0; word &= word - 1) {
            const std::size_t proposition =
                i * 64 + static_cast<std::size_t>(std::countr_zero(word));
            for (std::uint64_t j = begin_[proposition]; j < begin_[proposition + 1]; ++j)
                if (task.is_applicable(waiting_[j], state)) result.push_back(waiting_[j]);
        }
    std::sort(result.begin(), result.end());
}

}  // namespace asnets
