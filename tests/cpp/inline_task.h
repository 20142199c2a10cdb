// Tasks written inside a test: loading, grounding, and checks of the mistakes found in them.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/interrupt.h"
#include "base/random.h"
#include "check.h"
#include "pddl/load.h"
#include "pddl/source.h"
#include "task/build.h"
#include "task/task.h"

namespace inline_task {

inline asnets::pddl::Problem load(const std::string &domain, const std::string &problem) {
    asnets::Interrupt interrupt;
    return asnets::pddl::load({"d.pddl", domain}, {"p.pddl", problem}, interrupt);
}

inline std::shared_ptr<const asnets::Task> ground(const std::string &domain,
                                                  const std::string &problem) {
    asnets::Interrupt interrupt;
    return asnets::ground(load(domain, problem), interrupt);
}

inline std::vector<std::string> action_names(const asnets::Task &task) {
    std::vector<std::string> names;
    for (asnets::Id action = 0; action < task.actions.size(); ++action)
        names.push_back(task.action_name(action));
    return names;
}

inline std::vector<std::string> proposition_names(const asnets::Task &task) {
    std::vector<std::string> names;
    for (asnets::Id proposition = 0; proposition < task.proposition_count(); ++proposition)
        names.push_back(task.proposition_name(proposition));
    return names;
}

// The same from the sections of a domain and a problem alone.
inline std::shared_ptr<const asnets::Task> ground_sections(const std::string &domain,
                                                           const std::string &problem) {
    return ground("(define (domain d) " + domain + ")",
                  "(define (problem p) (:domain d) " + problem + ")");
}

inline std::vector<std::string> reached_actions(const std::string &domain,
                                                const std::string &problem) {
    return action_names(*ground_sections(domain, problem));
}

// The number of a name such as "stack a b" in a list of names.
inline asnets::Id id_of(const std::vector<std::string> &names, std::string_view name) {
    for (std::size_t i = 0; i < names.size(); ++i)
        if (names[i] == name) return static_cast<asnets::Id>(i);
    check::fail(__FILE__, __LINE__) << "nothing is called " << name << '\n';
    return asnets::no_id;
}

inline asnets::Id action(const asnets::Task &task, std::string_view name) {
    return id_of(action_names(task), name);
}

inline asnets::Id proposition(const asnets::Task &task, std::string_view name) {
    return id_of(proposition_names(task), name);
}

// The names of the true propositions, in order.
inline std::vector<std::string> atoms(const asnets::Task &task, const asnets::State &state) {
    std::vector<std::string> names;
    state.for_each([&](asnets::Id id) { names.push_back(task.proposition_name(id)); });
    return names;
}

using Names = std::vector<std::string>;

// "a, b, c"
inline std::string joined(const Names &names) {
    std::string result;
    for (const std::string &name : names) result += (result.empty() ? "" : ", ") + name;
    return result;
}

inline const asnets::State &start(const asnets::Task &task) {
    return task.initial_states.at(0).first;
}

// The first outcome of an action.
inline asnets::State apply(const asnets::Task &task, const asnets::State &state,
                           std::string_view name) {
    return task.apply(task.outcomes_of(action(task, name))[0], state);
}

// Takes an action at random and samples its outcome; starts again where there is none.
inline asnets::State random_step(const asnets::Task &task, const asnets::State &state,
                                 asnets::Rng &rng) {
    std::vector<asnets::Id> applicable;
    task.applicable_actions(state, applicable);
    if (applicable.empty()) return start(task);
    return task.sample(state, applicable[rng.next() % applicable.size()], rng.uniform());
}

// `line:column: message` of the PddlError that `run` throws, or "".
template <class Run>
std::string mistake(Run &&run) {
    try {
        run();
    } catch (const asnets::pddl::PddlError &error) {
        return std::to_string(error.position.line) + ":" + std::to_string(error.position.column) +
               ": " + error.message;
    }
    return "";
}

inline void check_mistake(const std::string &found, const std::string &place,
                          std::string_view fragment, const char *file, int line) {
    if (found.starts_with(place + ": ") && found.find(fragment) != std::string::npos) return;
    check::fail(file, line) << "expected an error at " << place << " with \"" << fragment
                            << "\", found " << (found.empty() ? "none" : found) << '\n';
}

}  // namespace inline_task

// Checks that the expression throws a PddlError at `line:column` whose message has the fragment.
#define CHECK_MISTAKE(expression, place, fragment)                                           \
    inline_task::check_mistake(inline_task::mistake([&] { static_cast<void>(expression); }), \
                               place, fragment, __FILE__, __LINE__)
