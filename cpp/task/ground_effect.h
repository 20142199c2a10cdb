#pragma once

#include <memory>
#include <vector>

#include "grounding/reachability.h"
#include "pddl/problem.h"
#include "task/ground_formula.h"
#include "task/task.h"

namespace asnets {

// Turns a schema's effect into outcomes. Independent probabilistic parts are multiplied out, so
// that an outcome is one deterministic (possibly conditional) effect; equal outcomes are merged.
class EffectGrounder {
public:
    EffectGrounder(const pddl::Problem &problem, const pddl::Schema &schema,
                   const grounding::Variables &variables, const Ground &ground);

    // Appends the outcomes of the action with these parameters to the task.
    void store(grounding::Binding &binding, GroundAction &action, Task &task);

private:
    static constexpr Id unconditional = no_id;

    struct Item {  // one literal of an outcome
        Id condition = unconditional;
        Id proposition = no_id;
        bool add = true;

        auto operator<=>(const Item &) const = default;
    };
    struct Branch {
        double probability = 1;
        std::vector<Item> items;
    };

    void store_simple(const grounding::Binding &binding, Task &task) const;
    [[nodiscard]] std::vector<Branch> expand(const pddl::Effect &effect,
                                             grounding::Binding &binding, Id condition);
    void expand_forall(const pddl::Effect &effect, std::size_t depth, grounding::Binding &binding,
                       Id condition, std::vector<Branch> &result);
    void multiply(std::vector<Branch> &left, std::vector<Branch> &&right) const;
    void store_branch(const Branch &branch, Task &task) const;

    const pddl::Problem &problem_;
    const pddl::Schema &schema_;
    const grounding::Variables &variables_;
    const Ground &ground_;
    pddl::Effect effect_;           // the schema's, conditions in negation normal form
    bool simple_ = true;            // a conjunction of literals
    std::vector<pddl::Atom> adds_;  // of a simple effect
    std::vector<pddl::Atom> removes_;
    std::vector<GroundFormula> conditions_;  // of the action at hand, by number
};

}  // namespace asnets
