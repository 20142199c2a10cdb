#include "search/teacher.h"

#include <stdexcept>

#include "search/plan_teacher.h"
#include "search/value_teacher.h"

namespace asnets {

namespace {

TeacherFactory plan_teacher(Order order, const HeuristicFactory &heuristic) {
    return [order, heuristic](std::shared_ptr<const Task> task, const TeacherOptions &options) {
        return std::make_unique<PlanTeacher>(task, order, heuristic(task), options);
    };
}

// Without a heuristic for a solver that needs none.
TeacherFactory value_teacher(const SspSolverKind &solver, const HeuristicFactory &heuristic) {
    return [&solver, heuristic](std::shared_ptr<const Task> task, const TeacherOptions &options) {
        SspOptions ssp;
        ssp.epsilon = options.epsilon;
        ssp.penalty = options.penalty;
        return std::make_unique<ValueTeacher>(
            solver.make(task, heuristic ? heuristic(task) : nullptr, ssp), options);
    };
}

}  // namespace

const std::map<std::string, TeacherFactory> &teachers() {
    static const std::map<std::string, TeacherFactory> table = [] {
        std::map<std::string, TeacherFactory> result;
        for (const auto &[heuristic, factory] : heuristics())
            for (const auto &[name, order] : best_first_orders())
                result[name + ":" + heuristic] = plan_teacher(order, factory);
        for (const auto &[name, solver] : ssp_solvers())
            if (!solver.needs_heuristic)
                result[name] = value_teacher(solver, {});
            else
                for (const auto &[heuristic, factory] : heuristics())
                    result[name + ":" + heuristic] = value_teacher(solver, factory);
        return result;
    }();
    return table;
}

const char *default_teacher(const Task &task) {
    if (task.is_deterministic()) return "astar:h_add";
    return default_ssp_solver(task) == std::string("lrtdp") ? "lrtdp:h_add" : "value_iteration";
}

std::unique_ptr<Teacher> make_teacher(const std::string &name, std::shared_ptr<const Task> task,
                                      const TeacherOptions &options) {
    const auto found = teachers().find(name);
    if (found != teachers().end()) return found->second(std::move(task), options);
    std::string message = "unknown teacher \"" + name + "\"; there are";
    for (const auto &[known, factory] : teachers()) message += " " + known;
    throw std::invalid_argument(message);
}

}  // namespace asnets
