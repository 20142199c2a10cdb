#include "search/ssipp.h"

namespace asnets {

Ssipp::Ssipp(std::shared_ptr<const Task> task, std::unique_ptr<Heuristic> heuristic,
             const SspOptions &options)
    : Lrtdp(std::move(task), std::move(heuristic), options),
      depth_(options.depth),
      short_sighted_(table, options.epsilon, options.seed) {
}

void Ssipp::improve(Id state) {
    trials_.solve(state, solved_, {}, [this](Id each) {
        if (!is_inside(each)) look_ahead(each);
    });
}

// Makes and solves the short-sighted problem of a state.
void Ssipp::look_ahead(Id state) {
    ++problem_;
    queue_.clear();
    reach(state, 0);
    for (std::size_t i = 0; i < queue_.size(); ++i) {
        const std::uint32_t depth = places_[queue_[i]].depth;
        if (depth == depth_) break;
        for (const ValueTable::Choice &choice : table.choices(queue_[i]))
            for (const ValueTable::Successor &each : table.successors(choice))
                reach(each.state, depth + 1);
    }
    // What is solved for good must not change any more: a tie could tip to a choice that is not.
    Labels solved;
    short_sighted_.solve(state, solved,
                         [this](Id each) { return !is_inside(each) || solved_.has(each); });
}

void Ssipp::reach(Id state, std::uint32_t depth) {
    if (places_.size() < table.size()) places_.resize(table.size());
    if (places_[state].problem == problem_) return;
    places_[state] = {problem_, depth};
    queue_.push_back(state);
}

}  // namespace asnets
