#include "search/plan_teacher.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "base/random.h"

namespace asnets {

PlanTeacher::PlanTeacher(std::string name_, std::shared_ptr<const Task> task, Order order,
                         std::unique_ptr<Heuristic> heuristic, const TeacherOptions &options)
    : Teacher(std::move(name_), std::move(task), options),
      search_(task_, order, std::move(heuristic)),
      states_(task_->proposition_count()) {
}

Id PlanTeacher::insert(const State &state) {
    const Id id = states_.insert(state);
    while (entries_.size() <= id) {  // more than once if memory ended in here before
        Entry each;
        each.all_plans = task_->is_goal(states_[static_cast<Id>(entries_.size())]);
        each.cost = each.all_plans ? 0 : std::nan("");
        entries_.push_back(each);
    }
    return id;
}

bool PlanTeacher::plan(const State &start, Budget &budget, bool all) {
    const Statistics before = budget.statistics;
    const KnownCost known = [this](const State &state) {
        const Id id = states_.find(state);
        // A state has no entry if it is not there, or if memory ended as it came.
        return id >= entries_.size() || std::isnan(entries_[id].cost)
                   ? std::nullopt
                   : std::optional(entries_[id].cost);
    };
    const SearchResult found =
        all ? search_.run_all(start, budget, known) : search_.run(start, budget, known);
    ++statistics_.searches;
    statistics_.expansions += budget.statistics.expansions - before.expansions;
    statistics_.seconds += budget.statistics.seconds - before.seconds;
    if (found.status == Status::interrupted) throw Interrupted();
    if (found.status == Status::unsolvable) {
        for (Id id = 0; id < found.explored->size(); ++id) {
            Entry &each = entries_[insert((*found.explored)[id])];
            each.cost = Heuristic::dead_end;
            each.all_plans = true;
        }
        return true;
    }
    const bool has_all = all && found.status == Status::solved;
    if (found.status != Status::solved && found.status != Status::out_of_expansions)
        ++statistics_.timeouts;
    if (!found.has_plan) return false;
    if (has_all) {
        // All are there before one is known, in case memory ends in here.
        std::vector<Id> ids;
        for (const SearchResult::Passed &passed : found.optimal)
            ids.push_back(insert(passed.state));
        for (std::size_t i = 0; i < ids.size(); ++i) {
            Entry &each = entries_[ids[i]];
            if (!std::isnan(each.cost)) continue;
            each.cost = found.optimal[i].cost;
            each.action = found.optimal[i].action;
            each.all_plans = true;
        }
        return true;
    }
    std::vector<State> passed = {start};
    for (const Id action : found.plan)
        passed.push_back(task_->apply(task_->outcomes_of(action)[0], passed.back()));
    // From the end, so that what is known stays so to the goal if memory ends in here.
    double cost = entries_[insert(found.end)].cost;
    for (std::size_t i = found.plan.size(); i-- > 0;) {
        cost += task_->actions[found.plan[i]].cost;
        Entry &each = entries_[insert(passed[i])];
        each.cost = cost;
        each.action = found.plan[i];
    }
    return true;
}

void PlanTeacher::give_up(Id state, bool Entry::*what) {
    Entry &each = entries_[state];
    statistics_.given_up += each.no_plan || each.no_labels ? 0 : 1;
    each.*what = true;
}

std::optional<std::vector<Teacher::QValue>> PlanTeacher::q_values(const State &state) {
    Budget allowed = budget();
    return q_values(insert(state), state, allowed);
}

std::optional<std::vector<Teacher::QValue>> PlanTeacher::q_values(Id id, const State &state,
                                                                  Budget &budget) {
    if (entries_[id].no_labels) return std::nullopt;
    std::vector<Id> applicable;
    if (!task_->is_goal(state)) task_->applicable_actions(state, applicable);
    std::vector<QValue> result;
    double longest = 0;
    for (const Id action : applicable) {
        const State next = task_->apply(task_->outcomes_of(action)[0], state);
        const Id next_id = insert(next);
        if (std::isnan(entries_[next_id].cost)) {
            const bool has_all = budget.statistics.expansions == 0;
            if (entries_[next_id].no_plan || !plan(next, budget, false)) {
                if (has_all) give_up(next_id, &Entry::no_plan);
                give_up(id, &Entry::no_labels);
                return std::nullopt;
            }
        }
        const double cost = task_->actions[action].cost + entries_[next_id].cost;
        if (cost != Heuristic::dead_end) longest = std::max(longest, cost);
        result.push_back({action, cost});
    }
    // A dead end must not look better than a plan, however long.
    for (QValue &each : result)
        if (each.value == Heuristic::dead_end)
            each.value = longest < options_.penalty ? options_.penalty : longest + options_.penalty;
    if (!std::isnan(entries_[id].cost)) entries_[id].all_plans = true;
    statistics_.labelled += entries_[id].labelled ? 0 : 1;
    entries_[id].labelled = true;
    return result;
}

bool PlanTeacher::know(Id id, const State &state, Budget &budget) {
    if (!std::isnan(entries_[id].cost)) return true;
    if (!entries_[id].no_plan && plan(state, budget, search_.is_optimal())) return true;
    give_up(id, &Entry::no_plan);
    return false;
}

void PlanTeacher::optimal_actions(Id id, const State &state, std::vector<Id> &result) const {
    result.clear();
    if (entries_[id].cost == Heuristic::dead_end || task_->is_goal(state)) return;
    std::vector<Id> applicable;
    task_->applicable_actions(state, applicable);
    for (const Id action : applicable) {
        const Id next = states_.find(task_->apply(task_->outcomes_of(action)[0], state));
        // What is not known is on no optimal plan.
        if (next < entries_.size() &&
            task_->actions[action].cost + entries_[next].cost <= entries_[id].cost + cost_tolerance)
            result.push_back(action);
    }
}

std::optional<std::vector<Id>> PlanTeacher::good_actions(const State &state) {
    if (!search_.is_optimal()) return Teacher::good_actions(state);
    const Id id = insert(state);
    Budget allowed = budget();
    if (!know(id, state, allowed)) return std::nullopt;
    if (!entries_[id].all_plans && !q_values(id, state, allowed)) return std::nullopt;
    std::vector<Id> result;
    optimal_actions(id, state, result);
    std::vector<Id> applicable;
    task_->applicable_actions(state, applicable);
    if (result.size() == applicable.size()) result.clear();
    statistics_.labelled += entries_[id].labelled ? 0 : 1;
    entries_[id].labelled = true;
    return result;
}

bool PlanTeacher::knows(const State &state) const {
    const Id id = states_.find(state);
    return search_.is_optimal() && id < entries_.size() && entries_[id].all_plans;
}

std::optional<Trajectory> PlanTeacher::rollout(const State &start, std::size_t most_steps,
                                               std::uint64_t seed) {
    Budget allowed = budget();
    if (!know(insert(start), start, allowed)) return std::nullopt;
    Rng rng(seed);
    std::vector<Id> choices;
    Trajectory result;
    result.states.push_back(start);
    while (result.actions.size() < most_steps) {
        const State &state = result.states.back();
        const Id id = insert(state);
        Id action = entries_[id].action;
        if (action == no_id) break;
        if (search_.is_optimal() && entries_[id].all_plans) {
            optimal_actions(id, state, choices);
            // Free actions might lead in a circle.
            std::erase_if(
                choices, [&](Id each) { return each != action && task_->actions[each].cost == 0; });
            if (!choices.empty()) action = choices[rng.next() % choices.size()];
        }
        result.actions.push_back(action);
        result.cost += task_->actions[action].cost;
        result.states.push_back(task_->apply(task_->outcomes_of(action)[0], state));
    }
    result.reached_goal = task_->is_goal(result.states.back());
    return result;
}

void PlanTeacher::save_own(ByteWriter &out) const {
    states_.save(out, entries_.size());
    for (const Entry &each : entries_) {
        out.put(each.cost);
        out.put(each.action);
        out.put(std::uint8_t{each.all_plans});
        out.put(std::uint8_t{each.no_plan});
        out.put(std::uint8_t{each.no_labels});
        out.put(std::uint8_t{each.labelled});
    }
}

void PlanTeacher::load_own(ByteReader &in) {
    StateTable states = StateTable::load(in, task_->proposition_count());
    std::vector<Entry> entries(states.size());
    for (Entry &each : entries) {
        in.get(each.cost);
        in.get(each.action);
        each.all_plans = in.get<std::uint8_t>() != 0;
        each.no_plan = in.get<std::uint8_t>() != 0;
        each.no_labels = in.get<std::uint8_t>() != 0;
        each.labelled = in.get<std::uint8_t>() != 0;
        if (each.cost < 0 || (each.action != no_id && each.action >= task_->actions.size()))
            throw std::runtime_error("the data have a plan that cannot be");
    }
    in.end();
    states_ = std::move(states);
    entries_ = std::move(entries);
}

}  // namespace asnets
