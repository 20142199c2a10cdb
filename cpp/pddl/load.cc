#include "pddl/load.h"

#include "pddl/analysis.h"
#include "pddl/names.h"
#include "pddl/parser.h"

namespace asnets::pddl {

namespace {

std::string lower(std::string text) {
    for (char &c : text)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return text;
}

template <typename Definition>
std::vector<std::string> names_of(const std::vector<Definition> &definitions) {
    std::vector<std::string> names;
    for (const Definition &definition : definitions) names.push_back(definition.name.text);
    return names;
}

const syntax::Problem &choose_problem(const Source &source, const syntax::File &file,
                                      const std::string &name) {
    if (file.problems.empty())
        throw source.error(
            {}, "expected a problem, found only domain " + quote(file.domains.front().name.text));
    if (name.empty()) return file.problems.front();
    for (const syntax::Problem &problem : file.problems)
        if (problem.name.text == lower(name)) return problem;
    throw source.error({}, "unknown problem " + quote(name) +
                               suggestion(lower(name), "the file", names_of(file.problems)));
}

const syntax::Domain &choose_domain(const Source &source, const syntax::File &file,
                                    const syntax::Problem &problem) {
    if (file.domains.empty())
        throw source.error(
            {}, "expected a domain, found only problem " + quote(file.problems.front().name.text));
    for (const syntax::Domain &domain : file.domains)
        if (domain.name.text == problem.domain.text) return domain;
    return file.domains.front();
}

Problem load(const std::shared_ptr<const Source> &domain_source, const syntax::File &domain_file,
             const std::shared_ptr<const Source> &problem_source, const syntax::File &problem_file,
             const std::string &problem_name, Interrupt &interrupt) {
    if (domain_file.domains.empty() && problem_file.problems.empty())
        throw domain_source->error({}, "expected a domain, found only problem " +
                                           quote(domain_file.problems.front().name.text) +
                                           "; are domain and problem swapped?");
    const syntax::Problem &problem = choose_problem(*problem_source, problem_file, problem_name);
    const syntax::Domain &domain = choose_domain(*domain_source, domain_file, problem);
    Problem result = analyse(domain_source, domain, problem_source, problem, interrupt);
    if (problem_name.empty() && problem_file.problems.size() > 1)
        result.warnings.push_back(problem_source->warning(
            problem.name.position, std::to_string(problem_file.problems.size()) +
                                       " problems in one file; taking the first, " +
                                       quote(problem.name.text)));
    return result;
}

}  // namespace

Problem load(Source domain, Source problem, Interrupt &interrupt, const std::string &problem_name) {
    const auto domain_source = std::make_shared<const Source>(std::move(domain));
    const auto problem_source = std::make_shared<const Source>(std::move(problem));
    const syntax::File domain_file = parse(*domain_source, interrupt);
    return load(domain_source, domain_file, problem_source, parse(*problem_source, interrupt),
                problem_name, interrupt);
}

Problem load(Source both, Interrupt &interrupt, const std::string &problem_name) {
    const auto source = std::make_shared<const Source>(std::move(both));
    const syntax::File file = parse(*source, interrupt);
    return load(source, file, source, file, problem_name, interrupt);
}

}  // namespace asnets::pddl
