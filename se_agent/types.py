"""Values that travel between the stages: frozen, with units, and without I/O.

Not here: what is written to disk (`events`, `lessons`, `config`), nor what a problem is
(`problem`). One word is used throughout: an *effect* is how much better a candidate is than
its reference, ln(reference / candidate) of net CPU seconds for timed problems and the score
difference in the improving direction for scored ones. Effects add up along a line of descent.
"""

from __future__ import annotations

import enum
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from numpy.random import Generator


class Status(enum.StrEnum):
    """How an evaluation ended. A candidate that fails is data, not an exception."""

    AC = "AC"  # accepted: right on every case
    WA = "WA"  # wrong answer
    TLE = "TLE"  # time limit exceeded
    MLE = "MLE"  # memory limit exceeded
    RE = "RE"  # runtime error
    CE = "CE"  # does not compile
    REJECTED = "REJECTED"  # tried what the sandbox forbids


class Branch(enum.StrEnum):
    """Which of the two extractions a step goes to (LM-41, LM-42)."""

    SUCCESS = "Success"
    FAILURE = "Failure"


class Kind(enum.StrEnum):
    """What a comparison rests on."""

    TIMED = "timed"  # blocks of paired CPU times
    EXACT = "exact"  # two scores


class InputSet(enum.StrEnum):
    """Which inputs a measurement may use. The search never sees the final ones."""

    SEARCH = "search"
    FINAL = "final"


class Decision(enum.StrEnum):
    """What a sequential rule says of the blocks so far."""

    MORE = "more"  # measure another block
    YES = "yes"  # the gain is above the margin
    NO = "no"  # it is not, or not worth another block
    UNDECIDED = "undecided"  # the blocks are used up


@dataclass(frozen=True, kw_only=True)
class Edit:
    """One exact change of a rule-made genome.

    Attributes:
        rule: Registered name of the rule.
        function: Qualified name of the function it changes; empty at module level.
        node: Hash of the code that it replaces; an edit whose node is gone is dropped.
        occurrence: Which of several equal nodes of that function, from 0.
        parameters: Choices of the rule, in its own terms.
    """

    rule: str
    function: str
    node: str
    occurrence: int = 0
    parameters: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, kw_only=True)
class Solution:
    """A program and where it came from.

    Attributes:
        id: Place in the run, such as `Gen3_Sol_4`.
        files: Complete text by relative path, never a diff; one entry for a single program.
        parents: Ids of the solutions it was derived from (empty for the initial one).
        operator: Registered name of the operator that made it.
        strategy: The strategy it follows, if a plan named one.
        base: Id of the solution that `edits` start from; empty for a program of its own.
        edits: The genome, in the order of application.
    """

    id: str
    files: Mapping[str, str]
    parents: tuple[str, ...] = ()
    operator: str = "initial"
    strategy: str = ""
    base: str = ""
    edits: tuple[Edit, ...] = ()

    @cached_property
    def content(self) -> str:
        """Content address: equal up to layout, comments and the names of locals."""
        from se_agent.code import content_address

        return content_address(self.files)

    @property
    def text(self) -> str:
        """The text of a single program."""
        (text,) = self.files.values()
        return text


@dataclass(frozen=True, kw_only=True)
class Measurement:
    """What one solution cost on the tests, read from outside the process that ran it.

    Attributes:
        cpu_seconds: CPU seconds from fork to answer. Never compared with another moment's.
        peak_bytes: Largest resident memory, in bytes.
    """

    cpu_seconds: float
    peak_bytes: int = 0


@dataclass(frozen=True, kw_only=True)
class FailedCase:
    """One test that a candidate did not pass; texts are cut to a few hundred characters."""

    name: str
    expected: str
    got: str


@dataclass(frozen=True, kw_only=True)
class Evaluation:
    """Whether a solution is right. Exactly the AC ones carry a measurement.

    Attributes:
        status: How it ended.
        measurement: CPU time and memory on the tests, for an AC one.
        score: What the trusted scorer gave, for an AC one of a `score` problem.
        failing: The cases that failed; the first failure ends an evaluation.
        feedback: One or two lines on what went wrong, for people and prompts.
        cost_seconds: CPU seconds that the evaluation took, whatever its end.
    """

    status: Status
    measurement: Measurement | None = None
    score: float | None = None
    failing: tuple[FailedCase, ...] = ()
    feedback: str = ""
    cost_seconds: float = 0.0

    def __post_init__(self) -> None:
        if (self.status is Status.AC) != (self.measurement is not None):
            raise ValueError(
                f"status={self.status}, measurement={self.measurement}: "
                "exactly the AC evaluations carry one"
            )


