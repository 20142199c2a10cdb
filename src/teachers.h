#pragma once

#include <memory>

#include "bindings.h"
#include "search/teacher.h"
#include "searching.h"

// What the bindings of teachers and of those who learn from them share.
namespace asnets::bindings {

struct PyTeacher {
    Handle task;
    std::shared_ptr<Teacher> teacher;
    Turns turns = {};
};

}  // namespace asnets::bindings
