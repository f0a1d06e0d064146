"""The strength of a problem's tests, for `check`: found out, and told in lines or as JSON."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from typing import TYPE_CHECKING

from se_agent.cli.counting import counting
from se_agent.cli.screen import Screen
from se_agent.program.editable import in_file, names_of

if TYPE_CHECKING:
    from evaluators.mutants.strength import MutantTried, Strength
    from se_agent.config.run_file import Run
    from se_agent.problem.model import Problem
    from se_agent.protocols import Evaluator

_CPU_SECONDS = 10.0
_SHOWN = 5


def asked(
    run: Run, problem: Problem, screen: Screen, *, count: int, seconds: float
) -> Strength:
    """Plant faults in the initial program, and see which the visible tests find.

    Args:
        run: Names program and isolation; its seed draws the mutants.
        problem: The problem; its tests are tried.
        screen: Where progress is shown.
        count: Mutants to try, as far as 10 CPU seconds go.
        seconds: CPU seconds that the initial program takes for a final input.
    """
    from evaluators.mutants.look import MutantLook, beyond_tests
    from evaluators.mutants.strength import strength
    from se_agent.engine.run.resolve import initial_of, registered_evaluator

    original = initial_of(problem, run)
    other = run.model_copy(update={"seed": run.seed + 1})

    def make(of: Problem) -> Evaluator:
        return registered_evaluator(of, run)

    def make_other(of: Problem) -> Evaluator:
        return registered_evaluator(of, other)

    with (
        MutantLook(problem, original, make) as tests,
        MutantLook(beyond_tests(problem, seconds), original, make_other) as beyond,
        counting(screen, "mutants") as told,
    ):
        return strength(
            original.files[problem.path],
            entry_in(problem),
            tests,
            beyond,
            count=count,
            seed=run.seed,
            language=problem.language,
            cpu_seconds=_CPU_SECONDS,
            told=told,
        )


def entry_in(problem: Problem) -> str | None:
    """Return the function from which the first file of a program is run; None: any of them."""
    if problem.workload is None:
        return problem.entry_point if problem.trusted else None
    names = names_of(in_file(problem.editable, problem.path) or "")
    return names[0].partition(".")[0] if names else None


def lines(found: Strength, problem: Problem, original: str) -> Iterator[tuple[str, str]]:
    """Yield label and text of each line for people; survivors as small diffs."""
    from evaluators.mutants.strength import Fate

    if not found.tried:
        yield "mutants", "none: there is no place for a fault that can be read"
        return
    ended = "" if found.complete else f", then {_CPU_SECONDS:g} CPU seconds were up"
    lost = f", {found.not_compiled} more do not compile" if found.not_compiled else ""
    yield "mutants", f"{len(found.tried)} of {found.places} places tried{lost}{ended}"
    yield "", _share(found)
    if told := doubt(found, problem):
        yield "warning", told
    for fault, fates in found.by_fault.items():
        same, apart = fates[Fate.ALIKE], fates.total() - fates[Fate.ALIKE]
        parts = [f"{fates[Fate.CAUGHT]} of {apart}"] if apart else []
        parts += [f"{same} alike"] if same else []
        yield "", f"  {fault.value:<18} {', '.join(parts)}"
    for each in found.survivors[:_SHOWN]:
        yield from _survivor(each, original)
    if len(found.survivors) > _SHOWN:
        yield "", f"{len(found.survivors) - _SHOWN} more survived: --json lists all"


def _share(found: Strength) -> str:
    caught, missed, alike = counts(found).values()
    tried = len(found.tried)
    if found.share is None:
        return f"nothing tells any of the {tried} from the initial program"
    if found.doubtful:
        return f"{caught} of {tried} caught by the tests, {missed} missed, {alike} alike"
    share = f"{caught} of {caught + missed} ({found.share:.0%}) caught by the tests"
    return f"{share}; {alike} of {tried} alike, perhaps no faults" if alike else share


def doubt(found: Strength, problem: Problem) -> str:
    """Return what to do where the inputs tell too few mutants apart; empty where they do."""
    if not (problem.timed and found.doubtful):
        return ""
    more = "add test cases" if problem.ladder.fresh else "add inputs, or a generator"
    return (
        f"{counts(found)['alike']} of {len(found.tried)} mutants answer as the initial program "
        "does on every input, tests and others: a wrong candidate could, too. Let inputs reach "
        f"the lines below (values that meet, limits, empty ones), or {more}."
    )


def row(found: Strength, problem: Problem, original: str) -> dict[str, object]:
    """Return the object that `--json` prints for the mutants."""
    return {
        "tried": len(found.tried),
        "places": found.places,
        "not_compiled": found.not_compiled,
        "complete": found.complete,
        **counts(found),
        "share": found.share,
        "doubt": doubt(found, problem),
        "by_fault": {
            fault.value: {fate.value: count for fate, count in fates.items()}
            for fault, fates in found.by_fault.items()
        },
        "survivors": [
            {
                "fate": each.fate.value,
                "fault": each.mutant.fault.value,
                "function": each.mutant.function,
                "diff": "\n".join(_diff(original, each.mutant.text)),
                "told_by": vars(each.told) if each.told else None,
            }
            for each in found.survivors
        ],
        "cpu_seconds": found.cost_seconds,
    }


def counts(found: Strength) -> dict[str, int]:
    """Return how many mutants were caught, missed and alike."""
    from evaluators.mutants.strength import Fate

    return {fate.value: found.count(fate) for fate in Fate}


def _survivor(each: MutantTried, original: str) -> Iterator[tuple[str, str]]:
    from se_agent.report.words.phrases import clean, one_line

    where = f" in {each.mutant.function}" if each.mutant.function else ""
    yield each.fate.value, f"{each.mutant.fault.value}{where}"
    for line in _diff(original, each.mutant.text):
        yield "", clean(line)
    if each.told is not None:
        yield "", f"told by {one_line(each.told.name)}: {one_line(each.told.input, 160)}"


def _diff(old: str, new: str) -> list[str]:
    """Return a unified diff with one line around the change, and without its head."""
    changed = difflib.unified_diff(old.splitlines(), new.splitlines(), n=1, lineterm="")
    return list(changed)[2:]
