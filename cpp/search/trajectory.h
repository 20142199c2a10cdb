#pragma once

#include <vector>

#include "task/task.h"

namespace asnets {

// An execution of a plan or policy.
struct Trajectory {
    std::vector<State> states;  // one more than there are actions
    std::vector<Id> actions;
    double cost = 0;
    bool reached_goal = false;
};

}  // namespace asnets
