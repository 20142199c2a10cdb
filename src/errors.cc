#include <cerrno>
#include <chrono>
#include <system_error>

#include "bindings.h"
#include "network/model_error.h"
#include "pddl/source.h"

namespace py = pybind11;

namespace asnets::bindings {

namespace {

void raise(const pddl::PddlError &error) {
    const py::object type = py::module_::import("asnets.errors").attr("PddlError");
    const py::object instance = type(text(error.file), error.position.line, error.position.column,
                                     text(error.message), text(error.excerpt));
    PyErr_SetObject(type.ptr(), instance.ptr());
}

void raise(const ModelError &error) {
    const py::object type = py::module_::import("asnets.errors").attr("ModelError");
    const py::object instance = type(text(error.file), text(error.message));
    PyErr_SetObject(type.ptr(), instance.ptr());
}

}  // namespace

void bind_errors(py::module_ &module) {
    (void)module;
    py::register_exception_translator([](std::exception_ptr pointer) {
        try {
            if (pointer) std::rethrow_exception(pointer);
        } catch (const pddl::PddlError &error) {
            raise(error);
        } catch (const ModelError &error) {
            raise(error);
        } catch (const std::system_error &error) {
            const std::string what = error.what();  // "<file name>: <reason>"
            const std::string reason = ": " + error.code().message();
            const std::string file =
                what.ends_with(reason) ? what.substr(0, what.size() - reason.size()) : what;
            errno = error.code().value();
            PyErr_SetFromErrnoWithFilename(PyExc_OSError, file.c_str());
        }
    });
}

py::str text(const std::string &bytes) {
    return py::reinterpret_steal<py::str>(
        PyUnicode_DecodeUTF8(bytes.data(), static_cast<Py_ssize_t>(bytes.size()), "replace"));
}

bool poll_signals() {
    using Clock = std::chrono::steady_clock;
    static thread_local Clock::time_point last;
    const Clock::time_point now = Clock::now();
    if (now - last < std::chrono::milliseconds(100)) return false;
    last = now;
    const py::gil_scoped_acquire gil;
    return PyErr_CheckSignals() != 0;
}

}  // namespace asnets::bindings
