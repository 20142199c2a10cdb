"""Damaged files: the answer is a task or a PddlError that points into the file, nothing else."""

import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import asnets
from oracles.corpus import CLASSICAL, OWN, PROBABILISTIC, Files
from oracles.reader import PlanningTask

LARGEST = 20_000  # ways to bind a schema's parameters, as damage may let all of them through

TOKEN = re.compile(rb"[()]|[^\s()]+")

# Words with a meaning somewhere, and words that should have none.
WORDS = b"""
    ( ) ) ( and or not imply forall exists when probabilistic oneof = either object - -- ? ??x ?x :
    define domain problem :domain :requirements :types :constants :predicates :functions :action
    :derived :durative-action :parameters :precondition :effect :objects :init :goal :metric
    :constraints :goal-reward increase decrease assign total-cost reward preference always
    0 1 -1 1/2 1/0 0/0 1/3/5 0.5 .5 5. 1e400 -0.1 1.0000001 nan inf 99999999999999999999 0x10
    \x00 \xff \xc3\xa9 \xe2\x82 ' " # ; @ % $ [ ] { } \\
""".split()


def small(files: Files) -> bool:
    task = PlanningTask(*files.paths)
    count = len(task.objects["object"]) if task.objects else 0
    return all(count ** len(schema.parameters) <= LARGEST for schema in task.schemas)


SOURCES = [files for files in OWN + PROBABILISTIC + CLASSICAL if small(files)]


def spans(text: bytes) -> list[tuple[int, int]]:
    return [match.span() for match in TOKEN.finditer(text)] or [(0, len(text))]


def expression_at(text: bytes, start: int) -> tuple[int, int]:
    """From the bracket at or after the start to the one that closes it, or to the end."""
    start = max(text.find(b"(", start), 0)
    depth = 0
    for match in re.finditer(rb"[()]", text[start:]):
        depth += 1 if match[0] == b"(" else -1
        if depth <= 0:
            return start, start + match.end()
    return start, len(text)


@st.composite
def damaged(draw: st.DrawFn, text: bytes) -> bytes:
    """The text after one small change."""

    def token() -> tuple[int, int]:
        return draw(st.sampled_from(spans(text)))

    def place() -> int:
        return draw(st.integers(0, len(text)))

    def replace(span: tuple[int, int], new: bytes) -> bytes:
        return text[: span[0]] + new + text[span[1] :]

    def swap() -> bytes:
        (a, b), (c, d) = sorted((token(), token()))
        return text[:a] + text[c:d] + text[b:c] + text[a:b] + text[d:] if b <= c else text

    def move_expression() -> bytes:
        a, b = expression_at(text, place())
        rest = replace((a, b), b"")
        at = draw(st.integers(0, len(rest)))
        return rest[:at] + text[a:b] + rest[at:]

    changes: list[Callable[[], bytes]] = [
        lambda: replace(token(), b""),
        lambda: replace((token()[1],) * 2, b" " + text[slice(*token())]),
        lambda: replace(token(), text[slice(*token())]),
        lambda: replace(token(), draw(st.sampled_from(WORDS))),
        lambda: replace((place(),) * 2, draw(st.sampled_from(WORDS))),
        lambda: replace((place(),) * 2, draw(st.sampled_from([b"(", b")"]))),
        lambda: replace((at := min(place(), len(text) - 1), at + 1), draw(st.binary(max_size=1))),
        lambda: text[: place()],
        lambda: text[place() :],
        lambda: replace(expression_at(text, place()), b""),
        lambda: replace(expression_at(text, place()), text[slice(*expression_at(text, place()))]),
        swap,
        move_expression,
    ]
    return draw(st.sampled_from(changes))() if text else b"("


@st.composite
def damaged_files(draw: st.DrawFn) -> list[bytes]:
    """Domain and problem, or the one file with both, of which one took up to four changes."""
    texts = [path.read_bytes() for path in draw(st.sampled_from(SOURCES)).paths]
    victim = draw(st.integers(0, len(texts) - 1))
    for _ in range(draw(st.integers(1, 4))):
        texts[victim] = draw(damaged(texts[victim]))
    return texts


@settings(max_examples=500)
@given(damaged_files())
def test_damaged_files(texts: list[bytes]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / name for name in ("domain.pddl", "problem.pddl")][: len(texts)]
        for path, text in zip(paths, texts):
            path.write_bytes(text)
        try:
            task = asnets.ground(*paths)
        except asnets.PddlError as error:
            check_error(error, paths)
        else:
            check_task(task)


def check_error(error: asnets.PddlError, paths: list[Path]) -> None:
    assert error.file in map(str, paths)
    lines = Path(error.file).read_bytes().count(b"\n") + 1
    assert 1 <= error.line <= lines
    assert error.column >= 1
    assert error.message
    assert "\n" not in error.message
    assert str(error).startswith(f"{error.file}:{error.line}:{error.column}: {error.message}")


