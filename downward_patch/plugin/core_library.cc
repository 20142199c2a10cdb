#include "core_library.h"

#include "../utils/system.h"

#include <climits>
#include <dlfcn.h>
#include <iostream>
#include <unistd.h>

using namespace std;

namespace asnets_plugin {
static void fail() {
    cerr << dlerror() << " (\"asnets build-downward\" puts it there)" << endl;
    utils::exit_with(utils::ExitCode::SEARCH_CRITICAL_ERROR);
}

template<typename Function>
static void find(void *library, const char *name, Function *&function) {
    void *found = dlsym(library, name);
    if (!found)
        fail();
    function = reinterpret_cast<Function *>(found);
}

static CoreLibrary open_core() {
    void *library = dlopen(library_path("libasnets_plain.so").c_str(), RTLD_NOW);
    if (!library)
        fail();
    CoreLibrary result;
    find(library, "asnets_error", result.error);
    find(library, "asnets_open", result.open);
    find(library, "asnets_close", result.close);
    find(library, "asnets_action_count", result.action_count);
    find(library, "asnets_proposition_count", result.proposition_count);
    find(library, "asnets_action_name", result.action_name);
    find(library, "asnets_proposition_name", result.proposition_name);
    find(library, "asnets_action_cost", result.action_cost);
    find(library, "asnets_start", result.start);
    find(library, "asnets_step", result.step);
    find(library, "asnets_holds", result.holds);
    find(library, "asnets_holds_initially", result.holds_initially);
    find(library, "asnets_likely_actions", result.likely_actions);
    find(library, "asnets_get_statistics", result.get_statistics);
    return result;
}

const CoreLibrary &core() {
    static const CoreLibrary opened = open_core();
    return opened;
}

string library_path(const string &name) {
    char path[PATH_MAX];
    ssize_t size = readlink("/proc/self/exe", path, sizeof(path));
    string planner(path, size > 0 ? size : 0);
    return planner.substr(0, planner.rfind('/') + 1) + name;
}
}
