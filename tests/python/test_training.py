"""The trainer as a program: what it writes, that it repeats itself and resumes, and mistakes."""

import itertools
import json
import os
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import asnets
from asnets import NetworkStructure, StateMemory, generators
from asnets_train.options import Options
from asnets_train.worker import Problem, ProblemFile, Saved
from training import QUICK, Files, command, equal, metrics, problem_files, train


def without_times(lines: list[dict[str, object]]) -> list[dict[str, object]]:
    return [{k: v for k, v in line.items() if "seconds" not in k} for line in lines]


def test_files_of_a_run(undisturbed: Path, blocks: Files) -> None:
    folder = undisturbed.with_name("bw.pt.run")
    lines = metrics(undisturbed)
    assert [line["epoch"] for line in lines] == [1, 2, 3, 4]  # the last one only judges
    assert all(line["loss"] > 0 for line in lines[:3])
    assert set(lines[1]["success_by_problem"]) == {str(path) for path in blocks[1]}
    assert lines[0]["states"] <= lines[3]["states"] <= lines[3]["samples"]
    assert lines[3]["memory_bytes"] > 0
    config = json.loads((folder / "config.json").read_text())
    assert config["options"]["batches"] == 8
    assert [Path(each["path"]) for each in config["problems"]] == blocks[1]
    summary = json.loads((folder / "summary.json").read_text())
    assert summary == asnets.read_model(undisturbed).manifest["training"]
    assert summary["epochs"] == 3
    assert summary["repeatable"]


def test_lines_when_piped(blocks: Files, tmp_path: Path) -> None:
    done = train(blocks[0], *blocks[1], "-o", tmp_path / "bw.pt", *QUICK, "--epochs", "1")
    first, *_, last = done.stdout.splitlines()
    assert first.startswith("epoch 1, loss ")
    assert last.startswith(f"{tmp_path / 'bw.pt'}: weights of epoch 1, success ")


