#include "heuristics/necessary_actions.h"

#include <algorithm>

namespace asnets {

NecessaryActions::NecessaryActions(const Task &task)
    : relaxed_(task),
      needed_by_(relaxed_.preconditions.inverted(relaxed_.fact_count())),
      reached_(relaxed_.fact_count()),
      achiever_(relaxed_.fact_count(), no_id),
      in_doubt_(task.actions.size()) {
    for (Id op = 0; op < relaxed_.operator_count(); ++op)
        all_.push_back(static_cast<std::uint32_t>(relaxed_.preconditions[op].size()));
}

std::vector<Id> NecessaryActions::among(const State &state, const std::vector<Id> &actions) {
    if (actions.empty()) return {};
    relaxed_.facts_of(state, state_facts_);
    doubt(actions);
    if (!reaches_goal_without(no_id)) return actions;
    doubt(used_in_plan());
    std::vector<Id> result;
    for (const Id action : actions) {
        if (!in_doubt_[action]) continue;
        if (reaches_goal_without(action)) {
            doubt(used_in_plan());
        } else {
            in_doubt_[action] = false;
            result.push_back(action);
        }
    }
    return result;
}

bool NecessaryActions::reaches_goal_without(Id action) {
    missing_ = all_;
    std::fill(reached_.begin(), reached_.end(), std::uint8_t{0});
    open_.clear();
    waiting_.clear();
    for (const Id fact : state_facts_) reach(fact, no_id);
    while (reached_[relaxed_.goal] == 0) {
        if (!open_.empty()) {
            const Id fact = open_.back();
            open_.pop_back();
            for (const Id op : needed_by_[fact]) {
                if (--missing_[op] > 0) continue;
                const Id owner = relaxed_.group_action[relaxed_.group[op]];
                if (owner == no_id || !in_doubt_[owner])
                    apply(op);
                else if (owner != action)
                    waiting_.push_back(op);
            }
        } else if (!waiting_.empty()) {
            const Id op = waiting_.back();
            waiting_.pop_back();
            apply(op);
        } else {
            return false;
        }
    }
    return true;
}

void NecessaryActions::apply(Id op) {
    for (const Id effect : relaxed_.effects[op]) reach(effect, op);
}

void NecessaryActions::reach(Id fact, Id achiever) {
    if (reached_[fact] != 0) return;
    reached_[fact] = 1;
    achiever_[fact] = achiever;
    open_.push_back(fact);
}

const std::vector<Id> &NecessaryActions::used_in_plan() {
    used_.clear();
    open_ = {relaxed_.goal};
    while (!open_.empty()) {
        const Id op = achiever_[open_.back()];
        open_.pop_back();
        if (op == no_id) continue;
        const Id owner = relaxed_.group_action[relaxed_.group[op]];
        if (owner != no_id && in_doubt_[owner]) used_.push_back(owner);
        for (const Id fact : relaxed_.preconditions[op]) {
            if (reached_[fact] == 0) continue;  // that was here
            reached_[fact] = 0;
            open_.push_back(fact);
        }
    }
    return used_;
}

void NecessaryActions::doubt(const std::vector<Id> &actions) {
    in_doubt_.assign(in_doubt_.size(), false);
    for (const Id action : actions) in_doubt_[action] = true;
}

}  // namespace asnets
