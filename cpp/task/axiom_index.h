#pragma once

#include <cstdint>
#include <vector>

#include "base/ids.h"

namespace asnets {

class State;
class Task;

// Computes derived propositions: layer by layer, each axiom once at first and then again whenever a
// proposition of its own layer that its body names has become true.
class AxiomIndex {
public:
    AxiomIndex() = default;
    explicit AxiomIndex(const Task &task);

    // Makes the derived propositions what the axioms say. About linear in the size of the axioms.
    void derive(const Task &task, State &state) const;

private:
    void add_positive(const Task &task, Id formula, std::vector<Id> &named) const;

    std::vector<Id> derived_;           // all derived propositions
    std::vector<std::uint64_t> begin_;  // per proposition, in triggered_
    std::vector<Id> triggered_;         // axioms
};

}  // namespace asnets
