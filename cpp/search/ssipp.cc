#include "search/ssipp.h"

#include <algorithm>
#include <stdexcept>

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

// The last short-sighted problem is followed on; which number it has does not matter.
void Ssipp::save_own(ByteWriter &out) const {
    std::vector<Id> members;
    std::vector<std::uint32_t> depths;
    for (Id state = 0; state < places_.size(); ++state)
        if (places_[state].problem == problem_) {
            members.push_back(state);
            depths.push_back(places_[state].depth);
        }
    out.put_all(members);
    out.put_all(depths);
    out.put(short_sighted_.rng);
    Lrtdp::save_own(out);
}

std::function<void()> Ssipp::read_own(ByteReader &in, std::size_t states) {
    std::vector<Id> members;
    std::vector<std::uint32_t> depths;
    in.get_all(members);
    in.get_all(depths);
    if (members.size() != depths.size() ||
        std::any_of(members.begin(), members.end(), [&](Id each) { return each >= states; }))
        throw std::runtime_error("the data have a short-sighted problem that cannot be");
    std::vector<Place> places(states);
    for (std::size_t i = 0; i < members.size(); ++i) places[members[i]] = {1, depths[i]};
    Rng rng = short_sighted_.rng;
    in.get(rng);
    return
        [this, places = std::move(places), rng, take_more = Lrtdp::read_own(in, states)]() mutable {
            places_.swap(places);
            problem_ = 1;
            short_sighted_.rng = rng;
            take_more();
        };
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
