#include "pddl/features.h"

#include <algorithm>

#include "pddl/names.h"

namespace asnets::pddl {

namespace {

// Every requirement's name, and the other requirements that it includes.
const std::map<std::string, std::vector<std::string>> &known_requirements() {
    static const std::map<std::string, std::vector<std::string>> known = {
        {":strips", {}},
        {":typing", {}},
        {":equality", {}},
        {":negative-preconditions", {}},
        {":disjunctive-preconditions", {}},
        {":existential-preconditions", {}},
        {":universal-preconditions", {}},
        {":quantified-preconditions", {":existential-preconditions", ":universal-preconditions"}},
        {":conditional-effects", {}},
        {":adl",
         {":typing", ":equality", ":negative-preconditions", ":disjunctive-preconditions",
          ":existential-preconditions", ":universal-preconditions", ":conditional-effects"}},
        {":ucpop",
         {":typing", ":equality", ":negative-preconditions", ":disjunctive-preconditions",
          ":existential-preconditions", ":universal-preconditions", ":conditional-effects"}},
        {":action-costs", {}},
        {":fluents", {":action-costs"}},
        {":numeric-fluents", {":action-costs"}},
        {":object-fluents", {}},
        {":derived-predicates", {}},
        {":probabilistic-effects", {}},
        {":rewards", {}},
        {":mdp", {":probabilistic-effects", ":rewards"}},
        {":durative-actions", {}},
        {":duration-inequalities", {}},
        {":continuous-effects", {}},
        {":timed-initial-literals", {}},
        {":preferences", {}},
        {":constraints", {}},
        {":non-deterministic", {}},
        {":goal-utilities", {}},
        {":domain-axioms", {":derived-predicates"}},
        {":safety-constraints", {}},
        {":open-world", {}},
        {":quantifiers", {":existential-preconditions", ":universal-preconditions"}},
    };
    return known;
}

}  // namespace

std::vector<std::string> Features::warnings(
    const Source &source, const syntax::Word &domain,
    const std::optional<std::vector<syntax::Word>> &declared) const {
    std::vector<std::string> result;
    std::set<std::string> granted;
    if (declared)
        for (const syntax::Word &word : *declared) {
            const auto known = known_requirements().find(word.text);
            if (known == known_requirements().end()) {
                std::vector<std::string> names;
                for (const auto &[name, includes] : known_requirements()) names.push_back(name);
                const std::string near = nearest(word.text, names);
                result.push_back(source.warning(
                    word.position,
                    "unknown requirement " + quote(word.text) +
                        (near.empty() ? "" : "; did you mean " + quote(near) + "?")));
                continue;
            }
            granted.insert(word.text);
            granted.insert(known->second.begin(), known->second.end());
        }
    std::string missing;
    for (const std::string &requirement : used_)
        if (!granted.contains(requirement)) missing += (missing.empty() ? "" : ", ") + requirement;
    if (!missing.empty() || !declared)
        result.push_back(source.warning(
            domain.position,
            std::string(declared ? "(:requirements ...) lacks " : "no (:requirements ...)") +
                (declared || missing.empty() ? missing : "; the domain uses " + missing) +
                (declared ? ", which the domain uses" : "")));
    return result;
}

}  // namespace asnets::pddl
