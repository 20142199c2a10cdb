"""SSP solvers that reach their limits or are interrupted, and then go on."""

import pytest

import asnets
from interrupting import ctrl_c_after
from tasks import generated

LARGE = ("triangle-tireworld", 12)


@pytest.mark.parametrize("solver", asnets.SOLVERS)
def test_limits(solver: str) -> None:
    task = generated(*LARGE)
    found = asnets.Solver(task, solver, "h_max")
    assert found.solve(max_expansions=50) == "out of expansions"
    assert found.statistics.expansions == 50
    assert found.solve(max_expansions=0) == "out of expansions"
    assert found.solve(time_limit=1e-9) == "out of time"
    assert found.solve(memory_limit=1) == "out of memory"
    assert found.statistics.expansions == 50
    assert not found.is_solved(task.initial_state)
    assert 0 < found.value() <= 500


@pytest.mark.parametrize("heuristic", ["lm_cut", "h_max"])
@pytest.mark.parametrize("solver", asnets.SOLVERS)
def test_goes_on_after_a_limit(solver: str, heuristic: str) -> None:
    """With an admissible heuristic values are lower bounds that only rise; value iteration's fall."""
    task = generated("triangle-tireworld", 2)
    found = asnets.Solver(task, solver, heuristic)
    values = [found.value()]
    while found.solve(max_expansions=20) != "solved":
        values.append(found.value())
    values.append(found.value())
    assert len(values) > 3
    assert values == sorted(values, reverse=solver == "value_iteration")
    assert values[-1] == pytest.approx(11.5)


@pytest.mark.parametrize("solver", asnets.SOLVERS)
def test_ctrl_c_keeps_the_values(solver: str) -> None:
    task = generated(*LARGE)
    found = asnets.Solver(task, solver, "h_max")
    with ctrl_c_after(0.3), pytest.raises(KeyboardInterrupt):
        found.solve(time_limit=60)
    before = found.statistics.expansions
    assert before > 0
    value = found.value()
    assert found.solve(max_expansions=10) == "out of expansions"
    assert found.statistics.expansions == before + 10
    if solver == "value_iteration":
        assert found.value() <= value
    else:
        assert found.value() >= value
