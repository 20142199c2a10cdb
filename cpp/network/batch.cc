#include "network/batch.h"

#include <algorithm>
#include <stdexcept>

namespace asnets {

BatchBuilder::BatchBuilder(const Signature &signature, const FeatureOptions &options)
    : signature_(signature), options_(options) {
    batch_.schemas.resize(signature.schemas.size());
    batch_.proposition_rows.resize(signature.predicates.size());
    for (const Signature::Predicate &predicate : signature.predicates) {
        std::vector<Batch::Pool> &pools = batch_.pools.emplace_back(predicate.pools.size());
        for (Batch::Pool &pool : pools) pool.begin.push_back(0);
    }
}

void BatchBuilder::add(const NetworkStructure &structure, const Observation &observation,
                       std::span<const Id> good) {
    if (!(structure.signature == signature_))
        throw std::invalid_argument("states of different domains in one batch");
    for (Id s = 0; s < signature_.schemas.size(); ++s) add_rows(structure, s);
    std::vector<float *> rows;
    for (Id s = 0; s < signature_.schemas.size(); ++s) {
        const std::size_t width = 2 * signature_.schemas[s].slots.size() + options_.extra_inputs();
        rows.push_back(batch_.schemas[s].inputs.data() + batch_.schemas[s].rows * width);
    }
    write_inputs(structure, options_, observation, rows);
    add_choices(structure, observation, good);
    for (Id p = 0; p < signature_.predicates.size(); ++p) add_pools(structure, p);
    for (Id p = 0; p < signature_.predicates.size(); ++p)
        batch_.proposition_rows[p] += structure.proposition_rows(p);
    for (Id s = 0; s < signature_.schemas.size(); ++s)
        batch_.schemas[s].rows += structure.action_rows(s);
    ++batch_.states;
}

void BatchBuilder::add_rows(const NetworkStructure &structure, Id s) {
    Batch::Schema &schema = batch_.schemas[s];
    const std::vector<Signature::Slot> &slots = signature_.schemas[s].slots;
    const std::size_t count = structure.action_rows(s);
    const std::size_t width = 2 * slots.size() + options_.extra_inputs();
    schema.inputs.resize(schema.inputs.size() + count * width);
    const std::size_t before = schema.slots.size();
    schema.slots.resize(before + count * slots.size());
    for (std::size_t slot = 0; slot < slots.size(); ++slot) {
        const auto first =
            static_cast<Batch::Index>(batch_.proposition_rows[slots[slot].predicate]);
        for (std::size_t i = slot; i < count * slots.size(); i += slots.size())
            schema.slots[before + i] = first + structure.slots[s][i];
    }
}

void BatchBuilder::add_choices(const NetworkStructure &structure, const Observation &observation,
                               std::span<const Id> good) {
    const Task &task = structure.task();
    const float share = good.empty() ? 0.0F : 1.0F / static_cast<float>(good.size());
    auto next_good = good.begin();
    for (const Id action : observation.applicable) {
        const Id s = task.schema_of(action);
        choice_schemas_.push_back(s);
        batch_.choice_rows.push_back(
            static_cast<Batch::Index>(batch_.schemas[s].rows + action - task.schema_begin[s]));
        batch_.choice_states.push_back(static_cast<Batch::Index>(batch_.states));
        const bool is_good = next_good != good.end() && *next_good == action;
        next_good += is_good ? 1 : 0;
        batch_.targets.push_back(is_good ? share : 0.0F);
    }
}

void BatchBuilder::add_pools(const NetworkStructure &structure, Id p) {
    for (std::size_t i = 0; i < batch_.pools[p].size(); ++i) {
        Batch::Pool &pool = batch_.pools[p][i];
        const NetworkStructure::Pool &own = structure.pools[p][i];
        const auto first_row = static_cast<Batch::Index>(
            batch_.schemas[signature_.predicates[p].pools[i].schema].rows);
        const auto first_member = static_cast<Batch::Index>(pool.members.size());
        std::transform(own.begin.begin() + 1, own.begin.end(), std::back_inserter(pool.begin),
                       [=](Id each) { return first_member + each; });
        std::transform(own.members.begin(), own.members.end(), std::back_inserter(pool.members),
                       [=](Id each) { return first_row + each; });
    }
}

Batch BatchBuilder::finish() {
    std::vector<Batch::Index> first_row = {0};
    for (const Batch::Schema &schema : batch_.schemas)
        first_row.push_back(first_row.back() + static_cast<Batch::Index>(schema.rows));
    for (std::size_t i = 0; i < choice_schemas_.size(); ++i)
        batch_.choice_rows[i] += first_row[choice_schemas_[i]];
    return std::move(batch_);
}

}  // namespace asnets