@dataclass(frozen=True, kw_only=True)
class Preflight:
    """What was found out about a problem before anything is spent on it.

    Attributes:
        evaluation: Of the initial program on the visible cases; always AC.
        seconds: Net CPU seconds that it takes for one final input; 0 for a scored problem.
        inputs: Distinct inputs that one run of it has to answer to be measured well.
        notes: Doubts worth telling, one sentence each.
    """

    evaluation: Evaluation
    seconds: float = 0.0
    inputs: int = 1
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Block:
    """One block of a comparison: reference and candidate, measured anew and interleaved.

    Attributes:
        number: Place in the comparison, from 0; its address-space layout and its inputs.
        effect: Median over the pairs (mean over the inputs of a final block).
        reference: Net CPU seconds an input of the reference, or its score.
        candidate: The same of the candidate.
        pairs: Pairs of runs spent.
        inputs: Distinct inputs a run answers.
        level: Rung of the ladder of sizes that the inputs come from.
        status: AC, or how the candidate failed on these inputs.
        reference_status: AC, or how the reference failed on them.
        feedback: What went wrong, if anything.
        cost_seconds: CPU seconds spent on the block.
    """

    number: int
    effect: float
    reference: float
    candidate: float
    pairs: int = 1
    inputs: int = 1
    level: int = 0
    status: Status = Status.AC
    reference_status: Status = Status.AC
    feedback: str = ""
    cost_seconds: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """Reference against candidate, with the decision that the sequential rule took.

    Attributes:
        kind: What it rests on.
        blocks: At least one, in order.
        decision: YES, NO or UNDECIDED.
        interval: Confidence interval of the effect, by the rule that took the decision.
    """

    kind: Kind
    blocks: tuple[Block, ...]
    decision: Decision
    interval: tuple[float, float]

    def __post_init__(self) -> None:
        if not self.blocks:
            raise ValueError(f"blocks={self.blocks}: a comparison holds at least one block")

    @property
    def effect(self) -> float:
        """Mean of the blocks' effects."""
        return sum(block.effect for block in self.blocks) / len(self.blocks)

    @property
    def reference(self) -> float:
        """Mean of the reference's figures, in the objective's unit."""
        return sum(block.reference for block in self.blocks) / len(self.blocks)

    @property
    def candidate(self) -> float:
        """Mean of the candidate's figures, in the objective's unit."""
        return sum(block.candidate for block in self.blocks) / len(self.blocks)

    @property
    def status(self) -> Status:
        """AC, or how the candidate failed while it was measured."""
        failed = (b.status for b in self.blocks if b.status is not Status.AC)
        return next(failed, Status.AC)

    @property
    def reference_status(self) -> Status:
        """AC, or how the reference failed: it passed its tests, but not these inputs."""
        failed = (b.reference_status for b in self.blocks)
        return next((s for s in failed if s is not Status.AC), Status.AC)


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """What a step allows us to say of a candidate.

    Attributes:
        status: AC, or why the candidate is not right.
        perf_diff: perf_old - perf_new in the objective's unit and improving direction
            (LM-40); -inf for a candidate that is not right (X-04).
        effect: How much better than the parent; -inf for a candidate that is not right.
        interval: Of `effect`.
        significant: Whether the gain is proven; only then may it replace an incumbent.
        branch: Success if and only if `perf_diff` > 0 and the status is AC, proven or not.
    """

    status: Status
    perf_diff: float
    effect: float
    interval: tuple[float, float]
    significant: bool
    branch: Branch


