#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace asnets::pddl {

// The candidate nearest to a misspelt word by edit distance, or "" if none is near.
std::string nearest(std::string_view word, const std::vector<std::string> &candidates);

// `; did you mean "on"? <owner> has on, ontable, clear`: the end of an unknown-name message.
std::string suggestion(std::string_view word, std::string_view owner,
                       const std::vector<std::string> &candidates);

}  // namespace asnets::pddl
