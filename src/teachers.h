#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "bindings.h"
#include "search/teacher.h"
#include "searching.h"

// What the bindings of teachers and of those who learn from them share.
namespace asnets::bindings {

struct PyTeacher {
    Handle task;
    std::string name;
    std::shared_ptr<Teacher> teacher;  // use with the mutex locked
    std::shared_ptr<std::mutex> mutex = std::make_shared<std::mutex>();

    template <typename Use>
    auto locked(Use use) const {
        return without_gil([&] {
            const std::lock_guard<std::mutex> lock(*mutex);
            return use();
        });
    }
};

}  // namespace asnets::bindings
