"""MAP-Elites on islands, for long runs: the best of each kind of program is built upon.

Mouret and Clune, 2015. A kind is a size and a dominant structure. Islands form a ring; now and
then the best of each goes to the next one. Not here: what an operator is worth; they are drawn
evenly.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from se_agent.config.roles import RoleMatrix
from se_agent.config.sections import Asking
from se_agent.engine.search.policies import BasePolicy, Choice
from se_agent.program.features import features
from se_agent.values.solution import Solution
from se_agent.values.step import Slot, Step
from se_agent.values.view import View

if TYPE_CHECKING:
    from numpy.random import Generator

ISLANDS = 4
MIGRATION = 40
"""Right programs between two migrations."""


class Cell(NamedTuple):
    """A kind of program: its size in powers of two, and what it is built of."""

    size: int
    structure: str


class Elite(NamedTuple):
    """The best of its kind on an island, and its composed effect."""

    id: str
    effect: float


class MapElites(BasePolicy):
    """Draw a kind of program from the slot's island, and an operator with something for it."""

    def __init__(
        self,
        operators: Mapping[str, int],
        *,
        seed: int = 0,
        written: Mapping[str, str] | None = None,
        asking: Asking | None = None,
        matrix: RoleMatrix | None = None,
    ) -> None:
        """Start with empty islands: the initial program stands in."""
        super().__init__(operators, seed=seed, written=written, asking=asking, matrix=matrix)
        self._islands: list[dict[Cell, Elite]] = [{} for _ in range(ISLANDS)]
        self._right = 0

    def tell(self, step: Step) -> None:
        """Settle a right program on its slot's island, if it is the best of its kind there."""
        super().tell(step)
        self._leave(step.withdrawn)
        if step.proposal is None or step.effect is None:
            return
        solution = step.proposal.solution
        # Composed by the population: its parent may have lost its place here meanwhile.
        elite = Elite(solution.id, step.effect)
        self._settle(step.slot.number % ISLANDS, cell(solution), elite)
        self._right += 1
        if self._right % MIGRATION == 0:
            self._migrate()

    def kept(self) -> list[str]:
        """Return the ids of all islands' programs."""
        return [elite.id for island in self._islands for elite in island.values()]

    def _leave(self, gone: Sequence[str]) -> None:
        """Make room where a program turned out to be wrong."""
        for island in self._islands if gone else ():
            for place in [at for at, elite in island.items() if elite.id in gone]:
                del island[place]

    def _settle(self, island: int, place: Cell, elite: Elite) -> None:
        known = self._islands[island].get(place)
        if known is None or elite.effect > known.effect:
            self._islands[island][place] = elite

    def _migrate(self) -> None:
        """Send the best of each island to the next one, all at once."""
        leaving = [
            max(island.items(), key=lambda item: item[1].effect, default=None)
            for island in self._islands
        ]
        for number, best in enumerate(leaving):
            if best is not None:
                self._settle((number + 1) % ISLANDS, *best)

    def _pick(self, view: View, rng: Generator) -> Slot | None:
        for parent in self._parents(view, rng):
            if choices := self._open(parent, view, rng):
                return _drawn(choices, rng)
        return None

    def _parents(self, view: View, rng: Generator) -> Iterator[Solution]:
        """Yield the island's programs in random order, then the incumbent and all others."""
        island = list(self._islands[view.slot % ISLANDS].values())
        for index in rng.permutation(len(island)):
            if (member := view.solutions.get(island[index].id)) is not None:
                yield member.solution
        yield view.initial.solution
        yield view.best.solution
        yield from (member.solution for member in view.members)


def cell(solution: Solution) -> Cell:
    """Return the kind of a program; of other languages than Python only its length counts."""
    text = solution.all_text
    found = features(text)
    if not found.nodes:
        return Cell(len(text).bit_length(), "text")
    kinds = {
        "recursion": found.recursive > 0,
        "nested loops": found.loop_depth >= 2,
        "loop": found.loops > 0,
        "comprehension": found.comprehensions > 0,
    }
    structure = next((kind for kind, holds in kinds.items() if holds), "straight line")
    return Cell(found.nodes.bit_length(), structure)


def _drawn(choices: list[Choice], rng: Generator) -> Slot:
    """Draw an operator evenly, then one of its offers."""
    names = list(dict.fromkeys(choice.slot.operator for choice in choices))
    name = names[rng.integers(len(names))]
    own = [choice.slot for choice in choices if choice.slot.operator == name]
    return own[rng.integers(len(own))]


if TYPE_CHECKING:
    from se_agent.abilities.optional import Archiving
    from se_agent.protocols import Policy

    _policy: Policy = MapElites({})
    _archive: Archiving = MapElites({})
