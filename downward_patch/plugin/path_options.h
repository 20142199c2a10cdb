#ifndef ASNETS_PATH_OPTIONS_H
#define ASNETS_PATH_OPTIONS_H

#include <string>

/*
  Fast Downward lower-cases the search string and drops its spaces. Paths are hidden
  from that: inside asnet_...(), the values of model=, domain= and problem=, and a
  first argument without a name, become words of lower-case letters and digits. They
  may be in quotes, and must be where they have a comma or a closing bracket.
*/
namespace asnets_plugin {
std::string hide_paths(const std::string &search);
// The path behind a value; the value itself if none is.
std::string shown_path(const std::string &value);
}

#endif
