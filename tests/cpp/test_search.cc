// Best-first search with made-up estimates, limits, teachers.
#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "inline_task.h"
#include "search/best_first.h"
#include "search/execution.h"
#include "search/open_list.h"
#include "search/teacher.h"

using asnets::BestFirst;
using asnets::Budget;
using asnets::Heuristic;
using asnets::Id;
using asnets::Limits;
using asnets::no_id;
using asnets::OpenList;
using asnets::Order;
using asnets::SearchResult;
using asnets::State;
using asnets::Status;
using asnets::Task;
using inline_task::action;
using inline_task::ground_sections;
using inline_task::Names;

namespace {

struct Road {
    std::string from;
    std::string to;
    int length = 1;
};

// A walk from s to g.
std::shared_ptr<const Task> walk(const std::vector<Road> &roads) {
    std::string objects = "s g ";
    std::string facts = "(at s) ";
    for (const Road &road : roads) {
        for (const std::string &place : {road.from, road.to})
            if (objects.find(place + " ") == std::string::npos) objects += place + " ";
        const std::string pair = road.from + " " + road.to;
        facts +=
            "(road " + pair + ") (= (length " + pair + ") " + std::to_string(road.length) + ") ";
    }
    return ground_sections(
        "(:requirements :typing :action-costs) (:predicates (at ?x) (road ?x ?y))"
        "(:functions (length ?x ?y) (total-cost))"
        "(:action go :parameters (?x ?y) :precondition (and (at ?x) (road ?x ?y))"
        " :effect (and (not (at ?x)) (at ?y) (increase (total-cost) (length ?x ?y))))",
        "(:objects " + objects + ") (:init " + facts +
            ") (:goal (at g)) (:metric minimize (total-cost))");
}

// The place where a walker is.
std::string place(const Task &task, const State &state) {
    for (const std::string &atom : inline_task::atoms(task, state))
        if (atom.starts_with("at ")) return atom.substr(3);
    return "";
}

// Estimates by place, 0 for the others.
class Estimates : public Heuristic {
public:
    Estimates(std::shared_ptr<const Task> task, std::map<std::string, double> values,
              bool admissible)
        : task_(std::move(task)), values_(std::move(values)), admissible_(admissible) {
    }
    double value(const State &state) override {
        const auto found = values_.find(place(*task_, state));
        return found == values_.end() ? 0 : found->second;
    }
    [[nodiscard]] bool is_admissible() const override {
        return admissible_;
    }

private:
    std::shared_ptr<const Task> task_;
    std::map<std::string, double> values_;
    bool admissible_;
};

struct Outcome {
    SearchResult result;
    asnets::Statistics statistics;
};

Outcome run(const std::shared_ptr<const Task> &task, Order order,
            const std::map<std::string, double> &estimates, bool admissible,
            const asnets::KnownCost &known = {}, const Limits &limits = {}) {
    BestFirst search(task, order, std::make_unique<Estimates>(task, estimates, admissible));
    Budget budget(limits);
    SearchResult result = search.run(task->initial_states[0].first, budget, known);
    return {result, budget.statistics};
}

Names plan(const Task &task, const SearchResult &result) {
    Names names;
    for (const Id each : result.plan) names.push_back(task.action_name(each));
    return names;
}

const std::vector<Road> detour = {{"s", "a", 1}, {"a", "c", 1}, {"s", "c", 3}, {"c", "g", 4}};

}  // namespace

TEST(open_list_order) {
    OpenList open;
    CHECK(open.empty());
    open.push({2, 0}, 1);
    open.push({1, 5}, 2);
    open.push({1, 3}, 3);
    open.push({1, 3}, 4);
    std::vector<Id> order;
    while (!open.empty()) order.push_back(open.pop().second);
    CHECK_EQ(order, (std::vector<Id>{4, 3, 2, 1}));  // of equal ones the latest
}

// The estimate of a is right and that of c too low: c is expanded before the cheaper way to it
// is known, whether states are evaluated when generated or later.
TEST(reopens_when_the_estimate_is_inconsistent) {
    const auto task = walk(detour);
    for (const bool admissible : {false, true}) {
        const Outcome found = run(task, Order::astar, {{"a", 5}}, admissible);
        CHECK_EQ(found.result.status, Status::solved);
        CHECK_EQ(found.result.cost, 6);
        CHECK_EQ(plan(*task, found.result), (Names{"go s a", "go a c", "go c g"}));
        CHECK_EQ(found.statistics.reopened, 1);
        CHECK_EQ(found.statistics.expansions, 4);  // s, c, a, c
    }
}

// The estimate of a is right and passed on to m, less the way between them.
TEST(bounds_from_the_parent_are_right) {
    const auto task = walk({{"s", "a", 2}, {"a", "m", 2}, {"m", "g", 18}, {"s", "g", 23}});
    const Outcome found = run(task, Order::astar, {{"a", 20}}, true);
    CHECK_EQ(found.result.cost, 22);
}

