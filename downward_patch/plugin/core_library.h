#ifndef ASNETS_CORE_LIBRARY_H
#define ASNETS_CORE_LIBRARY_H

#include "asnets_plain.h"

#include <string>

namespace asnets_plugin {
// The functions of asnets_plain.h.
struct CoreLibrary {
    decltype(asnets_error) *error;
    decltype(asnets_open) *open;
    decltype(asnets_close) *close;
    decltype(asnets_action_count) *action_count;
    decltype(asnets_proposition_count) *proposition_count;
    decltype(asnets_action_name) *action_name;
    decltype(asnets_proposition_name) *proposition_name;
    decltype(asnets_action_cost) *action_cost;
    decltype(asnets_start) *start;
    decltype(asnets_step) *step;
    decltype(asnets_holds) *holds;
    decltype(asnets_holds_initially) *holds_initially;
    decltype(asnets_likely_actions) *likely_actions;
    decltype(asnets_get_statistics) *get_statistics;
};

/*
  Opened when a policy is asked for the first time: runs without one are as they were
  without the plugin.
*/
const CoreLibrary &core();

// The path of a library that lies beside the planner.
std::string library_path(const std::string &name);
}

#endif
