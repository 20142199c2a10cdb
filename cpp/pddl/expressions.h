#pragma once

#include <vector>

#include "pddl/syntax.h"
#include "pddl/token_stream.h"

// Recursive-descent functions for the parts that domains and problems share. Each one reads from
// the current token and leaves the stream behind what it read.
namespace asnets::pddl {

// `a b - t c - (either t u) d`, up to a closing parenthesis that is left in the stream.
syntax::TypedList parse_names(TokenStream &tokens, std::string_view what);
syntax::TypedList parse_variables(TokenStream &tokens);
// `(?x ?y - t)`
syntax::TypedList parse_parameters(TokenStream &tokens);

syntax::Formula parse_formula(TokenStream &tokens);
syntax::Effect parse_effect(TokenStream &tokens);
// One element of `:init`; appended, since `and` may hold several.
void parse_initial(TokenStream &tokens, std::vector<syntax::Initial> &result);
// `(f a b)` or the bare word `f`.
syntax::Application parse_function(TokenStream &tokens);

// The error for a construct that we know and do not support.
PddlError unsupported(const TokenStream &tokens, Position position, std::string_view construct);

}  // namespace asnets::pddl