TEST(greedy_follows_the_estimate) {
    const auto task = walk(detour);
    const Outcome found = run(task, Order::greedy, {{"a", 5}, {"c", 4}}, false);
    CHECK_EQ(plan(*task, found.result), (Names{"go s c", "go c g"}));
    CHECK_EQ(found.result.cost, 7);
    CHECK_EQ(found.statistics.expansions, 2);
}

TEST(infinite_estimates_are_dead_ends) {
    const auto task = walk(detour);
    const double never = Heuristic::dead_end;
    for (const Order order : {Order::astar, Order::greedy})
        for (const bool admissible : {false, true}) {
            CHECK_EQ(run(task, order, {{"s", never}}, admissible).result.status,
                     Status::unsolvable);
            CHECK_EQ(run(task, order, {{"c", never}}, admissible).result.status,
                     Status::unsolvable);
            CHECK_EQ(run(task, order, {{"a", never}}, admissible).result.cost, 7);
        }
}

TEST(goal_at_the_start) {
    const auto task = ground_sections("(:predicates (p)) (:action a :effect (not (p)))",
                                      "(:init (p)) (:goal (p))");
    const Outcome found = run(task, Order::astar, {}, true);
    CHECK_EQ(found.result.status, Status::solved);
    CHECK(found.result.plan.empty());
    CHECK_EQ(found.statistics.expansions, 0);
}

// The search ends in a state whose cost is known, if no other way is cheaper.
TEST(known_costs_end_a_search) {
    const auto task = walk({{"s", "a", 1}, {"a", "g", 9}, {"s", "b", 2}, {"b", "g", 9}});
    const auto knowing = [&](const std::string &where, double cost) -> asnets::KnownCost {
        return [&task, where, cost](const State &state) {
            return place(*task, state) == where ? std::optional(cost) : std::nullopt;
        };
    };
    for (const bool admissible : {false, true}) {
        const Outcome cheap = run(task, Order::astar, {}, admissible, knowing("b", 5));
        CHECK_EQ(plan(*task, cheap.result), Names{"go s b"});
        CHECK_EQ(place(*task, cheap.result.end), "b");
        CHECK_EQ(cheap.result.cost, 7);
        const Outcome dear = run(task, Order::astar, {}, admissible, knowing("b", 9));
        CHECK_EQ(plan(*task, dear.result), (Names{"go s a", "go a g"}));
        CHECK_EQ(dear.result.cost, 10);
        const Outcome dead =
            run(task, Order::astar, {}, admissible, knowing("a", Heuristic::dead_end));
        CHECK_EQ(dead.result.cost, 11);
        const Outcome start = run(task, Order::astar, {}, admissible, knowing("s", 3));
        CHECK(start.result.plan.empty());
        CHECK_EQ(start.result.cost, 3);
    }
}

namespace {

// Where plans lead through, with the cost from there.
std::map<std::string, double> passed(const Task &task, const SearchResult &result) {
    std::map<std::string, double> places;
    for (const SearchResult::Passed &each : result.optimal)
        places[place(task, each.state)] = each.cost;
    return places;
}

SearchResult run_all(const std::shared_ptr<const Task> &task,
                     const std::map<std::string, double> &estimates,
                     const asnets::KnownCost &known = {}) {
    BestFirst search(task, Order::astar, std::make_unique<Estimates>(task, estimates, true));
    Budget budget({});
    return search.run_all(task->initial_states[0].first, budget, known);
}

}  // namespace

// Two of three ways are cheapest; d is dear. With both estimates c is expanded at a higher cost
// first.
TEST(all_optimal_plans_at_once) {
    const auto task = walk({{"s", "a", 1},
                            {"s", "b", 2},
                            {"s", "c", 4},
                            {"a", "c", 2},
                            {"b", "c", 1},
                            {"c", "g", 3},
                            {"s", "d", 3},
                            {"d", "g", 4}});
    const std::map<std::string, double> expected = {
        {"s", 6}, {"a", 5}, {"b", 4}, {"c", 3}, {"g", 0}};
    using Estimated = std::map<std::string, double>;
    for (const Estimated &estimates :
         {Estimated{}, Estimated{{"b", 4}}, Estimated{{"a", 5}}, Estimated{{"a", 5}, {"b", 4}}}) {
        const SearchResult found = run_all(task, estimates);
        CHECK_EQ(found.status, Status::solved);
        CHECK_EQ(found.cost, 6);
        CHECK(passed(*task, found) == expected);
        CHECK_EQ(found.plan.size(), 3);
    }
}

TEST(all_optimal_plans_up_to_what_is_known) {
    const auto task = walk({{"s", "a", 1}, {"a", "g", 9}, {"s", "b", 2}, {"b", "g", 8}});
    const SearchResult found = run_all(task, {}, [&](const State &state) {
        return place(*task, state) == "b" ? std::optional(8.0) : std::nullopt;
    });
    CHECK(passed(*task, found) ==
          (std::map<std::string, double>{{"s", 10}, {"a", 9}, {"b", 8}, {"g", 0}}));
    CHECK_EQ(run_all(task, {{"s", Heuristic::dead_end}}).status, Status::unsolvable);
}

