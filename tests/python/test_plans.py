"""Plans as text: Fast Downward's format, reading back, and replay on the task."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import asnets
from asnets.plans import Plan, PlanError, number, plan_text, read_plan, replay

# A light that a lamp's switch turns on; `lit` is derived, `flip` has conditional effects.
LAMP = """(define (domain lamp) (:predicates (on) (plugged) (lit) (seen))
  (:derived (lit) (and (on) (plugged)))
  (:action plug :precondition (not (plugged)) :effect (plugged))
  (:action flip :effect (and (when (on) (not (on))) (when (not (on)) (on))))
  (:action see :precondition (lit) :effect (seen)))"""
LAMP_PROBLEM = "(define (problem p) (:domain lamp) (:init) (:goal (seen)))"

# Tossing costs 2 and shows heads with probability 1/4.
COIN = """(define (domain coin) (:predicates (heads) (tails) (won)) (:functions (total-cost))
  (:action toss :effect (and (increase (total-cost) 2)
     (probabilistic 1/4 (and (heads) (not (tails))) 3/4 (and (tails) (not (heads))))))
  (:action win :precondition (heads) :effect (and (won) (increase (total-cost) 0.5))))"""
COIN_PROBLEM = """(define (problem p) (:domain coin) (:init (= (total-cost) 0)) (:goal (won))
  (:metric minimize (total-cost)))"""


@pytest.fixture(scope="module")
def lamp() -> asnets.Task:
    return asnets.ground_text(LAMP, LAMP_PROBLEM)


@pytest.fixture(scope="module")
def coin() -> asnets.Task:
    return asnets.ground_text(COIN, COIN_PROBLEM)


def test_text() -> None:
    assert plan_text(["(a X)", "(b)"], 12.0, True) == "(a x)\n(b)\n; cost = 12 (unit cost)\n"
    assert plan_text([], 0.0, False) == "; cost = 0 (general cost)\n"


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.0, "0"), (12.0, "12"), (2.5, "2.5"), (0.1 + 0.2, "0.3"), (1e15, "1000000000000000")],
)
def test_numbers(value: float, text: str) -> None:
    assert number(value) == text


def test_reading_what_other_planners_write() -> None:
    text = "; by hand\n\n(STACK a  B)\r\n ( noop ) ; twice\n(noop )\n; cost = 3 (general cost)"
    assert read_plan(text) == Plan(("(stack a b)", "(noop)", "(noop)"), 3.0)
    assert read_plan("(a)\n") == Plan(("(a)",), None)


@pytest.mark.parametrize("text", ["stack a b", "(stack a", "(a) (b)", "()", "(a (b))"])
def test_reading_what_is_no_plan(text: str) -> None:
    with pytest.raises(PlanError, match="line 2"):
        read_plan("(a)\n" + text)


def test_reading_a_cost_that_is_no_number() -> None:
    with pytest.raises(PlanError, match="line 1: expected a cost, found ten"):
        read_plan("; cost = ten (unit cost)")


names = st.from_regex(r"[a-z][a-z0-9_-]{0,5}", fullmatch=True)


@given(
    st.lists(st.lists(names, min_size=1, max_size=4).map(lambda words: f"({' '.join(words)})")),
    st.integers(0, 10**12),
    st.booleans(),
)
def test_reading_back(actions: list[str], cost: int, unit_cost: bool) -> None:
    assert read_plan(plan_text(actions, cost, unit_cost)) == Plan(tuple(actions), cost)


def test_replay(lamp: asnets.Task) -> None:
    assert replay(lamp, ["(plug)", "(flip)", "(see)"]) == 3
    assert replay(lamp, ["(flip)", "(flip)", "(plug)", "(flip)", "(see)"]) == 5


@pytest.mark.parametrize(
    ("plan", "message"),
    [
        ([], "the goal does not hold"),
        (["(plug)", "(flip)"], "the goal does not hold"),
        (["(plug)", "(see)"], r"step 2: \(see\) is not applicable"),
        (["(plug)", "(flip)", "(flip)", "(see)"], r"step 4: \(see\) is not applicable"),
        (["(plug)", "(plug)"], r"step 2: \(plug\) is not applicable"),
        (["(flop)"], 'step 1: unknown action "flop"'),
    ],
)
def test_replay_refuses(lamp: asnets.Task, plan: list[str], message: str) -> None:
    with pytest.raises(PlanError, match=message):
        replay(lamp, plan)


def test_replay_with_outcomes(coin: asnets.Task) -> None:
    shows = [[str(each) for each in o.add] == ["(heads)"] for o in coin.action("toss").outcomes]
    heads, tails = shows.index(True), shows.index(False)
    assert replay(coin, ["(toss)", "(win)"], [heads, 0]) == 2.5
    assert replay(coin, ["(toss)", "(toss)", "(win)"], [tails, heads, 0]) == 4.5
    with pytest.raises(PlanError, match=r"step 2: \(win\) is not applicable"):
        replay(coin, ["(toss)", "(win)"], [tails, 0])
    with pytest.raises(PlanError, match="several outcomes"):
        replay(coin, ["(toss)", "(win)"])
    with pytest.raises(PlanError, match="no outcome 2"):
        replay(coin, ["(toss)", "(win)"], [2, 0])
    with pytest.raises(PlanError, match="2 actions, but 1 outcomes"):
        replay(coin, ["(toss)", "(win)"], [heads])


def test_unit_cost(lamp: asnets.Task, coin: asnets.Task) -> None:
    assert lamp.has_unit_cost
    assert not coin.has_unit_cost
