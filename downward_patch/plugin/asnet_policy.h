#ifndef ASNETS_ASNET_POLICY_H
#define ASNETS_ASNET_POLICY_H

#include "policy_options.h"
#include "task_mapping.h"

#include "../option_parser.h"
#include "../search_engine.h"

#include "../utils/timer.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace asnets_plugin {
/*
  Follows a trained Action Schema Network from the initial state. The core grounds
  the PDDL files itself and chooses; each step is repeated on the translated task.
  Where the policy fails, another search engine may take over.
*/
class AsnetPolicy : public SearchEngine {
    const PolicyFiles files;
    asnets_run_options run_options;
    // At most one: the search engine that takes over.
    std::vector<options::ParseTree> fallback;
    options::Registry registry;
    const options::Predefinitions predefinitions;

    Policy policy;
    std::unique_ptr<TaskMapping> mapping;
    std::unique_ptr<GlobalState> state;
    Plan operators;
    // All actions by name, with their cost: those that the translator dropped too.
    std::vector<std::pair<std::string, int>> actions;
    bool is_plan_of_fallback;
    utils::Timer timer;
    double mapping_seconds;

    void take(uint32_t action);
    SearchStatus give_up(const std::string &reason, SearchStatus status);
    SearchStatus search_instead();
    NO_RETURN void fail(const std::string &what) const;
protected:
    virtual void initialize() override;
    virtual SearchStatus step() override;
public:
    AsnetPolicy(
        const options::Options &opts, const options::Registry &registry,
        const options::Predefinitions &predefinitions);

    virtual void save_plan_if_necessary() override;
    virtual void print_statistics() const override;
};
}

#endif