// Following the actions leads to the goal, though a and b lead to each other for nothing.
TEST(free_steps_of_optimal_plans) {
    const auto task = walk({{"s", "a", 1}, {"a", "b", 0}, {"b", "a", 0}, {"b", "g", 1}});
    const SearchResult found = run_all(task, {});
    CHECK(passed(*task, found) ==
          (std::map<std::string, double>{{"s", 2}, {"a", 1}, {"b", 1}, {"g", 0}}));
    std::map<std::string, std::string> actions;
    for (const SearchResult::Passed &each : found.optimal)
        if (each.action != asnets::no_id)
            actions[place(*task, each.state)] = task->action_name(each.action);
    CHECK(actions ==
          (std::map<std::string, std::string>{{"s", "go s a"}, {"a", "go a b"}, {"b", "go b g"}}));
}

// The second way is not seen any more.
TEST(one_optimal_plan_before_a_limit) {
    const auto task = walk({{"s", "a", 1}, {"a", "g", 9}, {"s", "b", 2}, {"b", "g", 8}});
    for (const std::uint64_t expansions : {1, 2, 3}) {
        BestFirst search(task, Order::astar,
                         std::make_unique<Estimates>(
                             task, std::map<std::string, double>{{"a", 8}, {"b", 8}}, true));
        Limits limits;
        limits.expansions = expansions;
        Budget budget(limits);
        const SearchResult found = search.run_all(task->initial_states[0].first, budget);
        CHECK_EQ(found.has_plan, expansions > 1);
        CHECK_EQ(found.status, expansions < 3 ? Status::out_of_expansions : Status::solved);
        CHECK_EQ(found.plan.size(), expansions > 1 ? 2 : 0);
        CHECK_EQ(found.optimal.size(), expansions < 3 ? 0 : 4);
    }
}

TEST(limits_end_a_search) {
    const auto task = walk(detour);
    Limits limits;
    limits.expansions = 2;
    const Outcome found = run(task, Order::astar, {}, true, {}, limits);
    CHECK_EQ(found.result.status, Status::out_of_expansions);
    CHECK_EQ(found.statistics.expansions, 2);
    limits = {};
    limits.seconds = 0;
    CHECK_EQ(run(task, Order::astar, {}, true, {}, limits).result.status, Status::out_of_time);
    limits = {};
    limits.bytes = 1;
    CHECK_EQ(run(task, Order::astar, {}, true, {}, limits).result.status, Status::out_of_memory);
}

TEST(polls_for_interruption) {
    const auto task = walk(detour);
    BestFirst search(task, Order::astar,
                     std::make_unique<Estimates>(task, std::map<std::string, double>{}, true));
    Budget interrupted({}, [] { return true; });
    CHECK_EQ(search.run(task->initial_states[0].first, interrupted).status, Status::interrupted);
    Budget again({}, [] { return false; });
    CHECK_EQ(search.run(task->initial_states[0].first, again).cost, 6);
}

namespace {

class OutOfMemory : public Heuristic {
public:
    double value(const State &) override {
        if (++calls > 1) throw std::bad_alloc();
        return 0;
    }
    int calls = 0;
};

}  // namespace

TEST(failed_allocations_are_out_of_memory) {
    const auto task = walk(detour);
    BestFirst search(task, Order::greedy, std::make_unique<OutOfMemory>());
    Budget budget({});
    CHECK_EQ(search.run(task->initial_states[0].first, budget).status, Status::out_of_memory);
}

TEST(needs_deterministic_tasks) {
    const auto task = ground_sections(
        "(:predicates (p)) (:action a :effect (probabilistic 1/2 (p)))", "(:init) (:goal (p))");
    CHECK_THROWS(BestFirst(task, Order::astar, asnets::make_heuristic("h_max", task)),
                 std::invalid_argument);
}

TEST(teachers_remember) {
    const auto task = walk(detour);
    for (const auto &[name, factory] : asnets::teachers()) {
        const auto teacher = factory(task, {});
        const State &start = task->initial_states[0].first;
        const auto found = teacher->q_values(start);
        CHECK(found.has_value());
        CHECK_EQ(found->size(), 2);
        CHECK_EQ(found->at(0).action, action(*task, "go s a"));
        CHECK(std::abs(found->at(0).value - 6) < 1e-3);
        CHECK(std::abs(found->at(1).value - 7) < 1e-3);
        const auto searches = teacher->statistics().searches;
        CHECK(searches > 0);
        CHECK(teacher->q_values(start).has_value());
        CHECK_EQ(teacher->statistics().searches, searches);
        CHECK_EQ(teacher->statistics().labelled, 1);
    }
}
