#pragma once

#include <cstdint>
#include <vector>

#include "base/bytes.h"
#include "base/ids.h"

namespace asnets {

// A set of states that grows.
class Labels {
public:
    [[nodiscard]] bool has(Id state) const {
        return state < labels_.size() && labels_[state];
    }
    void add(Id state) {
        if (state >= labels_.size()) labels_.resize(std::size_t{state} + 1);
        labels_[state] = true;
    }
    void save(ByteWriter &out) const {
        out.put_all(std::vector<std::uint8_t>(labels_.begin(), labels_.end()));
    }
    void load(ByteReader &in) {
        std::vector<std::uint8_t> labels;
        in.get_all(labels);
        labels_.assign(labels.begin(), labels.end());
    }

private:
    std::vector<bool> labels_;
};

}  // namespace asnets
