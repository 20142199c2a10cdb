#pragma once

#include <vector>

#include "search/lrtdp.h"

namespace asnets {

// Short-sighted planning (Trevizan and Veloso 2012, 2014): trials that, wherever they leave the
// last short-sighted problem, solve the next one with LRTDP and then follow it. It has the states
// up to `depth` actions away; the outermost of them count as goals that cost what they are thought
// to cost. Trials go on until the start is labelled (Labelled SSiPP).
class Ssipp : public Lrtdp {
public:
    Ssipp(std::shared_ptr<const Task> task, std::unique_ptr<Heuristic> heuristic,
          const SspOptions &options);

protected:
    void improve(Id state) override;
    void save_own(ByteWriter &out) const override;
    std::function<void()> read_own(ByteReader &in, std::size_t states) override;

private:
    struct Place {
        std::uint64_t problem = 0;  // the last short-sighted problem that had the state
        std::uint32_t depth = 0;    // in it
    };

    void look_ahead(Id state);
    void reach(Id state, std::uint32_t depth);
    [[nodiscard]] bool is_inside(Id state) const {
        return state < places_.size() && places_[state].problem == problem_ &&
               places_[state].depth < depth_;
    }

    std::uint32_t depth_;
    LabelledTrials short_sighted_;
    std::uint64_t problem_ = 0;
    std::vector<Place> places_;  // by state
    std::vector<Id> queue_;
};

}  // namespace asnets
