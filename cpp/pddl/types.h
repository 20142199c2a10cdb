#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "base/ids.h"
#include "pddl/source.h"
#include "pddl/syntax.h"

namespace asnets::pddl {

// The type hierarchy of a domain; type 0 is `object`, above all others.
class TypeTable {
public:
    TypeTable(const Source &source, const syntax::TypedList &declared);

    [[nodiscard]] const std::vector<std::string> &names() const {
        return names_;
    }
    // The ids of type names in `source`; no names mean `object`. Throws PddlError if one is
    // unknown.
    [[nodiscard]] std::vector<Id> resolve(const Source &source,
                                          const std::vector<syntax::Word> &names) const;
    // Is every thing of type `lower` also of type `upper`?
    [[nodiscard]] bool is_below(Id lower, Id upper) const {
        return above_[lower][upper];
    }
    // Is some of the `lower` types below one of the `upper` types?
    [[nodiscard]] bool fits(const std::vector<Id> &lower, const std::vector<Id> &upper) const;
    // Could one thing be of a type of both lists?
    [[nodiscard]] bool overlaps(const std::vector<Id> &a, const std::vector<Id> &b) const;
    // `block` or `(either block hand)`
    [[nodiscard]] std::string describe(const std::vector<Id> &types) const;

private:
    Id declare(const std::string &name);

    std::vector<std::string> names_;
    std::unordered_map<std::string, Id> ids_;
    std::vector<std::vector<bool>> above_;
};

}  // namespace asnets::pddl
