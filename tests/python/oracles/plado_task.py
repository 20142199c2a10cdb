"""PyPI plado's applicable actions and successors, with atoms and actions by name.

Its successors are exact for actions whose effects have neither conditions nor quantifiers;
where those mix with chance it loses outcomes, so `is_flat` tells which actions to compare.
"""

from fractions import Fraction
from pathlib import Path

from plado.parser import parse_and_normalize
from plado.semantics.applicable_actions_generator import ApplicableActionsGenerator
from plado.semantics.successor_generator import SuccessorGenerator
from plado.semantics.task import State, Task


class PladoTask:
    def __init__(self, domain: Path, problem: Path):
        self.task = Task(*parse_and_normalize(str(domain), str(problem)))
        self.applicable_actions = ApplicableActionsGenerator(self.task)
        self.successor_generator = SuccessorGenerator(self.task)
        self.objects = {name: i for i, name in enumerate(self.task.objects)}
        self.fluents = [
            predicate.name for predicate in self.task.predicates[: self.task.num_fluent_predicates]
        ]
        self.schemas = [action.name for action in self.task.actions]

    def state(self, atoms: frozenset[str]) -> State:
        """The state with these atoms ("(on a b)"); the static ones among them do not matter."""
        state = self.task.initial_state.duplicate()
        state.atoms = [set() for _ in self.fluents]
        for atom in self.changing(atoms):
            predicate, *arguments = atom.strip("()").split()
            values = tuple(self.objects[name] for name in arguments)
            state.atoms[self.fluents.index(predicate)].add(values)
        return state

    def changing(self, atoms: frozenset[str]) -> frozenset[str]:
        """The atoms without the static ones."""
        return frozenset(atom for atom in atoms if atom.strip("()").split()[0] in self.fluents)

    def atoms(self, state: State) -> frozenset[str]:
        return frozenset(
            self.task.dump_fact(predicate, arguments)
            for predicate, tuples in enumerate(state.atoms)
            for arguments in tuples
        )

    def applicable(self, state: State) -> set[str]:
        found = self.applicable_actions(state)
        return {self.task.dump_action(*action).strip("()") for action in found}

    def is_flat(self, action: str) -> bool:
        schema = self.schemas.index(action.split()[0])
        return self.successor_generator.gens[schema].evaluator is None

    def successors(self, state: State, action: str) -> dict[frozenset[str], Fraction]:
        """The fluent atoms of each successor, with its probability."""
        name, *arguments = action.split()
        values = tuple(self.objects[argument] for argument in arguments)
        found = self.successor_generator(state, (self.schemas.index(name), values))
        result: dict[frozenset[str], Fraction] = {}
        for successor, chance in found or [(state, Fraction(1))]:
            atoms = self.atoms(successor)
            result[atoms] = result.get(atoms, Fraction(0)) + chance
        return result
