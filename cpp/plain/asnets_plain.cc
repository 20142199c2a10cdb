#include "plain/asnets_plain.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "base/stopwatch.h"
#include "network/check_fits.h"
#include "network/model_file.h"
#include "network/network.h"
#include "pddl/load.h"
#include "plain/torch_scorer.h"
#include "policy/rollout.h"
#include "task/build.h"

using asnets::Id;

struct asnets_policy {
    std::shared_ptr<const asnets::Task> task;
    asnets::FeatureOptions features;
    std::optional<asnets::FeatureExtractor> extractor;
    std::optional<asnets::Policy> policy;
    asnets::Rng rng{0};
    asnets::Interrupt interrupt;
    std::optional<asnets::Execution> execution;
    asnets_statistics statistics = {};
    std::string name;  // the last that was asked for
};

namespace {

thread_local std::string error;

// A failure with its kind.
struct Failure {
    asnets_status status;
    std::string message;
};

// Runs `use`; whatever it throws becomes a status and a line.
template <typename Use>
asnets_status guarded(Use use) {
    try {
        use();
        return ASNETS_OK;
    } catch (const Failure &failure) {
        error = failure.message;
        return failure.status;
    } catch (const asnets::TorchError &bad) {
        error = bad.what();
        return ASNETS_NO_TORCH;
    } catch (const asnets::ModelError &bad) {
        error = bad.what();
        return ASNETS_BAD_MODEL;
    } catch (const std::overflow_error &bad) {  // logits that are no numbers
        error = bad.what();
        return ASNETS_BAD_MODEL;
    } catch (const asnets::OutOfTime &) {
        error = "time limit reached";
        return ASNETS_OUT_OF_TIME;
    } catch (const std::bad_alloc &) {
        error = "out of memory";
        return ASNETS_OUT_OF_MEMORY;
    } catch (const std::exception &other) {
        error = other.what();
        return ASNETS_FAILED;
    }
}

std::string line_of(const asnets::pddl::PddlError &bad) {
    return bad.file + ":" + std::to_string(bad.position.line) + ":" +
           std::to_string(bad.position.column) + ": " + bad.message;
}

std::shared_ptr<const asnets::Task> read_task(const char *domain, const char *problem,
                                              asnets::Interrupt &interrupt) {
    try {
        return asnets::ground(
            asnets::pddl::load(asnets::pddl::Source::read(domain, interrupt),
                               asnets::pddl::Source::read(problem, interrupt), interrupt),
            interrupt);
    } catch (const asnets::pddl::PddlError &bad) {
        throw Failure{ASNETS_BAD_INPUT, line_of(bad)};
    } catch (const std::system_error &bad) {
        throw Failure{ASNETS_BAD_INPUT, bad.what()};
    }
}

asnets::ModelFile read_file(const char *model) {
    try {
        return asnets::read_model(model);
    } catch (const std::system_error &bad) {
        throw Failure{ASNETS_BAD_MODEL, bad.what()};
    }
}

// The network in the task, with what it sees.
void bind(asnets_policy &policy, asnets::ModelFile model, const std::string &file,
          const char *torch_library) {
    if (!policy.task->is_deterministic() || policy.task->initial_states.size() != 1)
        throw Failure{ASNETS_UNSUPPORTED,
                      "the task is probabilistic: use \"asnets plan\", which simulates it"};
    try {
        auto structure =
            std::make_shared<const asnets::NetworkStructure>(policy.task, model.pooling);
        policy.features = model.weights.features;
        auto weights = std::make_shared<const asnets::NetworkWeights>(std::move(model.weights));
        std::shared_ptr<asnets::Scorer> scorer;
        if (torch_library == nullptr) {
            scorer = std::make_shared<asnets::Network>(std::move(weights), structure);
        } else {
            check_fits(*weights, *structure);
            scorer = asnets::torch_scorer(torch_library, file, structure, policy.features);
        }
        policy.policy.emplace(std::move(scorer));
        policy.extractor.emplace(std::move(structure), policy.features);
    } catch (const asnets::pddl::PddlError &bad) {
        throw Failure{ASNETS_UNSUPPORTED, line_of(bad)};
    } catch (const std::invalid_argument &bad) {
        throw Failure{ASNETS_BAD_MODEL, file + ": not for domain " +
                                            policy.task->problem->domain_name + ": " + bad.what()};
    }
}

asnets_step_result result_of(asnets::Run::End end) {
    switch (end) {
        case asnets::Run::End::goal: return ASNETS_GOAL;
        case asnets::Run::End::dead_end: return ASNETS_DEAD_END;
        case asnets::Run::End::loop: return ASNETS_LOOP;
        case asnets::Run::End::step_limit: return ASNETS_STEP_LIMIT;
        case asnets::Run::End::time_limit: return ASNETS_TIME_LIMIT;
    }
    return ASNETS_STEP_LIMIT;
}

}  // namespace

const char *asnets_error(void) {
    return error.c_str();
}

