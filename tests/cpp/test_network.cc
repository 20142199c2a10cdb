// The forward pass by hand: two schemas, one channel, each nonlinearity.
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "inline_task.h"
#include "network/network.h"

using asnets::FeatureExtractor;
using asnets::Network;
using asnets::NetworkStructure;
using asnets::NetworkWeights;
using asnets::Nonlinearity;

namespace {

// The actions are (light a), (look a) and (look c): c is no lamp, nothing lights it.
std::shared_ptr<const NetworkStructure> lamps() {
    return std::make_shared<const NetworkStructure>(inline_task::ground_sections(
        "(:predicates (lamp ?x) (on ?x) (seen)) "
        "(:action light :parameters (?x) :precondition (lamp ?x) :effect (on ?x)) "
        "(:action look :parameters (?x) :precondition (on ?x) :effect (seen))",
        "(:objects a c) (:init (lamp a) (on c)) (:goal (on a))"));
}

NetworkWeights::Module module(std::vector<float> weights, float bias) {
    return {weights.size(), 1, weights, {bias}};
}

// In layer 1, (light a) is f(w) and (look ...) is f(0) = 0; (on ?x) is f of v times the maximum
// over what lights x. In layer 2, actions see (on ?x) and add their bias.
std::vector<float> logits(Nonlinearity nonlinearity, float w, float v) {
    const auto structure = lamps();
    auto weights = std::make_shared<NetworkWeights>();
    weights->signature = structure->signature;
    weights->features = {asnets::FeatureOptions::Landmarks::none, false, false};
    weights->nonlinearity = nonlinearity;
    weights->actions = {{module({w, 0, 0, 0, 0}, 0), module({0, 0, 0, 0, 0}, 0)},
                        {module({0, 1, 0}, 0.25F), module({1, 0, 0}, 0.5F)}};
    weights->propositions = {{module({1}, 0), module({v, 1}, 0), module({1}, 0)}};
    FeatureExtractor extractor(structure, weights->features);
    Network network(weights, structure);
    return network.logits(extractor.observe(structure->task().initial_states[0].first, {}));
}

void check_logits(Nonlinearity nonlinearity, float w, float v, double lit, double unlit) {
    const std::vector<double> expected = {lit + 0.25, lit + 0.5, unlit + 0.5};
    const std::vector<float> found = logits(nonlinearity, w, v);
    CHECK_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i)
        CHECK(std::abs(static_cast<double>(found[i]) - expected[i]) < 1e-6);
}

}  // namespace

namespace {

void check_nonlinearities() {
    check_logits(Nonlinearity::elu, 3, 2, 6, std::expm1(-2.0));
    check_logits(Nonlinearity::elu, -1, 2, std::expm1(2 * std::expm1(-1.0)), std::expm1(-2.0));
    check_logits(Nonlinearity::relu, 3, 2, 6, 0);
    check_logits(Nonlinearity::relu, -1, 2, 0, 0);
    check_logits(Nonlinearity::tanh, 3, 2, std::tanh(2 * std::tanh(3.0)), std::tanh(-2.0));
    check_logits(Nonlinearity::tanh, -1, 2, std::tanh(2 * std::tanh(-1.0)), std::tanh(-2.0));
}

}  // namespace

TEST(each_nonlinearity) {
    for (const bool wide : {false, true}) {
        asnets::kernels::use_wide_vectors(wide);
        check_nonlinearities();
    }
}

TEST(an_empty_pool_has_the_lower_bound) {
    check_logits(Nonlinearity::elu, 0, -3, 0, 3);
    check_logits(Nonlinearity::relu, 0, -3, 0, 0);
    check_logits(Nonlinearity::tanh, 0, -3, 0, std::tanh(3.0));
}

TEST(names_of_nonlinearities) {
    CHECK(asnets::nonlinearity_of("elu") == Nonlinearity::elu);
    CHECK(asnets::nonlinearity_of("relu") == Nonlinearity::relu);
    CHECK(asnets::nonlinearity_of("tanh") == Nonlinearity::tanh);
    CHECK_THROWS(asnets::nonlinearity_of("ELU"), std::invalid_argument);
    CHECK_THROWS(asnets::nonlinearity_of(""), std::invalid_argument);
}
