#include "search/lrtdp.h"

#include <stdexcept>

namespace asnets {

Lrtdp::Lrtdp(std::shared_ptr<const Task> task, std::unique_ptr<Heuristic> heuristic,
             const SspOptions &options)
    : SspSolver(std::move(task), std::move(heuristic), options),
      trials_(table, options.epsilon, options.seed) {
    for (Id action = 0; action < table.task().actions.size(); ++action)
        if (table.task().actions[action].cost <= 0)
            throw std::invalid_argument("lrtdp and ssipp need positive costs, but (" +
                                        table.task().action_name(action) +
                                        ") is free; value_iteration takes such tasks");
}

}  // namespace asnets
