#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "pddl/source.h"
#include "pddl/syntax.h"

namespace asnets::pddl {

// Which requirements a domain uses, to be compared with those it declares. Differences are worth a
// warning only: planners read what is there.
class Features {
public:
    void use(const std::string &requirement) {
        used_.insert(requirement);
    }

    [[nodiscard]] std::vector<std::string> warnings(
        const Source &source, const syntax::Word &domain,
        const std::optional<std::vector<syntax::Word>> &declared) const;

private:
    std::set<std::string> used_;
};

}  // namespace asnets::pddl
