#pragma once

#include <memory>

#include "heuristics/lm_cut.h"

namespace asnets {

// Incremental LM-cut (Pommerening and Helmert 2013): a successor keeps those landmarks of its
// parent that do not have the executed action, and only the others are looked for. Admissible; a
// successor's value depends on the parent it is reached from.
class IncrementalLmCut : public LmCut {
public:
    using LmCut::LmCut;

    [[nodiscard]] bool is_incremental() const override {
        return true;
    }
    void expand(const State &parent) override;
    // The landmarks afterwards are those kept and then the new ones. Without a parent:
    // value(state).
    double successor_value(const State &state, Id action) override;

private:
    Landmarks parent_;
};

}  // namespace asnets
