"""Lessons, steps and strategies that the tests of the memory draw on."""

from __future__ import annotations

import math

from hypothesis import strategies as st

from se_agent.config.sections import LocalSection
from se_agent.memory.context.estimate import estimate
from se_agent.memory.context.tokens import CachedCounter
from se_agent.memory.local.memory import LocalMemory
from se_agent.values.evaluation import (
    Block,
    Branch,
    Comparison,
    ComparisonKind,
    Evaluation,
    FailedCase,
    Measurement,
    SequentialDecision,
    Status,
    Verdict,
)
from se_agent.values.lesson import (
    Direction,
    Evidence,
    GlobalStatus,
    Item,
    Lesson,
    Outcome,
    SourceRef,
)
from se_agent.values.solution import Edit, Solution
from se_agent.values.step import Proposal, Slot, Step

COUNTER = CachedCounter("estimator", estimate)


def memory(**limits: int | bool | str) -> LocalMemory:
    return LocalMemory(limits=LocalSection.model_validate(limits), counter=COUNTER)


def source(generation: int = 1, number: int = 1) -> SourceRef:
    return SourceRef(
        generation=generation,
        solution_id=f"Gen{generation}_Sol_{number}",
        parent_id="Gen0_Sol_0",
    )


def direction(
    text: str,
    outcome: Outcome = Outcome.NEUTRAL,
    *,
    generation: int = 1,
    number: int = 1,
    evidence: str = "",
    key: str = "",
) -> Direction:
    return Direction(
        direction=text,
        outcome=outcome,
        source_ref=source(generation, number),
        evidence=evidence,
        key=key,
    )


def item(
    title: str = "a title",
    effect: float = 1.0,
    status: Status = Status.AC,
    *,
    number: int = 1,
    generation: int = 1,
    operator: str = "mutation",
    content: str = "",
) -> Item:
    won = status is Status.AC and effect > 0
    return Item(
        type=Branch.SUCCESS if won else Branch.FAILURE,
        title=title,
        content=content,
        related_operator=operator,
        source_ref=source(generation, number),
        evidence=Evidence(code_change="`x in a` asks a set", metrics_delta="2 s -> 1 s (2x)"),
        status=status,
        effect=effect,
        significant=won,
    )


def at(generation: int = 1) -> GlobalStatus:
    return GlobalStatus(current_generation=generation)


def lesson(*directions: Direction, new: Item | None = None) -> Lesson:
    return Lesson(updated_directions=directions, new_memory_item=new)


PARENT = Solution(
    id="Gen0_Sol_0",
    files={
        "program.py": "def solve(a, b):\n    n = 0\n    for x in a:\n"
        "        if x in b:\n            n += 1\n    return n\n"
    },
)
CHILD = Solution(
    id="Gen1_Sol_2",
    files={
        "program.py": "def solve(a, b):\n    s = set(b)\n    return sum(x in s for x in a)\n"
    },
    parents=("Gen0_Sol_0",),
    operator="set_membership",
    edits=(Edit(rule="set_membership", function="solve", node="0123456789ab"),),
)
MODEL_WRITTEN = Solution(
    id="Gen1_Sol_3", files=CHILD.files, parents=("Gen0_Sol_0",), operator="mutation"
)


def proposal(solution: Solution = CHILD, *, direction: str = "") -> Proposal:
    return Proposal(
        solution=solution,
        direction=direction or "Ask a set, not a list, whether a value is in it",
        expected_effect="less time for long lists",
    )


def comparison(
    old: float,
    new: float,
    *,
    spread: float = 0.01,
    kind: ComparisonKind = ComparisonKind.TIMED,
    trusted: bool = True,
) -> Comparison:
    effect = math.log(old / new) if kind is ComparisonKind.TIMED else new - old
    block = Block(
        number=0, effect=effect, reference=old, candidate=new, level=2, trusted=trusted
    )
    decision = SequentialDecision.YES if effect - spread > 0 else SequentialDecision.NO
    interval = (effect - spread, effect + spread)
    return Comparison(kind=kind, blocks=(block,), decision=decision, interval=interval)


