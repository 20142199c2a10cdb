#pragma once

#include <map>
#include <utility>
#include <vector>

#include "base/ids.h"

namespace asnets {

// States by priority, lowest first; of equal ones the latest. The second number breaks ties of the
// first.
class OpenList {
public:
    using Priority = std::pair<double, double>;

    void push(Priority priority, Id state) {
        buckets_[priority].push_back(state);
    }
    [[nodiscard]] bool empty() const {
        return buckets_.empty();
    }
    std::pair<Priority, Id> pop() {
        const auto first = buckets_.begin();
        const std::pair<Priority, Id> result(first->first, first->second.back());
        first->second.pop_back();
        if (first->second.empty()) buckets_.erase(first);
        return result;
    }

private:
    std::map<Priority, std::vector<Id>> buckets_;
};

}  // namespace asnets
