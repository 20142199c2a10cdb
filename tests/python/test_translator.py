"""Ground actions and propositions, against Fast Downward's translator and a slow oracle."""

import os
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

import pytest

import asnets
from asnets import generators
from oracles import fast_downward
from oracles.corpus import CLASSICAL, OWN, PROBABILISTIC, Files
from oracles.reachability import Reachability

# Many seconds to minutes for the slow oracle, where all others take a few at most.
LARGE = {"optical-telegraphs-p2", "psr-middle-p2", "ricochet-robots-adl-p2"}

# Larger problems than those that come with the domains.
GENERATED = [
    ("blocksworld", 15, 1),
    ("matching-blocksworld", 10, 1),
    ("gold-miner", 8, 1),
    ("probabilistic-blocksworld", 10, 1),
    ("exploding-blocksworld", 10, 1),
    ("triangle-tireworld", 5, 0),
    ("cosanostra-pizza", 15, 0),
    ("unreliable-robot", 20, 1),
]

# Name, body of the domain, body of the problem, actions, atoms; worked out by hand.
SMALL = [
    (
        "a negated atom must be false at first or deleted by a reached action",
        """(:predicates (p) (q) (r) (s) (t) (u))
           (:action a :precondition (not (p)) :effect (q))
           (:action b :precondition (not (r)) :effect (not (p)))
           (:action c :precondition (not (s)) :effect (t))
           (:action d :precondition (u) :effect (not (s)))""",
        "(:init (p) (s)) (:goal (q))",
        "a, b",
        "p, q, s",
    ),
    (
        "the condition of an effect must be reachable, the way that chance falls must be possible",
        """(:predicates (p) (q) (r) (s) (t))
           (:action a :effect (and (when (p) (q)) (when (not (p)) (r))
                                   (probabilistic 0.5 (when (q) (s)) 0 (t) 0.5 (and))))""",
        "(:init (p)) (:goal (s))",
        "a",
        "p, q, s",
    ),
    (
        "objects are bound by type, with subtypes, alternatives and constants",
        """(:types car van - vehicle vehicle place) (:constants home - place)
           (:predicates (seen ?x - (either vehicle place)) (parked ?v - vehicle))
           (:action see :parameters (?x - (either van place)) :effect (seen ?x))
           (:action park :parameters (?v - vehicle)
             :precondition (and (seen ?v) (seen home)) :effect (parked ?v))""",
        "(:objects c - car v - van) (:init (seen c)) (:goal (parked v))",
        "see v, see home, park c, park v",
        "seen c, seen v, seen home, parked c, parked v",
    ),
    (
        "equality is decided when objects are bound",
        """(:predicates (p ?x) (q ?x ?y))
           (:action a :parameters (?x ?y)
             :precondition (and (p ?x) (not (= ?x ?y))) :effect (q ?x ?y))
           (:action b :parameters (?x ?y) :precondition (and (= ?x ?y) (q ?x ?y)) :effect (p ?y))""",
        "(:objects m n) (:init (p m)) (:goal (q m n))",
        "a m n",
        "p m, q m n",
    ),
    (
        "quantifiers range over the objects of a type, also of a type without any",
        """(:types s t none) (:predicates (p ?x - object) (q) (r))
           (:action a :parameters (?x - s) :effect (p ?x))
           (:action b :precondition (forall (?x - s) (p ?x)) :effect (q))
           (:action c :precondition (exists (?x - t) (p ?x)) :effect (r))
           (:action d :precondition (forall (?x - none) (p ?x)))
           (:action e :precondition (exists (?x - none) (not (p ?x))))
           (:action f :precondition (and) :effect (forall (?x - s) (when (r) (p ?x))))""",
        "(:objects u v - s w - t) (:init) (:goal (q))",
        "a u, a v, b, d, f",
        "p u, p v, q",
    ),
    (
        "one action for a disjunction, reached by any of its parts",
        """(:predicates (p) (q) (r) (s))
           (:action a :precondition (or (p) (q)) :effect (r))
           (:action b :precondition (imply (p) (q)) :effect (s))
           (:action c :precondition (not (or (s) (p))))""",
        "(:init (p)) (:goal (r))",
        "a",
        "p, r",
    ),
    (
        "derived atoms follow from rules, and can always be false",
        """(:predicates (edge ?x ?y) (path ?x ?y) (lost ?x) (found))
           (:derived (path ?x ?y) (or (edge ?x ?y) (exists (?z) (and (edge ?x ?z) (path ?z ?y)))))
           (:action a :parameters (?x ?y) :precondition (path ?x ?y) :effect (found))
           (:action b :parameters (?x) :precondition (not (path ?x k)) :effect (lost ?x))""",
        "(:objects i j k) (:init (edge i j) (edge j k)) (:goal (found))",
        "a i j, a i k, a j k, b i, b j, b k",
        "edge i j, edge j k, path i j, path i k, path j k, found, lost i, lost j, lost k",
    ),
    (
        "reached from any initial state",
        """(:predicates (p) (q) (r) (s))
           (:action a :precondition (and (p) (q)) :effect (r))
           (:action b :precondition (and (p) (not (q))) :effect (s))
           (:action c :precondition (not (p)))""",
        "(:init (p) (probabilistic 1/3 (q) 0 (s))) (:goal (r))",
        "a, b",
        "p, q, r, s",
    ),
    (
        "what holds in all initial states cannot be false, although chance decides about it",
        """(:predicates (p) (q) (r))
           (:action a :precondition (not (p)) :effect (r))
           (:action b :precondition (not (q)))""",
        "(:init (probabilistic 1/2 (p) 1/2 (and (p) (q)))) (:goal (q))",
        "b",
        "p, q",
    ),
]


