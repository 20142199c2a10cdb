#include "search/value_iteration.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace asnets {

void ValueIteration::improve(Id start) {
    std::vector<Id> states;
    Labels reached;
    const auto reach = [&](Id state) {
        if (is_solved(state) || reached.has(state)) return;
        reached.add(state);
        states.push_back(state);
    };
    reach(start);
    for (std::size_t i = 0; i < states.size(); ++i)
        for (const ValueTable::Choice &choice : table.choices(states[i]))
            for (const ValueTable::Successor &each : table.successors(choice)) reach(each.state);

    double residual = std::numeric_limits<double>::infinity();
    while (residual > options_.epsilon) {
        residual = 0;
        for (std::size_t i = states.size(); i-- > 0;) {  // goals are at the far end
            const double before = table.value(states[i]);
            residual = std::max(residual, std::abs(table.update(states[i]).value - before));
        }
    }
    for (const Id state : states) solved_.add(state);
}

}  // namespace asnets
