#include <pybind11/stl.h>

#include <cmath>
#include <optional>

#include "base/draw.h"
#include "base/named.h"
#include "bindings.h"
#include "search/best_first.h"
#include "search/execution.h"
#include "search/ssp_solver.h"
#include "searching.h"

namespace py = pybind11;

namespace asnets::bindings {

namespace {

const char *name_of(Status status) {
    switch (status) {
        case Status::solved: return "solved";
        case Status::unsolvable: return "unsolvable";
        case Status::out_of_expansions: return "out of expansions";
        case Status::out_of_memory: return "out of memory";
        case Status::out_of_time: return "out of time";
        case Status::interrupted: break;
    }
    throw py::error_already_set();  // what the signal handler raised
}

Limits limits_of(std::optional<double> seconds, std::optional<std::size_t> megabytes,
                 std::optional<std::uint64_t> expansions) {
    Limits limits;
    if (seconds && std::isnan(*seconds)) throw py::value_error("time_limit is not a number");
    if (seconds) limits.seconds = *seconds;
    if (megabytes && *megabytes < limits.bytes >> 20U) limits.bytes = *megabytes << 20U;
    if (expansions) limits.expansions = *expansions;
    return limits;
}

struct PySearchResult {
    Handle task;
    SearchResult result;
    Statistics statistics;
};

PySearchResult search(const PyTask &t, const std::string &name, const std::string &heuristic,
                      const std::optional<PyState> &start, std::optional<double> seconds,
                      std::optional<std::size_t> megabytes,
                      std::optional<std::uint64_t> expansions) {
    const Order order = named(best_first_orders(), "search", name);
    const State &state = start ? of_task(t.task, *start) : only_initial_state(*t.task);
    const Limits limits = limits_of(seconds, megabytes, expansions);
    PySearchResult found{t.task, {}, {}};
    {
        const py::gil_scoped_release released;
        Budget budget(limits, &poll_signals);
        BestFirst engine(t.task, order, make_heuristic(heuristic, t.task));
        found.result = engine.run(state, budget);
        found.statistics = budget.statistics;
    }
    name_of(found.result.status);
    return found;
}

struct PySolver {
    Handle task;
    std::string name;
    std::unique_ptr<SspSolver> solver;
    Turns turns;
    Statistics statistics;

