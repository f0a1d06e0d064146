"""What an operator is told: a brief, frozen and without I/O."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from se_agent.values.answer import Answer
from se_agent.values.memory_context import MemoryContext
from se_agent.values.objective import Goal
from se_agent.values.observation import Observation
from se_agent.values.search_context import SearchContext
from se_agent.values.session import NOTHING_AGREED, SessionMemory
from se_agent.values.solution import Edit, Solution
from se_agent.values.step import Slot
from se_agent.values.usage import WorkloadUsage


@dataclass(frozen=True, kw_only=True)
class Trial:
    """A program that was tried, and what came of it.

    Attributes:
        solution: The program.
        effect: Composed from the initial program; None: it was not right.
    """

    solution: Solution
    effect: float | None


@dataclass(frozen=True, kw_only=True)
class Conditions:
    """How programs are run, as far as whoever writes one has to know.

    Attributes:
        confined: Whether one that opens files, or starts threads or processes, is refused.
        cpu_seconds: Limit of a run.
        memory_bytes: Limit of a run.
        version: Version of the language that runs them; empty: not told.
        levels: How an input of each size is made, the smallest first; empty: not told.
        level: Where measuring begins; faster programs meet larger inputs.
        final_level: Where a gain is proven.
    """

    confined: bool
    cpu_seconds: float
    memory_bytes: int
    version: str = ""
    levels: tuple[str, ...] = ()
    level: int = 0
    final_level: int = 0


class MendedText(NamedTuple):
    """A text that was put right, and what was done, such as "Put right: expected ':'"."""

    text: str
    change: str


def _unmended(_: str, __: str) -> MendedText | None:
    return None


@dataclass(frozen=True, kw_only=True)
class Brief:
    """All that an operator may know.

    Attributes:
        problem: The statement.
        goal: What is to be better.
        language: Language of the programs, as `Language` spells it.
        imports: Packages that they may import besides the standard library.
        entry_point: The function that is called; empty for a `stdio` program.
        usage: How a workload uses the program; None: there is none, or nobody looked.
        is_library: Whether a workload calls it, and not only at its entry point.
        editable: What may change, see `program.editable`; empty: all of the program.
        path: The file that is to be changed, of a program that has several; empty: it is the
            only one, or any of them may be.
        conditions: How programs are run; None: nobody says.
        slot: What to try.
        memory: What memory says, each tier inside its token limit (LM-31).
        session: What all roles of the run agree on; empty where it is switched off.
        tried: Content addresses that were tried already; proposing one is wasted. Only asked
            `in`: it may be a view of something large.
        observed: What the first parent was seen to do, or else its nearest ancestor that was
            watched: names and numbers of lines are that one's.
        answer: What the answers of a `score` problem are, if it says so.
        history: The newest trials of programs of the first parent's base, oldest first.
        search: Strategies, failures and contrasts, for operators that can read.
        folds: Pictures of the folds that the run file names, by name, as of this slot. For
            offers they are those of the next slot; before a run, of one that has not begun.
        room: Characters of a program that a prompt may show.
        reading_rounds: Replies that may ask for parts of a large output, where one is shown.
        mended_text: Puts a text right that is no program yet, given the program that it was
            made from; None: it cannot, or the run mends nothing.
        seed: Seed of the run; an operator draws with `rng_at(seed, slot, ...)`.
    """

    problem: str
    slot: Slot
    goal: Goal = field(default_factory=Goal)
    language: str = "python"
    imports: tuple[str, ...] = ()
    entry_point: str = ""
    usage: WorkloadUsage | None = None
    is_library: bool = False
    editable: str = ""
    path: str = ""
    conditions: Conditions | None = None
    memory: MemoryContext = field(default_factory=MemoryContext)
    session: SessionMemory = NOTHING_AGREED
    tried: Container[str] = frozenset()
    observed: Observation = field(default_factory=Observation)
    answer: Answer | None = None
    history: Sequence[Trial] = ()
    search: SearchContext = field(default_factory=SearchContext)
    folds: Mapping[str, object] = field(default_factory=dict)
    room: int = 32_000
    reading_rounds: int = 0
    mended_text: Callable[[str, str], MendedText | None] = field(default=_unmended, repr=False)
    seed: int = 0

    def child(
        self,
        files: Mapping[str, str],
        *,
        operator: str,
        base: str = "",
        edits: Sequence[Edit] = (),
    ) -> Solution:
        """Return the solution of this slot: id, parents and strategy are not a choice."""
        return Solution(
            id=self.slot.child,
            files=files,
            parents=tuple(parent.id for parent in self.slot.parents),
            operator=operator,
            strategy=self.slot.strategy,
            base=base,
            edits=tuple(edits),
        )
