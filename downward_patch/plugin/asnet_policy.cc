#include "asnet_policy.h"

#include "path_options.h"

#include "../option_parser.h"
#include "../plugin.h"

#include "../task_utils/task_properties.h"
#include "../utils/logging.h"
#include "../utils/system.h"

#include <cstdlib>
#include <fstream>
#include <iostream>

using namespace std;
using utils::ExitCode;

namespace asnets_plugin {
static string path_option(const Options &opts, const string &name, const char *variable) {
    string value = shown_path(opts.get<string>(name));
    if (!value.empty() && value != "none")
        return value;
    const char *given = getenv(variable);
    return given ? given : "";
}

static ExitCode exit_code_of(asnets_status status) {
    switch (status) {
    case ASNETS_BAD_MODEL:
    case ASNETS_BAD_INPUT:
        return ExitCode::SEARCH_INPUT_ERROR;
    case ASNETS_UNSUPPORTED:
        return ExitCode::SEARCH_UNSUPPORTED;
    case ASNETS_OUT_OF_TIME:
        return ExitCode::SEARCH_OUT_OF_TIME;
    case ASNETS_OUT_OF_MEMORY:
        return ExitCode::SEARCH_OUT_OF_MEMORY;
    default:
        return ExitCode::SEARCH_CRITICAL_ERROR;
    }
}

// Ends the planner with one line unless all is well.
static void check(asnets_status status) {
    if (status != ASNETS_OK) {
        cerr << asnets_error() << endl;
        utils::exit_with(exit_code_of(status));
    }
}

AsnetPolicy::AsnetPolicy(const Options &opts)
    : SearchEngine(opts),
      model(path_option(opts, "model", "")),
      domain(path_option(opts, "domain", "ASNETS_DOMAIN")),
      problem(path_option(opts, "problem", "ASNETS_PROBLEM")),
      policy(nullptr, asnets_close) {
    run_options.sample = opts.get<bool>("sample");
    run_options.temperature = opts.get<double>("temperature");
    run_options.seed = opts.get<int>("seed");
    run_options.max_steps = opts.get<int>("max_steps");
    run_options.avoid_loops = opts.get<bool>("avoid_loops");
    run_options.seconds = max_time;
}

void AsnetPolicy::initialize() {
    if (domain.empty() || problem.empty()) {
        cerr << "asnet_policy grounds the PDDL files itself: start it with fast-downward, "
             << "or give domain= and problem=" << endl;
        utils::exit_with(ExitCode::SEARCH_INPUT_ERROR);
    }
    asnets_policy *opened = nullptr;
    check(asnets_open(domain.c_str(), problem.c_str(), model.c_str(), max_time, &opened));
    policy.reset(opened);
    mapping.reset(new TaskMapping(opened, task_proxy));
    check(asnets_start(opened, &run_options));
    state.reset(new GlobalState(state_registry.get_initial_state()));
    utils::g_log << "Following " << model << ", " << asnets_action_count(opened)
                 << " ground actions..." << endl;
}

SearchStatus AsnetPolicy::step() {
    asnets_step_result result;
    uint32_t action = 0;
    check(asnets_step(policy.get(), &result, &action));
    if (result == ASNETS_MOVED)
        return take(action) ? IN_PROGRESS : FAILED;
    if (result == ASNETS_GOAL) {
        if (!task_properties::is_goal_state(task_proxy, *state))
            fail("the core is at the goal");
        utils::g_log << "Solution found!" << endl;
        set_plan(operators);
        return SOLVED;
    }
    static const char *reasons[] = {
        "", "", "dead end: no action is applicable", "loop: it is where it was before",
        "step limit reached", "time limit reached"};
    utils::g_log << "The policy does not reach the goal: " << reasons[result]
                 << " after " << actions.size() << " steps." << endl;
    return result == ASNETS_TIME_LIMIT ? TIMEOUT : FAILED;
}

// Repeats an action of the core. False if it would exceed the bound.
bool AsnetPolicy::take(uint32_t action) {
    string name = asnets_action_name(policy.get(), action);
    int cost = static_cast<int>(asnets_action_cost(policy.get(), action));
    const vector<OperatorID> &candidates = mapping->operators_of(action);
    OperatorID chosen = OperatorID::no_operator;
    for (OperatorID id : candidates)
        if (task_properties::is_applicable(task_proxy.get_operators()[id], state->unpack()))
            chosen = id;
    if (chosen != OperatorID::no_operator) {
        OperatorProxy op = task_proxy.get_operators()[chosen];
        cost = op.get_cost();
        *state = state_registry.get_successor_state(*state, op);
        operators.push_back(chosen);
        statistics.inc_generated();
    } else if (!candidates.empty()) {
        fail(name + " is not applicable");
    }
    statistics.inc_expanded();
    statistics.inc_evaluated_states();
    actions.emplace_back(name, cost);
    string difference = mapping->difference(policy.get(), *state, task_proxy);
    if (!difference.empty())
        fail("after " + name + ", " + difference);
    if (asnets_get_statistics(policy.get()).cost >= bound) {
        utils::g_log << "The policy does not reach the goal: bound reached after "
                     << actions.size() << " steps." << endl;
        return false;
    }
    return true;
}

void AsnetPolicy::fail(const string &what) const {
    cerr << "internal error: the translated task and the core disagree: " << what << endl;
    cerr << "translated task:" << endl;
    state->dump_pddl();
    cerr << "core:";
    for (uint32_t i = 0; i < asnets_proposition_count(policy.get()); ++i)
        if (asnets_holds(policy.get(), i))
            cerr << " (" << asnets_proposition_name(policy.get(), i) << ")";
    cerr << endl;
    utils::exit_with(ExitCode::SEARCH_CRITICAL_ERROR);
}

void AsnetPolicy::save_plan_if_necessary() {
    if (actions.size() == operators.size()) {
        SearchEngine::save_plan_if_necessary();
        return;
    }
    if (!found_solution())
        return;
    // Some actions are no operators: write them by name, as PlanManager writes operators.
    int cost = 0;
    ofstream file(plan_manager.get_plan_filename());
    for (const auto &action : actions) {
        cout << action.first << " (" << action.second << ")" << endl;
        file << "(" << action.first << ")" << endl;
        cost += action.second;
    }
    bool is_unit = task_properties::is_unit_cost(task_proxy);
    file << "; cost = " << cost << " (" << (is_unit ? "unit" : "general") << " cost)" << endl;
    if (!file) {
        cerr << "Failed to write plan file: " << plan_manager.get_plan_filename() << endl;
        utils::exit_with(ExitCode::SEARCH_INPUT_ERROR);
    }
    utils::g_log << "Plan length: " << actions.size() << " step(s)." << endl;
    utils::g_log << "Plan cost: " << cost << endl;
}

void AsnetPolicy::print_statistics() const {
    statistics.print_detailed_statistics();
    asnets_statistics own = asnets_get_statistics(policy.get());
    utils::g_log << "Policy steps: " << own.steps << endl;
    utils::g_log << "Policy evaluations: " << own.evaluations << endl;
    utils::g_log << "Policy loops avoided: " << own.avoided << endl;
    utils::g_log << "Policy grounding time: " << own.ground_seconds << "s" << endl;
    utils::g_log << "Policy model time: " << own.model_seconds << "s" << endl;
    utils::g_log << "Policy feature time: " << own.feature_seconds << "s" << endl;
    utils::g_log << "Policy network time: " << own.network_seconds << "s" << endl;
}

static shared_ptr<SearchEngine> parse(OptionParser &parser) {
    parser.document_synopsis(
        "Action Schema Network policy",
        "Follows a policy that was learnt by asnets_train, without search.");
    parser.add_option<string>("model", "file that training wrote");
    parser.add_option<string>("domain", "PDDL domain; fast-downward passes it", "none");
    parser.add_option<string>("problem", "PDDL problem; fast-downward passes it", "none");
    parser.add_option<bool>(
        "sample", "draw actions by their probabilities instead of taking the likeliest", "false");
    parser.add_option<double>(
        "temperature", "of sampling: below 1, bolder", "1.0", Bounds("0.000001", "1000000"));
    parser.add_option<int>("seed", "of sampling", "0", Bounds("0", "infinity"));
    parser.add_option<int>("max_steps", "then the policy has failed", "300", Bounds("1", "infinity"));
    parser.add_option<bool>(
        "avoid_loops", "never repeat an action in a state while another one is left", "false");
    SearchEngine::add_options_to_parser(parser);
    Options opts = parser.parse();
    if (parser.dry_run())
        return nullptr;
    return make_shared<AsnetPolicy>(opts);
}

static Plugin<SearchEngine> _plugin("asnet_policy", parse);
}
