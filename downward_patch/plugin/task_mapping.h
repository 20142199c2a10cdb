#ifndef ASNETS_TASK_MAPPING_H
#define ASNETS_TASK_MAPPING_H

#include "core_library.h"

#include "../global_state.h"
#include "../operator_id.h"
#include "../task_proxy.h"

#include <string>
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
    std::vector<uint32_t> constants; // are no facts and always true

    void map_operators(asnets_policy *policy, const TaskProxy &task_proxy);
    void map_facts(asnets_policy *policy, const TaskProxy &task_proxy);
public:
    TaskMapping(asnets_policy *policy, const TaskProxy &task_proxy);

    // Empty if the translator dropped the action.
    const std::vector<OperatorID> &operators_of(uint32_t action) const {
        return operators[action];
    }
    // The operators of an action that are applicable; they have the same effects.
    std::vector<OperatorID> applicable_operators(
        uint32_t action, const State &state, const TaskProxy &task_proxy) const;
    // What is true in a state, for the core.
    std::vector<uint32_t> true_propositions(const GlobalState &state) const;
    // The first difference between a state and that of the core; "" if there is none.
    std::string difference(
        const asnets_policy *policy, const GlobalState &state,
        const TaskProxy &task_proxy) const;
};
}

#endif
