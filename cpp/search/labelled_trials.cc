#include "search/labelled_trials.h"

#include <cmath>

#include "base/draw.h"

namespace asnets {

void LabelledTrials::solve(Id start, Labels &solved, const IsFringe &is_fringe,
                           const Arrive &arrive) {
    solved_ = &solved;
    is_fringe_ = &is_fringe;
    arrive_ = &arrive;
    while (!is_settled(start)) trial(start);
}

void LabelledTrials::trial(Id start) {
    visited_.clear();
    for (Id state = start; !is_settled(state);) {
        if (*arrive_) (*arrive_)(state);
        visited_.push_back(state);
        const ValueTable::Best best = table_.update(state);
        if (best.choice == nullptr) {
            solved_->add(state);
            break;
        }
        state = sample(*best.choice);
    }
    while (!visited_.empty()) {
        const Id state = visited_.back();
        visited_.pop_back();
        if (!check_solved(state)) break;
    }
}

// Labels the greedy graph below a state if all of it has converged; else updates it.
bool LabelledTrials::check_solved(Id start) {
    bool converged = true;
    ++checks_;
    open_.clear();
    closed_.clear();
    const auto visit = [this](Id state) {
        if (seen_.size() < table_.size()) seen_.resize(table_.size());
        if (seen_[state] == checks_ || is_settled(state)) return;
        seen_[state] = checks_;
        open_.push_back(state);
    };
    visit(start);
    while (!open_.empty()) {
        const Id state = open_.back();
        open_.pop_back();
        closed_.push_back(state);
        const double value = table_.value(state);
        const ValueTable::Best best = table_.best(state);
        if (std::abs(best.value - value) > epsilon_)
            converged = false;
        else if (best.choice != nullptr)
            for (const ValueTable::Successor &each : table_.successors(*best.choice))
                visit(each.state);
    }
    for (; !closed_.empty(); closed_.pop_back())
        if (converged)
            solved_->add(closed_.back());
        else
            table_.update(closed_.back());
    return converged;
}

Id LabelledTrials::sample(const ValueTable::Choice &choice) {
    return draw(table_.successors(choice), &ValueTable::Successor::probability, rng.uniform())
        .state;
}

}  // namespace asnets
