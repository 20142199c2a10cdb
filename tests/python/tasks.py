"""Tasks that several test files use."""

import asnets
from asnets import generators


def generated(name: str, size: int, seed: int = 0) -> asnets.Task:
    return asnets.ground_text(
        generators.domain_text(name), generators.generate(name, size, seed=seed)
    )


def walk(task: asnets.Task, steps: int, seed: int = 0) -> list[asnets.State]:
    """States of a random walk, its goals included."""
    rng = asnets.Rng(seed)
    states = [task.initial_states[0][0]]
    while len(states) <= steps and states[-1].applicable():
        applicable = states[-1].applicable()
        action = applicable[int(rng.random() * len(applicable))]
        states.append(task.sample(states[-1], action, rng))
    return states


# Each try works with probability 1/4 and costs 1; so it takes 4 of them.
TRIES = """(define (domain tries) (:requirements :adl :probabilistic-effects :action-costs)
  (:predicates (done))
  (:action try :effect (probabilistic 1/4 (done))))
  (define (problem p) (:domain tries) (:init) (:goal (done)))"""

# The goal is out of reach, and only search can tell.
EITHER = """(define (domain either) (:requirements :adl :probabilistic-effects :action-costs)
  (:predicates (start) (left) (right))
  (:action go-left :precondition (start) :effect (and (left) (not (start))))
  (:action go-right :precondition (start) :effect (and (right) (not (start)))))
  (define (problem p) (:domain either) (:init (start)) (:goal (and (left) (right))))"""

# The goal is out of reach in the delete relaxation.
NEVER = """(define (domain never) (:requirements :adl :probabilistic-effects :action-costs)
  (:predicates (p) (q) (done))
  (:action try :precondition (q) :effect (done))
  (:action idle :effect (probabilistic 1/2 (p))))
  (define (problem p) (:domain never) (:init) (:goal (done)))"""

AT_ONCE = """(define (domain d) (:requirements :strips) (:predicates (p)))
  (define (problem p) (:domain d) (:init (p)) (:goal (p)))"""
