#include "task_mapping.h"

#include "../task_utils/task_properties.h"

#include <unordered_map>

using namespace std;

namespace asnets_plugin {
// "on(a, b)" as "on a b".
static string plain_name(const string &atom) {
    string result;
    for (char c : atom) {
        if (c == '(')
            result += ' ';
        else if (c != ')' && c != ',')
            result += c;
    }
    while (!result.empty() && result.back() == ' ')
        result.pop_back();
    return result;
}

TaskMapping::TaskMapping(asnets_policy *policy, const TaskProxy &task_proxy)
    : operators(core().action_count(policy)) {
    map_operators(policy, task_proxy);
    map_facts(policy, task_proxy);
}

void TaskMapping::map_operators(asnets_policy *policy, const TaskProxy &task_proxy) {
    unordered_map<string, uint32_t> actions;
    for (uint32_t i = 0; i < core().action_count(policy); ++i)
        actions[core().action_name(policy, i)] = i;
    for (OperatorProxy op : task_proxy.get_operators()) {
        string name = op.get_name();
        while (!name.empty() && name.back() == ' ')
            name.pop_back();
        auto found = actions.find(name);
        if (found != actions.end())
            operators[found->second].push_back(OperatorID(op.get_id()));
    }
}

void TaskMapping::map_facts(asnets_policy *policy, const TaskProxy &task_proxy) {
    const string atom = "Atom ";
    const string negated = "NegatedAtom ";
    unordered_map<string, uint32_t> propositions;
    for (uint32_t i = 0; i < core().proposition_count(policy); ++i)
        propositions[core().proposition_name(policy, i)] = i;
    vector<bool> is_fact(propositions.size());
    for (VariableProxy variable : task_proxy.get_variables())
        for (int value = 0; value < variable.get_domain_size(); ++value) {
            FactProxy fact = variable.get_fact(value);
            string name = fact.get_name();
            bool is_negated = name.compare(0, negated.size(), negated) == 0;
            if (!is_negated && name.compare(0, atom.size(), atom) != 0)
                continue;
            auto found = propositions.find(
                plain_name(name.substr(is_negated ? negated.size() : atom.size())));
            if (found == propositions.end())
                continue;
            literals.push_back({fact.get_pair(), found->second, is_negated});
            is_fact[found->second] = true;
        }
    for (uint32_t i = 0; i < is_fact.size(); ++i)
        if (!is_fact[i] && core().holds_initially(policy, i))
            constants.push_back(i);
}

vector<OperatorID> TaskMapping::applicable_operators(
    uint32_t action, const State &state, const TaskProxy &task_proxy) const {
    vector<OperatorID> result;
    for (OperatorID id : operators[action])
        if (task_properties::is_applicable(task_proxy.get_operators()[id], state))
            result.push_back(id);
    return result;
}

vector<uint32_t> TaskMapping::true_propositions(const GlobalState &state) const {
    vector<uint32_t> result = constants;
    for (const Literal &literal : literals)
        if (!literal.is_negated && state[literal.fact.var] == literal.fact.value)
            result.push_back(literal.proposition);
    return result;
}

string TaskMapping::difference(
    const asnets_policy *policy, const GlobalState &state,
    const TaskProxy &task_proxy) const {
    for (const Literal &literal : literals) {
        bool here = state[literal.fact.var] == literal.fact.value;
        bool there = (core().holds(policy, literal.proposition) != 0) != literal.is_negated;
        // A negated atom may be true where its variable has yet another value.
        if (here != there && !(literal.is_negated && !here)) {
            string name = task_proxy.get_variables()[literal.fact.var]
                .get_fact(literal.fact.value).get_name();
            return name + " is " + (here ? "true" : "false") + " here and " +
                   (there ? "true" : "false") + " in the core";
        }
    }
    return "";
}
}
