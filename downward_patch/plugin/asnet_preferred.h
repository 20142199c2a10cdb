#ifndef ASNETS_ASNET_PREFERRED_H
#define ASNETS_ASNET_PREFERRED_H

#include "policy_options.h"
#include "task_mapping.h"

#include "../heuristic.h"

#include <memory>
#include <vector>

namespace asnets_plugin {
/*
  Prefers what a trained Action Schema Network would do in a state. Search has no
  trajectory: the network sees each state as if nothing had been done before. As an
  estimate of cost it says nothing, 0 everywhere.
*/
class AsnetPreferred : public Heuristic {
    const double share;
    Policy policy;
    TaskMapping mapping;
    std::vector<uint32_t> likely; // room for all actions
protected:
    virtual int compute_heuristic(const GlobalState &state) override;
public:
    explicit AsnetPreferred(const options::Options &opts);
};
}

#endif
