#include "search/value_teacher.h"

#include <algorithm>

#include "search/execution.h"

namespace asnets {

// False if a limit was reached.
bool ValueTeacher::solve(Id state, Budget &allowed) {
    if (solver_->is_solved(state)) return true;
    const Statistics before = allowed.statistics;
    const Status status = solver_->solve(state, allowed);
    ++statistics_.searches;
    statistics_.expansions += allowed.statistics.expansions - before.expansions;
    statistics_.seconds += allowed.statistics.seconds - before.seconds;
    if (status == Status::interrupted) throw Interrupted();
    statistics_.timeouts += status == Status::solved || status == Status::out_of_expansions ? 0 : 1;
    return status == Status::solved;
}

void ValueTeacher::give_up(Id state) {
    statistics_.given_up += given_up_.has(state) ? 0 : 1;
    given_up_.add(state);
}

std::optional<std::vector<Teacher::QValue>> ValueTeacher::q_values(const State &state) {
    ValueTable &table = solver_->table;
    const Id id = table.insert(state);
    if (given_up_.has(id)) return std::nullopt;
    Budget allowed = budget();
    table.use(allowed);
    std::vector<Id> successors;
    std::vector<QValue> result;
    const Status status = allowed.run([&] {
        for (const ValueTable::Choice &choice : table.choices(id))
            for (const ValueTable::Successor &each : table.successors(choice))
                successors.push_back(each.state);
        return Status::solved;
    });
    if (status == Status::interrupted) throw Interrupted();
    if (status != Status::solved || !std::all_of(successors.begin(), successors.end(),
                                                 [&](Id each) { return solve(each, allowed); })) {
        give_up(id);
        return std::nullopt;
    }
    for (const ValueTable::Choice &choice : table.choices(id))
        result.push_back({choice.action, std::min(options_.penalty, table.q(choice))});
    statistics_.labelled += labelled_.has(id) ? 0 : 1;
    labelled_.add(id);
    return result;
}

std::optional<Trajectory> ValueTeacher::rollout(const State &start, std::size_t most_steps,
                                                std::uint64_t seed) {
    const Id id = solver_->table.insert(start);
    Budget allowed = budget();
    if (!solver_->is_solved(id) && (given_up_.has(id) || !solve(id, allowed))) {
        give_up(id);
        return std::nullopt;
    }
    Rng rng(seed);
    return execute(*solver_, start, most_steps, rng, allowed, poll);
}

void ValueTeacher::save_own(ByteWriter &out) const {
    labelled_.save(out);
    given_up_.save(out);
    solver_->save(out);
}

void ValueTeacher::load_own(ByteReader &in) {
    Labels labelled;
    Labels given_up;
    labelled.load(in);
    given_up.load(in);
    solver_->load(in);
    labelled_ = std::move(labelled);
    given_up_ = std::move(given_up);
}

}  // namespace asnets
