#include "search/ssp_solver.h"

#include <algorithm>

#include "search/lrtdp.h"
#include "search/ssipp.h"
#include "search/value_iteration.h"

namespace asnets {

void SspSolver::save(ByteWriter &out) const {
    table.save(out);
    solved_.save(out);
    save_own(out);
}

void SspSolver::load(ByteReader &in) {
    ValueTable::Content content = table.read(in);
    Labels solved;
    solved.load(in);
    const std::function<void()> take_own = read_own(in, content.states.size());
    in.end();
    table.replace(std::move(content));
    solved_ = std::move(solved);
    take_own();
}

const std::map<std::string, SspSolverKind> &ssp_solvers() {
    static const std::map<std::string, SspSolverKind> table = {
        {"lrtdp",
         {true,
          [](auto task, auto heuristic, const SspOptions &options) {
              return std::make_unique<Lrtdp>(std::move(task), std::move(heuristic), options);
          }}},
        {"ssipp",
         {true,
          [](auto task, auto heuristic, const SspOptions &options) {
              return std::make_unique<Ssipp>(std::move(task), std::move(heuristic), options);
          }}},
        {"value_iteration",
         {false,
          [](auto task, auto, const SspOptions &options) {
              return std::make_unique<ValueIteration>(std::move(task), options);
          }}},
    };
    return table;
}

const char *default_ssp_solver(const Task &task) {
    const bool has_free = std::any_of(task.actions.begin(), task.actions.end(),
                                      [](const GroundAction &action) { return action.cost <= 0; });
    return has_free ? "value_iteration" : "lrtdp";
}

}  // namespace asnets
