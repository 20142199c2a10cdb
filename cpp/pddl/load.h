#pragma once

#include <string>

#include "base/interrupt.h"
#include "pddl/problem.h"

namespace asnets::pddl {

// Parses and analyses a domain and a problem. The two sources may be the same file. With several
// problems, `problem_name` chooses; else the first is taken, with a warning. Throws PddlError.
Problem load(Source domain, Source problem, Interrupt &interrupt,
             const std::string &problem_name = "");

// The same for one source that holds both.
Problem load(Source both, Interrupt &interrupt, const std::string &problem_name = "");

}  // namespace asnets::pddl
