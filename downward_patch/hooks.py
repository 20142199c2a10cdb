"""The lines that hook the plugin into Fast Downward 20.06."""

from typing import NamedTuple


class Hook(NamedTuple):
    file: str
    old: str
    """What stands there, once."""
    new: str


HOOKS = (
    Hook(
        "src/search/DownwardFiles.cmake",
        "fast_downward_add_plugin_sources(PLANNER_SOURCES)\n",
        """\
fast_downward_plugin(
    NAME ASNETS
    HELP "Action Schema Network policies"
    SOURCES
        asnets/asnet_policy
        asnets/asnet_preferred
        asnets/core_library
        asnets/path_options
        asnets/policy_options
        asnets/shipped_models
        asnets/task_mapping
    DEPENDS TASK_PROPERTIES
)

fast_downward_add_plugin_sources(PLANNER_SOURCES)
""",
    ),
    Hook(
        "src/search/CMakeLists.txt",
        "include_directories(${CMAKE_CURRENT_SOURCE_DIR}/ext)\n",
        """\
include_directories(${CMAKE_CURRENT_SOURCE_DIR}/ext)
target_link_libraries(downward ${CMAKE_DL_LIBS})
# Half the time to build: nothing for debuggers, and what most files include is read once. g++ 12 wants
# <limits> in every file anyway.
target_compile_options(downward PRIVATE -g0)
target_precompile_headers(downward PRIVATE
    <limits> <algorithm> <iostream> <map> <memory> <set> <sstream> <string> <unordered_map>
    <unordered_set> <vector> option_parser.h plugin.h task_proxy.h)
""",
    ),
    Hook(
        "src/search/command_line.cc",
        '#include "options/doc_printer.h"\n',
        """\
#include "asnets/path_options.h"
#include "options/doc_printer.h"
""",
    ),
    Hook(
        "src/search/command_line.cc",
        "    // Convert string to lower case.\n",
        """\
    // Keep paths as they are.
    s = asnets_plugin::hide_paths(s);
    // Convert string to lower case.
""",
    ),
    Hook(
        "src/search/options/errors.cc",
        '#include "errors.h"\n',
        """\
#include "errors.h"

#include "../asnets/path_options.h"

#include <sstream>
""",
    ),
    Hook(
        "src/search/options/errors.cc",
        '    cerr << "option parser error: " << msg << endl;\n',
        '    cerr << "option parser error: " << asnets_plugin::show_paths(msg) << endl;\n',
    ),
    Hook(
        "src/search/options/errors.cc",
        "    kptree::print_tree_bracketed<ParseNode>(parse_tree, cerr);\n",
        """\
    ostringstream tree;
    kptree::print_tree_bracketed<ParseNode>(parse_tree, tree);
    cerr << asnets_plugin::show_paths(tree.str());
""",
    ),
    Hook(
        "src/search/options/errors.cc",
        '        cerr << " (cannot continue parsing after \\"" << substring << "\\")";\n',
        """\
        cerr << " (cannot continue parsing after \\""
             << asnets_plugin::show_paths(substring) << "\\")";
""",
    ),
    Hook(
        "src/search/plan_manager.h",
        "    void set_plan_filename(const std::string &plan_filename);\n",
        """\
    void set_plan_filename(const std::string &plan_filename);
    // For plans with actions that are no operators.
    std::string get_next_plan_filename() const {
        return is_part_of_anytime_portfolio
               ? plan_filename + "." + std::to_string(num_previously_generated_plans + 1)
               : plan_filename;
    }
""",
    ),
    Hook(
        "src/search/search_engine.h",
        "    int get_bound() {return bound;}\n",
        """\
    int get_bound() {return bound;}
    void limit_time(double seconds) {max_time = seconds < max_time ? seconds : max_time;}
""",
    ),
    Hook(
        "driver/run_components.py",
        "    translate = get_executable(args.build, REL_TRANSLATE_PATH)\n",
        """\
    if asnets_hooks.follows_policy(args):
        asnets_hooks.refuse_probabilistic(args)
        args.translate_options.append("--keep-unimportant-variables")
    translate = get_executable(args.build, REL_TRANSLATE_PATH)
""",
    ),
    Hook(
        "driver/run_components.py",
        "    cmd = [sys.executable] + [translate] + args.translate_inputs + args.translate_options\n",
        """\
    cmd = ([sys.executable] + asnets_hooks.translator(translate) + args.translate_inputs +
           args.translate_options)
""",
    ),
    Hook(
        "driver/run_components.py",
        "        returncodes.print_stderr(stderr)\n",
        "        returncodes.print_stderr(asnets_hooks.translator_error(args, stderr))\n",
    ),
    Hook(
        "driver/run_components.py",
        "    executable = get_executable(args.build, REL_SEARCH_PATH)\n",
        """\
    executable = get_executable(args.build, REL_SEARCH_PATH)
    asnets_hooks.pass_files(args)
""",
    ),
    Hook(
        "driver/run_components.py",
        "from . import call\n",
        """\
from . import asnets_hooks
from . import call
""",
    ),
    Hook(
        "driver/plan_manager.py",
        "            os.remove(plan)\n",
        """\
            if os.path.isfile(plan):  # not a device
                os.remove(plan)
""",
    ),
    Hook(
        "driver/limits.py",
        "    # Reaching the soft time limit leads to a (catchable) SIGXCPU signal,\n",
        """\
    time_limit = max(1, -int(-time_limit // 1))  # since Python 3.10 fractions are a TypeError
    # Reaching the soft time limit leads to a (catchable) SIGXCPU signal,
""",
    ),
)
