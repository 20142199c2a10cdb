// Value tables of SSPs, and the solvers that work on them.
#include <cmath>
#include <string>

#include "inline_task.h"
#include "search/ssp_solver.h"
#include "search/value_table.h"

using asnets::Budget;
using asnets::Id;
using asnets::Limits;
using asnets::Status;
using asnets::ValueTable;
using inline_task::action;
using inline_task::ground_sections;

namespace {

// A coin to toss (heads with 1/4), or a sure way for 6; equal outcomes of `toss` are merged.
const std::string coin =
    "(:requirements :probabilistic-effects :action-costs) (:predicates (heads) (tails))"
    "(:functions (total-cost))"
    "(:action toss :effect (and (probabilistic 1/4 (heads) 1/4 (tails) 1/2 (tails))"
    " (increase (total-cost) 1)))"
    "(:action pay :effect (and (heads) (increase (total-cost) 6)))";
const std::string one = "(:init (tails)) (:goal (heads)) (:metric minimize (total-cost))";

}  // namespace

TEST(value_table) {
    const auto task = ground_sections(coin, one);
    ValueTable table(task, nullptr, 10);
    Budget budget({});
    table.use(budget);
    const Id start = table.insert(task->initial_states[0].first);
    CHECK_EQ(table.insert(task->initial_states[0].first), start);
    CHECK_EQ(table.value(start), 10);  // without a heuristic
    CHECK_EQ(table.choices(start).size(), 2);
    CHECK_EQ(table.choices(start)[0].action, action(*task, "pay"));
    const ValueTable::Choice toss = table.choices(start)[1];
    CHECK_EQ(table.successors(toss).size(), 2);
    CHECK_EQ(table.q(toss), 1 + 0.75 * 10);
    const ValueTable::Best best = table.update(start);
    CHECK_EQ(best.value, 6);
    CHECK_EQ(best.choice->action, action(*task, "pay"));
    CHECK_EQ(table.value(start), 6);
    CHECK_EQ(table.update(start).value, 5.5);  // 1 + 3/4 * 6
    CHECK_EQ(budget.statistics.expansions, 1);
    for (const ValueTable::Successor &each : table.successors(toss))
        CHECK_EQ(table.is_goal(each.state), each.probability == 0.25);
}

TEST(giving_up_where_it_costs_no_more) {
    const auto task = ground_sections(coin, one);
    ValueTable table(task, nullptr, 1);
    Budget budget({});
    table.use(budget);
    const ValueTable::Best best = table.best(table.insert(task->initial_states[0].first));
    CHECK(best.choice == nullptr);
    CHECK_EQ(best.value, 1);
}

TEST(solvers_go_on_after_a_limit) {
    const auto task = ground_sections(coin, one);
    for (const auto &[name, kind] : asnets::ssp_solvers()) {
        const auto solver = kind.make(
            task, kind.needs_heuristic ? asnets::make_heuristic("lm_cut", task) : nullptr, {});
        const Id start = solver->table.insert(task->initial_states[0].first);
        Limits limits;
        limits.expansions = 0;
        Budget none(limits);
        CHECK_EQ(solver->solve(start, none), Status::out_of_expansions);
        CHECK(!solver->is_solved(start));
        Budget enough({});
        CHECK_EQ(solver->solve(start, enough), Status::solved);
        CHECK(solver->is_solved(start));
        CHECK(std::abs(solver->table.value(start) - 4) < 1e-3);
    }
}
