"""The programs of a run, as the knowledge graph speaks of them: who wrote them, and where.

Not here: what came of them (`triples`).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from se_agent.memory.graph.ontology import EntityType, entity_name
from se_agent.program.features import summary
from se_agent.values.solution import Edit, Solution
from se_agent.values.step import Proposal


def function_entity(problem: str, path: str, function: str) -> str:
    """Return the name of the entity for a function of a problem's program."""
    return entity_name(EntityType.FUNCTION, problem, path, function)


@dataclass
class Programs:
    """What was proposed and evaluated so far, by the ids of the run.

    Attributes:
        problem: Name of the problem.
        made: Programs.
        directions: What their makers declared.
        addresses: Content addresses of those that were evaluated.
    """

    problem: str = ""
    made: dict[str, Solution] = field(default_factory=dict)
    directions: dict[str, str] = field(default_factory=dict)
    addresses: dict[str, str] = field(default_factory=dict)
    _last: tuple[Solution | None, list[Edit]] = (None, [])
    _parents: tuple[tuple[str, ...], set[Edit]] = ((), set())

    def begin(self, problem: str, initial: Solution) -> None:
        """Take the program that a run begins with."""
        self.problem = problem
        self.made[initial.id], self.addresses[initial.id] = initial, initial.content

    def add(self, proposal: Proposal) -> None:
        """Take a program that was proposed."""
        self.made[proposal.solution.id] = proposal.solution
        self.directions[proposal.solution.id] = proposal.direction

    def entity(self, solution: str) -> str:
        """Return the name of the entity for a program; empty: it was not evaluated."""
        if solution not in self.made or solution not in self.addresses:
            return ""
        return entity_name(EntityType.SOLUTION, self.addresses[solution][:16])

    def parents(self, solution: str) -> list[str]:
        """Return the names of the entities for the programs that one was made from."""
        return [name for one in self.made[solution].parents if (name := self.entity(one))]

    def rules(self, solution: str) -> list[str]:
        """Return the rules whose edits a program has and its parents have not.

        Where it has none, that is the operator that wrote it.
        """
        made = self.made.get(solution)
        if made is None or not made.parents:
            return []
        rules = dict.fromkeys(edit.rule for edit in self._new_edits(made))
        return [entity_name(EntityType.RULE, rule) for rule in rules or (made.operator,)]

    def touched_functions(self, solution: str) -> tuple[str, ...]:
        """Return the functions in which a program differs from its first parent."""
        made = self.made.get(solution)
        parent = self.made.get(made.parents[0]) if made and made.parents else None
        if made is None or parent is None:
            return ()
        edits = self._new_edits(made)
        if edits and len(made.files) == 1:
            (path,) = made.files
            places = [(path, edit.function) for edit in edits if edit.function]
        else:
            places = [
                (path, function)
                for path, text in made.files.items()
                for function in summary(parent.files.get(path, ""), text).functions
            ]
        return tuple(function_entity(self.problem, *place) for place in dict.fromkeys(places))

    def _new_edits(self, made: Solution) -> list[Edit]:
        if made is not self._last[0]:  # it is asked for several times in a row
            if made.parents != self._parents[0]:  # and many programs have the same parents
                parents = (self.made.get(parent) for parent in made.parents)
                known = {edit for parent in parents if parent for edit in parent.edits}
                self._parents = made.parents, known
            known = self._parents[1]
            self._last = made, [edit for edit in made.edits if edit not in known]
        return self._last[1]
