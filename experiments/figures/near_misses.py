"""Functions that are nearly a known one: is one of them ever replaced by it?

Known functions of the library are drawn, each with a twist: a condition under which the answer
is another one. Some conditions hold for a few of the inputs that the generator makes, some only
beside them. What a run would try for such a function (the operator's candidates) is tested, and
faces the search for a counterexample of a run. A candidate that survives is compared with the
function on 10,000 inputs in and around the range of the generator: it is right where a guard
leaves the twist to the old body, and else it has slipped through. Of one that never ends on
such an input this is told, and further inputs are not compared.
"""

from __future__ import annotations

import random
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any  # arguments and answers are plain data of any type

from evaluators.kinds.function import FunctionEvaluator
from experiments.figures import fuzz
from experiments.figures.rows import Row, fill
from operators.known_functions.apart import compared
from operators.known_functions.archetype import Archetype
from operators.known_functions.evidence import needed_bits
from operators.known_functions.library import library
from operators.known_functions.operator import KnownFunctions
from se_agent.config.sections import Measure
from se_agent.problem.model import Case, Expr, Ladder, Problem, ProblemKind
from se_agent.values.brief import Brief
from se_agent.values.evaluation import Status
from se_agent.values.solution import Solution
from se_agent.values.step import Slot

PLANTS = 200
SECONDS = 5.0
FUZZED = 10_000
LARGEST = 24
"""Size of the largest inputs that the generator makes, and of those that are fuzzed."""
SETTINGS = {"seconds": SECONDS, "fuzzed": FUZZED}
_CANDIDATES = 3  # that a run would try of one function

KINDS: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "int": (
        "rng.randrange(2, 2 + 4 * size)",
        "rng.randrange(-3, 2 + 6 * size)",
        ("{0} % 11 == 3", "{0} < 0", "{0} == 1", "{0} % 16 == 0", "{0} > 90", "{0} == 97"),
    ),
    "list[int]": (
        "[rng.randrange(1, 20) for _ in range(rng.randrange(2, 3 + size % 12))]",
        "[rng.randrange(-3, 24) for _ in range(rng.randrange(0, 15))]",
        (
            "len({0}) > 10",
            "0 in {0}",
            "len({0}) == 1",
            "any(x < 0 for x in {0})",
            "{0}[:1] == {0}[-1:]",
            "sum({0}) % 11 == 3",
        ),
    ),
    "str": (
        "''.join(rng.choice('abcd') for _ in range(rng.randrange(2, 3 + size % 12)))",
        "''.join(rng.choice('abcde') for _ in range(rng.randrange(0, 15)))",
        (
            "len({0}) > 10",
            "'e' in {0}",
            "{0} == ''",
            "len({0}) % 7 == 3",
            "{0}[:1] == {0}[-1:]",
        ),
    ),
}
"""How the generator and the fuzzer make each kind of argument, and its twists."""

_TWISTED = {
    bool: "not {0}",
    int: "{0} + 1",
    str: "{0} + '?'",
    list: "{0}[1:] or [0]",
    type(None): "0",
}
_PROGRAM = """{imports}


{text}


def solve({names}):
    answer = {call}
    for _ in range(1):
        if {condition}:
            answer = {twisted}
    return answer
"""
_CASES = """\
from operators.known_functions.library import library


def fuzz(rng):
    size = {size}
    while True:
        arguments = ({fuzz},)
        # What the library says not to try would take all memory, or forever.
        if library()["{name}"].tried_with(arguments):
            return arguments
"""


@dataclass(frozen=True)
class Plant:
    """A function that is nearly a known one."""

    name: str
    text: str
    make: str
    fuzz: str

    @property
    def problem(self) -> Problem:
        """The problem of making it faster."""
        sizes = (6, 12, LARGEST)
        return Problem(
            name="near",
            kind=ProblemKind.FUNCTION,
            programs={"initial": self.text},
            entry_point="solve",
            generator=f"def generate(rng, size):\n    return ({self.make},)\n",
            cases=tuple(
                Case(name=f"{size}/{n}", input=Expr(code=f"generate(rng, {size})", seed=n))
                for size in sizes
                for n in range(4)
            ),
            ladder=Ladder(rungs=tuple((f"generate(rng, {size})",) for size in sizes)),
        )


def plants() -> Iterator[tuple[str, Plant]]:
    """Yield plants by name, in an order that a fixed seed draws."""
    rng = random.Random(0)
    known = sorted(
        (one for one in library().values() if set(one.takes) <= set(KINDS) and one.takes),
        key=lambda one: one.name,
    )
    rng.shuffle(known)
    for one in known:
        place = rng.randrange(len(one.takes))
        conditions = KINDS[one.takes[place]][2]
        condition = conditions[rng.randrange(len(conditions))]
        if (plant := _planted(one, condition.format(f"a{place}"))) is not None:
            yield f"{one.name} unless {condition.format(f'a{place}')}", plant


