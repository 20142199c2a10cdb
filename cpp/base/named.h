#pragma once

#include <map>
#include <stdexcept>
#include <string>

namespace asnets {

// The entry of a table that a user names. Throws std::invalid_argument that names the known ones;
// `kind` says what they are.
template <typename Entry>
const Entry &named(const std::map<std::string, Entry> &table, const std::string &kind,
                   const std::string &name) {
    const auto found = table.find(name);
    if (found != table.end()) return found->second;
    std::string known;
    for (const auto &[each, entry] : table) known += (known.empty() ? "" : ", ") + each;
    throw std::invalid_argument("unknown " + kind + " \"" + name + "\"; known are " + known);
}

}  // namespace asnets
