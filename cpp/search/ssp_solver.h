#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "search/labels.h"
#include "search/limits.h"
#include "search/value_table.h"

namespace asnets {

struct SspOptions {
    double epsilon = 1e-4;    // residual at which a value counts as right
    double penalty = 500;     // D: the cost of giving up, dead ends included
    std::uint32_t depth = 3;  // of ssipp's short-sighted problems
    std::uint64_t seed = 0;   // of sampled outcomes
};

// Finds optimal values and choices of the states that an optimal policy reaches from a given one.
// Keeps its table from call to call: what stopped at a limit goes on where it was, and its values
// can be read at any time. With an admissible heuristic they are lower bounds until solved.
class SspSolver {
public:
    SspSolver(std::shared_ptr<const Task> task, std::unique_ptr<Heuristic> heuristic,
              const SspOptions &options)
        : table(std::move(task), std::move(heuristic), options.penalty), options_(options) {
    }
    virtual ~SspSolver() = default;

    // `solved`, or the limit that stopped it.
    Status solve(Id state, Budget &budget) {
        table.use(budget);
        return budget.run([&] {
            improve(state);
            return Status::solved;
        });
    }
    [[nodiscard]] bool is_solved(Id state) const {
        return table.is_goal(state) || solved_.has(state);
    }

    // All that later answers depend on. A solver of the same kind, task and options goes on from
    // there; load reads to the end of the data, throws std::runtime_error if they make no sense,
    // and has then changed nothing.
    void save(ByteWriter &out) const;
    void load(ByteReader &in);

    ValueTable table;

protected:
    // Returns when the state is solved.
    virtual void improve(Id state) = 0;
    // What there is besides the table and the labels.
    virtual void save_own(ByteWriter &out) const {
        (void)out;
    }
    // Reads that, `states` being the size of the table that comes with it; what it returns makes it
    // the solver's own, and cannot fail.
    virtual std::function<void()> read_own(ByteReader &in, std::size_t states) {
        (void)in;
        (void)states;
        return [] {};
    }

    SspOptions options_;
    Labels solved_;
};

struct SspSolverKind {
    bool needs_heuristic = true;
    std::function<std::unique_ptr<SspSolver>(std::shared_ptr<const Task>,
                                             std::unique_ptr<Heuristic>, const SspOptions &)>
        make;
};

// By the names that users give them.
const std::map<std::string, SspSolverKind> &ssp_solvers();
// "lrtdp", or "value_iteration" if some action is free.
const char *default_ssp_solver(const Task &task);

}  // namespace asnets