def check_task(task: asnets.Task) -> None:
    """It can be walked in."""
    for state, _ in task.initial_states[:3]:
        for action in state.applicable()[:3]:
            chances = [chance for _, chance in task.successors(state, action)]
            assert sum(chances) == pytest.approx(1)


MEGABYTES = 100


def random_bytes() -> bytes:
    return random.Random(0).randbytes(MEGABYTES * 1_000_000)


def random_text() -> bytes:
    letters = (b"()  \n;?-:=abcdefghijklmnopqrstuvwxyz0123456789" * 6)[:256]
    return random_bytes().translate(letters)


def nested(start: str, end: str, around: str) -> Callable[[], bytes]:
    return lambda: around.replace("*", start * 100_000 + "(p)" + end * 100_000).encode()


ACTION = "(define (domain d) (:predicates (p)) (:action a {}))"

NASTY: dict[str, Callable[[], bytes]] = {
    "empty": lambda: b"",
    "blank": lambda: b" \n\t\r\n",
    "only a comment": lambda: b"; nothing here",
    "binary": lambda: bytes(range(256)) * 16,
    "an executable": Path(sys.executable).read_bytes,
    "large, random bytes": random_bytes,
    "large, random text": random_text,
    "large, zeros": lambda: bytes(MEGABYTES * 1_000_000),
    "large, open brackets": lambda: b"(" * (MEGABYTES * 1_000_000),
    "large, closed brackets": lambda: b"(define (domain d)" + b")" * (MEGABYTES * 1_000_000),
    "large, short words": lambda: b"a " * (MEGABYTES * 500_000),
    "large, one word": lambda: b"(define (domain " + b"a" * (MEGABYTES * 1_000_000),
    "large, a comment": lambda: b";" * (MEGABYTES * 1_000_000),
    "large, after a good start": lambda: b"(define (domain d) " + random_text(),
    "large, many unknown sections": lambda: (
        b"(define (domain d) " + b"(:x) " * (MEGABYTES * 200_000)
    ),
    "deep, unclosed": lambda: b"(" * 100_000,
    "deep, and in a precondition": nested("(and ", ")", ACTION.format(":precondition *")),
    "deep, not in a precondition": nested("(not ", ")", ACTION.format(":precondition *")),
    "deep, forall in a precondition": nested(
        "(forall (?x) ", ")", ACTION.format(":precondition *")
    ),
    "deep, and in an effect": nested("(and ", ")", ACTION.format(":effect *")),
    "deep, when in an effect": nested("(when (p) ", ")", ACTION.format(":effect *")),
    "deep, probabilistic": nested("(probabilistic 0.5 ", ")", ACTION.format(":effect *")),
    "deep, types": nested("(either ", ")", "(define (domain d) (:types t - *))"),
    "deep, unknown section": nested("(", ")", "(define (domain d) (:unknown *))"),
}


@pytest.fixture
def nasty(tmp_path: Path) -> Iterator[Path]:
    """A file that goes away at once: pytest would keep it for some runs."""
    path = tmp_path / "nasty.pddl"
    yield path
    path.unlink()


@pytest.mark.parametrize("content", NASTY.values(), ids=NASTY.keys())
def test_nasty_domain(content: Callable[[], bytes], nasty: Path) -> None:
    nasty.write_bytes(content())
    check_command([nasty], nasty)


@pytest.mark.parametrize(
    "name", ["empty", "binary", "large, random text", "large, open brackets", "deep, unclosed"]
)
def test_nasty_problem(name: str, nasty: Path, domains: Path) -> None:
    nasty.write_bytes(NASTY[name]())
    check_command([domains / "blocksworld" / "domain.pddl", nasty], nasty)


def test_deep_goal(nasty: Path, domains: Path) -> None:
    deep = "(or " * 100_000 + "(handempty)" + ")" * 100_000
    nasty.write_text(f"(define (problem p) (:domain blocks) (:init) (:goal {deep}))")
    check_command([domains / "blocksworld" / "domain.pddl", nasty], nasty)


def check_command(paths: list[Path], culprit: Path) -> None:
    """It ends with code 31 and a short message: where and what, the source line, the caret."""
    command = [sys.executable, "-m", "asnets", "ground", *map(str, paths)]
    result = subprocess.run(command, check=False, capture_output=True, text=True, timeout=300)
    assert result.returncode == 31, result.stderr[-1000:]
    assert re.match(re.escape(str(culprit)) + r":[1-9]\d*:[1-9]\d*: \S", result.stderr)
    assert "Traceback" not in result.stderr
    assert result.stderr.count("\n") <= 3
    assert len(result.stderr) < 1000
    assert result.stdout == ""
