#ifndef ASNETS_SHIPPED_MODELS_H
#define ASNETS_SHIPPED_MODELS_H

#include <string>

namespace asnets_plugin {
/*
  The model file that is meant: an existing one, else the model of this name in the
  folder that the variable ASNETS_MODELS names, where the driver puts that of the
  package. A word that is neither ends the planner with a line that tells the names;
  any other path is left to its reader.
*/
std::string model_path(const std::string &given);
}

#endif
