#pragma once

#include <cstdint>
#include <vector>

#include "base/ids.h"

namespace asnets {

class State;
class Task;

// Finds applicable actions without looking at all of them: each action waits at one proposition of
// its precondition, the one that the fewest actions need; a state's true propositions call theirs.
class Applicability {
public:
    Applicability() = default;
    explicit Applicability(const Task &task);

    void find(const Task &task, const State &state, std::vector<Id> &result) const;

private:
    std::vector<std::uint64_t> watched_;  // a bit a proposition: does an action wait there?
    std::vector<std::uint64_t> begin_;    // per proposition, in waiting_
    std::vector<Id> waiting_;
    std::vector<Id> always_;  // actions whose precondition names no changeable proposition
};

}  // namespace asnets
