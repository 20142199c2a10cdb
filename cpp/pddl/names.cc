#include "pddl/names.h"

#include <algorithm>
#include <numeric>

#include "pddl/source.h"

namespace asnets::pddl {

namespace {

std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t above = row[j];
            row[j] =
                std::min({row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1] ? 1 : 0)});
            diagonal = above;
        }
    }
    return row[b.size()];
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
