"""The prompts that are kept as texts: every operator with all that a brief can tell."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from difflib import ndiff
from pathlib import Path

from operators.written.mutation import Mutation
from operators.written.plan import Plan
from operators.written.recombination import Recombination
from operators.written.repair import Repair
from operators.written.replan import Replan
from operators.written.rewriting import Rewriting
from se_agent.config.session_section import SessionSection
from se_agent.memory.session.fold import SessionTier
from se_agent.protocols import ModelWritten
from se_agent.values.brief import Brief, Conditions
from se_agent.values.evaluation import Evaluation, FailedCase, Status
from se_agent.values.memory_context import MemoryContext
from se_agent.values.objective import Goal
from se_agent.values.observation import Allocation, HotLine, Observation, Scaling
from se_agent.values.search_context import (
    Card,
    Failure,
    Repeat,
    SearchContext,
    Sibling,
    Strategy,
    StrategyRecord,
)
from se_agent.values.session import Constraint, CoverageStrategy, KnownFix, SessionUpdates
from se_agent.values.solution import Solution
from tests.contracts.written import FAST, MEMORY, SLOW, brief
from tests.fakes import remembered

FOLDER = Path(__file__).parents[1] / "prompts"

SEEN = Observation(
    hot=(
        HotLine(function="distinct", line=4, text="if x not in out:", share=0.94, hits=90_000),
        HotLine(function="distinct", line=5, text="out.append(x)", share=0.04, hits=300),
    ),
    allocations=(
        Allocation(function="distinct", line=5, text="out.append(x)", share=1.0, bytes=2400),
    ),
    scaling=Scaling(exponent=1.968, sizes=(50, 100, 200, 400), seconds=(1.0, 4.0, 15.0, 60.0)),
)
CONDITIONS = Conditions(
    confined=True,
    cpu_seconds=10.0,
    memory_bytes=1 << 30,
    version="3.11",
    levels=("generate(rng, 100)", "generate(rng, 1000)", "generate(rng, 4000)"),
    level=1,
    final_level=2,
)
STRATEGY = Strategy(name="Hash set", idea="Remember what was seen.", complexity="O(n)")
WIN = Card(
    child="Gen2_Sol_1",
    diff="--- a/main.py\n+++ b/main.py\n@@ -1,2 +1,2 @@\n-a\n+b\n c\n",
    effect=0.61,
    interval=(0.54, 0.68),
    strategy="Sort first",
    significant=True,
)
NEAR_MISS = dataclasses.replace(
    WIN, effect=0.004, interval=(-0.01, 0.018), strategy="Hash set", significant=False
)
SIBLINGS = (
    Sibling(
        child="Gen1_Sol_2",
        direction="Test membership in a tuple",
        result="10.5 ms -> 11.9 ms (1.13x slower)",
    ),
    Sibling(
        child="Gen2_Sol_0",
        direction="Sort, then drop neighbours that are equal",
        result="WA on twice: expected `[2, 1]`, got `[1, 2]`",
    ),
)
OTHER = Solution(id="Gen1_Sol_3", files={"main.py": FAST}, parents=("Gen0_Sol_0",))


LEDGER = (
    StrategyRecord(strategy=STRATEGY, tries=4, gains=1, best="Gen3_Sol_1", effect=0.6),
    StrategyRecord(
        strategy=Strategy(name="Sort first"), tries=2, failure="wrong answer on `[2, 1]`"
    ),
)
WRONG = Failure(
    solution=Solution(id="Gen2_Sol_4", files={"main.py": "def distinct(xs):\n    return xs\n"}),
    evaluation=Evaluation(
        status=Status.WA,
        feedback="case twice: wrong answer",
        failing=(FailedCase(name="twice", input="([1, 1],)", expected="[1]", got="[1, 1]"),),
    ),
)


def full() -> Brief:
    """Return a brief that tells everything."""
    known = SearchContext(
        effects=(0.5, 1.2),
        strategy=STRATEGY,
        ledger=LEDGER,
        failure=WRONG,
        cards=(WIN, NEAR_MISS),
        siblings=SIBLINGS,
        diverse=OTHER,
        lead=1.4,
        repeat=Repeat(times=2, known="Gen1_Sol_3", program=WRONG.solution),
    )
    made = dataclasses.replace(
        brief(SLOW), memory=remembered(MEMORY), observed=SEEN, search=known
    )
    return dataclasses.replace(made, conditions=CONDITIONS)


def paired(told: Brief) -> Brief:
    """Return a brief with a second parent."""
    slot = dataclasses.replace(told.slot, parents=(*told.slot.parents, OTHER))
    return dataclasses.replace(told, slot=slot)


def pair() -> Brief:
    """Return a brief with two parents that tells everything."""
    return paired(full())


def crashed() -> Brief:
    """Return a brief of a candidate that ended with an error, without its cases."""
    evaluation = Evaluation(status=Status.RE, feedback="IndexError: list index out of range")
    failure = dataclasses.replace(WRONG, evaluation=evaluation)
    return dataclasses.replace(brief(SLOW), search=SearchContext(failure=failure))


def marked() -> Brief:
    """Return a brief of a C++ program with marks, and with a score."""
    text = "// EVOLVE-BLOCK-START\nint a;\n// EVOLVE-BLOCK-END\nint main() {}\n"
    goal = Goal(title="score", unit="points", larger=True, ratio=False)
    known = SearchContext(effects=(-2.5,), cards=(WIN,))
    made = brief(text, path="main.cpp", entry_point="")
    free = dataclasses.replace(CONDITIONS, confined=False)
    return dataclasses.replace(made, language="cpp", goal=goal, search=known, conditions=free)


def restricted() -> Brief:
    """Return a brief of a function in a file, with a package."""
    return dataclasses.replace(
        brief(SLOW), editable="distinct", imports=("numpy", "scipy.stats")
    )


def long() -> Brief:
    """Return a brief of a program for which there is no room."""
    before, after = (
        "".join(f"def {name}_{n}(x):\n    return x + {n}\n\n\n" for n in range(12))
        for name in ("before", "after")
    )
    lines = before.count("\n")
    hot = tuple(dataclasses.replace(one, line=one.line + lines) for one in SEEN.hot)
    seen = dataclasses.replace(SEEN, hot=hot, allocations=())
    made = brief(before + SLOW + after, entry_point="distinct")
    return dataclasses.replace(made, observed=seen, room=len(SLOW) + 40)


def failed(told: Brief) -> Brief:
    """Return a brief of a change of its program that was wrong."""
    (parent,) = told.slot.parents
    text = parent.text.replace("if x not in out:", "if x not in out[-1:]:")
    wrong = dataclasses.replace(WRONG.solution, files={"main.py": text})
    failure = dataclasses.replace(WRONG, solution=wrong)
    return dataclasses.replace(told, search=SearchContext(failure=failure))


def shown(operator: ModelWritten, given: Brief) -> str:
    """Return all messages as one text."""
    return "".join(
        f"{'=' * 20} {message.role}\n{message.content}" for message in operator.prompt(given)
    )


def less(known: SearchContext) -> Callable[[Brief], Brief]:
    """Return what puts other knowledge into a brief."""
    return lambda told: dataclasses.replace(told, search=known)


KNOWN = full().search
CASELESS = dataclasses.replace(
    WRONG, evaluation=dataclasses.replace(WRONG.evaluation, failing=())
)
SWITCHES: Mapping[str, Callable[[Brief], Brief]] = {
    "contrast": less(dataclasses.replace(KNOWN, cards=())),
    "siblings": less(dataclasses.replace(KNOWN, siblings=())),
    "diverse": less(dataclasses.replace(KNOWN, diverse=None, lead=None)),
    "repeat": less(dataclasses.replace(KNOWN, repeat=None)),
    "cases": less(dataclasses.replace(KNOWN, failure=CASELESS)),
    "profile": lambda told: dataclasses.replace(told, observed=Observation()),
    "memory": lambda told: dataclasses.replace(told, memory=MemoryContext()),
}
"""What a brief lacks where a switch is off."""


def lost(operator: ModelWritten, given: Brief, switched: Callable[[Brief], Brief]) -> str:
    """Return the lines by which a prompt differs where a switch is off."""
    whole, rest = (shown(operator, each).splitlines() for each in (given, switched(given)))
    changes = (line for line in ndiff(whole, rest) if line.startswith(("+ ", "- ")))
    return "".join(f"{line}\n" for line in changes)


def agreed(role: str, given: Brief) -> Brief:
    """What a prompt holds with session memory, in the sections and tags of a role."""
    tier = SessionTier(config=SessionSection(shown=True))
    updates = SessionUpdates(
        api_constraints=(
            Constraint(
                constraint="answers [1, 2] for ([1, 2, 1],), not [2, 1]",
                source="evaluator",
                confidence="high",
                iteration=2,
                verified=True,
            ),
        ),
        known_fixes=(
            KnownFix(
                error_pattern="NameError: name <*> is not defined",
                solution="Add `from collections import deque`",
                source="mend",
                iteration=2,
                verified=True,
            ),
        ),
        coverage_strategies=(
            CoverageStrategy(
                strategy="Make this line cheaper, or reach it less often: if x not in out:",
                target="line 4 of Gen1_Sol_0, 94% of what it costs",
                source="profiler",
                iteration=2,
            ),
        ),
    )
    tier = tier.with_updates(updates)
    text = f"{given.memory.text}\n{tier.context(given.slot, role)}"
    said = dataclasses.replace(remembered(text), footer=tier.footer(role))
    return dataclasses.replace(given, memory=said)


TEXTS: Mapping[Path, str] = {
    FOLDER / f"{name}.txt": shown(operator, given)
    for name, operator, given in (
        ("mutation", Mutation(), full()),
        ("mutation_agreed", Mutation(), agreed("refine", full())),
        ("mutation_bare", Mutation(), brief(SLOW)),
        ("mutation_long", Mutation(), long()),
        ("mutation_marked", Mutation(), marked()),
        ("mutation_restricted", Mutation(), restricted()),
        ("plan", Plan(), full()),
        ("plan_bare", Plan(), brief(SLOW)),
        ("recombination", Recombination(), pair()),
        ("recombination_long", Recombination(), paired(long())),
        ("repair", Repair(), full()),
        ("repair_agreed", Repair(), agreed("repair", full())),
        ("repair_crash", Repair(), crashed()),
        ("repair_long", Repair(), failed(long())),
        ("replan", Replan(), full()),
        ("replan_bare", Replan(), brief(SLOW)),
        ("rewriting", Rewriting(), full()),
        ("rewriting_bare", Rewriting(), brief(SLOW)),
        ("rewriting_long", Rewriting(), long()),
    )
} | {
    FOLDER / f"{name}_switches.txt": "".join(
        f"{'=' * 20} {switch}\n{lost(operator, given, switched)}"
        for switch, switched in SWITCHES.items()
    )
    for name, operator, given in (
        ("mutation", Mutation(), full()),
        ("plan", Plan(), full()),
        ("rewriting", Rewriting(), full()),
        ("recombination", Recombination(), pair()),
        ("repair", Repair(), full()),
    )
}
