#include "search/teacher.h"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string_view>

#include "base/named.h"
#include "search/plan_teacher.h"
#include "search/value_teacher.h"

namespace asnets {

namespace {

constexpr const char *file_tag = "asnets teacher 3";

// What a task's answers depend on; tasks of the same files agree.
std::uint64_t fingerprint(const Task &task) {
    std::vector<std::uint64_t> parts = {task.proposition_count(),
                                        task.actions.size(),
                                        task.axioms.size(),
                                        task.goal.begin,
                                        task.goal.positive_count,
                                        task.goal.negative_count,
                                        task.goal.formula,
                                        hash_range(std::span<const Id>(task.literals)),
                                        hash_range(std::span<const Id>(task.formula_children))};
    for (const GroundAction &action : task.actions)
        parts.insert(parts.end(), {action.precondition.begin, action.outcome_begin,
                                   std::bit_cast<std::uint64_t>(action.cost)});
    for (const Outcome &outcome : task.outcomes)
        parts.insert(parts.end(),
                     {outcome.change.begin, std::bit_cast<std::uint64_t>(outcome.probability)});
    for (const ConditionalChange &each : task.conditional_changes)
        parts.insert(parts.end(), {each.condition.begin, each.change.begin});
    for (const FormulaNode &node : task.formulas)
        parts.insert(parts.end(), {static_cast<std::uint64_t>(node.kind), node.count, node.begin});
    for (const auto &[state, probability] : task.initial_states) parts.push_back(state.hash());
    return hash_range(std::span<const std::uint64_t>(parts));
}

TeacherFactory plan_teacher(const std::string &name, Order order,
                            const HeuristicFactory &heuristic) {
    return
        [name, order, heuristic](std::shared_ptr<const Task> task, const TeacherOptions &options) {
            return std::make_unique<PlanTeacher>(name, task, order, heuristic(task), options);
        };
}

// Without a heuristic for a solver that needs none.
TeacherFactory value_teacher(const std::string &name, const SspSolverKind &solver,
                             const HeuristicFactory &heuristic) {
    return [name, &solver, heuristic](std::shared_ptr<const Task> task,
                                      const TeacherOptions &options) {
        SspOptions ssp;
        ssp.epsilon = options.epsilon;
        ssp.penalty = options.penalty;
        return std::make_unique<ValueTeacher>(
            name, task, solver.make(task, heuristic ? heuristic(task) : nullptr, ssp), options);
    };
}

}  // namespace

std::optional<std::vector<Id>> Teacher::good_actions(const State &state) {
    const std::optional<std::vector<QValue>> values = q_values(state);
    if (!values) return std::nullopt;
    double least = std::numeric_limits<double>::infinity();
    for (const QValue &each : *values) least = std::min(least, each.value);
    std::vector<Id> result;
    for (const QValue &each : *values)
        if (each.value <= least + good_band) result.push_back(each.action);
    if (result.size() == values->size()) result.clear();
    return result;
}

void Teacher::save(ByteWriter &out) const {
    out.put_all(std::string_view(file_tag));
    out.put_all(name);
    out.put(fingerprint(*task_));
    out.put(options_.penalty);
    out.put(options_.epsilon);
    out.put(statistics_.labelled);
    out.put(statistics_.given_up);
    out.put(statistics_.timeouts);
    out.put(statistics_.searches);
    out.put(statistics_.expansions);
    out.put(statistics_.seconds);
    save_own(out);
}

void Teacher::load(ByteReader &in) {
    std::string text;
    in.get_all(text);
    if (text != file_tag) throw std::runtime_error("the data are no saved teacher");
    in.get_all(text);
    if (text != name) throw std::invalid_argument("saved by another teacher than " + name);
    if (in.get<std::uint64_t>() != fingerprint(*task_))
        throw std::invalid_argument("saved by a teacher for another task");
    const auto penalty = in.get<double>();
    const auto epsilon = in.get<double>();
    if (penalty != options_.penalty || epsilon != options_.epsilon)
        throw std::invalid_argument("saved by a teacher with other options");
    TeacherStatistics statistics;
    in.get(statistics.labelled);
    in.get(statistics.given_up);
    in.get(statistics.timeouts);
    in.get(statistics.searches);
    in.get(statistics.expansions);
    in.get(statistics.seconds);
    load_own(in);
    statistics_ = statistics;
}

const std::map<std::string, TeacherFactory> &teachers() {
    static const std::map<std::string, TeacherFactory> table = [] {
        std::map<std::string, TeacherFactory> result;
        const auto add = [&result](const std::string &name, auto kind, const auto &...parts) {
            result[name] = kind(name, parts...);
        };
        for (const auto &[heuristic, factory] : heuristics())
            for (const auto &[name, order] : best_first_orders())
                add(name + ":" + heuristic, plan_teacher, order, factory);
        for (const auto &[name, solver] : ssp_solvers())
            if (!solver.needs_heuristic)
                add(name, value_teacher, solver, HeuristicFactory());
            else
                for (const auto &[heuristic, factory] : heuristics())
                    add(name + ":" + heuristic, value_teacher, solver, factory);
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
    return named(teachers(), "teacher", name)(std::move(task), options);
}

}  // namespace asnets
