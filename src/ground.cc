#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <filesystem>
#include <optional>

#include "bindings.h"
#include "pddl/load.h"
#include "task/build.h"

namespace py = pybind11;

namespace asnets::bindings {

namespace {

// Runs without the GIL; a signal handler's exception (KeyboardInterrupt) comes out as itself.
template <typename Load>
PyTask run(Load load) {
    try {
        const py::gil_scoped_release released;
        Interrupt interrupt(&poll_signals);
        return {ground(load(interrupt), interrupt)};
    } catch (const Interrupted &) {
        throw py::error_already_set();
    }
}

PyTask ground_files(const std::filesystem::path &domain,
                    const std::optional<std::filesystem::path> &problem,
                    const std::optional<std::string> &name) {
    return run([&](Interrupt &interrupt) {
        pddl::Source first = pddl::Source::read(domain, interrupt);
        if (!problem) return pddl::load(std::move(first), interrupt, name.value_or(""));
        return pddl::load(std::move(first), pddl::Source::read(*problem, interrupt), interrupt,
                          name.value_or(""));
    });
}

PyTask ground_text(const std::string &domain, const std::optional<std::string> &problem,
                   const std::optional<std::string> &name) {
    return run([&](Interrupt &interrupt) {
        if (!problem) return pddl::load({"<domain>", domain}, interrupt, name.value_or(""));
        return pddl::load({"<domain>", domain}, {"<problem>", *problem}, interrupt,
                          name.value_or(""));
    });
}

}  // namespace

void bind_ground(py::module_ &module) {
    module.def("ground", &ground_files, py::arg("domain_path"),
               py::arg("problem_path") = py::none(), py::kw_only(),
               py::arg("problem_name") = py::none(),
               R"doc(Read a domain and a problem file and ground them.

Without `problem_path` the first file holds both. If a file holds several problems,
`problem_name` chooses one; else the first is taken, and `Task.warnings` says so.
Raises PddlError for a mistake in a file and OSError if it cannot be read.

>>> from asnets import generators, ground
>>> path = generators.domain_path("blocksworld")
>>> task = ground(path, path.parent / "p04-s0.pddl")
>>> len(task.actions), len(task.propositions)
(40, 29)
)doc");
    module.def("ground_text", &ground_text, py::arg("domain_text"),
               py::arg("problem_text") = py::none(), py::kw_only(),
               py::arg("problem_name") = py::none(),
               R"doc(Ground a domain and a problem given as text.

>>> from asnets import ground_text
>>> task = ground_text('''
...     (define (domain lamp) (:requirements :strips) (:predicates (on))
...       (:action switch :effect (on)))
...     (define (problem dark) (:domain lamp) (:init) (:goal (on)))''')
>>> [str(action) for action in task.actions]
['(switch)']
)doc");
}

}  // namespace asnets::bindings
