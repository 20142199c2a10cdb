#include "heuristics/dominated_effects.h"

#include <algorithm>
#include <bit>
#include <unordered_map>

#include "base/hash.h"

namespace asnets {

namespace {

constexpr std::size_t most_preconditions = 5;  // their subsets are tried one by one

using Facts = std::span<const Id>;

// The operators that add one fact, by their preconditions; of equal ones the cheapest.
class Achievers {
public:
    Achievers(const RelaxedTask &relaxed, Id fact) : relaxed_(relaxed) {
        for (const Id op : relaxed.added_by[fact]) {
            const Facts needed = relaxed.preconditions[op];
            if (needed.size() > most_preconditions) continue;
            sizes_ |= 1U << needed.size();
            const auto [place, first] = by_preconditions_.emplace(hash_range(needed), op);
            if (!first && cost(op) < cost(place->second)) place->second = op;
        }
    }
    [[nodiscard]] bool dominate(Id op) const {
        const Facts needed = relaxed_.preconditions[op];
        if (needed.size() > most_preconditions) return false;
        std::vector<Id> chosen;
        for (std::uint32_t subset = 1; subset < 1U << needed.size(); ++subset) {
            if ((sizes_ >> std::popcount(subset) & 1U) == 0) continue;
            chosen.clear();
            for (std::size_t i = 0; i < needed.size(); ++i)
                if ((subset >> i & 1U) != 0) chosen.push_back(needed[i]);
            const auto found = by_preconditions_.find(hash_range(Facts(chosen)));
            if (found != by_preconditions_.end() && found->second != op &&
                cost(found->second) <= cost(op) &&
                std::ranges::equal(relaxed_.preconditions[found->second], chosen))
                return true;
        }
        return false;
    }

private:
    [[nodiscard]] RelaxedTask::Cost cost(Id op) const {
        return relaxed_.group_cost[relaxed_.group[op]];
    }

    const RelaxedTask &relaxed_;
    std::uint32_t sizes_ = 0;  // bit n: some operator needs n facts
    std::unordered_map<std::uint64_t, Id> by_preconditions_;
};

}  // namespace

std::vector<bool> dominated_effects(const RelaxedTask &relaxed) {
    std::vector<bool> result(relaxed.effects.total());
    for (Id fact = 0; fact < relaxed.fact_count(); ++fact) {
        if (relaxed.added_by[fact].size() < 2) continue;
        const Achievers achievers(relaxed, fact);
        for (const Id op : relaxed.added_by[fact]) {
            if (!achievers.dominate(op)) continue;
            const Facts effects = relaxed.effects[op];
            const auto place = std::lower_bound(effects.begin(), effects.end(), fact);
            result[relaxed.effects.begin(op) +
                   static_cast<std::uint64_t>(place - effects.begin())] = true;
        }
    }
    return result;
}

}  // namespace asnets