def test_default_output_is_named_after_the_domain(blocks: Files, tmp_path: Path) -> None:
    done = train(blocks[0], blocks[1][0], *QUICK, "--epochs", "1", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert asnets.read_model(tmp_path / "blocks.pt").domain_name == "blocks"


@pytest.mark.parametrize("workers", [1, 2])
def test_equal_seeds_give_equal_weights(
    blocks: Files, undisturbed: Path, tmp_path: Path, workers: int
) -> None:
    output = tmp_path / "again.pt"
    train(blocks[0], *blocks[1], "-o", output, *QUICK, "--workers", workers)
    assert equal(output, undisturbed)
    assert without_times(metrics(output)) == without_times(metrics(undisturbed))


def test_other_seeds_give_other_weights(blocks: Files, undisturbed: Path, tmp_path: Path) -> None:
    train(blocks[0], *blocks[1], "-o", tmp_path / "other.pt", *QUICK, "--seed", "1")
    assert not equal(tmp_path / "other.pt", undisturbed)


def test_resuming_gives_the_same_weights(blocks: Files, undisturbed: Path, tmp_path: Path) -> None:
    output = tmp_path / "bw.pt"
    train(blocks[0], *blocks[1], "-o", output, *QUICK, "--epochs", "1")
    done = train("--resume", "-o", output, "--epochs", "3")
    assert done.returncode == 0, done.stderr
    assert equal(output, undisturbed)
    assert without_times(metrics(output))[1:] == without_times(metrics(undisturbed))[1:]


def test_resuming_on_a_probabilistic_domain(tmp_path: Path) -> None:
    """The teacher's values and its random numbers are part of a checkpoint."""
    domain, problems = problem_files(tmp_path, "exploding-blocksworld", [3, 4], seed=2)
    once, twice = tmp_path / "once.pt", tmp_path / "twice.pt"
    train(domain, *problems, "-o", once, *QUICK)
    train(domain, *problems, "-o", twice, *QUICK, "--epochs", "2")
    done = train(domain, *problems, "--resume", "-o", twice, "--epochs", "3", "--workers", "2")
    assert done.returncode == 0, done.stderr
    assert equal(once, twice)


def test_validation_judges_weights(blocks: Files, tmp_path: Path) -> None:
    output = tmp_path / "bw.pt"
    done = train(blocks[0], *blocks[1][:2], "--validation", blocks[1][2], "-o", output, *QUICK)
    assert done.returncode == 0, done.stderr
    lines = metrics(output)
    scores = [(line["validation_success"], -(line["validation_cost"] or 0)) for line in lines[:3]]
    record = asnets.read_model(output).manifest["training"]
    assert record["judged_on"] == "validation"
    best = max(range(3), key=lambda i: (scores[i], i))
    assert (record["best_epoch"], record["success"]) == (best + 1, scores[best][0])


def test_validation_ends_training(blocks: Files, tmp_path: Path) -> None:
    """Two epochs in a row whose weights solve the validation problem, as any do that are allowed
    enough: the goal is one step away."""
    easy = tmp_path / "easy.pddl"
    easy.write_text(
        "(define (problem easy) (:domain blocks) (:objects a b - block) (:init (holding a) (clear b)"
        " (ontable b)) (:goal (holding a)))"
    )
    output = tmp_path / "bw.pt"
    options = ["--validation", easy, "-o", output, *QUICK, "--epochs", "9", "--stop-after", "2"]
    done = train(blocks[0], *blocks[1][:2], *options)
    assert done.returncode == 0, done.stderr
    assert [line["validation_success"] for line in metrics(output)] == [1, 1]
    assert "2 epochs in a row" in done.stdout


def test_policy_is_a_running_mean(blocks: Files, tmp_path: Path) -> None:
    """Of the weights after each batch, which are known from runs without a mean."""

    def weights(batches: int, average: float) -> list[NDArray[np.float32]]:
        output = tmp_path / f"{batches}-{average}.pt"
        options = ("-o", output, "--epochs", 1, "--workers", 1, "--batches", batches)
        done = train(blocks[0], *blocks[1], *options, "--average", average)
        assert done.returncode == 0, done.stderr
        return asnets.read_model(output).arrays

    counts = (1, 2, 3)
    optimised = [weights(batches, 0) for batches in counts]
    means = [weights(batches, 0.12) for batches in counts]
    assert not np.array_equal(means[0][0], optimised[0][0])
    for i in (1, 2):
        kept = min(0.12, counts[i] / (counts[i] + 10))
        for before, mean, now in zip(means[i - 1], means[i], optimised[i], strict=True):
            np.testing.assert_allclose(mean, kept * before + (1 - kept) * now, atol=1e-7)


UNSOLVABLE = """(define (problem none) (:domain blocks) (:objects a b - block)
(:init (clear a) (clear b) (ontable a) (ontable b) (handempty)) (:goal (and (on a b) (on b a))))"""


def test_unsolvable_problems_are_skipped(blocks: Files, tmp_path: Path) -> None:
    bad = tmp_path / "bad.pddl"
    bad.write_text(UNSOLVABLE)
    done = train(blocks[0], blocks[1][0], bad, "-o", tmp_path / "bw.pt", *QUICK)
    assert done.returncode == 0
    without = train(blocks[0], blocks[1][0], "-o", tmp_path / "without.pt", *QUICK)
    assert without.returncode == 0
    assert equal(tmp_path / "bw.pt", tmp_path / "without.pt")
    assert f"warning: {bad}: skipped, the teacher finds no way to the goal" in done.stderr
    assert asnets.read_model(tmp_path / "bw.pt").manifest["training"]["skipped"] == [str(bad)]
    alone = train(blocks[0], bad, "-o", tmp_path / "alone.pt", *QUICK)
    assert alone.returncode == 12
    assert "no training problem has a choice that a teacher could label" in alone.stderr
    assert not (tmp_path / "alone.pt").exists()


def test_teacher_without_the_means(blocks: Files, tmp_path: Path) -> None:
    limited = ["--teacher", "astar:h_max", "--teacher-expansions", "1"]
    done = train(blocks[0], *blocks[1], "-o", tmp_path / "bw.pt", *QUICK, *limited)
    assert done.returncode == 12
    assert "skipped, the teacher reached its limits" in done.stderr


def test_weights_that_diverge(blocks: Files, tmp_path: Path) -> None:
    done = train(blocks[0], *blocks[1], "-o", tmp_path / "bw.pt", *QUICK, "--learning-rate", "1e9")
    assert done.returncode == 12
    assert "the weights diverge in epoch 1; try a lower learning rate" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "bw.pt").exists()


def test_teacher_for_another_kind_of_task(tmp_path: Path) -> None:
    domain, problems = problem_files(tmp_path, "triangle-tireworld", [1])
    done = train(domain, *problems, "--teacher", "astar:h_add", "-o", tmp_path / "tt.pt")
    assert done.returncode == 2
    assert done.stderr.startswith(f"{problems[0]}: --teacher astar:h_add: ")
    assert len(done.stderr.splitlines()) == 1


