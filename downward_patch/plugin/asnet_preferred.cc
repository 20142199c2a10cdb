#include "asnet_preferred.h"

#include "../global_state.h"
#include "../option_parser.h"
#include "../plugin.h"

#include <limits>

using namespace std;

namespace asnets_plugin {
AsnetPreferred::AsnetPreferred(const Options &opts)
    : Heuristic(opts),
      share(opts.get<double>("share")),
      policy(PolicyFiles(opts).open(numeric_limits<double>::infinity())),
      mapping(policy.get(), task_proxy),
      likely(core().action_count(policy.get())) {
}

int AsnetPreferred::compute_heuristic(const GlobalState &global_state) {
    vector<uint32_t> propositions = mapping.true_propositions(global_state);
    uint32_t count = 0;
    check(core().likely_actions(
              policy.get(), propositions.data(), propositions.size(), share, likely.data(), &count));
    State state = convert_global_state(global_state);
    for (uint32_t i = 0; i < count; ++i)
        for (OperatorID id : mapping.applicable_operators(likely[i], state, task_proxy))
            set_preferred(task_proxy.get_operators()[id]);
    return 0;
}

static shared_ptr<Heuristic> parse(OptionParser &parser) {
    parser.document_synopsis(
        "Action Schema Network policy, preferred operators",
        "Prefers what a policy that was learnt by asnets_train would do; for preferred=[...] of a "
        "search engine. Its estimate is 0 everywhere.");
    parser.document_language_support("action costs", "supported");
    parser.document_language_support("conditional effects", "supported");
    parser.document_language_support("axioms", "not supported");
    parser.document_property("admissible", "yes");
    parser.document_property("consistent", "yes");
    parser.document_property("safe", "yes");
    parser.document_property("preferred operators", "yes");
    add_policy_options_to_parser(parser);
    parser.add_option<double>(
        "share", "prefer the likeliest action and those at least this times as likely", "0.9",
        Bounds("0.0", "1.0"));
    Heuristic::add_options_to_parser(parser);
    Options opts = parser.parse();
    if (parser.help_mode() || parser.dry_run())
        return nullptr;
    return make_shared<AsnetPreferred>(opts);
}

static Plugin<Evaluator> _plugin("asnet_preferred", parse);
}
