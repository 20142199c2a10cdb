// Memory that ends at any point of a solver's work: what it knew stays right, and it can go on.
#include <cmath>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>

#include "inline_task.h"
#include "search/ssp_solver.h"
#include "search/teacher.h"

namespace {

// Allocations until one fails; none does while it is negative.
long allocations_left = -1;

void *allocate(std::size_t size) {
    if (allocations_left == 0) throw std::bad_alloc();
    if (allocations_left > 0) --allocations_left;
    if (void *memory = std::malloc(size > 0 ? size : 1)) return memory;
    throw std::bad_alloc();
}

}  // namespace

void *operator new(std::size_t size) {
    return allocate(size);
}
void *operator new[](std::size_t size) {
    return allocate(size);
}
void *operator new(std::size_t size, const std::nothrow_t &) noexcept {
    return allocations_left == 0 ? nullptr : std::malloc(size > 0 ? size : 1);
}
void *operator new[](std::size_t size, const std::nothrow_t &) noexcept {
    return allocations_left == 0 ? nullptr : std::malloc(size > 0 ? size : 1);
}
void operator delete(void *memory) noexcept {
    std::free(memory);
}
void operator delete[](void *memory) noexcept {
    std::free(memory);
}
void operator delete(void *memory, std::size_t) noexcept {
    std::free(memory);
}
void operator delete[](void *memory, std::size_t) noexcept {
    std::free(memory);
}

using asnets::Budget;
using asnets::Id;
using asnets::Status;

namespace {

// A binary counter that runs from 0 to 2^bits - 1.
std::shared_ptr<const asnets::Task> counter(int bits) {
    std::string predicates;
    std::string actions;
    std::string goal;
    std::string lower;  // all lower bits are set
    std::string clear;  // and become 0
    for (int i = 0; i < bits; ++i) {
        const std::string bit = "(b" + std::to_string(i) + ")";
        predicates += bit;
        goal += bit;
        actions += "(:action up" + std::to_string(i) + " :precondition (and (not " + bit + ")" +
                   lower + ") :effect (and " + bit + clear + "))";
        lower += bit;
        clear += "(not " + bit + ")";
    }
    return inline_task::ground_sections(
        "(:requirements :adl) (:predicates " + predicates + ")" + actions,
        "(:init) (:goal (and " + goal + "))");
}

template <typename Work>
void fail_everywhere(Work work) {
    for (long before = 1; before < 20'000; before += 1 + before / 8) work(before);
}

}  // namespace

TEST(solvers_go_on) {
    const auto task = counter(8);
    const asnets::SspOptions options;
    for (const auto &[name, kind] : asnets::ssp_solvers())
        fail_everywhere([&, &solver_kind = kind](long before) {
            const auto solver = solver_kind.make(
                task,
                solver_kind.needs_heuristic ? asnets::make_heuristic("lm_cut", task) : nullptr,
                options);
            const Id start = solver->table.insert(task->initial_states[0].first);
            Budget first({});
            allocations_left = before;
            const Status status = solver->solve(start, first);
            allocations_left = -1;
            CHECK(status == Status::solved || status == Status::out_of_memory);
            asnets::State goal = task->initial_states[0].first;
            for (Id p = 0; p < task->proposition_count(); ++p) goal.add(p);
            CHECK(solver->table.is_goal(solver->table.insert(goal)));
            Budget second({});
            CHECK_EQ(solver->solve(start, second), Status::solved);
            CHECK(std::abs(solver->table.value(start) - 255) < 0.01);
        });
}

// What a teacher knows of its optimal plans when memory ends is not half of them.
TEST(good_actions_stay_right) {
    const auto task = inline_task::ground_sections(
        "(:predicates (a) (b) (c))"
        "(:action a :precondition () :effect (a)) (:action b :precondition () :effect (b))"
        "(:action c :precondition () :effect (c)) (:action undo :precondition (a) :effect (not "
        "(a)))",
        "(:init) (:goal (and (a) (b) (c)))");
    std::vector<asnets::State> states = {task->initial_states[0].first};
    for (const char *name : {"a", "b"})
        states.push_back(
            task->apply(task->outcomes_of(inline_task::action(*task, name))[0], states.back()));
    std::vector<std::vector<Id>> expected;
    for (const asnets::State &state : states)
        expected.push_back(*asnets::make_teacher("astar:h_max", task, {})->good_actions(state));
    fail_everywhere([&](long before) {
        const auto teacher = asnets::make_teacher("astar:h_max", task, {});
        allocations_left = before;
        try {
            teacher->rollout(states[0], 100, 0);
        } catch (const std::bad_alloc &) {
        }
        allocations_left = -1;
        for (std::size_t i = 0; i < states.size(); ++i)
            if (const auto good = teacher->good_actions(states[i])) CHECK(*good == expected[i]);
    });
}

TEST(teachers_go_on) {
    const auto task = counter(6);
    const asnets::State &start = task->initial_states[0].first;
    for (const char *name : {"astar:lm_cut", "greedy:h_ff", "lrtdp:lm_cut"})
        fail_everywhere([&](long before) {
            const auto teacher = asnets::make_teacher(name, task, {});
            allocations_left = before;
            try {
                teacher->rollout(start, 100, 0);
            } catch (const std::bad_alloc &) {
            }
            allocations_left = -1;
            // A later search comes upon every state that was about to be noted.
            const auto again = teacher->rollout(start, 100, 0);
            if (again) CHECK_EQ(again->cost, 63);
            const asnets::State after =
                task->apply(task->outcomes_of(inline_task::action(*task, "up0"))[0], start);
            const auto found = teacher->rollout(after, 100, 0);
            if (found) CHECK_EQ(found->cost, 62);
        });
}
