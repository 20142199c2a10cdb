#pragma once

#include <memory>

#include "base/interrupt.h"
#include "pddl/problem.h"
#include "pddl/syntax.h"

namespace asnets::pddl {

// Looks up every name of a domain and a problem, checks arities and types, and returns the pair in
// resolved form. Throws PddlError.
Problem analyse(const std::shared_ptr<const Source> &domain_source, const syntax::Domain &domain,
                const std::shared_ptr<const Source> &problem_source, const syntax::Problem &problem,
                Interrupt &interrupt);

}  // namespace asnets::pddl
