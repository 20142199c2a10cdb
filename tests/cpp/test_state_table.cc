// Numbers of states: dense, exact, for any number of propositions.
#include <map>
#include <vector>

#include "base/random.h"
#include "check.h"
#include "search/state_table.h"

using asnets::Id;
using asnets::no_id;
using asnets::Rng;
using asnets::State;
using asnets::StateTable;

namespace {

State random_state(std::size_t propositions, Rng &rng) {
    State state(propositions);
    for (std::size_t i = 0; i < propositions; ++i)
        if (rng.uniform() < 0.5) state.add(static_cast<Id>(i));
    return state;
}

std::vector<std::uint64_t> bits(const State &state) {
    return {state.words().begin(), state.words().end()};
}

}  // namespace

TEST(numbers_states_in_order_of_insertion) {
    StateTable table(3);
    const State empty(3);
    State one(3);
    one.add(2);
    CHECK_EQ(table.size(), 0);
    CHECK_EQ(table.find(empty), no_id);
    CHECK_EQ(table.insert(empty), 0);
    CHECK_EQ(table.find(one), no_id);
    CHECK_EQ(table.insert(one), 1);
    CHECK_EQ(table.insert(empty), 0);
    CHECK_EQ(table.insert(one), 1);
    CHECK_EQ(table.size(), 2);
    CHECK_EQ(table.find(empty), 0);
    CHECK_EQ(table.find(one), 1);
    CHECK(table[0] == empty);
    CHECK(table[1] == one);
}

TEST(agrees_with_a_map) {
    Rng rng(1);
    for (const std::size_t width : {1, 5, 63, 64, 65, 200}) {
        StateTable table(width);
        std::map<std::vector<std::uint64_t>, Id> expected;
        for (int i = 0; i < 5000; ++i) {
            const State state = random_state(width, rng);
            const auto known = expected.find(bits(state));
            CHECK_EQ(table.find(state), known == expected.end() ? no_id : known->second);
            const Id id = table.insert(state);
            CHECK_EQ(id,
                     expected.emplace(bits(state), static_cast<Id>(expected.size())).first->second);
            CHECK_EQ(table.size(), expected.size());
        }
        for (const auto &[words, id] : expected) CHECK(bits(table[id]) == words);
    }
}

TEST(one_bit_makes_another_state) {
    constexpr std::size_t width = 1000;
    StateTable table(width);
    State state(width);
    CHECK_EQ(table.insert(state), 0);
    for (Id i = 0; i < width; ++i) {
        State other(width);
        other.add(i);
        CHECK_EQ(table.find(other), no_id);
        CHECK_EQ(table.insert(other), i + 1);
    }
    CHECK_EQ(table.find(state), 0);
}

TEST(no_propositions) {
    StateTable table(0);
    CHECK_EQ(table.find(State(0)), no_id);
    CHECK_EQ(table.insert(State(0)), 0);
    CHECK_EQ(table.insert(State(0)), 0);
    CHECK_EQ(table.size(), 1);
    CHECK(table[0] == State(0));
}
