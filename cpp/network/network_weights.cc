#include "network/network_weights.h"

#include <stdexcept>

namespace asnets {

namespace {

using Module = NetworkWeights::Module;

void check_module(const Module &module, std::size_t inputs, const std::string &name) {
    if (module.inputs == inputs && module.weights.size() == inputs * module.outputs &&
        module.biases.size() == module.outputs)
        return;
    throw std::invalid_argument("module " + name + " takes " + std::to_string(inputs) +
                                " inputs, but its weights are for " +
                                std::to_string(module.inputs));
}

}  // namespace

Nonlinearity nonlinearity_of(const std::string &name) {
    if (name == "elu") return Nonlinearity::elu;
    if (name == "relu") return Nonlinearity::relu;
    if (name == "tanh") return Nonlinearity::tanh;
    throw std::invalid_argument("unknown nonlinearity " + pddl::quote(name) +
                                "; known are elu, relu, tanh");
}

float lower_bound(Nonlinearity nonlinearity) {
    return nonlinearity == Nonlinearity::relu ? 0.0F : -1.0F;
}

void NetworkWeights::check() const {
    if (actions.size() != propositions.size() + 1 || propositions.empty())
        throw std::invalid_argument("a network has one more action layer than proposition layers");
    for (std::size_t layer = 0; layer < actions.size(); ++layer) {
        const std::string number = " of layer " + std::to_string(layer + 1);
        if (actions[layer].size() != signature.schemas.size() ||
            (layer < propositions.size() &&
             propositions[layer].size() != signature.predicates.size()))
            throw std::invalid_argument("the weights are for another number of modules");
        for (std::size_t s = 0; s < signature.schemas.size(); ++s) {
            const Signature::Schema &schema = signature.schemas[s];
            std::size_t inputs = 2 * schema.slots.size() + features.extra_inputs();
            if (layer > 0) {
                inputs = skip ? actions[layer - 1][s].outputs : 0;
                for (const Signature::Slot &slot : schema.slots)
                    inputs += propositions[layer - 1][slot.predicate].outputs;
            }
            check_module(actions[layer][s], inputs, schema.name + number);
        }
        if (layer == propositions.size()) break;
        for (std::size_t p = 0; p < signature.predicates.size(); ++p) {
            const Signature::Predicate &predicate = signature.predicates[p];
            if (predicate.pools.empty()) continue;
            std::size_t inputs = layer > 0 && skip ? propositions[layer - 1][p].outputs : 0;
            for (const Signature::Pool &pool : predicate.pools)
                inputs += actions[layer][pool.schema].outputs;
            check_module(propositions[layer][p], inputs, predicate.name + number);
        }
    }
    for (std::size_t s = 0; s < signature.schemas.size(); ++s)
        if (actions.back()[s].outputs != 1)
            throw std::invalid_argument("module " + signature.schemas[s].name +
                                        " of the last layer must have one output");
}

}  // namespace asnets
