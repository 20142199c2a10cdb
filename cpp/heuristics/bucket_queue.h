#pragma once

#include <cstdint>
#include <queue>
#include <utility>
#include <vector>

#include "base/ids.h"

namespace asnets {

// A priority queue for a Dijkstra search with integer costs: an array of buckets, and a heap for
// what is too far away for one. Costs never fall below the last one popped, except on an empty
// queue.
class BucketQueue {
public:
    using Cost = std::int32_t;

    void push(Cost cost, Id value) {
        if (cost >= bucket_limit) {
            heap_.emplace(cost, value);
            return;
        }
        const auto bucket = static_cast<std::size_t>(cost);
        if (bucket >= buckets_.size()) buckets_.resize(bucket + 1);
        buckets_[bucket].push_back(value);
        if (in_buckets_++ == 0 || bucket < current_) current_ = bucket;
    }
    void clear() {
        for (; in_buckets_ > 0; ++current_) {
            in_buckets_ -= buckets_[current_].size();
            buckets_[current_].clear();
        }
        if (!heap_.empty()) heap_ = {};
    }
    [[nodiscard]] bool empty() const {
        return in_buckets_ == 0 && heap_.empty();
    }
    std::pair<Cost, Id> pop() {
        if (in_buckets_ == 0) {
            const std::pair<Cost, Id> top = heap_.top();
            heap_.pop();
            return top;
        }
        while (buckets_[current_].empty()) ++current_;
        const Id value = buckets_[current_].back();
        buckets_[current_].pop_back();
        --in_buckets_;
        return {static_cast<Cost>(current_), value};
    }

private:
    static constexpr Cost bucket_limit = 1 << 14;

    std::vector<std::vector<Id>> buckets_;
    std::size_t current_ = 0;
    std::size_t in_buckets_ = 0;
    std::priority_queue<std::pair<Cost, Id>, std::vector<std::pair<Cost, Id>>, std::greater<>>
        heap_;
};

}  // namespace asnets
