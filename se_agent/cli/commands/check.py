"""`check`: what a run would mean, and whether it could start. Makes no run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from se_agent.cli.checks import scorer, strength
from se_agent.cli.checks.earlier_runs import prior
from se_agent.cli.checks.model_roles import asked_models
from se_agent.cli.checks.no_candidates import barren
from se_agent.cli.checks.preflight import preflight
from se_agent.cli.commands.check_rows import check_rows, the_row
from se_agent.cli.commands.run import JsonOption, SetOption, TargetArgument, require_plugins
from se_agent.cli.level import doubts
from se_agent.cli.screen import Screen, say_note
from se_agent.cli.spinner import phase
from se_agent.errors import ConfigError
from se_agent.wording import command, counted

if TYPE_CHECKING:
    from se_agent.config.run_file import Run
    from se_agent.engine.run.resolve import ResolvedRun
    from se_agent.engine.search.search_space import Reach
    from se_agent.problem.model import Problem
    from se_agent.protocols import Operator
    from se_agent.values.evaluation import Preflight
    from se_agent.values.solution import Solution

_MUTANTS = 60
_LOOKING = "looking at the initial program, and at what can be changed in it"
_NOT_RUN = "it can be read; nothing was run"


def check(
    target: TargetArgument,
    set_: SetOption = None,
    static: Annotated[
        bool, typer.Option("--static", help="Do not run the initial program.")
    ] = False,
    mutants: Annotated[
        int, typer.Option(metavar="N", min=0, help="Faults to plant; 0: none.")
    ] = _MUTANTS,
    row: Annotated[str, typer.Option(metavar="ID", help="Row of a set, in full.")] = "",
    as_json: JsonOption = False,
) -> None:
    """Say what a run means and whether it could start, and how strong its tests are.

    The initial program runs in the sandbox under two hash seeds, for 20 seconds at most
    (60 where the machine is shared). Then small faults are planted in it: how many do the
    visible tests find? Each row of a problem set (FILE.jsonl) is a line.
    """
    from se_agent.engine.run.resolve import ResolvedRun
    from se_agent.engine.search.search_space import reachable
    from se_agent.problem.loading import load_problem

    screen = Screen(as_json=as_json)
    path = Path(target)
    rows = path.suffix == ".jsonl"
    run = _configured(target, set_)
    earlier = prior(run, path.stem if rows else "")
    operators = require_plugins(run)
    screen.warn(() if static else doubts(run.sandbox))
    if rows and not row:
        _say(screen, earlier)
        check_rows(path, run, screen, static=static, mutants=mutants)
        return
    if row and not rows:
        raise ConfigError(f"--row {row}: {target} has no rows", hint="give a FILE.jsonl")
    problem = the_row(path, row) if rows else load_problem(run.problem)
    resolved = ResolvedRun.of(run, problem, operators=operators)
    rules, asked = resolved.rules, asked_models(resolved)
    with phase(screen, _LOOKING):
        reach = reachable(resolved.first_brief, rules)
        found = None if static else preflight(run, problem)
        idle = None if static or reach.candidates else barren(resolved)
    verdict = str(idle) if idle else _NOT_RUN if static else "a run can start"
    _say(screen, [("verdict", verdict), *_facts(problem)])
    answer = _answer(problem, reach)
    if found is not None:
        _say(screen, _measured(problem, found))
        answer |= _found(problem, found)
    _say(screen, [*_sizes(problem), ("candidates", _candidates(problem, reach, rules))])
    _say(screen, [*_marked(resolved.initial), *asked])
    if mutants and found is not None:
        answer["mutants"] = _mutants(resolved, screen, count=mutants, found=found)
    if found is not None:
        answer |= _scorer(run, problem, screen)
    _say(screen, [*earlier, *_settings(run)])
    screen.answer(answer)
    if idle:
        raise idle
    if not rows:
        screen.offer("next", command("run", target, *(f"--set={one}" for one in set_ or ())))


def _found(problem: Problem, found: Preflight) -> dict[str, object]:
    """Return what running the initial program came to, for programs."""
    return {
        "seconds": found.seconds if problem.timed else None,
        "score": found.evaluation.score,
        "notes": list(found.notes),
    }


def _configured(target: str, set_: list[str] | None) -> Run:
    """Return the run file; of a problem set that of its rows."""
    from se_agent.config import run_file

    path = Path(target)
    if path.suffix == ".jsonl":
        return run_file.with_frozen_prior(run_file.parse(path.stem, set_ or (), say_note))
    return run_file.parse(target, set_ or (), say_note)


def _settings(run: Run) -> Iterator[tuple[str, str]]:
    from se_agent.config.deviations import changed_lines

    told = changed_lines(run) or ["all as by default; the run folder's run.toml has every key"]
    for place, each in enumerate(told):
        yield "" if place else "settings", each


def _mutants(
    resolved: ResolvedRun, screen: Screen, *, count: int, found: Preflight
) -> dict[str, object]:
    run, problem = resolved.given, resolved.problem
    original = resolved.initial.files[problem.path]
    strong = strength.asked(run, problem, screen, count=count, seconds=found.seconds)
    _say(screen, strength.lines(strong, problem, original))
    return strength.row(strong, problem, original)


def _scorer(run: Run, problem: Problem, screen: Screen) -> dict[str, object]:
    """Try the scorer of a problem, and say what it lets through; nothing without a scorer."""
    rated = scorer.tried(run, problem)
    if rated is None:
        return {}
    _say(screen, scorer.lines(rated))
    return {"scorer": scorer.row(rated)}


def _say(screen: Screen, lines: Iterable[tuple[str, str]]) -> None:
    for label, text in lines:
        screen.row(label, text, 12)


def _answer(problem: Problem, reach: Reach) -> dict[str, object]:
    return {
        "problem": problem.name,
        "kind": str(problem.kind),
        "tests": len(problem.cases),
        "candidates": reach.candidates,
        "candidates_complete": reach.complete,
        **({} if problem.trusted else {"trusted": False}),
    }


def _facts(problem: Problem) -> Iterator[tuple[str, str]]:
    from se_agent.report.words.phrases import task

    yield "problem", f"{problem.name} ({problem.kind}{_family(problem)})"
    if problem.title:
        yield "title", problem.title
    yield "statement", task(problem.statement) or "none"
    yield "programs", ", ".join(problem.programs)
    none = "none: answers are scored, on inputs of the search"
    yield "tests", counted(len(problem.cases), "visible case") if problem.cases else none


def _sizes(problem: Problem) -> Iterator[tuple[str, str]]:
    from se_agent.report.words.phrases import one_line

    ladder = problem.ladder
    if not ladder.fresh:
        counts = f"{len(ladder.search)} for the search, {len(ladder.final)} for the end"
        yield "inputs", f"{counts}, all that there are"
        return
    for level, rung in enumerate(ladder.rungs):
        uses = (("search", ladder.search_level), ("final", ladder.final_level))
        marks = " and ".join(name for name, used in uses if used == level)
        text = one_line(", ".join(rung))
        yield f"level {level}", f"{text}  <- {marks}" if marks else text


def _family(problem: Problem) -> str:
    return f", family {problem.family}" if problem.family else ""


def _candidates(problem: Problem, found: Reach, operators: Iterable[Operator]) -> str:
    from se_agent.engine.search.search_space import mutations

    if not mutations(operators):
        return (
            f"none: no rule is there for programs in {problem.language}, so a run can only "
            "measure the initial one; name operators of your own "
            "(`--set operators=MODULE:ATTRIBUTE`)"
        )
    least = "" if found.complete else "at least "
    names = ", ".join(f"{name} {count}" for name, count in found.by_operator.items())
    programs = "program" if found.candidates == 1 else "programs"
    within = f"distinct {programs} within {found.depth} edits of the initial one"
    return f"{least}{found.candidates} {within}{f': {names}' if names else ''}"


def _marked(initial: Solution) -> Iterator[tuple[str, str]]:
    """Tell the constants that the initial program marks, and the marks that do not count."""
    from operators.tuning.constants import marked
    from operators.tuning.doubts import doubts

    files = initial.files
    if constants := marked(files):
        yield "to tune", ", ".join(str(constant) for constant in constants)
    for doubt in doubts(files):
        # A single program has the name of its copy, which the user never saw.
        yield "mark", str(doubt) if len(files) > 1 else f"line {doubt.line}: {doubt.why}"


def _measured(problem: Problem, found: Preflight) -> Iterator[tuple[str, str]]:
    from se_agent.report.words import phrases
    from se_agent.values.objective import seconds

    if problem.trusted:
        done = "passes its tests" if problem.cases else "gives answers that are scored"
        yield "right", f"the initial program {done}, the same under two hash seeds"
    else:
        yield "untrusted", phrases.DOUBT
    if problem.timed:
        per_run = f", {found.inputs} a run" if found.inputs > 1 else ""
        yield "time", f"{seconds(found.seconds)} of CPU for one final input{per_run}"
    elif found.evaluation.score is not None:
        unit = f" {problem.unit}" if problem.unit else ""
        mark = phrases.untrusted(problem.trusted)
        yield "score", f"{phrases.figure(found.evaluation.score)}{unit}{mark}"
    for note in found.notes:
        yield "note", phrases.one_line(note, 300)
