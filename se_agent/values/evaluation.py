"""What was measured, and what it allows us to say: frozen values, units in the docstrings.

Not here: programs and the search for them (`solution`, `step`), nor how anything is measured or
decided.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass, replace

from se_agent.values.artifact import ArtifactRef
from se_agent.values.objective import Quantity, after


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
    """The extraction that a step goes to, of two (LM-41, LM-42)."""

    SUCCESS = "Success"
    FAILURE = "Failure"


class ComparisonKind(enum.StrEnum):
    """What a comparison rests on."""

    TIMED = "timed"  # blocks of paired times, or of memory: their ratio, with noise
    COUNTED = "counted"  # one block of two counts: their ratio, without
    EXACT = "exact"  # two scores


class Calls(enum.StrEnum):
    """How a function is called with arguments that may refute a program."""

    SINGLE = "single"  # once
    REPEATED = "repeated"  # by a caller who keeps answers, changes them and asks again


class InputSet(enum.StrEnum):
    """Inputs that a measurement may use. The search never sees the final ones."""

    SEARCH = "search"
    FINAL = "final"


class SequentialDecision(enum.StrEnum):
    """What a sequential rule says of the blocks so far."""

    MORE = "more"  # measure another block
    YES = "yes"  # the gain is above the margin
    NO = "no"  # it is not, or not worth another block
    UNDECIDED = "undecided"  # no further block could show it, or none is left


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
    """One input that a candidate did not pass; texts are cut to a few hundred characters.

    Attributes:
        name: Name of the test, or what kind of input it is.
        expected: The right answer.
        got: What the candidate did, and how it differs where that is hard to see.
        input: What was asked.
        relative: The largest relative difference, where nothing but floats differs.
    """

    name: str
    expected: str
    got: str
    input: str = ""
    relative: float | None = None


@dataclass(frozen=True, kw_only=True)
class FlagsGain:
    """What compiler flags gain beyond the source: ratios of net CPU, with a 99 % interval."""

    flags: str
    gain: float
    low: float
    high: float


TestKey = tuple[str, str, Calls]
"""Arguments, links and calls of a counterexample."""


@dataclass(frozen=True, kw_only=True)
class Counterexample:
    """An input on which a program that passed all tests differs from the initial one.

    Attributes:
        arguments: Wire form of the tuple of arguments, or the text of standard input.
        links: Pairs of paths, in wire form: at the second stands the object of the first.
        calls: How often the program is called.
        failed: What was expected and what was got, to be shown.
        status: How the program failed.
        fair: Whether every program has to answer it. One that is unlike the inputs seen refutes
            a program that rests on what was seen, and no other.
    """

    arguments: str
    links: str = "[]"
    calls: Calls = Calls.SINGLE
    failed: FailedCase
    status: Status = Status.WA
    fair: bool = True

    @property
    def key(self) -> TestKey:
        """What tells it from others."""
        return self.arguments, self.links, self.calls


@dataclass(frozen=True, kw_only=True)
class Hunt:
    """What a search for a counterexample came to.

    Attributes:
        tried: Distinct inputs on which the answers were compared.
        found: The counterexample, as small as it got; None when there is none.
        outside: A difference on an input unlike those seen, in one line; a doubt.
        note: Why nothing was compared, or little, in one clause; empty where enough was.
        cost_seconds: CPU seconds of the programs that ran.
        put_off: Whether no time was left for it: nothing was searched.
        strict: Whether the program rests on what was observed, and on nothing else.
    """

    tried: int = 0
    found: Counterexample | None = None
    outside: str = ""
    note: str = ""
    cost_seconds: float = 0.0
    put_off: bool = False
    strict: bool = False

    @property
    def test(self) -> Counterexample | None:
        """What all programs of the run are held to from now on."""
        return self.found if self.found is not None and self.found.fair else None

    def after(self, earlier: Hunt) -> Hunt:
        """Return what this search and an earlier one for the same program came to together.

        That this one compared little is no doubt where the other compared enough.
        """
        enough = any(one.tried and not one.note for one in (self, earlier))
        return replace(
            self,
            tried=self.tried + earlier.tried,
            found=self.found or earlier.found,
            outside=self.outside or earlier.outside,
            note="" if enough else self.note or earlier.note,
            cost_seconds=self.cost_seconds + earlier.cost_seconds,
            put_off=self.put_off and not earlier.tried,
        )


MOST_OUTPUT = 1 << 20
"""Bytes of what was seen of a failure that are kept."""


@dataclass(frozen=True, kw_only=True)
class Evaluation:
    """Whether a solution is right. Exactly the AC ones carry a measurement.

    Attributes:
        status: How it ended.
        measurement: CPU time and memory on the tests, for an AC one.
        score: What the trusted scorer gave, for an AC one of a `score` problem.
        failing: The cases that failed; the first failure ends an evaluation.
        feedback: One or two lines on what went wrong, for people and prompts; of an AC one a
            doubt, such as that it copies what the initial program hands out.
        cost_seconds: CPU seconds that the evaluation took, whatever its end.
        full_output: All that was seen of a failure, where the texts above are cut, up to
            `MOST_OUTPUT` bytes. It is kept beside the run, and never part of an event.
        output: Names what was kept of it; None: the texts above are all there is.
    """

    status: Status
    measurement: Measurement | None = None
    score: float | None = None
    failing: tuple[FailedCase, ...] = ()
    feedback: str = ""
    cost_seconds: float = 0.0
    full_output: str = ""
    output: ArtifactRef | None = None

    def __post_init__(self) -> None:
        if (self.status is Status.AC) != (self.measurement is not None):
            raise ValueError(
                f"status={self.status}, measurement={self.measurement}: "
                "exactly the AC evaluations carry one"
            )


def refuted_evaluation(test: Counterexample) -> Evaluation:
    """Return the evaluation of a candidate that passed all tests and is wrong all the same."""
    case = test.failed
    return Evaluation(
        status=test.status,
        failing=(replace(case, name=f"{case.name}, {case.input}"),),
        feedback=f"{case.input}: expected {case.expected}, got {case.got}",
    )


@dataclass(frozen=True, kw_only=True)
class Preflight:
    """What was found out about a problem before anything is spent on it.

    Attributes:
        evaluation: Evaluation of the initial program on the visible cases; always AC.
        seconds: Net CPU seconds that it takes for one final input; 0 for a scored problem.
        inputs: Distinct inputs that one run of it has to answer to be measured well.
        search_seconds: CPU seconds that it takes for one input of the search, start included;
            0: unknown.
        cost_seconds: CPU seconds that finding out took.
        notes: Doubts worth telling, one sentence each.
    """

    evaluation: Evaluation
    seconds: float = 0.0
    inputs: int = 1
    search_seconds: float = 0.0
    cost_seconds: float = 0.0
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Figure:
    """What both sides of a block took in one quantity: net, medians, in its unit."""

    quantity: Quantity
    reference: float
    candidate: float


@dataclass(frozen=True, kw_only=True)
class Block:
    """One block of a comparison: reference and candidate, measured anew and interleaved.

    Attributes:
        number: Place in the comparison, from 0; its address-space layout and its inputs.
        effect: Median over the pairs (mean over the inputs of a final block).
        reference: Net CPU seconds an input of the reference, or its figure in another
            objective (1 in a weighted one), or its score.
        candidate: The same of the candidate.
        pairs: Pairs of runs spent.
        inputs: Distinct inputs a run answers.
        level: Rung of the ladder of sizes that the inputs come from.
        searched: How many of the inputs of a final block the search may have had, too.
        distinct: Distinct inputs of a final block; 0: each pair has its own, and so it was in
            older journals.
        status: AC, or how the candidate failed on these inputs.
        reference_status: AC, or how the reference failed on them.
        feedback: What went wrong, if anything.
        failing: The input on which an answer was not right, if that was it.
        cost_seconds: CPU seconds spent on the block.
        pair_effects: Effects of the single pairs, in the order in which they ran: raw, so that
            another rule can be tried on them.
        figures: All that was read of the two, the objective's own figures included.
        unit: Unit of `reference` and `candidate`; empty in a weighted objective.
        trusted: Whether neither program had a part in saying its own figure.
        alone: Net CPU seconds of both sides in a process that answers one input only; empty
            where every run is such a process, outside of final blocks, and where anything
            but CPU time is compared.
        present: Seconds on the wall an input of both sides, less those in which they were ready
            to run and others had their core; empty where the kernel does not tell.
        warm: Inputs that each run answered before those that were measured; their calls, and
            loading, are in no figure but `alone`. 0: all is, as in blocks of older journals.
        reservation: Why the effect counts for less than was read; empty where it does not.
    """

    number: int
    effect: float
    reference: float
    candidate: float
    pairs: int = 1
    inputs: int = 1
    level: int = 0
    searched: int = 0
    distinct: int = 0
    status: Status = Status.AC
    reference_status: Status = Status.AC
    feedback: str = ""
    failing: tuple[FailedCase, ...] = ()
    cost_seconds: float = 0.0
    pair_effects: tuple[float, ...] = ()
    figures: tuple[Figure, ...] = ()
    unit: str = "s"
    trusted: bool = True
    alone: tuple[float, ...] = ()
    present: tuple[float, ...] = ()
    warm: int = 0
    reservation: str = ""


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """Reference against candidate, with the decision that the sequential rule took.

    Attributes:
        kind: What it rests on.
        blocks: At least one, in order.
        decision: YES, NO or UNDECIDED.
        interval: Confidence interval of the effect, by the rule that took the decision.
    """

    kind: ComparisonKind
    blocks: tuple[Block, ...]
    decision: SequentialDecision
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
        """The candidate's figure: the mean of scores, else what the effect leaves.

        Each block has inputs of its own, and a median of one side alone belongs to no pair:
        two figures that were read apart may contradict the ratio that was measured.
        """
        if self.kind is ComparisonKind.EXACT:
            return sum(block.candidate for block in self.blocks) / len(self.blocks)
        return after(self.reference, self.effect)

    @property
    def trusted(self) -> bool:
        """Whether neither program had a part in saying its own figures."""
        return all(block.trusted for block in self.blocks)

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
        interval: Interval of `effect`.
        significant: Whether the gain is proven; only then may it replace an incumbent.
        branch: Success if and only if `perf_diff` > 0 and the status is AC, proven or not.
    """

    status: Status
    perf_diff: float
    effect: float
    interval: tuple[float, float]
    significant: bool
    branch: Branch