asnets_status asnets_open(const char *domain_file, const char *problem_file, const char *model_file,
                          const char *torch_library, double seconds, asnets_policy **policy) {
    *policy = nullptr;
    return guarded([&] {
        auto result = std::make_unique<asnets_policy>();
        asnets::Interrupt interrupt(nullptr, asnets::Interrupt::after(seconds));
        asnets::ModelFile model;
        {
            const asnets::Stopwatch watched(result->statistics.model_seconds);
            model = read_file(model_file);
        }
        {
            const asnets::Stopwatch watched(result->statistics.ground_seconds);
            result->task = read_task(domain_file, problem_file, interrupt);
        }
        const asnets::Stopwatch watched(result->statistics.model_seconds);
        bind(*result, std::move(model), model_file, torch_library);
        *policy = result.release();
    });
}

void asnets_close(asnets_policy *policy) {
    delete policy;
}

uint32_t asnets_action_count(const asnets_policy *policy) {
    return static_cast<uint32_t>(policy->task->actions.size());
}

uint32_t asnets_proposition_count(const asnets_policy *policy) {
    return static_cast<uint32_t>(policy->task->proposition_count());
}

const char *asnets_action_name(asnets_policy *policy, uint32_t action) {
    const auto get = [&] { policy->name = policy->task->action_name(action); };
    return guarded(get) == ASNETS_OK ? policy->name.c_str() : "";
}

const char *asnets_proposition_name(asnets_policy *policy, uint32_t proposition) {
    const auto get = [&] { policy->name = policy->task->proposition_name(proposition); };
    return guarded(get) == ASNETS_OK ? policy->name.c_str() : "";
}

double asnets_action_cost(const asnets_policy *policy, uint32_t action) {
    return policy->task->actions[action].cost;
}

asnets_status asnets_start(asnets_policy *policy, const asnets_run_options *options) {
    return guarded([&] {
        if (!(options->temperature > 0 && std::isfinite(options->temperature)))
            throw Failure{ASNETS_BAD_INPUT, "temperature must be positive and finite"};
        asnets::RunOptions run;
        run.selection.mode =
            options->sample != 0 ? asnets::Selection::Mode::sample : asnets::Selection::Mode::best;
        run.selection.temperature = options->temperature;
        run.most_steps = options->max_steps;
        if (options->avoid_loops >= 0) run.avoid_loops = options->avoid_loops != 0;
        run.sees_history = policy->features.history();
        policy->interrupt = asnets::Interrupt(nullptr, asnets::Interrupt::after(options->seconds));
        policy->extractor->set_interrupt(policy->interrupt);
        policy->rng = asnets::Rng(options->seed);
        // As Python's runs, which draw their initial state.
        const asnets::State start = sample_initial_state(*policy->task, policy->rng);
        const auto observe = [policy](const asnets::State &state, const asnets::History &history) {
            policy->interrupt.check();
            return policy->extractor->observe(state, history);
        };
        policy->execution.emplace(*policy->task, *policy->policy, run, observe, start, policy->rng);
    });
}

asnets_status asnets_step(asnets_policy *policy, asnets_step_result *result, uint32_t *action) {
    return guarded([&] {
        if (!policy->execution) throw Failure{ASNETS_FAILED, "asnets_start comes first"};
        const bool moved = policy->execution->step();
        const asnets::Run &run = policy->execution->run();
        *result = moved ? ASNETS_MOVED : result_of(run.end);
        if (!moved) return;
        *action = run.actions.back();
        ++policy->statistics.evaluations;
        policy->statistics.steps = run.actions.size();
        policy->statistics.avoided = run.avoided;
        policy->statistics.cost = run.cost;
        policy->statistics.feature_seconds = run.feature_seconds;
        policy->statistics.network_seconds = run.network_seconds;
    });
}

int asnets_holds(const asnets_policy *policy, uint32_t proposition) {
    if (!policy->execution) return 0;
    return policy->execution->run().states.back().holds(proposition) ? 1 : 0;
}

int asnets_holds_initially(const asnets_policy *policy, uint32_t proposition) {
    return policy->task->initial_states[0].first.holds(proposition) ? 1 : 0;
}

asnets_status asnets_likely_actions(asnets_policy *policy, const uint32_t *propositions,
                                    size_t proposition_count, double share, uint32_t *actions,
                                    uint32_t *action_count) {
    return guarded([&] {
        *action_count = 0;
        asnets::State state(policy->task->proposition_count());
        for (size_t i = 0; i < proposition_count; ++i) state.add(propositions[i]);
        asnets::Observation seen;
        {
            const asnets::Stopwatch watched(policy->statistics.feature_seconds);
            seen = policy->extractor->observe(state, {});
        }
        const asnets::Stopwatch watched(policy->statistics.network_seconds);
        const std::vector<double> probability = policy->policy->probabilities(seen);
        ++policy->statistics.evaluations;
        std::vector<std::size_t> order;
        const double highest =
            probability.empty() ? 0 : *std::max_element(probability.begin(), probability.end());
        for (std::size_t i = 0; i < probability.size(); ++i)
            if (probability[i] >= share * highest) order.push_back(i);
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            return probability[a] > probability[b];
        });
        for (const std::size_t i : order) actions[(*action_count)++] = seen.applicable[i];
    });
}

asnets_statistics asnets_get_statistics(const asnets_policy *policy) {
    return policy->statistics;
}
