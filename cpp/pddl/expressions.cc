#include "pddl/expressions.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <utility>

namespace asnets::pddl {

using syntax::Application;
using syntax::Effect;
using syntax::Formula;
using syntax::Initial;
using syntax::Probability;
using syntax::TypedList;
using syntax::Word;

namespace {

// Deeper nesting than any real file has; keeps hostile input from exhausting the stack.
constexpr int deepest = 1000;
constexpr double tolerance = 1e-9;

class Nesting {
public:
    explicit Nesting(const TokenStream &tokens) {
        if (depth >= deepest)
            throw tokens.error(tokens.peek().position,
                               "nested more than " + std::to_string(deepest) + " deep");
        ++depth;
    }
    ~Nesting() {
        --depth;
    }
    Nesting(const Nesting &) = delete;
    Nesting &operator=(const Nesting &) = delete;

private:
    static thread_local int depth;
};

thread_local int Nesting::depth = 0;

bool is_comparison(std::string_view word) {
    return word == "<" || word == ">" || word == "<=" || word == ">=";
}

bool is_arithmetic(std::string_view word) {
    return word == "+" || word == "-" || word == "*" || word == "/";
}

bool is_update(std::string_view word) {
    return word == "increase" || word == "decrease" || word == "assign" || word == "scale-up" ||
           word == "scale-down";
}

// Refuses constructs of other planning languages that would otherwise read as unknown predicates.
void refuse_foreign(const TokenStream &tokens, const Token &head) {
    double number = 0;
    if (is_comparison(head.text) &&
        (tokens.at(Token::Kind::open) ||
         (tokens.at(Token::Kind::word) && parse_number(tokens.peek().text, number))))
        throw unsupported(tokens, head.position, "numeric condition " + head.text);
    if (!tokens.at(Token::Kind::open)) return;  // a predicate may have any of the other names
    if (head.text == "preference") throw unsupported(tokens, head.position, "preference");
    if (head.text == "oneof") throw unsupported(tokens, head.position, "oneof (non-determinism)");
    if (head.text == "unknown") throw unsupported(tokens, head.position, "unknown (contingency)");
    constexpr std::array<std::string_view, 9> constraints = {
        "always",          "sometime",      "within",      "at-most-once", "sometime-after",
        "sometime-before", "always-within", "hold-during", "hold-after"};
    for (std::string_view word : constraints)
        if (head.text == word)
            throw unsupported(tokens, head.position, "trajectory constraint " + head.text);
}

std::vector<Word> parse_terms(TokenStream &tokens) {
    std::vector<Word> terms;
    while (tokens.at(Token::Kind::word)) {
        if (tokens.peek().text[0] == '?')
            terms.push_back(tokens.variable());
        else
            terms.push_back(tokens.name("a variable or an object"));
    }
    return terms;
}

// The rest of `(symbol term ...)` after its symbol.
Application parse_application(TokenStream &tokens, Token symbol, Position opened) {
    if (symbol.kind != Token::Kind::word || symbol.text[0] == '?' || symbol.text[0] == ':' ||
        symbol.text == "-")
        throw tokens.error(symbol.position,
                           "expected the name of a predicate, found " + symbol.describe());
    Application result{{std::move(symbol.text), symbol.position}, parse_terms(tokens)};
    if (tokens.at(Token::Kind::open) && result.symbol.text == "preference")
        throw unsupported(tokens, result.symbol.position, "preference");
    if (!tokens.at(Token::Kind::close) && !tokens.at(Token::Kind::end))
        throw tokens.expected("a variable, an object or \")\"");
    tokens.close(quote(result.symbol.text), opened);
    return result;
}

bool more(const TokenStream &tokens) {
    return tokens.at(Token::Kind::open) ||
           (tokens.at(Token::Kind::word) && tokens.peek().text[0] != ':' &&
            tokens.peek().text[0] != '?');
}

// Some PPDDL files write a parameterless atom without its parentheses.
Application parse_bare_atom(TokenStream &tokens, std::string_view what) {
    return {tokens.name(what), {}};
}

Application parse_atom(TokenStream &tokens) {
    if (tokens.at(Token::Kind::word)) return parse_bare_atom(tokens, "an atom");
    const Position opened = tokens.open("an atom");
    return parse_application(tokens, tokens.take(), opened);
}

TypedList parse_typed(TokenStream &tokens, bool variables, std::string_view what) {
    TypedList result;
    std::size_t untyped = 0;
    while (tokens.at(Token::Kind::word)) {
        if (tokens.peek().text != "-") {
            result.push_back({variables ? tokens.variable() : tokens.name(what), {}});
            continue;
        }
        if (untyped == result.size()) throw tokens.expected("a name before \"-\"");
        tokens.take();
        std::vector<Word> types;
        if (tokens.at(Token::Kind::open)) {
            const Position opened = tokens.take().position;
            if (tokens.name("\"either\"").text != "either")
                throw tokens.error(opened, "expected a type or (either ...)");
            while (tokens.at(Token::Kind::word)) types.push_back(tokens.name("a type"));
            if (types.empty()) throw tokens.expected("a type");
            tokens.close("(either ...)", opened);
        } else {
            types.push_back(tokens.name("a type"));
        }
        for (; untyped < result.size(); ++untyped) result[untyped].types = types;
    }
    return result;
}

void parse_quantified(TokenStream &tokens, TypedList &variables) {
    const Position opened = tokens.open("the quantified variables");
    variables = parse_variables(tokens);
    tokens.close("the quantified variables", opened);
}

Probability parse_probability(TokenStream &tokens) {
    const Position position = tokens.peek().position;
    const Token token = tokens.peek();
    const double value = tokens.number("a probability such as 0.25 or 1/4");
    if (value < 0 || value > 1 + tolerance)
        throw tokens.error(position,
                           "expected a probability from 0 to 1, found " + token.describe());
    return {value, position};
}

void check_sum(const TokenStream &tokens, const std::vector<Probability> &values,
               Position position) {
    double sum = 0;
    for (const Probability &probability : values) sum += probability.value;
    if (sum <= 1 + tolerance) return;
    char shown[32];
    std::snprintf(shown, sizeof shown, "%.6g", sum);
    throw tokens.error(position,
                       std::string("expected probabilities that sum to at most 1, found ") + shown);
}

Effect parse_update(TokenStream &tokens, const Token &head, Position opened) {
    if (head.text != "increase" && head.text != "decrease")
        throw unsupported(tokens, head.position, "numeric effect " + head.text);
    Effect effect{
        Effect::Kind::update, opened, {}, parse_function(tokens), {}, {}, {}, head.text, {}, {}};
    double number = 0;
    if (tokens.at(Token::Kind::word) && parse_number(tokens.peek().text, number)) {
        tokens.take();
        effect.number = number;
    } else {
        effect.value = parse_function(tokens);
    }
    tokens.close("the effect", opened);
    return effect;
}

Effect parse_probabilistic(TokenStream &tokens, Position opened) {
    Effect effect;
    effect.kind = Effect::Kind::probabilistic;
    effect.position = opened;
    while (!tokens.at(Token::Kind::close)) {
        effect.probabilities.push_back(parse_probability(tokens));
        effect.children.push_back(parse_effect(tokens));
    }
    check_sum(tokens, effect.probabilities, opened);
    tokens.take();
    return effect;
}

}  // namespace

PddlError unsupported(const TokenStream &tokens, Position position, std::string_view construct) {
    return tokens.error(position, "not supported: " + std::string(construct));
}

TypedList parse_names(TokenStream &tokens, std::string_view what) {
    return parse_typed(tokens, false, what);
}

TypedList parse_variables(TokenStream &tokens) {
    return parse_typed(tokens, true, "a variable such as ?x");
}

TypedList parse_parameters(TokenStream &tokens) {
    const Position opened = tokens.open("the parameters");
    TypedList result = parse_variables(tokens);
    if (!tokens.at(Token::Kind::close)) throw tokens.expected("a variable such as ?x or \")\"");
    tokens.close("the parameters", opened);
    return result;
}

Application parse_function(TokenStream &tokens) {
    if (tokens.at(Token::Kind::word)) return {tokens.name("a numeric function"), {}};
    const Position opened = tokens.open("a numeric function");
    if (tokens.at(Token::Kind::word) && is_arithmetic(tokens.peek().text))
        throw unsupported(tokens, tokens.peek().position,
                          "numeric expression " + tokens.peek().text);
    return parse_application(tokens, tokens.take(), opened);
}

Formula parse_formula(TokenStream &tokens) {
    const Nesting nesting(tokens);
    Formula formula;
    if (tokens.at(Token::Kind::word)) {
        formula.kind = Formula::Kind::atom;
        formula.position = tokens.peek().position;
        formula.atom = parse_bare_atom(tokens, "\"(\" of a formula");
        return formula;
    }
    formula.position = tokens.open("a formula");
    if (tokens.at(Token::Kind::close)) {  // () means true
        tokens.take();
        return formula;
    }
    const Token head = tokens.take();
    refuse_foreign(tokens, head);
    const auto close = [&] { tokens.close("(" + head.text + " ...)", formula.position); };
    if (head.text == "and" || head.text == "or") {
        formula.kind = head.text == "and" ? Formula::Kind::conjunction : Formula::Kind::disjunction;
        while (more(tokens)) formula.children.push_back(parse_formula(tokens));
        close();
    } else if (head.text == "not") {
        formula.kind = Formula::Kind::negation;
        formula.children.push_back(parse_formula(tokens));
        close();
    } else if (head.text == "imply") {
        formula.kind = Formula::Kind::implication;
        formula.children.push_back(parse_formula(tokens));
        formula.children.push_back(parse_formula(tokens));
        close();
    } else if (head.text == "forall" || head.text == "exists") {
        formula.kind = head.text == "forall" ? Formula::Kind::forall : Formula::Kind::exists;
        parse_quantified(tokens, formula.variables);
        formula.children.push_back(parse_formula(tokens));
        close();
    } else if (head.text == "=") {
        if (tokens.at(Token::Kind::open))
            throw unsupported(tokens, head.position, "numeric condition =");
        formula.kind = Formula::Kind::equality;
        formula.atom = parse_application(tokens, head, formula.position);
        if (formula.atom.terms.size() != 2)
            throw tokens.error(head.position, "expected two terms after =, found " +
                                                  std::to_string(formula.atom.terms.size()));
    } else {
        formula.kind = Formula::Kind::atom;
        formula.atom = parse_application(tokens, head, formula.position);
    }
    return formula;
}

Effect parse_effect(TokenStream &tokens) {
    const Nesting nesting(tokens);
    Effect effect;
    if (tokens.at(Token::Kind::word)) {
        effect.kind = Effect::Kind::add;
        effect.position = tokens.peek().position;
        effect.atom = parse_bare_atom(tokens, "\"(\" of an effect");
        return effect;
    }
    effect.position = tokens.open("an effect");
    if (tokens.at(Token::Kind::close)) {  // () means no change
        tokens.take();
        return effect;
    }
    const Token head = tokens.take();
    refuse_foreign(tokens, head);
    if (is_update(head.text) &&
        (tokens.at(Token::Kind::open) || tokens.peek().text == "total-cost" ||
         tokens.peek().text == "reward"))
        return parse_update(tokens, head, effect.position);
    if (head.text == "probabilistic") return parse_probabilistic(tokens, effect.position);
    const auto close = [&] { tokens.close("(" + head.text + " ...)", effect.position); };
    if (head.text == "and") {
        while (more(tokens)) effect.children.push_back(parse_effect(tokens));
        close();
    } else if (head.text == "not") {
        effect.kind = Effect::Kind::remove;
        effect.atom = parse_atom(tokens);
        close();
    } else if (head.text == "when") {
        effect.kind = Effect::Kind::when;
        effect.condition.push_back(parse_formula(tokens));
        effect.children.push_back(parse_effect(tokens));
        close();
    } else if (head.text == "forall") {
        effect.kind = Effect::Kind::forall;
        parse_quantified(tokens, effect.variables);
        effect.children.push_back(parse_effect(tokens));
        close();
    } else if (head.text == "or" || head.text == "imply" || head.text == "exists" ||
               head.text == "=") {
        throw tokens.error(head.position, "expected an effect, found " + quote(head.text) +
                                              ", which only conditions may use");
    } else {
        effect.kind = Effect::Kind::add;
        effect.atom = parse_application(tokens, head, effect.position);
    }
    return effect;
}

void parse_initial(TokenStream &tokens, std::vector<Initial> &result) {
    const Nesting nesting(tokens);
    Initial element;
    if (tokens.at(Token::Kind::word)) {
        element.position = tokens.peek().position;
        element.atom = parse_bare_atom(tokens, "\"(\" of an initial fact");
        result.push_back(std::move(element));
        return;
    }
    element.position = tokens.open("an initial fact");
    if (tokens.at(Token::Kind::close)) {
        tokens.take();
        return;
    }
    const Token head = tokens.take();
    refuse_foreign(tokens, head);
    double number = 0;
    if (head.text == "and") {
        while (more(tokens)) parse_initial(tokens, result);
        tokens.close("(and ...)", element.position);
        return;
    }
    if (head.text == "or") throw unsupported(tokens, head.position, "or in the initial state");
    if (head.text == "at" && tokens.at(Token::Kind::word) &&
        parse_number(tokens.peek().text, number)) {
        // `(at 5 (p))` is timed; an object may be called 5 too.
        const Token time = tokens.take();
        if (tokens.at(Token::Kind::open))
            throw unsupported(tokens, element.position, "timed initial literal");
        element.atom = {{head.text, head.position}, {{time.text, time.position}}};
        for (Word &term : parse_terms(tokens)) element.atom.terms.push_back(std::move(term));
        tokens.close(quote(head.text), element.position);
    } else if (head.text == "not") {
        element.kind = Initial::Kind::negated_atom;
        element.atom = parse_atom(tokens);
        tokens.close("(not ...)", element.position);
    } else if (head.text == "=") {
        element.kind = Initial::Kind::value;
        element.atom = parse_function(tokens);
        element.number = tokens.number("a number");
        tokens.close("(= ...)", element.position);
    } else if (head.text == "probabilistic") {
        element.kind = Initial::Kind::probabilistic;
        while (!tokens.at(Token::Kind::close)) {
            element.probabilities.push_back(parse_probability(tokens));
            parse_initial(tokens, element.branches.emplace_back());
        }
        check_sum(tokens, element.probabilities, element.position);
        tokens.take();
    } else {
        element.atom = parse_application(tokens, head, element.position);
    }
    result.push_back(std::move(element));
}

}  // namespace asnets::pddl
