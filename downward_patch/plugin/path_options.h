#ifndef ASNETS_PATH_OPTIONS_H
#define ASNETS_PATH_OPTIONS_H

#include <string>

/*
  Fast Downward lower-cases the search string and drops its spaces. Paths are hidden
  from that: inside asnet_...(), the values of model=, domain= and problem=, and the
  first three arguments without a name, become words of lower-case letters and
  digits. They may be in quotes, and must be where they have a comma or a closing
  bracket.
*/
namespace asnets_plugin {
std::string hide_paths(const std::string &search);
// A text with the paths that are hidden in it.
std::string show_paths(const std::string &text);
}

#endif
