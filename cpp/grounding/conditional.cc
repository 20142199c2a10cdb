#include "grounding/conditional.h"

namespace asnets::grounding {

using pddl::Effect;
using pddl::Formula;

namespace {

// Adds what `effect` does to result[place], or to new entries for conditions and quantifiers
// inside.
void flatten(const Effect &effect, std::size_t place, std::vector<RelaxedEffect> &result) {
    switch (effect.kind) {
        case Effect::Kind::add: result[place].adds.push_back(effect.atom); break;
        case Effect::Kind::remove: result[place].removes.push_back(effect.atom); break;
        case Effect::Kind::conjunction:
            for (const Effect &child : effect.children) flatten(child, place, result);
            break;
        case Effect::Kind::probabilistic:
            for (std::size_t i = 0; i < effect.children.size(); ++i)
                if (effect.probabilities[i] > 0) flatten(effect.children[i], place, result);
            break;
        case Effect::Kind::when:
        case Effect::Kind::forall: {
            RelaxedEffect inner;
            inner.variables = result[place].variables;
            inner.variables.insert(inner.variables.end(), effect.variables.begin(),
                                   effect.variables.end());
            Formula both;  // the enclosing condition and this one
            both.children.push_back(result[place].condition);
            if (effect.kind == Effect::Kind::when) both.children.push_back(effect.condition);
            inner.condition = negation_normal_form(both);
            result.push_back(std::move(inner));
            flatten(effect.children[0], result.size() - 1, result);
            break;
        }
    }
}

}  // namespace

std::vector<RelaxedEffect> relax(const Effect &effect) {
    std::vector<RelaxedEffect> result(1);
    flatten(effect, 0, result);
    std::vector<RelaxedEffect> useful = {std::move(result[0])};
    for (std::size_t i = 1; i < result.size(); ++i)
        if (!result[i].adds.empty() || !result[i].removes.empty())
            useful.push_back(std::move(result[i]));
    return useful;
}

}  // namespace asnets::grounding
