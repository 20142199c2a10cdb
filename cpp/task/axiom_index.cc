#include "task/axiom_index.h"

#include <algorithm>

#include "task/task.h"

namespace asnets {

AxiomIndex::AxiomIndex(const Task &task) {
    const std::vector<pddl::Predicate> &predicates = task.problem->predicates;
    for (Id predicate = 0; predicate < predicates.size(); ++predicate)
        if (predicates[predicate].derived)
            for (Id p = task.predicate_begin[predicate]; p < task.predicate_begin[predicate + 1];
                 ++p)
                derived_.push_back(p);
    if (task.axioms.empty()) return;
    std::vector<std::pair<Id, Id>> pairs;  // proposition, axiom
    for (Id axiom = 0; axiom < task.axioms.size(); ++axiom) {
        const GroundAxiom &each = task.axioms[axiom];
        const std::uint32_t layer = predicates[task.predicate_of(each.head)].layer;
        std::vector<Id> named(task.positive(each.body).begin(), task.positive(each.body).end());
        add_positive(task, each.body.formula, named);
        for (const Id proposition : named) {
            const pddl::Predicate &predicate = predicates[task.predicate_of(proposition)];
            if (predicate.derived && predicate.layer == layer)
                pairs.emplace_back(proposition, axiom);
        }
    }
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    begin_.assign(task.proposition_count() + 1, 0);
    for (const auto &[proposition, axiom] : pairs) {
        ++begin_[proposition + 1];
        triggered_.push_back(axiom);
    }
    for (std::size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
}

void AxiomIndex::add_positive(const Task &task, Id formula, std::vector<Id> &named) const {
    if (formula == no_id) return;
    const FormulaNode &node = task.formulas[formula];
    if (node.kind == FormulaNode::Kind::positive) named.push_back(static_cast<Id>(node.begin));
    if (node.kind == FormulaNode::Kind::positive || node.kind == FormulaNode::Kind::negative)
        return;
    for (std::uint64_t i = node.begin; i < node.begin + node.count; ++i)
        add_positive(task, task.formula_children[i], named);
}

void AxiomIndex::derive(const Task &task, State &state) const {
    for (const Id proposition : derived_) state.remove(proposition);
    std::vector<Id> arrived;
    const auto fire = [&](const GroundAxiom &axiom) {
        if (state.holds(axiom.head) || !task.holds(axiom.body, state)) return;
        state.add(axiom.head);
        arrived.push_back(axiom.head);
    };
    for (std::size_t layer = 0; layer + 1 < task.axiom_layer_begin.size(); ++layer) {
        for (std::size_t i = task.axiom_layer_begin[layer]; i < task.axiom_layer_begin[layer + 1];
             ++i)
            fire(task.axioms[i]);
        while (!arrived.empty()) {
            const Id head = arrived.back();
            arrived.pop_back();
            for (std::uint64_t i = begin_[head]; i < begin_[head + 1]; ++i)
                fire(task.axioms[triggered_[i]]);
        }
    }
}

}  // namespace asnets
