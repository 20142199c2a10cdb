#pragma once

#include <functional>
#include <vector>

#include "base/random.h"
#include "search/labels.h"
#include "search/limits.h"
#include "search/value_table.h"

namespace asnets {

// The two halves of LRTDP (Bonet and Geffner 2003): greedy trials that update what they pass, and
// labels for states whose greedy graph has converged.
class LabelledTrials {
public:
    // Trials end at these states as if they were goals, with the value they have.
    using IsFringe = std::function<bool(Id)>;
    // Called before a trial chooses in a state.
    using Arrive = std::function<void(Id)>;

    LabelledTrials(ValueTable &table, double epsilon, std::uint64_t seed)
        : rng(seed), table_(table), epsilon_(epsilon) {
    }

    // Runs trials until the state is labelled.
    void solve(Id start, Labels &solved, const IsFringe &is_fringe = {}, const Arrive &arrive = {});

    // The random numbers to come: all that later trials depend on besides the table.
    Rng rng;

private:
    void trial(Id start);
    bool check_solved(Id start);
    [[nodiscard]] bool is_settled(Id state) const {
        return table_.is_goal(state) || solved_->has(state) ||
               (*is_fringe_ && (*is_fringe_)(state));
    }
    Id sample(const ValueTable::Choice &choice);

    ValueTable &table_;
    double epsilon_;
    Labels *solved_ = nullptr;
    const IsFringe *is_fringe_ = nullptr;
    const Arrive *arrive_ = nullptr;
    std::vector<Id> visited_;
    std::vector<Id> open_;
    std::vector<Id> closed_;
    std::vector<std::uint64_t> seen_;  // by state: the last check that came by
    std::uint64_t checks_ = 0;
};

}  // namespace asnets
