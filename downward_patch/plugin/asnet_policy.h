#ifndef ASNETS_ASNET_POLICY_H
#define ASNETS_ASNET_POLICY_H

#include "task_mapping.h"

#include "plain/asnets_plain.h"

#include "../search_engine.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace options {
class OptionParser;
class Options;
}

namespace asnets_plugin {
/*
  Follows a trained Action Schema Network from the initial state. The core grounds
  the PDDL files itself and chooses; each step is repeated on the translated task.
*/
class AsnetPolicy : public SearchEngine {
    const std::string model;
    const std::string domain;
    const std::string problem;
    asnets_run_options run_options;

    std::unique_ptr<asnets_policy, void (*)(asnets_policy *)> policy;
    std::unique_ptr<TaskMapping> mapping;
    std::unique_ptr<GlobalState> state;
    Plan operators;
    // All actions by name, with their cost: those that the translator dropped too.
    std::vector<std::pair<std::string, int>> actions;

    bool take(uint32_t action);
    NO_RETURN void fail(const std::string &what) const;
protected:
    virtual void initialize() override;
    virtual SearchStatus step() override;
public:
    explicit AsnetPolicy(const options::Options &opts);

    virtual void save_plan_if_necessary() override;
    virtual void print_statistics() const override;
};
}

#endif
