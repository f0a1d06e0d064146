"""A run is opened: from the beginning, or taken up again. Not here: its way to its end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

from se_agent.config.changes import changed, changes_of, left_out, more
from se_agent.config.deviations import deviations
from se_agent.config.run_file import Run, as_record
from se_agent.engine.journal import folder as folders
from se_agent.engine.journal.journal import Journal, belonging
from se_agent.engine.journal.result import Result, summarize
from se_agent.engine.judging.drawing import Seeds
from se_agent.engine.judging.evaluator_pool import Recorder
from se_agent.engine.judging.redacting import redacting
from se_agent.engine.judging.terms import tolerance_told
from se_agent.engine.models import endpoints
from se_agent.engine.models.calls import ModelCalls
from se_agent.engine.run import budget_check
from se_agent.engine.run.chosen_policy import Operators
from se_agent.engine.run.driver import OpenRun, drive
from se_agent.engine.run.dry_run import (
    check_budget,
    check_context,
    context_doubts,
    first_requests,
)
from se_agent.engine.run.resolve import (
    EvaluatorFactory,
    ResolvedRun,
    initial_of,
    is_analysed,
    look_up,
    redactor_of,
    registered_evaluator,
    with_fitting_isolation,
)
from se_agent.engine.run.run_workspace import RunWorkspace, run_workspace
from se_agent.engine.run.snapshot import Keeper, Snapshots
from se_agent.engine.run.user_hints import Hearing
from se_agent.engine.state.budget import FINAL_PAIRS, BudgetLimits, confirmation, trim_share
from se_agent.engine.state.experience import recalled
from se_agent.engine.state.extension import finished, later_settings
from se_agent.engine.state.meter import Act, LiveMeter
from se_agent.engine.state.state import State
from se_agent.engine.step.survey import Surveyor, knowledge_folders, packs_of, surveyor
from se_agent.environment.machine import machine_words
from se_agent.errors import JournalError, SeAgentError
from se_agent.events import Resumed, Started
from se_agent.problem.loading import fingerprint, load_problem
from se_agent.problem.model import Problem
from se_agent.protocols import Evaluator, Listener, Model
from se_agent.redaction.redactor import Redactor
from se_agent.values.evaluation import ComparisonKind, Preflight
from se_agent.values.lesson import Metric
from se_agent.values.objective import CPU_TIME
from se_agent.values.randomness import fresh_seed
from se_agent.values.solution import Solution


class _Ready(NamedTuple):
    """What a run that may begin is made of."""

    resolved: ResolvedRun
    make: Callable[[], list[Evaluator]]
    made: Sequence[Evaluator]
    models: Mapping[str, Model]
    checked: Preflight
    survey: Surveyor | None


def start(
    config: Run,
    *,
    problem: Problem | None = None,
    listeners: Sequence[Listener] = (),
    evaluators: EvaluatorFactory = registered_evaluator,
    operators: Operators | None = None,
    announce: Callable[[Path], None] | None = None,
    doubted: Callable[[ResolvedRun], SeAgentError | None] | None = None,
    notes: Sequence[str] = (),
    seeds: Seeds = fresh_seed,
) -> Result:
    """Evolve a problem from the beginning.

    Args:
        config: The run file.
        problem: Instead of the one that `config` names.
        listeners: Are told of every event.
        evaluators: Makes an evaluator; one is made for every worker.
        operators: Those that `config` names, if they were made already.
        announce: Is told the run folder as soon as the run can be resumed from it.
        doubted: Returns a reason not to begin, if there is one, after the initial check.
        notes: Doubts that were met before, a sentence each; on record with the run's own.
        seeds: Gives the seed of the confirmation.

    Raises:
        SeAgentError: The problem, a name or this machine will not do. No search began.
    """
    meter = LiveMeter()
    problem = problem or load_problem(config.problem)
    initial_of(problem, config)  # not after anything was made
    budget_check.check(config)
    redact = redactor_of(problem, config)
    evaluators = partial(_redacted, evaluators, redact)
    with _prepared(config, problem, evaluators, operators, doubted, meter) as ready:
        resolved, make, made, models, checked, survey = ready
        config, state = resolved.config, resolved.new_state()
        folder, journal = folders.opened(config, problem)
        with journal, run_workspace(folder, config, journal) as beside:
            folders.describe_run(folder, problem, config)
            record = _recorder(journal, state, beside.among(listeners), folder, config)
            found = recalled(folder.parent, config, problem, resolved.initial, config.operators)
            started = _started(resolved, checked, made[0].kind)
            known = {
                "prior": found.prior,
                "prior_from": found.words,
                "notes": (*notes, *tolerance_told(config), *started.notes, *beside.notes),
                "confirmation_seconds": confirmation(config, checked, started.measure),
            }
            record(started.model_copy(update=known | _told(resolved, meter, started)))
            if announce is not None:
                announce(folder)
            counter, outputs = resolved.counter, beside.attach(record)
            calls = ModelCalls(models, config, record, counter, meter, redact, outputs)
            opened = OpenRun(resolved, record, calls, folder, seeds, outputs, survey)
            drive(opened, made, meter, make)
            return summarize(folder, journal.events())


def _told(resolved: ResolvedRun, meter: LiveMeter, started: Started) -> dict[str, object]:
    """Return what a start tells of its settings, its machine, and what it took so far."""
    return {
        "settings": deviations(resolved.given.model_dump(mode="json")),
        **asdict(meter.read(started.cost_seconds)),
        "machine": machine_words(),
    }


@contextmanager
def _prepared(
    config: Run,
    problem: Problem,
    evaluators: EvaluatorFactory,
    operators: Operators | None,
    doubted: Callable[[ResolvedRun], SeAgentError | None] | None,
    meter: LiveMeter,
) -> Iterator[_Ready]:
    """Have the initial program checked, and load operators and models meanwhile.

    A user waits for the longer of both, not for the sum; where models are asked, the check
    waits until one of them can be reached. Yields what the names stand for, and
    what was made; all is closed, however this ends.
    """
    look_up(config)  # not after the check of the problem, which takes seconds
    packs = packs_of(config, problem, _folders(config, Path(config.results)))
    fitting = with_fitting_isolation(config, problem)
    with (
        ThreadPoolExecutor(1, thread_name_prefix="preflight") as beside,
        _made(evaluators, problem, fitting) as make,
    ):
        made = make()
        check = partial(_checked, fitting, made, initial_of(problem, config), meter)
        checking = None if config.models else beside.submit(check)
        resolved = ResolvedRun.of(config, problem, operators=operators)
        requests = first_requests(resolved) if resolved.roles else []
        check_context(config, requests)
        check_budget(config, requests)
        with endpoints.made(config, resolved.roles) as models:
            endpoints.reach(models)
            checked = (checking or beside.submit(check)).result()
            if doubted is not None and (doubt := doubted(resolved)):
                raise doubt
            budget_check.check_measured(
                config, checked, made[0].kind, meter.glance(checked.cost_seconds)
            )
            notes = (*checked.notes, *context_doubts(resolved, requests))
            initial, analysed = resolved.initial, is_analysed(resolved)
            counter = resolved.counter
            survey = surveyor(config, problem, initial, counter, packs, analysed=analysed)
            yield _Ready(resolved, make, made, models, replace(checked, notes=notes), survey)


def _checked(
    config: Run, made: Sequence[Evaluator], initial: Solution, meter: LiveMeter
) -> Preflight:
    """Have the initial program checked, within the time that is left to a search.

    Raises:
        ConfigError: The check takes longer than a time limit allows.
    """
    limits = BudgetLimits(config.budget)
    with meter.until(lambda: limits.left(meter.glance(0.0)), made[0].close):
        try:
            return made[0].preflight(initial)
        except SeAgentError:
            if meter.allows(Act.CLOSE):
                raise
    raise budget_check.unchecked(config, meter.glance(0.0))


def _started(resolved: ResolvedRun, checked: Preflight, kind: ComparisonKind) -> Started:
    problem, config, objective = resolved.problem, resolved.config, resolved.objective
    value = checked.seconds if problem.timed else checked.evaluation.score
    metric = Metric(
        value=value or 0.0,
        unit=problem.unit,
        direction=problem.direction,
        trusted=problem.trusted,
    )
    if objective != CPU_TIME:
        metric = Metric(value=1.0, unit=f"of the initial {objective.title}")
    return Started(
        name=problem.name,
        config=as_record(config),
        problem=fingerprint(problem),
        initial=resolved.initial,
        evaluation=checked.evaluation,
        measure=kind,
        metric=metric,
        isolation=config.sandbox.isolation,
        tokenizer=resolved.counter.name,
        trims_in_groups=True,
        restyles=True,
        thrifty=True,
        trim_share=trim_share(config),
        final_pairs=FINAL_PAIRS,
        cost_seconds=checked.cost_seconds or checked.evaluation.cost_seconds,
        objective=objective,
        seconds=checked.seconds if problem.timed else None,
        trusted=problem.trusted,
        notes=checked.notes,
    )


def resume(
    folder: Path,
    *,
    listeners: Sequence[Listener] = (),
    evaluators: EvaluatorFactory = registered_evaluator,
    overrides: Sequence[str] = (),
    seeds: Seeds = fresh_seed,
) -> Result:
    """Take up a run where it broke off; one that has ended is left as it is.

    Args:
        folder: Folder of the run.
        listeners: Are told of every event.
        evaluators: Makes an evaluator; one is made for every worker.
        overrides: `key=value` texts: settings that are others from here on. With another
            budget, a run that has ended goes on.
        seeds: Gives the seed of the confirmation, unless that is on record.

    Raises:
        ConfigError: A setting is unknown, or may not change any more.
        JournalError: There is no such run, it is locked, or its folder is incomplete.
    """
    if not (folder / folders.JOURNAL).is_file():
        raise JournalError(f"{folder}: no run here", hint="`se-agent ls` lists the runs")
    with Journal(folder / folders.JOURNAL) as journal, ExitStack() as held:
        started, config, problem = folders.stored(folder, journal.events())
        known = later_settings(journal.events(kinds=["resumed"]))
        settings = changes_of(changed(config, known), overrides)
        config = left_out(config, known | settings)
        resolved = ResolvedRun.of(config, problem, tokenizer=started.tokenizer)
        beside = held.enter_context(run_workspace(folder, config, journal))
        with belonging(folder):
            state, since = _taken_up(journal, resolved.new_state(), listeners, beside)
        beside.catch_up(journal.events())
        config = changed(config, state.settings)
        if state.ended is None or more(settings):
            config, counter = changed(config, settings), resolved.counter
            resolved = resolved.with_settings(config)
            roles = resolved.roles  # not after the new settings are on record
            told = beside.among(listeners)
            record = _recorder(journal, state, told, folder, config, since=since)
            ending = state.search_ended is not None and state.ended is None
            _go_on(record, settings)
            meter = _meter_of(state)
            redact, outputs = redactor_of(problem, config), beside.attach(record, tells=True)
            with (
                endpoints.made(config, roles) as models,
                _made(partial(_redacted, evaluators, redact), problem, config) as make,
            ):
                calls = ModelCalls(models, config, record, counter, meter, redact, outputs)
                survey = _survey_of(resolved, folder.parent, state)
                opened = OpenRun(resolved, record, calls, folder, seeds, outputs, survey)
                drive(opened, make(), meter, make)
                if ending and _has_room(opened, meter, settings):
                    _go_on(record, settings)  # the search was over, but the run was not
                    drive(opened, make(), meter, make)
        return summarize(folder, journal.events())


def _meter_of(state: State) -> LiveMeter:
    """Return a meter that goes on where a run broke off."""
    return LiveMeter(
        engine_seconds=state.costs.engine_seconds,
        child_seconds=state.costs.child_seconds,
        wall_seconds=state.costs.so_far().wall_seconds,
    )


def _folders(config: Run, results: Path) -> tuple[Path, ...]:
    return knowledge_folders(results, config.memory.workspace.path)


def _survey_of(resolved: ResolvedRun, results: Path, state: State) -> Surveyor | None:
    """Return what surveys a run that broke off before it was; then packs are read anew."""
    if state.surveyed or state.generation is not None:
        return None
    config, problem = resolved.config, resolved.problem
    packs = packs_of(config, problem, _folders(config, results))
    initial, analysed = resolved.initial, is_analysed(resolved)
    return surveyor(config, problem, initial, resolved.counter, packs, analysed=analysed)


def _go_on(record: Recorder, settings: Mapping[str, object]) -> None:
    """Record that a run is taken up again, perhaps with other settings."""
    spent = record.state.costs.so_far()
    cpu, wall = spent.cpu_seconds, spent.wall_seconds
    record(Resumed(cpu_seconds=cpu, wall_seconds=wall, settings=dict(settings)))


def _has_room(opened: OpenRun, meter: LiveMeter, settings: Mapping[str, object]) -> bool:
    """Say whether changed settings leave the search of a run that has ended something."""
    state = opened.record.state
    if not more(settings):
        return False
    reading = meter.glance(state.costs.child_seconds)
    limits = state.limits(opened.resolved.config)
    return not limits.ended(state.spent, reading, generations=finished(state))


def _recorder(
    journal: Journal,
    state: State,
    listeners: Sequence[Listener],
    folder: Path,
    config: Run,
    *,
    since: int = 0,
) -> Recorder:
    """Return what records a run: it hears what the run is told, and keeps where it stands."""
    keeper = Keeper(journal, state, listeners, since=since)
    return Hearing(journal, state, [*listeners, keeper], folder=folder, config=config)


def _taken_up(
    journal: Journal, state: State, listeners: Sequence[Listener], beside: RunWorkspace
) -> tuple[State, int]:
    """Return where a run stands, and how many of its steps were known from a snapshot.

    Args:
        journal: Journal of the run.
        state: The state before the first event.
        listeners: Are told of the past.
        beside: What is written beside the run; is told, too, or given its own past.
    """
    row = 0
    taken = Snapshots(journal).load(state)
    if taken is not None and taken.told(listeners):
        state, row = taken.state, taken.row
        beside.recall(taken.pasts)
    since = state.closed
    for event in journal.events(after=row):
        state.apply(event)
        for listener in beside.among(listeners):
            listener.on_event(event)
    return state, since


def _redacted(
    evaluators: EvaluatorFactory, redact: Redactor, problem: Problem, config: Run
) -> Evaluator:
    return redacting(evaluators(problem, config), redact)


@contextmanager
def _made(
    evaluators: EvaluatorFactory, problem: Problem, config: Run
) -> Iterator[Callable[[], list[Evaluator]]]:
    """Yield what makes an evaluator a worker, and close all of them, however this ends."""
    with ExitStack() as stack:

        def make() -> list[Evaluator]:
            made: list[Evaluator] = []
            for _ in range(config.workers):
                made.append(evaluators(problem, config))
                stack.callback(made[-1].close)
            return made

        yield make
