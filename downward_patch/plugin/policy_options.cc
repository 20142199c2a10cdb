#include "policy_options.h"

#include "path_options.h"
#include "shipped_models.h"

#include "../option_parser.h"

#include "../utils/system.h"

#include <cstdlib>
#include <iostream>

using namespace std;
using utils::ExitCode;

namespace asnets_plugin {
void end_with(ExitCode code, const string &line) {
    cout.flush();
    cerr << line << endl;
    utils::exit_with(code);
}

static string path_option(const Options &opts, const string &name, const char *variable) {
    string value = show_paths(opts.get<string>(name));
    if (!value.empty() && value != "none")
        return value;
    const char *given = getenv(variable);
    return given ? given : "";
}

void add_policy_options_to_parser(OptionParser &parser) {
    parser.add_option<string>(
        "model", "file that training wrote, in quotes if it has a comma or a bracket; or the name of a "
        "model that ships");
    parser.add_option<string>("domain", "PDDL domain; fast-downward passes it", "none");
    parser.add_option<string>("problem", "PDDL problem; fast-downward passes it", "none");
    vector<string> backends;
    vector<string> backends_doc;
    backends.push_back("native");
    backends_doc.push_back("the planner's own loops, many times faster");
    backends.push_back("torchscript");
    backends_doc.push_back("libtorch, which chooses the same actions");
    parser.add_enum_option<bool>("backend", backends, "what runs the network", "native", backends_doc);
}

PolicyFiles::PolicyFiles(const Options &opts)
    : model(model_path(show_paths(opts.get<string>("model")))),
      domain(path_option(opts, "domain", "ASNETS_DOMAIN")),
      problem(path_option(opts, "problem", "ASNETS_PROBLEM")),
      is_torchscript(opts.get<bool>("backend")) {
    if (domain.empty() || problem.empty())
        end_with(ExitCode::SEARCH_INPUT_ERROR,
                 "a policy needs the PDDL files: start it with fast-downward domain.pddl "
                 "problem.pddl, or give domain= and problem=");
}

Policy PolicyFiles::open(double seconds) const {
    string library = library_path("libasnets_torch.so");
    asnets_policy *opened = nullptr;
    asnets_status status = core().open(
        domain.c_str(), problem.c_str(), model.c_str(),
        is_torchscript ? library.c_str() : nullptr, seconds, &opened);
    if (status != ASNETS_OUT_OF_TIME)
        check(status);
    return Policy(opened);
}

void check(asnets_status status) {
    switch (status) {
    case ASNETS_OK:
        return;
    case ASNETS_BAD_MODEL:
    case ASNETS_BAD_INPUT:
        return end_with(ExitCode::SEARCH_INPUT_ERROR, core().error());
    case ASNETS_UNSUPPORTED:
        return end_with(ExitCode::SEARCH_UNSUPPORTED, core().error());
    case ASNETS_NO_TORCH:
        return end_with(
            ExitCode::SEARCH_INPUT_ERROR,
            string("backend=torchscript: ") + core().error() +
            " (it is there after \"asnets build-downward --torchscript\")");
    case ASNETS_OUT_OF_TIME:
        return end_with(ExitCode::SEARCH_OUT_OF_TIME, core().error());
    case ASNETS_OUT_OF_MEMORY:
        return end_with(ExitCode::SEARCH_OUT_OF_MEMORY, core().error());
    case ASNETS_FAILED:
        break;
    }
    end_with(ExitCode::SEARCH_CRITICAL_ERROR, core().error());
}
}
