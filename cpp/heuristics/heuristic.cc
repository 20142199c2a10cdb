#include "heuristics/heuristic.h"

#include "base/named.h"
#include "heuristics/incremental_lm_cut.h"
#include "heuristics/lm_cut.h"
#include "heuristics/relaxation_heuristics.h"

namespace asnets {

const std::map<std::string, HeuristicFactory> &heuristics() {
    using Combine = RelaxedExploration::Combine;
    using Pointer = std::shared_ptr<const Task>;
    static const std::map<std::string, HeuristicFactory> table = {
        {"h_add",
         [](Pointer task) {
             return std::make_unique<RelaxationHeuristic>(std::move(task), Combine::sum);
         }},
        {"h_ff", [](Pointer task) { return std::make_unique<FfHeuristic>(std::move(task)); }},
        {"h_max",
         [](Pointer task) {
             return std::make_unique<RelaxationHeuristic>(std::move(task), Combine::maximum);
         }},
        {"lm_cut", [](Pointer task) { return std::make_unique<LmCut>(std::move(task)); }},
        {"lm_cut_incremental",
         [](Pointer task) { return std::make_unique<IncrementalLmCut>(std::move(task)); }},
    };
    return table;
}

std::unique_ptr<Heuristic> make_heuristic(const std::string &name,
                                          std::shared_ptr<const Task> task) {
    return named(heuristics(), "heuristic", name)(std::move(task));
}

}  // namespace asnets
