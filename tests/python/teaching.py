"""What the tests of teachers share."""

import asnets
from tasks import generated

PLANNERS = [name for name in asnets.TEACHERS if name.split(":")[0] in asnets.SEARCHES]
SOLVERS = [name for name in asnets.TEACHERS if name.split(":")[0] in asnets.SOLVERS]

# A door shuts behind who goes without the key; with it, the way costs one more.
DOOR = """(define (domain door) (:requirements :strips :action-costs)
  (:predicates (home) (key) (in) (lost) (done)) (:functions (total-cost))
  (:action take :precondition (home) :effect (and (key) (increase (total-cost) 1)))
  (:action enter :precondition (and (home) (key))
    :effect (and (not (home)) (in) (increase (total-cost) STEP)))
  (:action slip :precondition (home)
    :effect (and (not (home)) (lost) (increase (total-cost) 1)))
  (:action finish :precondition (in) :effect (and (done) (increase (total-cost) STEP)))
  (:action wander :precondition (lost) :effect (and (key) (increase (total-cost) 1))))
  (define (problem p) (:domain door) (:init (home)) (:goal (done)) (:metric minimize (total-cost)))"""
EASY = DOOR.replace("STEP", "2")
FAR = DOOR.replace("STEP", "400")

# Out of reach within the limits of these tests.
ENDLESS = {True: ("blocksworld", 30), False: ("triangle-tireworld", 15)}


def endless(teacher: str) -> asnets.Task:
    return generated(*ENDLESS[teacher in PLANNERS])


def small(teacher: str) -> asnets.Task:
    """A task of the kind that the teacher is for."""
    return (
        generated("blocksworld", 4, 1)
        if teacher in PLANNERS
        else generated("triangle-tireworld", 2)
    )


def named(q_values: dict[asnets.Action, float] | None) -> dict[str, float]:
    assert q_values is not None
    return {action.name: value for action, value in q_values.items()}
