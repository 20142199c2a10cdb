"""Shipped models inside Fast Downward, and on domains that are theirs but for the words."""

import re

import pytest
from downward_patch.places import planner, source_folder

import asnets
from asnets import shipped
from driving import needs_planner, policy
from shipping import Place


@needs_planner
class TestFastDownward:
    def test_names(self, place: Place) -> None:
        run = asnets.Policy("blocks").run(place.task)
        steps = [str(action).strip("()") for action in run.actions]
        for name in ("blocks", "'blocks'", place.model):
            done = place.drive(policy(name, verbosity="debug"))
            assert done.code == (0 if run.reached_goal else 12), done.err
            assert (done.steps, done.err) == (steps, "")
            assert f"Following {place.model}, " in done.out

    def test_preferred_operators(self, place: Place) -> None:
        outputs = []
        for model in ("blocks", place.model):
            done = place.drive(
                f"lazy_greedy([ff()], preferred=[{policy(model, 'asnet_preferred')}])"
            )
            assert (done.code, done.err) == (0, "")
            outputs.append(done.plan.read_text())
        assert outputs[0] == outputs[1]

    def test_files_win(self, place: Place) -> None:
        (place.work / "blocks").write_text("a file")
        done = place.drive(policy("blocks"))
        assert done.code == 33
        assert done.err.splitlines()[0].startswith("blocks: not an ASNets model")

    def test_folders_do_not(self, place: Place) -> None:
        (place.work / "blocks").mkdir()
        assert f"Following {place.model}, " in place.drive(policy("blocks")).out

    def test_unknown(self, place: Place) -> None:
        for search in (policy("Bloks"), f"lazy_greedy([{policy('Bloks', 'asnet_preferred')}])"):
            done = place.drive(search)
            assert done.code == 33
            line = "Bloks: no such file, and no such model; models that ship: blocks, two"
            assert done.err.splitlines()[0] == line

    def test_paths_are_no_names(self, place: Place) -> None:
        for text in ("./blocks", "blocks.pt"):
            done = place.drive(policy(text))
            assert done.code == 33
            assert done.err.splitlines()[0] == f"{text}: No such file or directory"

    def test_the_package_is_the_default(
        self, place: Place, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for value in (None, ""):
            monkeypatch.delenv(shipped.VARIABLE, raising=False)
            if value is not None:
                monkeypatch.setenv(shipped.VARIABLE, value)
            with pytest.raises(FileNotFoundError) as caught:
                asnets.Policy("bloks")
            line = f"bloks: {caught.value.strerror}"
            assert place.drive(policy("bloks")).err.splitlines()[0] == line


DOMAIN = """\
(define (domain tidy)  ; of another author
  (:requirements :strips)
  (:predicates (ONTABLE ?a) (on ?a ?b) (clear ?a) (handempty) (holding ?a))
  (:action UNSTACK
    :parameters (?x ?y)
    :precondition (and (on ?x ?y) (clear ?x) (handempty))
    :effect (and (holding ?x) (clear ?y) (not (clear ?x)) (not (handempty)) (not (on ?x ?y))))
  (:action stack
    :parameters (?x ?y)
    :precondition (and (holding ?x) (clear ?y))
    :effect (and (not (holding ?x)) (not (clear ?y)) (clear ?x) (handempty) (on ?x ?y)))
  (:action put-down
    :parameters (?x)
    :precondition (holding ?x)
    :effect (and (not (holding ?x)) (clear ?x) (handempty) (ontable ?x)))
  (:action pick-up
    :parameters (?x)
    :precondition (and (clear ?x) (ontable ?x) (handempty))
    :effect (and (not (ontable ?x)) (not (clear ?x)) (not (handempty)) (holding ?x))))
"""


class TestFits:
    """A model is for the schemas of its domain, whatever else the file says."""

    def other_words(self, place: Place) -> None:
        """The same problem without types and with names of its own, in the same order."""
        problem = re.sub(r"\bb(\d)\b", r"Cube-\1", (place.work / "p.pddl").read_text())
        problem = problem.replace("(:domain blocks)", "(:domain tidy)").replace(" - block", "")
        place.write(DOMAIN, problem)

    def test_another_domain_with_the_same_schemas(self, place: Place) -> None:
        found = asnets.Policy("blocks")
        actions = [str(action) for action in found.run(place.task).actions]
        self.other_words(place)
        task = asnets.ground("domain.pddl", "p.pddl")
        assert task.domain_name == "tidy"
        expected = [action.replace(" b", " cube-") for action in actions]
        assert [str(action) for action in found.run(task).actions] == expected
        assert place.plan("blocks").returncode in (0, 12)

    @needs_planner
    def test_fast_downward(self, place: Place) -> None:
        run = asnets.Policy("blocks").run(place.task)
        self.other_words(place)
        done = place.drive(policy("blocks", verbosity="debug"))
        assert done.err == ""
        steps = [str(action).strip("()").replace(" b", " cube-") for action in run.actions]
        assert done.steps == steps

    @pytest.mark.parametrize(
        ("old", "new", "difference"),
        [
            ("pick-up", "grab", "schema pick-up of the model is not in the task"),
            ("(ontable ?x) (handempty)", "(handempty) (ontable ?x)",
             "schema pick-up: slot 2 is (ontable ?b) in the model, (handempty) in the task"),
            ("?x ?y)\n    :precondition (and (holding ?x)", "?y ?x)\n    :precondition (and (holding ?x)",
             "schema stack: slot 1 is (holding ?top) in the model, (holding ?bottom) in the task"),
        ],
    )  # fmt: skip
    def test_differences(self, place: Place, old: str, new: str, difference: str) -> None:
        self.other_words(place)
        assert DOMAIN.count(old) == 1
        (place.work / "domain.pddl").write_text(DOMAIN.replace(old, new))
        line = f"{place.model}: not for domain tidy of this problem: {difference}"
        for done in (place.plan("blocks"), place.evaluate("blocks")):
            assert (done.returncode, done.stderr) == (33, line + "\n")
        with pytest.raises(asnets.ModelError) as caught:
            asnets.Policy("blocks").of(asnets.ground("domain.pddl", "p.pddl"))
        assert str(caught.value) == line
        if planner(source_folder()).exists():
            found = place.drive(policy("blocks"))
            assert found.code == 33
            assert found.err.splitlines()[0] == line.replace(" of this problem", "")