def _planted(known: Archetype, condition: str) -> Plant | None:
    """Return a known function with a twist; None where inputs do not tell it from others."""
    names = [f"a{i}" for i in range(len(known.takes))]
    make = ", ".join(KINDS[kind][0] for kind in known.takes)
    fuzz = ", ".join(KINDS[kind][1] for kind in known.takes)
    answers = [a for a in _answers(known, make) if a is not None]
    if len(answers) < 20 or len({repr(one) for one in answers}) < 2:
        return None
    twisted = _TWISTED.get(type(answers[0]))
    if twisted is None or len({type(one) for one in answers}) > 1:
        return None
    parts = _with_used(known)
    text = "\n\n\n".join(part.text.strip() for part in parts)
    program = _PROGRAM.format(
        imports="\n".join(dict.fromkeys(line for part in parts for line in part.imports)),
        text=text,
        names=", ".join(names),
        call=f"{known.name}({', '.join(names)})",
        condition=condition,
        twisted=twisted.format("answer"),
    )
    return Plant(known.name, program, make, fuzz)


def _with_used(known: Archetype) -> list[Archetype]:
    found = {name: part for name in known.uses for part in _with_used(library()[name])}
    return [*found.values(), known]


def _answers(known: Archetype, make: str) -> list[Any]:
    rng, found = random.Random(1), list[Any]()
    for _ in range(40):
        arguments = eval(f"({make},)", {"rng": rng, "size": 12})
        try:
            if not known.tried_with(arguments):
                return []
            found.append(known.function(*arguments))
        except (TypeError, ValueError, ArithmeticError, LookupError):
            found.append(None)
    return found


def tried(plant: Plant) -> Row:
    """Return what came of a plant."""
    problem = plant.problem
    initial = problem.initial()
    with closing(FunctionEvaluator(problem, measure=Measure())) as evaluator:
        seen = evaluator.observe(initial)
        found = compared(seen.calls.get("solve", ()))
        bits = max((one.match.bits for one in found if one.match), default=0.0)
        row: Row = {
            "bits": round(bits, 1),
            "asked": round(needed_bits(sum(one.guesses for one in found)), 1),
            "outcomes": [],
        }
        for variant in range(_CANDIDATES):
            slot = Slot(
                number=0,
                generation=1,
                child="Gen1_Sol_0",
                parents=(initial,),
                operator="archetype",
                variant=variant,
            )
            brief = Brief(problem="", slot=slot, entry_point="solve", observed=seen)
            brief = replace(brief, editable="solve")
            proposal = KnownFunctions().propose(brief)
            if proposal is None:
                break
            row["outcomes"].append(_outcome(evaluator, plant, proposal.solution))
    return row


def _outcome(evaluator: FunctionEvaluator, plant: Plant, solution: Solution) -> str:
    """Say what becomes of a candidate: `wrong`, `refuted`, or what `fuzzed` says."""
    if evaluator.evaluate(solution).status is not Status.AC:
        return "wrong"
    if evaluator.hunt(solution, seconds=SECONDS, strict=True).found is not None:
        return "refuted"
    return fuzzed(plant, solution.text, FUZZED)


def fuzzed(plant: Plant, text: str, number: int) -> str:
    """Compare a candidate with its function: `right`, `slipped` or `never ends`.

    Args:
        plant: The function.
        text: Text of the candidate.
        number: Number of inputs in and around the range of the generator.
    """
    with tempfile.TemporaryDirectory(prefix="se-agent-near-") as name:
        cases = _CASES.format(name=plant.name, fuzz=plant.fuzz, size=LARGEST)
        fuzz.write(Path(name), before=plant.text, after=text, cases=cases)
        found = fuzz.differing_in(Path(name), "solve", number)
    if fuzz.NEVER_ENDS in found:
        return "never ends"
    return "slipped" if found else "right"


def rows() -> dict[str, Row]:
    """Try what is missing and return a row a plant."""
    tasks: dict[str, Any] = {}
    for name, plant in plants():
        if len(tasks) < PLANTS:
            tasks[name] = partial(tried, plant)
    return fill("near_misses", tasks, settings=SETTINGS, jobs=1)


def table(found: dict[str, Row]) -> str:
    """Return the Markdown of the figure."""
    told = Counter(_worst(row) for row in found.values())
    lines = [
        f"{len(found)} functions. "
        + ", ".join(f"{n} {what}" for what, n in told.most_common()),
        "",
        "| function | bits | asked | candidates |",
        "|---|--:|--:|---|",
    ]
    for key, row in sorted(found.items()):
        outcomes = ", ".join(row["outcomes"]) or "none"
        lines.append(f"| {key} | {row['bits']:g} | {row['asked']:g} | {outcomes} |")
    return "\n".join(lines)


def _worst(row: Row) -> str:
    order = ("slipped", "never ends", "right", "refuted", "wrong")
    return next((one for one in order if one in row["outcomes"]), "not proposed")