def test_expansion_limits_are_repeatable(blocks: Files, tmp_path: Path) -> None:
    limited = ["--teacher-expansions", "12", "--rollouts", "30"]
    done = train(blocks[0], *blocks[1], "-o", tmp_path / "bw.pt", *QUICK, *limited)
    assert done.returncode == 0, done.stderr
    assert sum(line["given_up"] for line in metrics(tmp_path / "bw.pt")) > 0
    assert asnets.read_model(tmp_path / "bw.pt").manifest["training"]["repeatable"]
    assert "time limit" not in done.stdout


def test_problem_of_another_domain(blocks: Files, tmp_path: Path) -> None:
    _, others = problem_files(tmp_path, "triangle-tireworld", [1])
    done = train(blocks[0], blocks[1][0], *others, "-o", tmp_path / "bw.pt", *QUICK)
    assert done.returncode == 31
    assert done.stderr.startswith(f"{others[0]}:")
    assert not (tmp_path / "bw.pt.run").exists()


QUANTIFIED = """(define (domain blocks) (:requirements :adl) (:predicates (p ?x) (q))
(:action a :parameters () :precondition (forall (?x) (p ?x)) :effect (q)))"""


def test_domain_that_no_network_can_follow(tmp_path: Path) -> None:
    domain, problem = tmp_path / "d.pddl", tmp_path / "p.pddl"
    domain.write_text(QUANTIFIED)
    problem.write_text(
        "(define (problem x) (:domain blocks) (:objects o) (:init (p o)) (:goal (q)))"
    )
    done = train(domain, problem, "-o", tmp_path / "bw.pt")
    assert done.returncode == 31
    assert done.stderr.startswith(f"{domain}:2:")
    assert "a" in done.stderr.splitlines()[0]


def test_same_problem_twice(blocks: Files, tmp_path: Path) -> None:
    done = train(blocks[0], blocks[1][0], blocks[1][0], "-o", tmp_path / "bw.pt", *QUICK)
    assert done.returncode == 2
    assert f"{blocks[1][0]}: given 2 times" in done.stderr