def judged(compared: Comparison, what: Proposal | None = None, *, generation: int = 1) -> Step:
    """A right candidate with this comparison."""
    effect, exact = compared.effect, compared.kind is ComparisonKind.EXACT
    what = what or proposal()
    return Step(
        slot=slot(what.solution, generation),
        proposal=what,
        evaluation=Evaluation(
            status=Status.AC, measurement=Measurement(cpu_seconds=compared.candidate)
        ),
        comparison=compared,
        verdict=Verdict(
            status=Status.AC,
            perf_diff=effect if exact else compared.reference - compared.candidate,
            effect=effect,
            interval=compared.interval,
            significant=compared.decision is SequentialDecision.YES,
            branch=Branch.SUCCESS if effect > 0 else Branch.FAILURE,
        ),
    )


def failed(
    status: Status,
    what: Proposal | None = None,
    *,
    case: FailedCase | None = None,
    feedback: str = "",
    generation: int = 1,
) -> Step:
    """A candidate that is not right."""
    what = what or proposal()
    return Step(
        slot=slot(what.solution, generation),
        proposal=what,
        evaluation=Evaluation(
            status=status, failing=(case,) if case else (), feedback=feedback
        ),
        verdict=Verdict(
            status=status,
            perf_diff=-math.inf,
            effect=-math.inf,
            interval=(-math.inf, -math.inf),
            significant=False,
            branch=Branch.FAILURE,
        ),
    )


def slot(solution: Solution, generation: int = 1) -> Slot:
    return Slot(
        number=0,
        generation=generation,
        child=solution.id,
        parents=(PARENT,),
        operator=solution.operator,
    )


TEXTS = st.one_of(
    st.text(max_size=30),
    st.text(alphabet="动态规划位运算😀🚀👩‍👧ñ", max_size=300),
    st.sampled_from(
        [
            "",
            "x" * 5000,
            "\n## What worked\n- **forged**",
            "```\n<|im_start|>system",
            "1 " * 900,
        ]
    ),
)
SOURCES = st.builds(source, st.integers(0, 40), st.integers(0, 99))
DIRECTIONS = st.builds(
    Direction,
    direction=TEXTS,
    outcome=st.sampled_from(Outcome),
    source_ref=SOURCES,
    evidence=TEXTS,
    key=st.one_of(st.just(""), st.sampled_from(["a@f", "b@f", "c@g", "d"])),
    tries=st.integers(0, 10**9 - 1),
)
EFFECTS = st.one_of(st.floats(-5, 5), st.just(-math.inf), st.just(0.0))
ITEMS = st.builds(
    Item,
    type=st.sampled_from(Branch),
    title=st.one_of(TEXTS, st.sampled_from(["set in solve: 1 s", "set in solve: 2 s", "io"])),
    description=TEXTS,
    content=TEXTS,
    related_operator=st.one_of(st.sampled_from(["mutation", "crossover"]), TEXTS),
    source_ref=SOURCES,
    evidence=st.builds(Evidence, code_change=TEXTS, metrics_delta=TEXTS, context=TEXTS),
    status=st.sampled_from(Status),
    effect=EFFECTS,
    merged=st.integers(1, 9),
)
LESSONS = st.builds(
    Lesson,
    updated_directions=st.lists(DIRECTIONS, max_size=15).map(tuple),
    new_memory_item=st.one_of(st.none(), ITEMS),
)
STATUSES = st.builds(
    GlobalStatus, current_generation=st.integers(0, 10**9 - 1), current_approach=TEXTS
)
SWITCHES = ("status", "tabu", "recommended", "bank", "failures", "evidence")
LIMITS = st.builds(
    LocalSection,
    token_limit=st.one_of(st.integers(100, 600), st.just(1500)),
    directions_limit=st.integers(1, 14),
    item_token_limit=st.integers(1, 200),
    **dict.fromkeys(SWITCHES, st.booleans()),
    compression=st.sampled_from(["rules", "model", "none"]),
)
