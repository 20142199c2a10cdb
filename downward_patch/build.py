"""Build Fast Downward 20.06 with the policy plugin.

    python downward_patch/build.py [--cache DIR] [--jobs N]

Fetches the source (PyPI's fast-downward-textworld, checked by its hash), adds the plugin and a few lines
that hook it in, and builds core and planner. What is done already is not done again.
"""

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
PACKAGE = "fast-downward-textworld==20.6.4"
ARCHIVE = "fast_downward_textworld-20.6.4.tar.gz"
SHA256 = "ceeed05692ac6a4023de196ca3f8cfeffe80d23070ca8fda5991b7b46f8cb752"

# File, what stands there, what stands there afterwards.
HOOKS = [
    (
        "src/search/DownwardFiles.cmake",
        "fast_downward_add_plugin_sources(PLANNER_SOURCES)",
        (
            "fast_downward_plugin(\n"
            "    NAME ASNET_POLICY\n"
            '    HELP "Action Schema Network policies"\n'
            "    SOURCES\n"
            "        asnets/asnet_policy\n"
            "        asnets/path_options\n"
            "        asnets/task_mapping\n"
            "    DEPENDS TASK_PROPERTIES\n"
            ")\n\n"
            "fast_downward_add_plugin_sources(PLANNER_SOURCES)"
        ),
    ),
    (
        "src/search/CMakeLists.txt",
        "include_directories(${CMAKE_CURRENT_SOURCE_DIR}/ext)",
        (
            "include_directories(${CMAKE_CURRENT_SOURCE_DIR}/ext ${ASNETS_INCLUDE})\n"
            "target_link_libraries(downward ${ASNETS_CORE})"
        ),
    ),
    (
        "src/search/command_line.cc",
        "    // Convert string to lower case.\n",
        (
            "    // Keep paths as they are.\n"
            "    s = asnets_plugin::hide_paths(s);\n"
            "    // Convert string to lower case.\n"
        ),
    ),
    (
        "src/search/command_line.cc",
        '#include "options/doc_printer.h"\n',
        '#include "asnets/path_options.h"\n#include "options/doc_printer.h"\n',
    ),
    (
        "src/search/plan_manager.h",
        "    void set_plan_filename(const std::string &plan_filename);\n",
        (
            "    void set_plan_filename(const std::string &plan_filename);\n"
            "    const std::string &get_plan_filename() const {return plan_filename;}\n"
        ),
    ),
    (
        "driver/run_components.py",
        "    cmd = [sys.executable] + [translate] + args.translate_inputs + args.translate_options\n",
        (
            "    folder = os.path.dirname(os.path.dirname(os.path.abspath(translate)))\n"
            "    start = ('import runpy, sys; sys.path.insert(0, sys.argv.pop(1)); '\n"
            '             \'runpy.run_module("translate.translate", run_name="__main__", \'\n'
            "             'alter_sys=True)')\n"
            "    follows_policy = any('asnet_' in each for each in args.search_options)\n"
            "    keep = ['--keep-unimportant-variables'] if follows_policy else []\n"
            "    cmd = ([sys.executable, '-c', start, folder] + args.translate_inputs + keep +\n"
            "           args.translate_options)\n"
        ),
    ),
    (
        "driver/run_components.py",
        "    executable = get_executable(args.build, REL_SEARCH_PATH)\n",
        (
            "    executable = get_executable(args.build, REL_SEARCH_PATH)\n"
            "    if len(args.translate_inputs or []) == 2:  # for asnet_policy, which grounds them itself\n"
            "        os.environ['ASNETS_DOMAIN'], os.environ['ASNETS_PROBLEM'] = map(\n"
            "            os.path.abspath, args.translate_inputs)\n"
        ),
    ),
]


class BuildError(RuntimeError):
    """One line about what is in the way."""


def run(*command: object, **options: object) -> None:
    done = subprocess.run([str(each) for each in command], check=False, **options)  # type: ignore[call-overload]
    if done.returncode:
        raise BuildError(f"{' '.join(map(str, command[:3]))} ...: exit code {done.returncode}")


def fetch(cache: Path) -> Path:
    """The source archive."""
    archive = cache / ARCHIVE
    if not archive.exists():
        run(sys.executable, "-m", "unearth", "--no-binary", "--download", cache, PACKAGE,
            stdout=subprocess.DEVNULL)  # fmt: skip
    found = hashlib.sha256(archive.read_bytes()).hexdigest()
    if found != SHA256:
        archive.unlink()
        raise BuildError(f"{archive}: expected SHA-256 {SHA256}, found {found}")
    return archive


def unpack(archive: Path, source: Path) -> None:
    """All of it or nothing."""
    if source.exists():
        return
    partial = source.with_name(source.name + ".partial")
    shutil.rmtree(partial, ignore_errors=True)
    with tarfile.open(archive) as file:
        file.extractall(partial, filter="data")
    (partial / archive.name.removesuffix(".tar.gz")).rename(source)
    partial.rmdir()


def write(path: Path, content: bytes) -> None:
    """Leave a file alone that is right already: its time decides what is compiled."""
    if not path.exists() or path.read_bytes() != content:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def install(source: Path) -> None:
    """Add the plugin and the lines that hook it in."""
    changed: dict[str, str] = {}
    for name, old, new in HOOKS:
        original = source / (name + ".original")
        if not original.exists():
            if not (source / name).exists() or old not in (source / name).read_text():
                raise BuildError(f"{source / name}: expected Fast Downward 20.06's `{old.strip()}`")
            shutil.copyfile(source / name, original)
        text = changed.get(name) or original.read_text()
        if text.count(old) != 1:
            raise BuildError(f"{original}: expected Fast Downward 20.06's `{old.strip()}` once")
        changed[name] = text.replace(old, new)
    for name, text in changed.items():
        write(source / name, text.encode())
    for file in sorted((HERE / "plugin").iterdir()):
        write(source / "src" / "search" / "asnets" / file.name, file.read_bytes())


def build(cache: Path, source: Path, jobs: int) -> None:
    root = HERE.parent
    core = cache / "core"
    run("cmake", "-S", root, "-B", core, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release")
    run("cmake", "--build", core, "--target", "asnets_core", "-j", jobs)
    planner = source / "builds" / "release"
    environment = os.environ | {"CXXFLAGS": "-include limits"}  # g++ 12 needs that
    run("cmake", "-S", source / "src", "-B", planner, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
        "-DPLUGIN_LIBRARY_ENABLED=NO", f"-DASNETS_CORE={core / 'libasnets_core.a'}", f"-DASNETS_INCLUDE={root / 'cpp'}",
        env=environment)  # fmt: skip
    run("cmake", "--build", planner, "-j", jobs, env=environment)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--cache", type=Path, default=HERE.parent / "build" / "downward")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    cache = options.cache.resolve()
    cache.mkdir(parents=True, exist_ok=True)
    try:
        source = cache / "fast-downward-20.06"
        unpack(fetch(cache), source)
        install(source)
        build(cache, source, options.jobs)
    except (BuildError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    print(f"built {source / 'builds' / 'release' / 'bin' / 'downward'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
