#include "pddl/initial.h"

#include <algorithm>

namespace asnets::pddl {

namespace {

constexpr std::size_t most_states = 1U << 16;
constexpr double tolerance = 1e-9;

class InitialResolver {
public:
    InitialResolver(const Source &source, const Symbols &symbols, Problem &problem,
                    Interrupt &interrupt)
        : source_(source), symbols_(symbols), problem_(problem), interrupt_(interrupt) {
    }

    void top_level(const std::vector<syntax::Initial> &elements) {
        std::vector<std::pair<GroundAtom, Position>> negated;
        for (const syntax::Initial &element : elements) {
            interrupt_.tick();
            switch (element.kind) {
                case syntax::Initial::Kind::atom: problem_.facts.push_back(fact(element)); break;
                case syntax::Initial::Kind::negated_atom:
                    negated.emplace_back(symbols_.ground(source_, element.atom), element.position);
                    break;
                case syntax::Initial::Kind::value: value(element); break;
                case syntax::Initial::Kind::probabilistic: multiply(element); break;
            }
        }
        merge_equal();
        for (const auto &[atom, position] : negated)
            if (std::binary_search(problem_.facts.begin(), problem_.facts.end(), atom))
                throw source_.error(position,
                                    "this atom is both true and false in the initial state");
    }

private:
    void sort_unique(std::vector<GroundAtom> &facts) const {
        std::sort(facts.begin(), facts.end(), [this](const GroundAtom &a, const GroundAtom &b) {
            interrupt_.tick();
            return a < b;
        });
        facts.erase(std::unique(facts.begin(), facts.end()), facts.end());
    }

    GroundAtom fact(const syntax::Initial &element) const {
        GroundAtom atom = symbols_.ground(source_, element.atom);
        if (problem_.predicates[atom.predicate].derived)
            throw source_.error(element.atom.symbol.position,
                                "expected a basic predicate, found the derived predicate " +
                                    quote(element.atom.symbol.text) + " in the initial state");
        return atom;
    }

    void value(const syntax::Initial &element) {
        if (element.atom.symbol.text == "total-cost" || element.atom.symbol.text == "reward")
            return;
        const Id function = symbols_.function(source_, element.atom.symbol);
        if (element.atom.terms.size() != symbols_.function_arity[function])
            throw source_.error(element.atom.symbol.position,
                                quote(element.atom.symbol.text) + " expects " +
                                    std::to_string(symbols_.function_arity[function]) +
                                    " arguments, found " +
                                    std::to_string(element.atom.terms.size()));
        std::vector<Id> objects;
        for (const syntax::Word &term : element.atom.terms)
            objects.push_back(symbols_.object(source_, term));
        problem_.functions[function].values[std::move(objects)] = element.number;
    }

    // The distribution that one `probabilistic` stands for; branches may nest.
    std::vector<InitialState> distribution(const syntax::Initial &element) {
        std::vector<InitialState> result;
        double sum = 0;
        for (std::size_t i = 0; i < element.branches.size(); ++i) {
            const double probability = element.probabilities[i].value;
            sum += probability;
            if (probability <= 0) continue;
            std::vector<InitialState> branch = {{probability, {}}};
            for (const syntax::Initial &inner : element.branches[i]) {
                switch (inner.kind) {
                    case syntax::Initial::Kind::atom:
                        for (InitialState &state : branch) state.facts.push_back(fact(inner));
                        break;
                    case syntax::Initial::Kind::negated_atom:
                        (void)symbols_.ground(source_, inner.atom);
                        break;
                    case syntax::Initial::Kind::value:
                        throw source_.error(inner.position,
                                            "not supported: a probabilistic number");
                    case syntax::Initial::Kind::probabilistic:
                        branch = product(branch, distribution(inner), inner.position);
                        break;
                }
            }
            result.insert(result.end(), branch.begin(), branch.end());
        }
        if (1 - sum > tolerance) result.push_back({1 - sum, {}});
        return result;
    }

    std::vector<InitialState> product(const std::vector<InitialState> &a,
                                      const std::vector<InitialState> &b, Position position) const {
        if (a.size() * b.size() > most_states)
            throw source_.error(position,
                                "more than " + std::to_string(most_states) + " initial states");
        std::vector<InitialState> result;
        for (const InitialState &left : a)
            for (const InitialState &right : b) {
                InitialState both{left.probability * right.probability, left.facts};
                both.facts.insert(both.facts.end(), right.facts.begin(), right.facts.end());
                result.push_back(std::move(both));
            }
        return result;
    }

    void multiply(const syntax::Initial &element) {
        problem_.initial_states =
            product(problem_.initial_states, distribution(element), element.position);
    }

    // Equal states become one, and what all states share moves to the common facts.
    void merge_equal() {
        std::vector<InitialState> &states = problem_.initial_states;
        for (InitialState &state : states) sort_unique(state.facts);
        std::vector<GroundAtom> common = states[0].facts;
        for (const InitialState &state : states)
            std::erase_if(common, [&state](const GroundAtom &atom) {
                return !std::binary_search(state.facts.begin(), state.facts.end(), atom);
            });
        problem_.facts.insert(problem_.facts.end(), common.begin(), common.end());
        sort_unique(problem_.facts);
        for (InitialState &state : states)
            std::erase_if(state.facts, [this](const GroundAtom &atom) {
                return std::binary_search(problem_.facts.begin(), problem_.facts.end(), atom);
            });
        std::stable_sort(
            states.begin(), states.end(),
            [](const InitialState &a, const InitialState &b) { return a.facts < b.facts; });
        std::vector<InitialState> merged;
        for (InitialState &state : states) {
            if (!merged.empty() && merged.back().facts == state.facts)
                merged.back().probability += state.probability;
            else
                merged.push_back(std::move(state));
        }
        states = std::move(merged);
        if (states.size() == 1) states[0].probability = 1;
    }

    const Source &source_;
    const Symbols &symbols_;
    Problem &problem_;
    Interrupt &interrupt_;
};

}  // namespace

void resolve_initial(const Source &source, const Symbols &symbols,
                     const std::vector<syntax::Initial> &elements, Problem &problem,
                     Interrupt &interrupt) {
    problem.initial_states = {{1.0, {}}};
    InitialResolver(source, symbols, problem, interrupt).top_level(elements);
}

}  // namespace asnets::pddl