@dataclass(frozen=True)
class Judgement:
    positive: bool
    reached: Reachability | None  # None for a task in LARGE
    translation: fast_downward.Translation | None  # None for a probabilistic task


def judge(files: Files) -> Judgement:
    reader = Reachability(*files.paths)
    reached = None if str(files) in LARGE else reader.explore()
    translation = None
    if not is_probabilistic(files):
        translation = fast_downward.translate(*files.paths, flags=fast_downward.ALL_REACHABLE)
    return Judgement(reader.positive, reached, translation)


def is_probabilistic(files: Files) -> bool:
    return "(probabilistic" in files.domain.read_text().lower()


@pytest.fixture(scope="session")
def judgements(request: pytest.FixtureRequest) -> Iterator[dict[Files, Future[Judgement]]]:
    """Judgements of all selected tasks, made by other processes while the tests run."""
    chosen = [item for item in request.session.items if "judgements" in item.fixturenames]
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as pool:
        tasks = [item.callspec.params["files"] for item in chosen]
        yield {files: pool.submit(judge, files) for files in tasks}
        pool.shutdown(cancel_futures=True)


def check(task: asnets.Task, judgement: Judgement) -> None:
    actions = {action.name for action in task.actions}
    propositions = {proposition.name for proposition in task.propositions}
    reached, translation = judgement.reached, judgement.translation
    if reached:
        assert actions == reached.actions
        assert reached.atoms <= propositions
        assert propositions - reached.atoms <= reached.goal_atoms
    if translation and not translation.trivial:
        # What only the translator has was judged above: the oracle did not reach it either.
        assert actions <= translation.operators
        if judgement.positive:
            assert actions == translation.operators
            assert translation.facts <= propositions


@pytest.mark.parametrize("files", CLASSICAL + PROBABILISTIC + OWN, ids=str)
def test_actions_and_propositions(files: Files, judgements: dict[Files, Future[Judgement]]) -> None:
    check(asnets.ground(*files.paths), judgements[files].result())


@pytest.mark.parametrize(("domain", "size", "seed"), GENERATED)
def test_generated_problems(domain: str, size: int, seed: int, tmp_path: Path) -> None:
    problem = tmp_path / "p.pddl"
    problem.write_text(generators.generate(domain, size, seed))
    files = Files(generators.domain_path(domain), problem)
    check(asnets.ground(*files.paths), judge(files))


@pytest.mark.parametrize(
    ("domain", "problem", "actions", "atoms"),
    [pytest.param(*case, id=name) for name, *case in SMALL],
)
def test_small_tasks(domain: str, problem: str, actions: str, atoms: str, tmp_path: Path) -> None:
    file = tmp_path / "task.pddl"
    requirements = ":adl :derived-predicates :probabilistic-effects"
    file.write_text(
        f"(define (domain d) (:requirements {requirements}) {domain})"
        f"(define (problem p) (:domain d) {problem})"
    )
    reached = Reachability(file).explore()
    assert reached.actions == set(actions.split(", "))
    assert reached.atoms == set(atoms.split(", "))
    check(asnets.ground(file), Judgement(reached.positive, reached, None))


def test_every_domain_is_compared() -> None:
    assert {domain for domain, _, _ in GENERATED} == set(generators.names())
