#include "bindings.h"

PYBIND11_MODULE(_core, module) {
    pybind11::options options;
    options.disable_function_signatures();  // _core.pyi has them
    module.doc() =
        "The planning core: grounding, ground tasks, heuristics, search, teachers, networks and "
        "models.";
    asnets::bindings::bind_errors(module);
    asnets::bindings::bind_parts(module);
    asnets::bindings::bind_state(module);
    asnets::bindings::bind_task(module);
    asnets::bindings::bind_ground(module);
    asnets::bindings::bind_heuristics(module);
    asnets::bindings::bind_search(module);
    asnets::bindings::bind_teacher(module);
    asnets::bindings::bind_network(module);
    asnets::bindings::bind_policy(module);
    asnets::bindings::bind_model(module);
}
