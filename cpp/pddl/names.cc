#include "pddl/names.h"

#include <algorithm>

#include "pddl/source.h"

namespace asnets::pddl {

namespace {

// Insertions, deletions, replacements and swaps of neighbours that turn one word into the other.
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::vector<std::size_t>> cost(a.size() + 1,
                                               std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i)
        for (std::size_t j = 0; j <= b.size(); ++j) {
            if (i == 0 || j == 0) {
                cost[i][j] = i + j;
                continue;
            }
            cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1,
                                   cost[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
        }
    return cost[a.size()][b.size()];
}

}  // namespace

std::string nearest(std::string_view word, const std::vector<std::string> &candidates) {
    constexpr std::size_t longest = 100;
    if (word.size() > longest) return "";
    std::size_t best = std::max<std::size_t>(1, word.size() / 3) + 1;
    std::string result;
    for (const std::string &candidate : candidates) {
        if (candidate.size() + best <= word.size() || word.size() + best <= candidate.size())
            continue;
        const std::size_t distance = edit_distance(word, candidate);
        if (distance < best) {
            best = distance;
            result = candidate;
        }
    }
    return result;
}

std::string suggestion(std::string_view word, std::string_view owner,
                       const std::vector<std::string> &candidates) {
    constexpr std::size_t most = 12;
    std::string result;
    const std::string near = nearest(word, candidates);
    if (!near.empty()) result += "; did you mean " + quote(near) + "?";
    if (candidates.empty()) return result + "; " + std::string(owner) + " has none";
    result += (near.empty() ? "; " : " ") + std::string(owner) + " has ";
    for (std::size_t i = 0; i < std::min(most, candidates.size()); ++i)
        result += (i == 0 ? "" : ", ") + candidates[i];
    if (candidates.size() > most)
        result += " and " + std::to_string(candidates.size() - most) + " more";
    return result;
}

}  // namespace asnets::pddl