@dataclass(frozen=True, kw_only=True)
class Slot:
    """What to try next, as a policy decided it.

    Attributes:
        number: Place in the order of steps, from 0; also the address of its randomness.
        generation: Generation that it belongs to, from 1.
        child: Id that the solution made here will have.
        parents: One for a mutation, two for a crossover; the first is the reference.
        operator: Registered name.
        variant: Which of several proposals the operator has for these parents, from 0.
        model: Name of the model to ask; rules ignore it.
        inspirations: Solutions to show beside the parents.
    """

    number: int
    generation: int
    child: str
    parents: tuple[Solution, ...]
    operator: str
    variant: int = 0
    model: str = "default"
    inspirations: tuple[Solution, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Brief:
    """All that an operator may know.

    Attributes:
        problem: The statement.
        entry_point: The function that is called; empty for a `stdio` program.
        editable: The only function that may change; empty: all of the program.
        slot: What to try.
        memory: The rendered memory, inside its token limit (LM-31).
        feedback: What the last evaluation of the parent said.
        tried: Content addresses that were tried already; proposing one is wasted. Only asked
            `in`: it may be a view of something large.
        seed: Of the run; randomness of an operator comes from `rng_at(seed, slot, ...)`.
    """

    problem: str
    slot: Slot
    entry_point: str = ""
    editable: str = ""
    memory: str = ""
    feedback: str = ""
    tried: Container[str] = frozenset()
    seed: int = 0

    def child(
        self,
        files: Mapping[str, str],
        *,
        operator: str,
        base: str = "",
        edits: Sequence[Edit] = (),
    ) -> Solution:
        """Return the solution of this slot: its id and its parents are not a choice."""
        return Solution(
            id=self.slot.child,
            files=files,
            parents=tuple(parent.id for parent in self.slot.parents),
            operator=operator,
            base=base,
            edits=tuple(edits),
        )


@dataclass(frozen=True, kw_only=True)
class Proposal:
    """A solution and what its maker declared before it was evaluated.

    Attributes:
        solution: The candidate.
        direction: What was changed, in high-level words.
        expected_effect: What the maker expects of it.
        lessons_used: Ids or titles of the lessons it drew on.
        notes: What happened on the way, such as edits that were dropped.
    """

    solution: Solution
    direction: str
    expected_effect: str = ""
    lessons_used: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Step:
    """One slot, finished: what was tried and what came of it.

    `proposal` is None when the operator had nothing new; `duplicate_of` names the solution
    of the same content, which was not evaluated again. Neither has an evaluation.
    """

    slot: Slot
    proposal: Proposal | None = None
    duplicate_of: str = ""
    evaluation: Evaluation | None = None
    comparison: Comparison | None = None
    verdict: Verdict | None = None


@dataclass(frozen=True, kw_only=True)
class Member:
    """A right solution of the population.

    Attributes:
        solution: The program.
        effect: Composed along judged comparisons from the initial program.
        variance: Summed along the same path.
        proven: Whether every comparison on that path was significant.
    """

    solution: Solution
    effect: float = 0.0
    variance: float = 0.0
    proven: bool = True


@dataclass(frozen=True, kw_only=True)
class View:
    """The past that a slot may see: all closed steps of the earlier generations.

    Attributes:
        slot: Number of the slot to fill.
        generation: Generation that it belongs to, from 1.
        index: Place within the generation, from 0.
        initial: The program that the run started from.
        best: The incumbent, which only a significant direct comparison replaces.
        members: Right solutions, best composed effect first, at most a few dozen.
        advice: What memory says of each operator, as a factor on its weight: above 1 for
            recommended directions, below 1 for tabu ones. A soft prior, never a ban.
    """

    slot: int
    generation: int
    index: int
    initial: Member
    best: Member
    members: tuple[Member, ...] = ()
    advice: Mapping[str, float] = field(default_factory=dict)

    def fill(self, *parents: Solution, operator: str) -> Slot:
        """Return this slot, filled; its id and its address are not a choice."""
        return Slot(
            number=self.slot,
            generation=self.generation,
            child=f"Gen{self.generation}_Sol_{self.index}",
            parents=parents,
            operator=operator,
        )


class Purpose(enum.IntEnum):
    """What a random stream is for. Part of the file format: never renumber."""

    POLICY = 0
    PAIR_ORDER = 1
    INPUTS = 2
    OPERATOR = 3
    BOOTSTRAP = 4


def rng_at(seed: int, slot: int, purpose: Purpose, *more: int) -> Generator:
    """Return the generator at this address; no stream depends on what ran before."""
    from numpy.random import SeedSequence, default_rng

    return default_rng(SeedSequence([seed, slot, purpose, *more]))
