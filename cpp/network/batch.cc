#include "network/batch.h"

#include <stdexcept>

namespace asnets {

BatchBuilder::BatchBuilder(const Signature &signature, const FeatureOptions &options)
    : signature_(signature), options_(options), applicable_(signature.schemas.size()) {
    batch_.schemas.resize(signature.schemas.size());
    batch_.proposition_rows.resize(signature.predicates.size());
    for (const Signature::Predicate &predicate : signature.predicates) {
        std::vector<Batch::Pool> &pools = batch_.pools.emplace_back(predicate.pools.size());
        for (Batch::Pool &pool : pools) pool.begin.push_back(0);
    }
}

void BatchBuilder::add(const NetworkStructure &structure, const Observation &observation) {
    if (!(structure.signature == signature_))
        throw std::invalid_argument("states of different domains in one batch");
    const Task &task = structure.task();
    const Id number = checked_id(batch_.states);
    std::vector<float *> rows;
    for (Id s = 0; s < signature_.schemas.size(); ++s) {
        Batch::Schema &schema = batch_.schemas[s];
        const std::size_t count = structure.action_rows(s);
        const std::size_t before = schema.inputs.size();
        const std::size_t width = 2 * signature_.schemas[s].slots.size() + options_.extra_inputs();
        schema.inputs.resize(before + count * width);
        rows.push_back(schema.inputs.data() + before);
        schema.state.insert(schema.state.end(), count, number);
        const std::size_t slot_count = signature_.schemas[s].slots.size();
        for (std::size_t i = 0; i < count * slot_count; ++i) {
            const Id predicate = signature_.schemas[s].slots[i % slot_count].predicate;
            schema.slots.push_back(
                checked_id(structure.slots[s][i] + batch_.proposition_rows[predicate]));
        }
        applicable_[s].resize(applicable_[s].size() + count);
    }
    for (const Id action : observation.applicable) {
        const Id s = task.schema_of(action);
        applicable_[s][batch_.schemas[s].rows + action - task.schema_begin[s]] = 1;
    }
    write_inputs(structure, options_, observation, rows);
    for (Id p = 0; p < signature_.predicates.size(); ++p) {
        for (std::size_t i = 0; i < batch_.pools[p].size(); ++i) {
            Batch::Pool &pool = batch_.pools[p][i];
            const NetworkStructure::Pool &own = structure.pools[p][i];
            const std::size_t first_row =
                batch_.schemas[signature_.predicates[p].pools[i].schema].rows;
            const std::size_t first_member = pool.members.size();
            for (std::size_t row = 1; row < own.begin.size(); ++row)
                pool.begin.push_back(checked_id(first_member + own.begin[row]));
            for (const Id member : own.members)
                pool.members.push_back(checked_id(first_row + member));
        }
        batch_.proposition_rows[p] += structure.proposition_rows(p);
    }
    for (Id s = 0; s < signature_.schemas.size(); ++s)
        batch_.schemas[s].rows += structure.action_rows(s);
    ++batch_.states;
}

Batch BatchBuilder::finish() {
    for (const std::vector<std::uint8_t> &each : applicable_)
        batch_.applicable.insert(batch_.applicable.end(), each.begin(), each.end());
    return std::move(batch_);
}

}  // namespace asnets
