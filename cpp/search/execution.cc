#include "search/execution.h"

namespace asnets {

Trajectory execute(SspSolver &solver, const State &start, std::size_t most_steps, Rng &rng,
                   Budget &planning, Interrupt::Poll poll) {
    ValueTable &table = solver.table;
    const Task &task = table.task();
    Budget acting({}, poll);
    bool can_plan = true;
    Trajectory result;
    result.states.push_back(start);
    while (true) {
        const Id state = table.insert(result.states.back());
        result.reached_goal = table.is_goal(state);
        if (result.reached_goal || result.actions.size() == most_steps) break;
        if (can_plan && !solver.is_solved(state)) {
            const Status status = solver.solve(state, planning);
            if (status == Status::interrupted) throw Interrupted();
            can_plan = status == Status::solved;
        }
        table.use(acting);
        const ValueTable::Best best = table.best(state);
        if (best.choice == nullptr) break;
        const Id action = best.choice->action;
        result.actions.push_back(action);
        result.cost += task.actions[action].cost;
        result.states.push_back(task.sample(result.states.back(), action, rng.uniform()));
    }
    return result;
}

}  // namespace asnets
