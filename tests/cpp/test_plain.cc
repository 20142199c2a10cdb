// The plain interface, as a program that knows nothing but its header uses it.
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "lamps_model.h"
#include "plain/asnets_plain.h"

namespace {

const std::string problem =
    "(define (problem p) (:domain lamps) (:objects a b) (:init) (:goal (and (on a) (on b))))";

// A folder with a domain, a problem and a model.
class Files {
public:
    explicit Files(const std::string &problem_text = problem,
                   const std::string &domain_text = lamps_model::domain) {
        std::filesystem::create_directories(folder_);
        write("d.pddl", domain_text);
        write("p.pddl", problem_text);
        write("m.pt", lamps_model::model());
    }
    Files(const Files &) = delete;
    Files &operator=(const Files &) = delete;
    ~Files() {
        std::filesystem::remove_all(folder_);
    }
    void write(const std::string &name, const std::string &content) const {
        std::ofstream(folder_ / name, std::ios::binary) << content;
    }
    [[nodiscard]] std::string path(const std::string &name) const {
        return (folder_ / name).string();
    }
    // The policy, or null.
    asnets_status open(asnets_policy *&policy, double seconds = 1e9) const {
        return asnets_open(path("d.pddl").c_str(), path("p.pddl").c_str(), path("m.pt").c_str(),
                           nullptr, seconds, &policy);
    }

private:
    std::filesystem::path folder_ =
        std::filesystem::temp_directory_path() / ("asnets-plain-" + std::to_string(getpid()));
};

const asnets_run_options usual = {0, 1.0, 0, 300, 0, 1e9};

// How opening fails; "" if it does not.
std::string failure(const Files &files, asnets_status expected, double seconds = 1e9) {
    asnets_policy *policy = nullptr;
    const asnets_status found = files.open(policy, seconds);
    CHECK_EQ(static_cast<int>(found), static_cast<int>(expected));
    CHECK((policy == nullptr) == (found != ASNETS_OK));
    asnets_close(policy);
    return found == ASNETS_OK ? "" : asnets_error();
}

}  // namespace

TEST(acts_to_the_goal) {
    const Files files;
    asnets_policy *policy = nullptr;
    CHECK(files.open(policy) == ASNETS_OK);
    CHECK_EQ(asnets_action_count(policy), 2);
    CHECK_EQ(asnets_proposition_count(policy), 2);
    CHECK_EQ(std::string(asnets_action_name(policy, 1)), "light b");
    CHECK_EQ(std::string(asnets_proposition_name(policy, 0)), "on a");
    CHECK_EQ(asnets_action_cost(policy, 0), 1);
    CHECK_EQ(asnets_holds(policy, 0), 0);
    asnets_step_result result = ASNETS_MOVED;
    std::uint32_t action = 0;
    CHECK(asnets_step(policy, &result, &action) == ASNETS_FAILED);
    CHECK_EQ(std::string(asnets_error()), "asnets_start comes first");
    for (int round = 0; round < 2; ++round) {  // a policy can start again
        CHECK(asnets_start(policy, &usual) == ASNETS_OK);
        CHECK_EQ(asnets_holds(policy, 0), 0);
        std::vector<std::uint32_t> plan;
        while (asnets_step(policy, &result, &action) == ASNETS_OK && result == ASNETS_MOVED)
            plan.push_back(action);
        CHECK(result == ASNETS_GOAL);
        CHECK(plan == std::vector<std::uint32_t>({0, 1}));  // they tie, so by name
        CHECK_EQ(asnets_holds(policy, 1), 1);
        const asnets_statistics statistics = asnets_get_statistics(policy);
        CHECK_EQ(statistics.steps, 2);
        CHECK_EQ(statistics.cost, 2);
        CHECK(statistics.network_seconds > 0);
    }
    asnets_run_options short_run = usual;
    short_run.max_steps = 1;
    CHECK(asnets_start(policy, &short_run) == ASNETS_OK);
    CHECK(asnets_step(policy, &result, &action) == ASNETS_OK && result == ASNETS_MOVED);
    CHECK(asnets_step(policy, &result, &action) == ASNETS_OK && result == ASNETS_STEP_LIMIT);
    asnets_run_options late = usual;
    late.seconds = 0;
    CHECK(asnets_start(policy, &late) == ASNETS_OK);
    CHECK(asnets_step(policy, &result, &action) == ASNETS_OK && result == ASNETS_TIME_LIMIT);
    asnets_run_options cold = usual;
    cold.temperature = 0;
    CHECK(asnets_start(policy, &cold) == ASNETS_BAD_INPUT);
    asnets_close(policy);
    asnets_close(nullptr);
}

TEST(likely_actions) {
    const Files files;
    asnets_policy *policy = nullptr;
    CHECK(files.open(policy) == ASNETS_OK);
    std::vector<std::uint32_t> actions(asnets_action_count(policy));
    std::uint32_t count = 0;
    CHECK(asnets_likely_actions(policy, nullptr, 0, 0.5, actions.data(), &count) == ASNETS_OK);
    CHECK_EQ(count, 2);
    const std::uint32_t lit = 0;
    CHECK(asnets_likely_actions(policy, &lit, 1, 0.5, actions.data(), &count) == ASNETS_OK);
    CHECK_EQ(count, 1);
    CHECK_EQ(actions[0], 1);
    asnets_close(policy);
}

TEST(what_cannot_be_opened) {
    CHECK_EQ(failure(Files(), ASNETS_OK), "");
    {
        const Files files;
        files.write("m.pt", "no model");
        CHECK_EQ(failure(files, ASNETS_BAD_MODEL),
                 files.path("m.pt") + ": not an ASNets model: it is no zip archive");
        std::filesystem::remove(files.path("m.pt"));
        CHECK(failure(files, ASNETS_BAD_MODEL).find("m.pt") != std::string::npos);
    }
    {
        const Files files("(define (problem p) (:domain lamps) (:goal (off)))");
        CHECK(failure(files, ASNETS_BAD_INPUT).find("p.pddl:1:45: ") != std::string::npos);
        std::filesystem::remove(files.path("p.pddl"));
        CHECK(failure(files, ASNETS_BAD_INPUT).find("p.pddl") != std::string::npos);
    }
    {
        const Files files(problem,
                          lamps_model::replaced(lamps_model::domain, "(spare)", "(other)"));
        CHECK_EQ(failure(files, ASNETS_BAD_MODEL),
                 files.path("m.pt") +
                     ": not for domain lamps: predicate spare of the model is not in the task");
    }
    {
        const Files files(problem, lamps_model::replaced(lamps_model::domain, ":effect (on ?x)",
                                                         ":effect (probabilistic 1/2 (on ?x))"));
        CHECK(failure(files, ASNETS_UNSUPPORTED).find("probabilistic") != std::string::npos);
    }
    {
        const Files files(lamps_model::replaced(problem, "(and (on a) (on b))", "(not (on a))"));
        CHECK(failure(files, ASNETS_UNSUPPORTED).find("p.pddl:1:") != std::string::npos);
    }
}
