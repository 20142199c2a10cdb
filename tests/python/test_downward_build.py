"""Building Fast Downward with the plugin: what is fetched, changed and refused."""

import hashlib
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest
from downward_patch import build
from downward_patch.hooks import HOOKS
from downward_patch.places import NAME, default_cache, planner, source_folder

from asnets.cli import run
from driving import needs_planner


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """What the hooks look for, and nothing else."""
    source = tmp_path / "downward"
    for name, old, _ in HOOKS:
        file = source / name
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("a") as text:
            text.write(f"before\n{old}after\n")
    version = source / "driver" / "version.py"
    version.write_text('__version__ = "20.06+"\n')
    return source


def contents(folder: Path) -> dict[str, tuple[bytes, int]]:
    """All files, with their times."""
    return {
        str(path.relative_to(folder)): (path.read_bytes(), path.stat().st_mtime_ns)
        for path in folder.rglob("*")
        if path.is_file()
    }


class TestInstall:
    def test_hooks_and_plugin(self, checkout: Path) -> None:
        build.install(checkout)
        for name, _, new in HOOKS:
            assert f"before\n{new}after\n" in (checkout / name).read_text()
        for file in (build.HERE / "plugin").iterdir():
            installed = checkout / "src" / "search" / "asnets" / file.name
            assert installed.read_bytes() == file.read_bytes()
        assert (checkout / "driver" / "asnets_hooks.py").exists()

    def test_twice(self, checkout: Path) -> None:
        build.install(checkout)
        before = contents(checkout)
        build.install(checkout)
        assert contents(checkout) == before

    def test_only_what_changed(self, checkout: Path) -> None:
        build.install(checkout)
        (checkout / "src" / "search" / "asnets" / "asnet_policy.cc").write_text("older")
        before = contents(checkout)
        build.install(checkout)
        after = contents(checkout)
        changed = {name for name in after if after[name] != before[name]}
        assert changed == {"src/search/asnets/asnet_policy.cc"}

    def test_other_hooks(self, checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Of an older plugin: its lines go."""
        older = tuple(hook._replace(new="other lines\n") for hook in HOOKS)
        with monkeypatch.context() as before:
            before.setattr(build, "HOOKS", older)
            build.install(checkout)
        build.install(checkout)
        for name, _, new in HOOKS:
            text = (checkout / name).read_text()
            assert f"before\n{new}after\n" in text
            assert "other lines" not in text

    def test_edits_are_kept(self, checkout: Path) -> None:
        build.install(checkout)
        file = checkout / "src" / "search" / "search_engine.h"
        file.write_text(file.read_text() + "an edit\n")
        for _ in range(2):
            build.install(checkout)
            assert file.read_text().endswith("an edit\n")
            assert file.read_text().count("limit_time") == 1

    @needs_planner
    def test_the_published_source(self, tmp_path: Path) -> None:
        """The hooks fit the files that were fetched."""
        kept = source_folder() / build.KEPT / "original"
        for name in {hook.file for hook in HOOKS}:
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(kept / name, tmp_path / name)
        build.install(tmp_path)
        for hook in HOOKS:
            assert (tmp_path / hook.file).read_text().count(hook.new) == 1

    def test_generator_of_an_earlier_build(self, tmp_path: Path) -> None:
        assert build._generator(tmp_path) == "Ninja"
        (tmp_path / "CMakeCache.txt").write_text(
            "A:STRING=x\nCMAKE_GENERATOR:INTERNAL=Unix Makefiles\n"
        )
        assert build._generator(tmp_path) == "Unix Makefiles"

    @pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: hook.file)
    def test_other_sources_are_left_alone(self, checkout: Path, hook: tuple[str, str, str]) -> None:
        file = checkout / hook[0]
        file.write_text(file.read_text().replace(hook[1], "something else\n"))
        before = contents(checkout)
        with pytest.raises(build.BuildError) as caught:
            build.install(checkout)
        assert f"{file}: expected Fast Downward 20.06" in str(caught.value)
        assert hook[1].strip() in str(caught.value)
        assert contents(checkout) == before


class TestCommand:
    """`asnets build-downward`, as far as nothing is compiled."""

    def fails(self, capfd: pytest.CaptureFixture[str], *arguments: object) -> str:
        assert run(["build-downward", *map(str, arguments)]) == 1
        captured = capfd.readouterr()
        (line,) = captured.err.splitlines()
        return line

    def test_own_version(self, checkout: Path) -> None:
        for version in ("20.06", "20.06+", "20.06.4"):
            (checkout / "driver" / "version.py").write_text(f'__version__ = "{version}"\n')
            build.check_version(checkout)

    @pytest.mark.parametrize("version", ["19.12", "20.060", "22.12+"])
    def test_other_version(
        self, checkout: Path, tmp_path: Path, version: str, capfd: pytest.CaptureFixture[str]
    ) -> None:
        file = checkout / "driver" / "version.py"
        file.write_text(f'__version__ = "{version}"\n')
        line = self.fails(capfd, "--downward", checkout, "--cache", tmp_path / "cache")
        assert line == f"{file}: expected Fast Downward 20.06, found version {version}"

    def test_no_checkout(self, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
        line = self.fails(capfd, "--downward", tmp_path / "none", "--cache", tmp_path)
        assert line == f"{tmp_path / 'none'}: expected a checkout of Fast Downward 20.06"

    def test_no_compiler(
        self,
        checkout: Path,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
        capfd: pytest.CaptureFixture[str],
    ) -> None:
        monkeypatch.setenv("CXX", "no-such-compiler")
        line = self.fails(capfd, "--downward", checkout, "--cache", tmp_path)
        assert line == "no-such-compiler: a C++ compiler is missing: install g++, or set CXX"

    def test_cache_cannot_be_written(
        self, tmp_path: Path, capfd: pytest.CaptureFixture[str]
    ) -> None:
        (tmp_path / "file").write_text("")
        assert str(tmp_path / "file") in self.fails(capfd, "--cache", tmp_path / "file" / "cache")

    def test_options(self, capfd: pytest.CaptureFixture[str]) -> None:
        assert run(["build-downward", "--help"]) == 0
        out = capfd.readouterr().out
        for option in ("--downward", "--torchscript", "--cache", "--jobs"):
            assert option in out
        assert run(["build-downward", "--jobs", "0"]) == 2
        assert "expected a number from 1 on, found 0" in capfd.readouterr().err
        assert run(["build-downward", "--fast"]) == 2
        assert "--fast" in capfd.readouterr().err

    @needs_planner
    def test_second_call_does_nothing(self, capfd: pytest.CaptureFixture[str]) -> None:
        if source_folder() != default_cache() / NAME:
            pytest.skip("another planner is in use")
        before = planner(source_folder()).stat().st_mtime_ns
        assert run(["build-downward", "--torchscript"]) == 0
        assert planner(source_folder()).stat().st_mtime_ns == before
        out = capfd.readouterr().out
        assert "Building" not in out
        assert "Linking" not in out
        assert f"built {planner(source_folder())}" in out


class TestFetch:
    """The archive: checked, fetched again when it is damaged, unpacked whole or not at all."""

    @pytest.fixture
    def builder(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> build.Builder:
        """Instead of the network, a small archive."""
        inside = build.ARCHIVE.removesuffix(".tar.gz")
        (tmp_path / inside).mkdir()
        (tmp_path / inside / "file").write_text("content")
        served = tmp_path / "served.tar.gz"
        with tarfile.open(served, "w:gz") as file:
            file.add(tmp_path / inside, inside)
        monkeypatch.setattr(build, "SHA256", hashlib.sha256(served.read_bytes()).hexdigest())
        builder = build.Builder(tmp_path / "cache", 1)
        builder.cache.mkdir()
        self.fetched = 0

        def fetch(*command: object, brief: bool = False) -> None:
            assert command[0] == "unearth"
            assert brief
            self.fetched += 1
            (builder.cache / build.ARCHIVE).write_bytes(served.read_bytes())

        monkeypatch.setattr(builder, "run", fetch)
        return builder

    def test_once(self, builder: build.Builder) -> None:
        for _ in range(2):
            assert (builder.unpack() / "file").read_text() == "content"
        assert self.fetched == 1

    def test_offline(self, builder: build.Builder, monkeypatch: pytest.MonkeyPatch) -> None:
        tool = builder.cache / "unearth"
        tool.write_text("#!/bin/sh\necho a long story >&2\necho no route to host >&2\nexit 1\n")
        tool.chmod(0o755)
        builder.environment["PATH"] = f"{builder.cache}:{builder.environment['PATH']}"
        monkeypatch.undo()
        with pytest.raises(build.BuildError) as caught:
            builder.unpack()
        assert "no route to host (or put PyPI's" in str(caught.value)
        assert "story" not in str(caught.value)

    def test_cut_off(self, builder: build.Builder) -> None:
        (builder.cache / build.ARCHIVE).write_bytes(b"half")
        partial = builder.cache / (NAME + ".partial")
        partial.mkdir()
        (partial / "file").write_text("half")
        assert (builder.unpack() / "file").read_text() == "content"
        assert not partial.exists()

    def test_another_archive(self, builder: build.Builder, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(build, "SHA256", "0" * 64)
        with pytest.raises(build.BuildError, match=f"expected SHA-256 {'0' * 64}, found [0-9a-f]"):
            builder.unpack()
        assert not (builder.cache / NAME).exists()


def test_quiet_commands_that_fail_say_why(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    builder = build.Builder(tmp_path, 1)
    with pytest.raises(build.BuildError, match=r"^sh -c .*: exit code 3$"):
        builder.run("sh", "-c", "echo first; echo second >&2; exit 3", quiet=True)
    assert capfd.readouterr().err == "first\nsecond\n"


def test_two_builds_take_turns(tmp_path: Path) -> None:
    """The second waits and says so."""
    script = (
        "import pathlib, sys\nfrom downward_patch.build import locked\n"
        "with locked(pathlib.Path(sys.argv[1])):\n    print('in')"
    )
    with build.locked(tmp_path):
        second = subprocess.Popen(
            [sys.executable, "-c", script, str(tmp_path)], stdout=subprocess.PIPE, text=True
        )
        assert second.stdout is not None
        assert second.stdout.readline() == f"waiting for another build in {tmp_path}\n"
    with second:
        assert second.communicate(timeout=30)[0] == "in\n"
