#ifndef ASNETS_TASK_MAPPING_H
#define ASNETS_TASK_MAPPING_H

#include "plain/asnets_plain.h"

#include "../global_state.h"
#include "../operator_id.h"
#include "../task_proxy.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace asnets_plugin {
/*
  Which operators and facts of the translated task are which actions and
  propositions of the core, by name. The translator drops actions without effect
  and facts that never change, and may make several operators of one action.
*/
class TaskMapping {
    // A fact "Atom p" or "NegatedAtom p" of a proposition p.
    struct Literal {
        FactPair fact;
        uint32_t proposition;
        bool is_negated;
    };

    std::vector<std::vector<OperatorID>> operators; // by action
    std::vector<Literal> literals;

    void add_literal(
        const std::unordered_map<std::string, uint32_t> &propositions,
        const std::string &name, const FactPair &fact);
public:
    TaskMapping(asnets_policy *policy, const TaskProxy &task_proxy);

    // Empty if the translator dropped the action.
    const std::vector<OperatorID> &operators_of(uint32_t action) const {
        return operators[action];
    }
    // The first difference between a state and that of the core; "" if there is none.
    std::string difference(
        const asnets_policy *policy, const GlobalState &state,
        const TaskProxy &task_proxy) const;
    // Propositions that are true in a state, those that never change left out.
    std::vector<uint32_t> true_propositions(const State &state) const;
};
}

#endif