def test_two_problems_of_one_name(tmp_path: Path) -> None:
    folders = [tmp_path / "a", tmp_path / "b"]
    problems = []
    for folder in folders:
        folder.mkdir()
        domain, own = problem_files(folder, "blocksworld", [3], seed=len(problems))
        problems += own
    done = train(domain, *problems, "-o", tmp_path / "bw.pt", *QUICK)
    assert done.returncode == 0
    assert "warning: 2 problems are named p03.pddl" in done.stderr
    assert len(metrics(tmp_path / "bw.pt")[1]["success_by_problem"]) == 2


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_unwritable_folder(blocks: Files, tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    done = train(blocks[0], *blocks[1], "-o", tmp_path / "bw.pt", *QUICK)
    tmp_path.chmod(0o700)
    assert done.returncode == 32


@pytest.mark.parametrize("output", ["missing/bw.pt", "."])
def test_output_that_cannot_be(blocks: Files, tmp_path: Path, output: str) -> None:
    done = train(blocks[0], *blocks[1], "-o", output, *QUICK, cwd=tmp_path)
    assert done.returncode == 32
    assert "cannot write" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_the_same_as_asnets_train(blocks: Files, undisturbed: Path, tmp_path: Path) -> None:
    executable = Path(command()[0]).with_name("asnets")
    arguments = [executable, "train", blocks[0], *blocks[1], "-o", tmp_path / "bw.pt", *QUICK]
    done = subprocess.run(
        [str(each) for each in arguments], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert equal(tmp_path / "bw.pt", undisturbed)


def test_tensorboard_files(blocks: Files, tmp_path: Path) -> None:
    pytest.importorskip("tensorboard")
    done = train(blocks[0], *blocks[1], "-o", tmp_path / "bw.pt", *QUICK, "--tensorboard")
    assert done.returncode == 0, done.stderr
    assert list((tmp_path / "bw.pt.run" / "tensorboard").glob("events.out.tfevents.*"))


def test_table_on_a_terminal(blocks: Files, tmp_path: Path) -> None:
    main, other = os.openpty()
    process = subprocess.Popen(
        command(blocks[0], *blocks[1], "-o", tmp_path / "bw.pt", *QUICK),
        stdout=other,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "200"},
    )
    os.close(other)
    shown = b""
    while True:
        try:
            part = os.read(main, 65536)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        shown += part
    assert process.wait() == 0
    os.close(main)
    for text in (
        b"epoch",
        b"teacher calls",
        b"time left",
        b"p03 ",
        b"optimising: ",
        b"exploring: ",
    ):
        assert text in shown


def test_an_optimal_teacher_where_h_add_does_not_lead(tmp_path: Path) -> None:
    """On 5x5 cells A* takes 19,313 expansions with h_add, and 48,541 with LM-cut for all optimal plans. A
    checkpoint has what the teacher found out that was taken."""
    domain = generators.domain_path("gold-miner")
    easy, hard = (tmp_path / f"p{size}.pddl" for size in (4, 5))
    easy.write_text(generators.generate("gold-miner", 4, seed=0))
    hard.write_text(generators.generate("gold-miner", 5, seed=0))

    def taught(path: Path, **options: Any) -> tuple[Problem, dict[str, Any]]:
        problem = Problem(domain, ProblemFile(0, path), None, Options(teacher_time=600, **options))
        return problem, problem.teach(1).report

    assert taught(easy)[1]["teacher"] == "astar:h_add"
    assert taught(easy, teacher="astar:lm_cut")[1]["teacher"] == "astar:lm_cut"
    assert taught(hard, teacher="article")[1]["teacher"] == "astar:h_add"

    problem, report = taught(hard)
    assert (report["teacher"], report["has_teacher"]) == ("astar:lm_cut", True)
    assert report["expansions"] == 10_000 + 48_541  # what was in vain counts
    assert report["teacher_seconds"] >= report["seconds"]
    assert report["given_up"] == 0
    found, offers, expansions = problem.save_teacher()
    assert (offers, expansions) == (1, 48_541)
    empty = StateMemory(NetworkStructure(asnets.ground(domain, hard))).since()
    saved = Saved(empty, found, offers, expansions)
    again = Problem(domain, ProblemFile(0, hard), saved, Options(teacher_time=600))
    same, *counts = again.save_teacher()
    assert (same.tobytes(), *counts) == (found.tobytes(), offers, expansions)

    last, report = taught(hard, teacher_expansions=20_000)
    assert (report["teacher"], report["has_teacher"]) == ("astar:h_add", True)
    assert last.save_teacher()[1] == 0
    assert not taught(hard, teacher_expansions=15_000)[1]["has_teacher"]
    assert taught(hard, teacher_expansions=9_000)[1]["expansions"] == 2 * 9_000  # no third one


def test_what_a_rejected_teacher_showed_is_forgotten(tmp_path: Path) -> None:
    """It solves one of two initial states within its limits."""
    places = [f"p{i}" for i in range(40)]
    links = " ".join(f"(next {a} {b})" for a, b in itertools.pairwise(places))
    domain, path = tmp_path / "domain.pddl", tmp_path / "p.pddl"
    domain.write_text(
        "(define (domain line) (:requirements :strips) (:predicates (at ?x) (next ?x ?y))"
        " (:action on :parameters (?x ?y) :precondition (and (at ?x) (next ?x ?y))"
        " :effect (and (at ?y) (not (at ?x))))"
        " (:action back :parameters (?x ?y) :precondition (and (at ?y) (next ?x ?y))"
        " :effect (and (at ?x) (not (at ?y)))))"
    )
    path.write_text(
        f"(define (problem p) (:domain line) (:objects {' '.join(places)})"
        f" (:init {links} (probabilistic 1/2 (at p38) 1/2 (at p20))) (:goal (at p39)))"
    )
    options = Options(teacher_expansions=15)
    problem = Problem(domain, ProblemFile(0, path), None, options)
    explored = problem.teach(1)
    assert not explored.report["has_teacher"]
    assert explored.report["teacher"] == "astar:lm_cut"
    copy = StateMemory(NetworkStructure(asnets.ground(domain, path)))
    copy.append(explored.new)
    assert 0 < copy.states == explored.report["samples"]
    copy.append(problem.wander(1, 5, 1).new)


def test_expansions_are_made_up_for_in_later_epochs(tmp_path: Path) -> None:
    """A search that takes more than an epoch's expansions is followed by epochs without a search."""
    path = tmp_path / "p.pddl"
    path.write_text(generators.generate("gold-miner", 4, seed=1))
    options = Options(teacher="astar:h_max", epoch_expansions=200)
    problem = Problem(generators.domain_path("gold-miner"), ProblemFile(0, path), None, options)
    problem.teach(1)
    spent = 0
    searches = []
    for epoch in range(1, 30):
        report = problem.wander(epoch, 5, epoch).report
        assert (report["searches"] > 0) <= (spent < epoch * 200)
        assert report["visits"] > 0  # it shows what it knows
        spent += report["expansions"]
        searches.append(report["searches"] > 0)
    assert {True, False} == set(searches)
