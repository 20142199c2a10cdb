#include "asnet_policy.h"

#include "../plugin.h"

#include "../task_utils/task_properties.h"
#include "../utils/logging.h"
#include "../utils/system.h"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iostream>
#include <limits>

using namespace std;
using utils::ExitCode;
using utils::Verbosity;

namespace asnets_plugin {
// Adds the time of its life to a sum; finer than utils::Timer.
class Stopwatch {
    double &sum;
    const chrono::steady_clock::time_point begin;
public:
    explicit Stopwatch(double &sum) : sum(sum), begin(chrono::steady_clock::now()) {}
    ~Stopwatch() {
        sum += chrono::duration<double>(chrono::steady_clock::now() - begin).count();
    }
};

static const int AUTOMATIC = 2;  // of avoid_loops

AsnetPolicy::AsnetPolicy(
    const Options &opts, const options::Registry &registry,
    const options::Predefinitions &predefinitions)
    : SearchEngine(opts),
      files(opts),
      registry(registry),
      predefinitions(predefinitions),
      is_plan_of_fallback(false),
      mapping_seconds(0) {
    run_options.sample = opts.get<bool>("sample");
    run_options.temperature = opts.get<double>("temperature");
    run_options.seed = opts.get<int>("seed");
    run_options.max_steps = opts.get<int>("max_steps");
    int avoid_loops = opts.get<int>("avoid_loops");
    run_options.avoid_loops = avoid_loops == AUTOMATIC ? -1 : avoid_loops;
    if (opts.contains("fallback"))
        fallback.push_back(opts.get<options::ParseTree>("fallback"));
}

void AsnetPolicy::initialize() {
    timer.reset();
    policy = files.open(max_time);
    if (!policy)
        return;
    {
        Stopwatch watched(mapping_seconds);
        mapping.reset(new TaskMapping(policy.get(), task_proxy));
    }
    run_options.seconds = max_time - timer();
    check(core().start(policy.get(), &run_options));
    state.reset(new GlobalState(state_registry.get_initial_state()));
    string difference = mapping->difference(policy.get(), *state, task_proxy);
    if (!difference.empty())
        end_with(ExitCode::SEARCH_INPUT_ERROR, "the translated task is not that of " +
                 files.get_problem() + ": at first, " + difference);
    if (verbosity >= Verbosity::NORMAL)
        utils::g_log << "Following " << files.get_model() << ", "
                     << core().action_count(policy.get()) << " ground actions..." << endl;
}

SearchStatus AsnetPolicy::step() {
    if (!policy)
        return give_up("time limit reached while grounding", TIMEOUT);
    asnets_step_result result;
    uint32_t action = 0;
    check(core().step(policy.get(), &result, &action));
    switch (result) {
    case ASNETS_MOVED:
        take(action);
        if (bound != numeric_limits<int>::max() &&
            core().get_statistics(policy.get()).cost >= bound)
            return give_up("bound reached", FAILED);
        return IN_PROGRESS;
    case ASNETS_GOAL:
        if (task_proxy.get_operators().size() == 0 && !actions.empty())
            end_with(ExitCode::SEARCH_UNSUPPORTED,
                     "Fast Downward's translator takes this task for unsolvable, which it is not: "
                     "use \"asnets plan\"");
        if (!task_properties::is_goal_state(task_proxy, *state))
            fail("the core is at the goal");
        utils::g_log << "Solution found!" << endl;
        set_plan(operators);
        return SOLVED;
    case ASNETS_DEAD_END:
        return give_up("dead end, no action is applicable", FAILED);
    case ASNETS_LOOP:
        return give_up("loop, it is where it was before", FAILED);
    case ASNETS_STEP_LIMIT:
        return give_up("step limit reached", FAILED);
    case ASNETS_TIME_LIMIT:
        break;
    }
    return give_up("time limit reached", TIMEOUT);
}

// Repeats an action of the core.
void AsnetPolicy::take(uint32_t action) {
    string name = core().action_name(policy.get(), action);
    if (verbosity >= Verbosity::DEBUG)
        utils::g_log << "Step " << actions.size() + 1 << ": " << name << endl;
    Stopwatch watched(mapping_seconds);
    int cost = static_cast<int>(core().action_cost(policy.get(), action));
    if (!mapping->operators_of(action).empty()) {
        vector<OperatorID> applicable =
            mapping->applicable_operators(action, state->unpack(), task_proxy);
        if (applicable.empty())
            fail(name + " is not applicable");
        OperatorProxy op = task_proxy.get_operators()[applicable[0]];
        cost = op.get_cost();
        *state = state_registry.get_successor_state(*state, op);
        operators.push_back(applicable[0]);
        statistics.inc_generated();
    }
    statistics.inc_expanded();
    statistics.inc_evaluated_states();
    statistics.inc_evaluations(1);
    actions.emplace_back(name, cost);
    string difference = mapping->difference(policy.get(), *state, task_proxy);
    if (!difference.empty())
        fail("after " + name + ", " + difference);
}

SearchStatus AsnetPolicy::give_up(const string &reason, SearchStatus status) {
    utils::g_log << "The policy does not reach the goal: " << reason << " (steps: "
                 << actions.size() << ")." << endl;
    return fallback.empty() ? status : search_instead();
}

SearchStatus AsnetPolicy::search_instead() {
    if (timer() >= max_time)
        return TIMEOUT;
    OptionParser parser(fallback[0], registry, predefinitions, false);
    shared_ptr<SearchEngine> engine = parser.start_parsing<shared_ptr<SearchEngine>>();
    double seconds = max_time - timer(); // making it may have taken long
    if (seconds <= 0) {
        utils::g_log << "Time limit reached before the fallback search." << endl;
        return TIMEOUT;
    }
    engine->limit_time(seconds);
    engine->set_bound(min(engine->get_bound(), bound));
    utils::g_log << "Search takes over." << endl;
    engine->search();
    engine->print_statistics();
    const SearchStatistics &found = engine->get_statistics();
    statistics.inc_expanded(found.get_expanded());
    statistics.inc_evaluated_states(found.get_evaluated_states());
    statistics.inc_evaluations(found.get_evaluations());
    statistics.inc_generated(found.get_generated());
    statistics.inc_generated_ops(found.get_generated_ops());
    statistics.inc_reopened(found.get_reopened());
    if (!engine->found_solution())
        return engine->get_status();
    is_plan_of_fallback = true;
    set_plan(engine->get_plan());
    return SOLVED;
}

void AsnetPolicy::fail(const string &what) const {
    cout.flush();
    cerr << "internal error: the translated task and the core disagree: " << what << endl;
    cerr << "translated task:";
    for (FactProxy fact : state->unpack())
        cerr << " " << fact.get_name() << ";";
    cerr << endl << "core:";
    for (uint32_t i = 0; i < core().proposition_count(policy.get()); ++i)
        if (core().holds(policy.get(), i))
            cerr << " (" << core().proposition_name(policy.get(), i) << ")";
    cerr << endl;
    utils::exit_with(ExitCode::SEARCH_CRITICAL_ERROR);
}

void AsnetPolicy::save_plan_if_necessary() {
    if (!found_solution())
        return;
    utils::g_log << "Plan found by the " << (is_plan_of_fallback ? "fallback search" : "policy")
                 << "." << endl;
    if (is_plan_of_fallback) {
        SearchEngine::save_plan_if_necessary();
        return;
    }
    // As PlanManager writes operators; some actions may be none.
    string name = plan_manager.get_next_plan_filename();
    int64_t cost = 0;
    ofstream file(name);
    for (const auto &action : actions) {
        cout << action.first << " (" << action.second << ")" << endl;
        file << "(" << action.first << ")" << endl;
        cost += action.second;
    }
    file << "; cost = " << cost << " ("
         << (task_properties::is_unit_cost(task_proxy) ? "unit cost" : "general cost") << ")" << endl;
    file.close();
    if (!file) {
        ofstream nothing(name); // rather than a part of the plan
        cerr << "Failed to write plan file: " << name << endl;
        utils::exit_with(ExitCode::SEARCH_INPUT_ERROR);
    }
    utils::g_log << "Plan length: " << actions.size() << " step(s)." << endl;
    utils::g_log << "Plan cost: " << cost << endl;
}

void AsnetPolicy::print_statistics() const {
    statistics.print_detailed_statistics();
    if (!policy)
        return;
    asnets_statistics own = core().get_statistics(policy.get());
    utils::g_log << "Policy steps: " << own.steps << endl;
    utils::g_log << "Policy evaluations: " << own.evaluations << endl;
    utils::g_log << "Policy loops avoided: " << own.avoided << endl;
    utils::g_log << "Policy grounding time: " << own.ground_seconds << "s" << endl;
    utils::g_log << "Policy model time: " << own.model_seconds << "s" << endl;
    utils::g_log << "Policy feature time: " << own.feature_seconds << "s" << endl;
    utils::g_log << "Policy network time: " << own.network_seconds << "s" << endl;
    utils::g_log << "Policy mapping time: " << mapping_seconds << "s" << endl;
}

static shared_ptr<SearchEngine> parse(OptionParser &parser) {
    parser.document_synopsis(
        "Action Schema Network policy",
        "Follows a policy that was learnt by asnets_train, without search.");
    add_policy_options_to_parser(parser);
    parser.add_option<bool>(
        "sample", "draw actions by their probabilities instead of taking the likeliest", "false");
    parser.add_option<double>(
        "temperature", "of sampling: below 1, bolder", "1.0", Bounds("0.000001", "1000000"));
    parser.add_option<int>("seed", "of sampling", "0", Bounds("0", "infinity"));
    parser.add_option<int>("max_steps", "then the policy has failed", "300", Bounds("1", "infinity"));
    parser.add_enum_option<int>(
        "avoid_loops", {"false", "true", "auto"},
        "never repeat an action in a state while another one is left; auto: unless sample=true",
        "auto");
    parser.add_option<options::ParseTree>(
        "fallback", "search engine that takes over if the policy fails, in the time that is left",
        OptionParser::NONE);
    SearchEngine::add_options_to_parser(parser);
    Options opts = parser.parse();
    if (parser.help_mode())
        return nullptr;
    if (parser.dry_run()) {
        if (opts.contains("fallback")) {
            OptionParser test(
                opts.get<options::ParseTree>("fallback"), parser.get_registry(),
                parser.get_predefinitions(), true);
            test.start_parsing<shared_ptr<SearchEngine>>();
        }
        return nullptr;
    }
    return make_shared<AsnetPolicy>(opts, parser.get_registry(), parser.get_predefinitions());
}

static Plugin<SearchEngine> _plugin("asnet_policy", parse);
}
