#include "task_mapping.h"

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
    : operators(asnets_action_count(policy)) {
    unordered_map<string, uint32_t> actions;
    for (uint32_t i = 0; i < asnets_action_count(policy); ++i)
        actions[asnets_action_name(policy, i)] = i;
    for (OperatorProxy op : task_proxy.get_operators()) {
        string name = op.get_name();
        while (!name.empty() && name.back() == ' ')
            name.pop_back();
        auto found = actions.find(name);
        if (found != actions.end())
            operators[found->second].push_back(OperatorID(op.get_id()));
    }
    unordered_map<string, uint32_t> propositions;
    for (uint32_t i = 0; i < asnets_proposition_count(policy); ++i)
        propositions[asnets_proposition_name(policy, i)] = i;
    for (VariableProxy variable : task_proxy.get_variables())
        for (int value = 0; value < variable.get_domain_size(); ++value) {
            FactProxy fact = variable.get_fact(value);
            add_literal(propositions, fact.get_name(), fact.get_pair());
        }
}

void TaskMapping::add_literal(
    const unordered_map<string, uint32_t> &propositions,
    const string &name, const FactPair &fact) {
    const string atom = "Atom ";
    const string negated = "NegatedAtom ";
    bool is_negated = name.compare(0, negated.size(), negated) == 0;
    if (!is_negated && name.compare(0, atom.size(), atom) != 0)
        return;
    auto found = propositions.find(
        plain_name(name.substr(is_negated ? negated.size() : atom.size())));
    if (found != propositions.end())
        literals.push_back({fact, found->second, is_negated});
}

string TaskMapping::difference(
    const asnets_policy *policy, const GlobalState &state,
    const TaskProxy &task_proxy) const {
    for (const Literal &literal : literals) {
        bool here = state[literal.fact.var] == literal.fact.value;
        bool there = (asnets_holds(policy, literal.proposition) != 0) != literal.is_negated;
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

vector<uint32_t> TaskMapping::true_propositions(const State &state) const {
    vector<uint32_t> result;
    for (const Literal &literal : literals)
        if (!literal.is_negated && state[literal.fact.var].get_value() == literal.fact.value)
            result.push_back(literal.proposition);
    return result;
}
}
