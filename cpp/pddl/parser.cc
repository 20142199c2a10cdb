#include "pddl/parser.h"

#include <iterator>

#include "pddl/expressions.h"
#include "pddl/token_stream.h"

namespace asnets::pddl {

using syntax::Declaration;
using syntax::Domain;
using syntax::Problem;
using syntax::Word;

namespace {

// Takes the `:keyword` that starts a section.
Token take_keyword(TokenStream &tokens, std::string_view expected) {
    if (!tokens.at(Token::Kind::word) || tokens.peek().text[0] != ':')
        throw tokens.expected(expected);
    return tokens.take();
}

template <typename Element>
void append(std::vector<Element> &to, std::vector<Element> &&from) {
    to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

// Requirements are only advice: whatever stands here is looked at later.
std::vector<Word> parse_requirements(TokenStream &tokens) {
    std::vector<Word> result;
    while (tokens.at(Token::Kind::word)) {
        Token token = tokens.take();
        result.push_back({std::move(token.text), token.position});
    }
    return result;
}

std::vector<Declaration> parse_declarations(TokenStream &tokens, std::string_view what) {
    std::vector<Declaration> result;
    while (tokens.at(Token::Kind::open)) {
        const Position opened = tokens.take().position;
        Word name = tokens.name(what);
        result.push_back({std::move(name), parse_variables(tokens)});
        if (!tokens.at(Token::Kind::close)) throw tokens.expected("a variable such as ?x or \")\"");
        tokens.close(quote(result.back().name.text), opened);
        if (tokens.at(Token::Kind::word) && tokens.peek().text == "-") {  // a function's `- number`
            tokens.take();
            tokens.name("\"number\"");
        }
    }
    return result;
}

syntax::Action parse_action(TokenStream &tokens) {
    syntax::Action action;
    action.name = tokens.name("the action's name");
    bool has_parameters = false;
    while (!tokens.at(Token::Kind::close)) {
        constexpr std::string_view parts = ":parameters, :precondition, :effect or \")\"";
        const Token part = take_keyword(tokens, parts);
        const auto once = [&](bool seen) {
            if (seen)
                throw tokens.error(part.position, "expected one " + part.text + ", found another");
        };
        if (part.text == ":parameters") {
            once(has_parameters);
            has_parameters = true;
            action.parameters = parse_parameters(tokens);
        } else if (part.text == ":precondition") {
            once(action.precondition.has_value());
            action.precondition = parse_formula(tokens);
        } else if (part.text == ":effect") {
            once(action.effect.has_value());
            action.effect = parse_effect(tokens);
        } else {
            throw tokens.error(part.position,
                               "expected " + std::string(parts) + ", found " + part.describe());
        }
    }
    return action;
}

syntax::Derived parse_derived(TokenStream &tokens) {
    const Position opened = tokens.open("the derived predicate");
    Word name = tokens.name("the derived predicate's name");
    syntax::Derived derived{{std::move(name), parse_variables(tokens)}, {}};
    tokens.close("the derived predicate", opened);
    derived.body = parse_formula(tokens);
    return derived;
}

void parse_domain_section(TokenStream &tokens, const Token &keyword, Position opened,
                          Domain &domain) {
    const std::string &text = keyword.text;
    if (text == ":requirements") {
        if (!domain.requirements) domain.requirements.emplace();
        append(*domain.requirements, parse_requirements(tokens));
    } else if (text == ":types") {
        append(domain.types, parse_names(tokens, "a type"));
    } else if (text == ":constants") {
        append(domain.constants, parse_names(tokens, "a constant"));
    } else if (text == ":predicates") {
        append(domain.predicates, parse_declarations(tokens, "the predicate's name"));
    } else if (text == ":functions") {
        append(domain.functions, parse_declarations(tokens, "the function's name"));
    } else if (text == ":action") {
        domain.actions.push_back(parse_action(tokens));
    } else if (text == ":derived") {
        domain.derived.push_back(parse_derived(tokens));
    } else if (text == ":durative-action" || text == ":constraints" || text == ":process" ||
               text == ":event" || text == ":axiom" || text == ":task" || text == ":method" ||
               text == ":observe" || text == ":sensor") {
        throw unsupported(tokens, opened, "(" + text + " ...)");
    } else {
        throw tokens.error(keyword.position,
                           "expected :requirements, :types, :constants, :predicates, :functions, "
                           ":derived or :action, found " +
                               quote(text));
    }
}

void parse_metric(TokenStream &tokens, Position opened, Problem &problem) {
    syntax::Metric metric;
    metric.position = opened;
    const Word direction = tokens.name("minimize or maximize");
    if (direction.text != "minimize" && direction.text != "maximize")
        throw tokens.error(direction.position,
                           "expected minimize or maximize, found " + quote(direction.text));
    metric.minimize = direction.text == "minimize";
    metric.function = parse_function(tokens).symbol;
    problem.metric = std::move(metric);
}

void parse_problem_section(TokenStream &tokens, const Token &keyword, Position opened,
                           Problem &problem) {
    const std::string &text = keyword.text;
    if (text == ":domain") {
        problem.domain = tokens.name("the domain's name");
    } else if (text == ":requirements") {
        append(problem.requirements, parse_requirements(tokens));
    } else if (text == ":objects") {
        append(problem.objects, parse_names(tokens, "an object"));
    } else if (text == ":init") {
        if (!problem.initial) problem.initial.emplace();
        while (tokens.at(Token::Kind::open) || tokens.at(Token::Kind::word))
            parse_initial(tokens, *problem.initial);
    } else if (text == ":goal") {
        if (problem.goal) throw tokens.error(opened, "expected one :goal, found another");
        problem.goal = parse_formula(tokens);
    } else if (text == ":goal-reward") {
        problem.goal_reward = opened;
        tokens.number("the goal's reward");
    } else if (text == ":metric") {
        parse_metric(tokens, opened, problem);
    } else if (text == ":length") {  // a hint of early PDDL about plan lengths
        while (tokens.at(Token::Kind::open)) tokens.skip_to_close(tokens.take().position);
    } else if (text == ":constraints" || text == ":htn" || text == ":situation") {
        throw unsupported(tokens, opened, "(" + text + " ...)");
    } else {
        throw tokens.error(keyword.position,
                           "expected :domain, :requirements, :objects, :init, :goal, :goal-reward "
                           "or :metric, found " +
                               quote(text));
    }
}

// The sections of a definition up to its closing parenthesis.
template <typename Definition, typename ParseSection>
Definition parse_sections(TokenStream &tokens, Word name, Position defined, ParseSection section) {
    Definition result;
    result.name = std::move(name);
    while (tokens.at(Token::Kind::open)) {
        const Position opened = tokens.take().position;
        const Token keyword = take_keyword(tokens, "the :keyword of a section");
        section(tokens, keyword, opened, result);
        tokens.close("(" + keyword.text + " ...)", opened);
    }
    tokens.close("(define ...)", defined);
    return result;
}

}  // namespace

syntax::File parse(const Source &source, Interrupt &interrupt) {
    TokenStream tokens(source, interrupt);
    syntax::File file;
    do {
        if (!tokens.at(Token::Kind::open)) throw tokens.expected("(define ...)");
        const Position defined = tokens.take().position;
        const Token define = tokens.take();
        if (define.kind != Token::Kind::word || define.text != "define")
            throw tokens.error(define.position, "expected \"define\", found " + define.describe());
        const Position opened = tokens.open("(domain ...) or (problem ...)");
        const Word kind = tokens.name("\"domain\" or \"problem\"");
        if (kind.text != "domain" && kind.text != "problem")
            throw tokens.error(kind.position,
                               "expected \"domain\" or \"problem\", found " + quote(kind.text));
        Word name = tokens.name("the " + kind.text + "'s name");
        tokens.close("(" + kind.text + " ...)", opened);
        if (kind.text == "domain")
            file.domains.push_back(
                parse_sections<Domain>(tokens, std::move(name), defined, parse_domain_section));
        else
            file.problems.push_back(
                parse_sections<Problem>(tokens, std::move(name), defined, parse_problem_section));
    } while (!tokens.at(Token::Kind::end));
    return file;
}

}  // namespace asnets::pddl
