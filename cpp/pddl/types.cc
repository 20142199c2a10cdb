#include "pddl/types.h"

#include <algorithm>

#include "pddl/names.h"

namespace asnets::pddl {

TypeTable::TypeTable(const Source &source, const syntax::TypedList &declared) {
    declare("object");
    std::vector<std::vector<Id>> parents(1);
    const auto add = [&](const std::string &name) {
        const Id id = declare(name);
        parents.resize(names_.size());
        return id;
    };
    for (const syntax::TypedName &type : declared) add(type.name.text);
    for (const syntax::TypedName &type : declared)
        for (const syntax::Word &parent : type.types) {
            const Id child = ids_.at(type.name.text);
            const Id upper = add(parent.text);  // a type may be declared by its use as a parent
            if (child != 0) parents[child].push_back(upper);
        }
    above_.assign(names_.size(), std::vector<bool>(names_.size(), false));
    for (Id type = 0; type < names_.size(); ++type) {
        std::vector<Id> open = {type};
        above_[type][type] = above_[type][0] = true;
        while (!open.empty()) {
            const Id current = open.back();
            open.pop_back();
            for (const Id parent : parents[current]) {
                if (parent == type && !(current == type)) {
                    for (const syntax::TypedName &each : declared)
                        if (each.name.text == names_[type])
                            throw source.error(each.name.position, "type " + quote(names_[type]) +
                                                                       " is its own ancestor");
                }
                if (!above_[type][parent]) {
                    above_[type][parent] = true;
                    open.push_back(parent);
                }
            }
        }
    }
}

Id TypeTable::declare(const std::string &name) {
    const auto [entry, is_new] = ids_.try_emplace(name, checked_id(names_.size()));
    if (is_new) names_.push_back(name);
    return entry->second;
}

std::vector<Id> TypeTable::resolve(const Source &source,
                                   const std::vector<syntax::Word> &names) const {
    std::vector<Id> result;
    for (const syntax::Word &name : names) {
        const auto found = ids_.find(name.text);
        if (found == ids_.end())
            throw source.error(name.position, "unknown type " + quote(name.text) +
                                                  suggestion(name.text, "the domain", names_));
        result.push_back(found->second);
    }
    if (result.empty()) result.push_back(0);
    return result;
}

bool TypeTable::fits(const std::vector<Id> &lower, const std::vector<Id> &upper) const {
    return std::any_of(lower.begin(), lower.end(), [&](Id a) {
        return std::any_of(upper.begin(), upper.end(), [&](Id b) { return is_below(a, b); });
    });
}

bool TypeTable::overlaps(const std::vector<Id> &a, const std::vector<Id> &b) const {
    for (Id type = 0; type < names_.size(); ++type)
        if (fits({type}, a) && fits({type}, b)) return true;
    return false;
}

std::string TypeTable::describe(const std::vector<Id> &types) const {
    if (types.size() == 1) return names_[types[0]];
    std::string result = "(either";
    for (const Id type : types) result += " " + names_[type];
    return result + ")";
}

}  // namespace asnets::pddl
