#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/ids.h"

namespace asnets {

class State;
class Task;

// Finds applicable actions without looking at all of them: each action waits at one proposition of
// its precondition, the one that the fewest actions need; a state's true propositions call theirs.
// Those that wait at one place form a tree of tests, so that what many need is looked at once.
class Applicability {
public:
    Applicability() = default;
    explicit Applicability(const Task &task);

    // The applicable actions, ascending, replacing what `result` held.
    void find(const Task &task, const State &state, std::vector<Id> &result) const;

private:
    // A test, followed by what it guards, or an action.
    struct Node {
        Id id = no_id;    // the proposition, or the action
        Id next = no_id;  // where to go on if the test fails; no_id: it is an action
    };

    class Builder;

    std::vector<std::uint64_t> watched_;  // a bit a proposition: does an action wait there?
    std::vector<Id> begin_;               // per proposition, in nodes_
    std::vector<Node> nodes_;
    std::vector<Id> always_;  // actions whose precondition names no changeable proposition
};

}  // namespace asnets
