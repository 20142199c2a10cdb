#include "heuristics/necessary_actions.h"

#include <algorithm>

namespace asnets {

NecessaryActions::NecessaryActions(const Task &task)
    : relaxed_(task),
      needed_by_(relaxed_.preconditions.inverted(relaxed_.fact_count())),
      reached_(relaxed_.fact_count()) {
    for (Id op = 0; op < relaxed_.operator_count(); ++op)
        all_.push_back(static_cast<std::uint32_t>(relaxed_.preconditions[op].size()));
}

void NecessaryActions::select(const State &state) {
    relaxed_.facts_of(state, state_facts_);
}

void NecessaryActions::reach(Id fact) {
    if (reached_[fact] != 0) return;
    reached_[fact] = 1;
    open_.push_back(fact);
}

bool NecessaryActions::is_necessary(Id action) {
    missing_ = all_;
    std::fill(reached_.begin(), reached_.end(), std::uint8_t{0});
    open_.clear();
    for (const Id fact : state_facts_) reach(fact);
    while (!open_.empty() && reached_[relaxed_.goal] == 0) {
        const Id fact = open_.back();
        open_.pop_back();
        for (const Id op : needed_by_[fact])
            if (--missing_[op] == 0 && relaxed_.group_action[relaxed_.group[op]] != action)
                for (const Id effect : relaxed_.effects[op]) reach(effect);
    }
    return reached_[relaxed_.goal] == 0;
}

}  // namespace asnets