    std::vector<std::pair<State, double>> states(const std::optional<PyState> &start) const {
        if (!start) return task->initial_states;
        return {{of_task(task, *start), 1.0}};
    }
    Status solve(const std::optional<PyState> &start, const Limits &limits) {
        const auto from = states(start);
        return turns.take([&] {
            Budget budget(limits, &poll_signals);
            Status status = Status::solved;
            for (const auto &[state, probability] : from)
                if (status == Status::solved)
                    status = solver->solve(solver->table.insert(state), budget);
            statistics.expansions += budget.statistics.expansions;
            statistics.evaluations += budget.statistics.evaluations;
            statistics.generated += budget.statistics.generated;
            statistics.seconds += budget.statistics.seconds;
            return status;
        });
    }
    double value(const std::optional<PyState> &start) {
        const auto from = states(start);
        return turns.take([&] {
            Budget budget({}, &poll_signals);
            solver->table.use(budget);
            double sum = 0;
            for (const auto &[state, probability] : from)
                sum += probability * solver->table.value(solver->table.insert(state));
            return sum;
        });
    }
    std::vector<Teacher::QValue> q_values(const PyState &s) {
        const State &state = of_task(task, s);
        return turns.take([&] {
            Budget budget({}, &poll_signals);
            ValueTable &table = solver->table;
            table.use(budget);
            std::vector<Teacher::QValue> result;
            for (const ValueTable::Choice &choice : table.choices(table.insert(state)))
                result.push_back({choice.action, std::min(table.penalty(), table.q(choice))});
            return result;
        });
    }
    std::optional<PyAction> action(const PyState &s) {
        const State &state = of_task(task, s);
        const Id id = turns.take([&] {
            Budget budget({}, &poll_signals);
            solver->table.use(budget);
            const ValueTable::Best best = solver->table.best(solver->table.insert(state));
            return best.choice == nullptr ? no_id : best.choice->action;
        });
        if (id == no_id) return std::nullopt;
        return PyAction{task, id};
    }
    PyTrajectory execute(std::uint64_t seed, std::size_t most_steps,
                         const std::optional<PyState> &start, const Limits &limits) {
        const auto from = states(start);
        return {task, turns.take([&] {
                    Budget planning(limits, &poll_signals);
                    Rng rng(seed);
                    const auto &chosen =
                        draw(from, &std::pair<State, double>::second, rng.uniform());
                    return asnets::execute(*solver, chosen.first, most_steps, rng, planning,
                                           &poll_signals);
                })};
    }
};

std::unique_ptr<PySolver> make_solver(const PyTask &t, const std::string &name,
                                      const std::string &heuristic, double epsilon, double dead_end,
                                      std::uint32_t depth, std::uint64_t seed) {
    if (!(epsilon > 0)) throw py::value_error("epsilon must be positive");
    if (!(dead_end > 0 && std::isfinite(dead_end)))
        throw py::value_error("dead_end must be positive and finite");
    if (depth == 0) throw py::value_error("depth must be positive");
    const SspSolverKind &kind = named(ssp_solvers(), "solver", name);
    return without_gil([&] {
        auto result = std::make_unique<PySolver>();
        result->task = t.task;
        result->name = name;
        result->solver =
            kind.make(t.task, kind.needs_heuristic ? make_heuristic(heuristic, t.task) : nullptr,
                      {epsilon, dead_end, depth, seed});
        return result;
    });
}

void bind_results(py::module_ &module) {
    py::class_<Statistics>(module, "Statistics", "What a search did.")
        .def_readonly("expansions", &Statistics::expansions)
        .def_readonly("reopened", &Statistics::reopened)
        .def_readonly("evaluations", &Statistics::evaluations)
        .def_readonly("generated", &Statistics::generated)
        .def_readonly("seconds", &Statistics::seconds)
        .def("__repr__", [](const Statistics &s) {
            return "<Statistics " + std::to_string(s.expansions) + " expanded, " +
                   std::to_string(s.evaluations) + " evaluated, " + std::to_string(s.generated) +
                   " generated>";
        });
    py::class_<PySearchResult>(module, "SearchResult", "What came of a best-first search.")
        .def_property_readonly(
            "status", [](const PySearchResult &r) { return name_of(r.result.status); },
            "\"solved\", \"unsolvable\" (proved), or \"out of expansions\", \"... memory\", "
            "\"... time\".")
        .def_property_readonly(
            "plan",
            [](const PySearchResult &r) -> py::object {
                if (r.result.status != Status::solved) return py::none();
                return actions_tuple(r.task, r.result.plan);
            },
            "The actions in order; None if no plan was found.")
        .def_property_readonly(
            "cost",
            [](const PySearchResult &r) -> std::optional<double> {
                if (r.result.status != Status::solved) return std::nullopt;
                return r.result.cost;
            },
            "The plan's cost; None if no plan was found.")
        .def_readonly("statistics", &PySearchResult::statistics)
        .def("__repr__", [](const PySearchResult &r) {
            return std::string("<SearchResult ") + name_of(r.result.status) + ", " +
                   std::to_string(r.result.plan.size()) + " actions>";
        });
    py::class_<PyTrajectory>(module, "Trajectory", "An execution of a plan or policy.")
        .def_property_readonly(
            "actions",
            [](const PyTrajectory &t) { return actions_tuple(t.task, t.trajectory.actions); })
        .def_property_readonly(
            "states",
            [](const PyTrajectory &t) {
                py::tuple result(t.trajectory.states.size());
                for (std::size_t i = 0; i < t.trajectory.states.size(); ++i)
                    result[i] = py::cast(PyState{t.task, t.trajectory.states[i]});
                return result;
            },
            "One more than there are actions.")
        .def_property_readonly("cost", [](const PyTrajectory &t) { return t.trajectory.cost; })
        .def_property_readonly("reached_goal",
                               [](const PyTrajectory &t) { return t.trajectory.reached_goal; })
        .def("__len__", [](const PyTrajectory &t) { return t.trajectory.actions.size(); })
        .def("__repr__", [](const PyTrajectory &t) {
            return "<Trajectory " + std::to_string(t.trajectory.actions.size()) + " actions" +
                   (t.trajectory.reached_goal ? ", reaches the goal>" : ">");
        });
}

}  // namespace

void bind_search(py::module_ &module) {
    bind_results(module);
    module.attr("SEARCHES") = keys_tuple(best_first_orders());
    module.attr("SOLVERS") = keys_tuple(ssp_solvers());
    module.def(
        "default_solver", [](const PyTask &t) { return default_ssp_solver(*t.task); },
        py::arg("task"),
        "The one of SOLVERS for a task: lrtdp, or value_iteration if some action is free.");
    module.def("search", &search, py::arg("task"), py::arg("search") = "astar",
               py::arg("heuristic") = "lm_cut", py::kw_only(), py::arg("state") = py::none(),
               py::arg("time_limit") = py::none(), py::arg("memory_limit") = py::none(),
               py::arg("max_expansions") = py::none(),
               R"doc(Search for a plan, best first: one of SEARCHES with one of HEURISTICS.

Limits are in seconds, megabytes of the process's resident memory, and expanded states. Needs a
deterministic task, which task.determinise("all_outcomes") makes of a probabilistic one.

>>> from asnets import generators, ground_text, search
>>> task = ground_text(generators.domain_text("blocksworld"), generators.generate("blocksworld", 3, seed=1))
>>> result = search(task, "astar", "lm_cut")
>>> result.status, result.cost
('solved', 8.0)
>>> print(*result.plan)
(unstack b3 b1) (put-down b3) (unstack b1 b2) (put-down b1) (pick-up b3) (stack b3 b1) (pick-up b2) (stack b2 b3)
)doc");
    py::class_<PySolver>(module, "Solver",
                         R"doc(Finds optimal expected costs and actions: one of SOLVERS.

Dead ends and giving up cost `dead_end`. Values are kept from call to call; with an admissible
heuristic they are lower bounds until solved. value_iteration looks at no heuristic, and its values
fall from `dead_end`. Threads may share a solver, but it does one thing at a time.

>>> from asnets import Solver, generators, ground_text
>>> domain = generators.domain_text("triangle-tireworld")
>>> task = ground_text(domain, generators.generate("triangle-tireworld", 2, seed=0))
>>> solver = Solver(task, "lrtdp", "lm_cut")
>>> solver.solve()
'solved'
>>> round(solver.value(), 3)
11.5
>>> print(solver.action(task.initial_state))
(move-car l-1-1 l-2-1)
)doc")
        .def(py::init(&make_solver), py::arg("task"), py::arg("solver") = "lrtdp",
             py::arg("heuristic") = "lm_cut", py::kw_only(), py::arg("epsilon") = 1e-4,
             py::arg("dead_end") = 500.0, py::arg("depth") = 3, py::arg("seed") = 0)
        .def_property_readonly("name", [](const PySolver &s) { return s.name; })
        .def(
            "solve",
            [](PySolver &s, const std::optional<PyState> &state, std::optional<double> seconds,
               std::optional<std::size_t> megabytes, std::optional<std::uint64_t> expansions) {
                return name_of(s.solve(state, limits_of(seconds, megabytes, expansions)));
            },
            py::arg("state") = py::none(), py::kw_only(), py::arg("time_limit") = py::none(),
            py::arg("memory_limit") = py::none(), py::arg("max_expansions") = py::none(),
            "Improve the values from a state (or the initial ones) on until they are right, or a "
            "limit\nstops it: \"solved\", \"out of time\", \"out of memory\" or \"out of "
            "expansions\".")
        .def("value", &PySolver::value, py::arg("state") = py::none(),
             "The expected cost from a state, or from the initial ones.")
        .def(
            "q_values",
            [](PySolver &s, const PyState &state) {
                return q_value_dict(s.task, s.q_values(state));
            },
            py::arg("state"),
            "For each applicable action what it costs with the present values; none at a goal.")
        .def("action", &PySolver::action, py::arg("state"),
             "The cheapest action with the present values; None at a goal and where giving up "
             "costs no more.")
        .def(
            "is_solved",
            [](PySolver &s, const PyState &p) {
                const State &state = of_task(s.task, p);
                return s.turns.take(
                    [&] { return s.solver->is_solved(s.solver->table.insert(state)); });
            },
            py::arg("state"))
        .def(
            "execute",
            [](PySolver &s, std::uint64_t seed, std::size_t max_steps,
               const std::optional<PyState> &state, std::optional<double> seconds) {
                return s.execute(seed, max_steps, state, limits_of(seconds, {}, {}));
            },
            py::arg("seed") = 0, py::kw_only(), py::arg("max_steps") = 300,
            py::arg("state") = py::none(), py::arg("time_limit") = py::none(),
            "Follow the greedy policy on sampled outcomes. States that are not solved yet are "
            "solved first,\nwhile the time lasts.")
        .def_property_readonly(
            "statistics", [](PySolver &s) { return s.turns.take([&] { return s.statistics; }); })
        .def_property_readonly(
            "bound",
            [](const PySolver &s) -> std::optional<const char *> {
                switch (s.solver->table.bound()) {
                    case ValueTable::Bound::lower: return "lower";
                    case ValueTable::Bound::upper: return "upper";
                    case ValueTable::Bound::none: break;
                }
                return std::nullopt;
            },
            "What values are until solved: \"lower\" bounds with an admissible heuristic, "
            "\"upper\" ones without\nany, else None.")
        .def("__repr__", [](const PySolver &s) {
            return "<Solver " + s.name + ": " + std::to_string(s.solver->table.size()) + " states>";
        });
}

}  // namespace asnets::bindings
