#ifndef ASNETS_POLICY_OPTIONS_H
#define ASNETS_POLICY_OPTIONS_H

#include "core_library.h"

#include "../utils/system.h"

#include <memory>
#include <string>

namespace options {
class OptionParser;
class Options;
}

namespace asnets_plugin {
struct PolicyCloser {
    void operator()(asnets_policy *policy) const {core().close(policy);}
};
using Policy = std::unique_ptr<asnets_policy, PolicyCloser>;

// model, domain, problem and backend.
void add_policy_options_to_parser(options::OptionParser &parser);

// Which files to open; whatever is wrong with them ends the planner with one line.
class PolicyFiles {
    std::string model;
    std::string domain;
    std::string problem;
    bool is_torchscript;
public:
    explicit PolicyFiles(const options::Options &opts);

    const std::string &get_model() const {return model;}
    const std::string &get_problem() const {return problem;}
    // Null if the time is over before.
    Policy open(double seconds) const;
};

// Ends the planner.
NO_RETURN void end_with(utils::ExitCode code, const std::string &line);
// Ends the planner with one line unless all is well.
void check(asnets_status status);
}

#endif
