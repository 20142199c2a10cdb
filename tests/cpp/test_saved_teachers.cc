// Teachers that are saved and loaded, and what they make of damaged data that no checksum guards.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "inline_task.h"
#include "search/teacher.h"

using asnets::ByteReader;
using asnets::ByteWriter;
using asnets::Id;
using asnets::State;
using asnets::Task;
using asnets::Teacher;

namespace {

// Three lamps to switch on, one after the other; a switch may do nothing, or put all out.
std::shared_ptr<const Task> lamps(const std::string &luck) {
    return inline_task::ground_sections(
        "(:requirements :adl :probabilistic-effects) (:predicates (a) (b) (c) (broken))"
        "(:action first :precondition (not (a)) :effect " +
            luck +
            "(a)))"
            "(:action second :precondition (and (a) (not (b))) :effect " +
            luck +
            "(b)))"
            "(:action third :precondition (b) :effect (and (c) (not (a))))"
            "(:action hit :effect (and (broken) (not (a)) (not (b)) (not (c))))",
        "(:init) (:goal (and (a) (b) (c) (not (broken))))");
}

std::shared_ptr<const Task> task_for(const std::string &teacher) {
    const bool plans = teacher.starts_with("astar") || teacher.starts_with("greedy");
    return lamps(plans ? "(and " : "(probabilistic 0.5 ");
}

std::vector<State> all_states(const Task &task) {
    std::vector<State> result;
    for (std::uint64_t bits = 0; bits < std::uint64_t{1} << task.proposition_count(); ++bits)
        result.emplace_back(std::vector<std::uint64_t>{bits});
    return result;
}

std::unique_ptr<Teacher> fresh(const std::string &name, const std::shared_ptr<const Task> &task) {
    asnets::TeacherOptions options;
    options.seconds = 600;
    options.expansions = 200;
    return asnets::make_teacher(name, task, options);
}

std::string saved(const Teacher &teacher) {
    ByteWriter out;
    teacher.save(out);
    return out.bytes();
}

void load(Teacher &teacher, const std::string &bytes) {
    ByteReader in(bytes);
    teacher.load(in);
}

// Q-values and costs of rollouts; -1 for what was given up.
std::vector<double> answers(Teacher &teacher, const std::vector<State> &states) {
    std::vector<double> result;
    for (const State &state : states) {
        if (const auto found = teacher.q_values(state))
            for (const Teacher::QValue &each : *found) result.push_back(each.value);
        else
            result.push_back(-1);
        const auto run = teacher.rollout(state, 20, 3);
        result.push_back(run ? run->cost : -1);
    }
    return result;
}

// A teacher that has been asked for some states.
std::unique_ptr<Teacher> used(const std::string &name, const std::shared_ptr<const Task> &task) {
    auto teacher = fresh(name, task);
    const std::vector<State> states = all_states(*task);
    answers(*teacher, {states.begin(), states.begin() + 3});
    return teacher;
}

}  // namespace

TEST(a_loaded_teacher_goes_on) {
    for (const auto &[name, factory] : asnets::teachers()) {
        const auto task = task_for(name);
        const auto teacher = used(name, task);
        const std::string bytes = saved(*teacher);
        const auto other = fresh(name, task);
        load(*other, bytes);
        CHECK(saved(*other) == bytes);
        const std::vector<State> states = all_states(*task);
        CHECK_EQ(answers(*other, states), answers(*teacher, states));
        CHECK_EQ(other->statistics().searches, teacher->statistics().searches);
    }
}

// What was known before is forgotten.
TEST(loading_replaces) {
    for (const auto &[name, factory] : asnets::teachers()) {
        const auto task = task_for(name);
        const std::string nothing = saved(*fresh(name, task));
        const auto teacher = used(name, task);
        CHECK(saved(*teacher) != nothing);
        load(*teacher, nothing);
        CHECK(saved(*teacher) == nothing);
    }
}

TEST(an_early_end_changes_nothing) {
    for (const auto &[name, factory] : asnets::teachers()) {
        const auto task = task_for(name);
        const std::string bytes = saved(*used(name, task));
        const auto teacher = fresh(name, task);
        const std::string before = saved(*teacher);
        for (std::size_t length = 0; length < bytes.size(); ++length) {
            CHECK_THROWS(load(*teacher, bytes.substr(0, length)), std::runtime_error);
            CHECK(saved(*teacher) == before);
        }
        CHECK_THROWS(load(*teacher, bytes + "x"), std::runtime_error);
        CHECK(saved(*teacher) == before);
    }
}

// Every byte changed in some ways: an error that changes nothing, or a teacher that can be asked.
TEST(damage_is_an_error_or_harmless) {
    for (const auto &[name, factory] : asnets::teachers()) {
        if (name.find("h_max") == std::string::npos && name != "value_iteration") continue;
        const auto task = task_for(name);
        const std::string bytes = saved(*used(name, task));
        const std::vector<State> states = all_states(*task);
        const auto teacher = fresh(name, task);
        const std::string before = saved(*teacher);
        std::size_t refused = 0;
        for (std::size_t i = 0; i < bytes.size(); ++i)
            for (const int change : {0x01, 0x80, 0xff}) {
                std::string damaged = bytes;
                damaged[i] = static_cast<char>(damaged[i] ^ change);
                try {
                    load(*teacher, damaged);
                    answers(*teacher, states);
                    load(*teacher, before);
                } catch (const std::exception &) {
                    ++refused;
                    CHECK(saved(*teacher) == before);
                }
            }
        CHECK(refused > bytes.size());
    }
}

TEST(another_teachers_data) {
    const auto task = task_for("astar:h_max");
    const auto teacher = fresh("astar:h_max", task);
    CHECK_THROWS(load(*teacher, saved(*fresh("astar:h_add", task))), std::invalid_argument);
    const auto other_task = lamps("(and (broken) ");
    CHECK_EQ(other_task->proposition_count(), task->proposition_count());
    CHECK_EQ(other_task->actions.size(), task->actions.size());
    CHECK_THROWS(load(*teacher, saved(*fresh("astar:h_max", other_task))), std::invalid_argument);
    asnets::TeacherOptions options;
    options.penalty = 70;
    const auto other_options = asnets::make_teacher("astar:h_max", task, options);
    CHECK_THROWS(load(*teacher, saved(*other_options)), std::invalid_argument);
    load(*teacher, saved(*fresh("astar:h_max", task_for("astar:h_max"))));
}
