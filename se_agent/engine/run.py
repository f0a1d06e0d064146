"""A run from start to end: self-test, search, confirmation; and one that is taken up again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from se_agent.config import Run
from se_agent.deviations import deviations
from se_agent.engine.judging.arena import RUN, Arena, Recorder
from se_agent.engine.judging.confirm import confirm
from se_agent.engine.judging.flags import flags_gain
from se_agent.engine.judging.reference import against_reference
from se_agent.engine.judging.self_test import hopeless, self_test
from se_agent.engine.judging.terms import (
    no_loss_of,
    objective_of,
    rule_of,
    tolerance_told,
)
from se_agent.engine.models import endpoints
from se_agent.engine.models.calls import Calling, Calls
from se_agent.engine.record import folder as folders
from se_agent.engine.record.journal import Journal
from se_agent.engine.record.result import Result, summarize
from se_agent.engine.rehearsal import check_budget, check_context, cramped, openings
from se_agent.engine.search.reachable import guesses
from se_agent.engine.snapshot import Keeper, Snapshots
from se_agent.engine.state.budget import Limits, LiveMeter, Meter
from se_agent.engine.state.experience import recalled
from se_agent.engine.state.state import State
from se_agent.engine.steps.loop import Search
from se_agent.engine.steps.parts import Parts
from se_agent.engine.steps.teaching import compressor_of, extractor_of
from se_agent.engine.steps.trimming import Trimming
from se_agent.engine.telling import Hearing
from se_agent.engine.wiring import (
    EvaluatorFactory,
    counter_of,
    initial_of,
    lifted,
    new_state,
    operators_of,
    placed,
    registered,
)
from se_agent.errors import JournalError, MemoryFileError, SeAgentError
from se_agent.events import Confirmed, Ended, Failed, Remembered, Resumed, Started
from se_agent.lessons import Metric
from se_agent.load import fingerprint, load_problem
from se_agent.memory import store
from se_agent.objective import CPU_TIME
from se_agent.problem import Problem
from se_agent.protocols import Evaluator, Listener, Model, ModelWritten, Operator
from se_agent.types import Kind, Preflight, Solution

_UNTRUSTED = "what untrusted scores taught is for no other run"


@dataclass(frozen=True)
class Opened:
    """An open run: what `drive` needs. Without a folder nothing is kept for later runs."""

    config: Run
    problem: Problem
    record: Recorder
    calls: Calling
    folder: Path | None = None


def start(
    config: Run,
    *,
    problem: Problem | None = None,
    listeners: Sequence[Listener] = (),
    evaluators: EvaluatorFactory = registered,
    announce: Callable[[Path], None] | None = None,
    doubted: Callable[[], SeAgentError | None] | None = None,
    notes: Sequence[str] = (),
) -> Result:
    """Evolve a problem from the beginning.

    Args:
        config: The run file.
        problem: Instead of the one that `config` names.
        listeners: Are told of every event.
        evaluators: Makes an evaluator; one is made for every worker.
        announce: Is told the run folder as soon as the run can be resumed from it.
        doubted: Looks, once the initial program was checked, for a reason not to begin, and
            returns it as an error.
        notes: Doubts that were met before, a sentence each; on record with the run's own.

    Raises:
        SeAgentError: The problem, a name or this machine will not do; nothing was spent on a
            search yet.
    """
    problem, given = problem or load_problem(config.problem), config
    initial = initial_of(problem, config)
    with _prepared(placed(config, problem), problem, initial, evaluators, doubted) as ready:
        config, made, models, checked = ready
        state = new_state(config)
        folder, journal = folders.opened(config, problem)
        with journal:
            folders.describe_run(folder, problem, config)
            record = _recorder(journal, state, listeners, folder, config)
            found = recalled(folder.parent, config, problem, initial, config.operators)
            meter = LiveMeter()  # its time begins with the run's first event, not after it
            started = _started(problem, config, initial, checked, made[0].kind)
            settings = deviations(given.model_dump(mode="json"))
            known = {"prior": found.prior, "prior_from": found.words, "settings": settings}
            told = (*notes, *tolerance_told(config), *started.notes)
            record(started.model_copy(update=known | {"notes": told}))
            if announce is not None:
                announce(folder)
            calls = Calls(models, config, record, counter_of(config), meter)
            drive(Opened(config, problem, record, calls, folder), made, meter)
            return summarize(folder, journal.events())


@contextmanager
def _prepared(
    config: Run,
    problem: Problem,
    initial: Solution,
    evaluators: EvaluatorFactory,
    doubted: Callable[[], SeAgentError | None] | None,
) -> Iterator[tuple[Run, Sequence[Evaluator], Mapping[str, Model], Preflight]]:
    """Have the initial program checked, and load operators and models meanwhile.

    A user waits for the longer of both, not for the sum. Yields the run file with the names of
    all operators, and what was made; all is closed, however this ends.
    """
    with (
        ThreadPoolExecutor(1, thread_name_prefix="preflight") as beside,
        _made(evaluators, problem, config) as made,
    ):
        checking = beside.submit(made[0].preflight, initial)
        operators = operators_of(config, language=problem.language)
        config = config.model_copy(update={"operators": tuple(operators)})
        roles = endpoints.roles_of(config, operators)
        opened = openings(config, problem) if roles else []
        check_context(config, opened)
        check_budget(config, opened)
        with endpoints.made(config, roles) as models:
            checked = checking.result()
            if doubted is not None and (doubt := doubted()):
                raise doubt
            notes = (*checked.notes, *cramped(config, opened))
            yield config, made, models, replace(checked, notes=notes)


def _started(
    problem: Problem, config: Run, initial: Solution, checked: Preflight, kind: Kind
) -> Started:
    objective = objective_of(problem, config)
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
        config=config.model_dump(mode="json"),
        problem=fingerprint(problem),
        initial=initial,
        evaluation=checked.evaluation,
        measure=kind,
        metric=metric,
        isolation=config.sandbox.isolation,
        tokenizer=counter_of(config).name,
        trims_in_groups=True,
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
    evaluators: EvaluatorFactory = registered,
) -> Result:
    """Take up a run where it broke off; one that has ended is left as it is.

    Raises:
        JournalError: There is no such run, it is locked, or its folder is incomplete.
    """
    if not (folder / folders.JOURNAL).is_file():
        raise JournalError(f"{folder}: no run here", hint="`se-agent ls` lists the runs")
    with Journal(folder / folders.JOURNAL) as journal:
        started, config, problem = folders.stored(folder, journal.events())
        state, since = _taken_up(journal, config, started, listeners)
        if state.ended is None:
            record = _recorder(journal, state, listeners, folder, config, since=since)
            reading = state.costs.so_far()
            record(Resumed(cpu_seconds=reading.cpu_seconds, wall_seconds=reading.wall_seconds))
            meter = LiveMeter(
                engine_seconds=state.costs.engine_seconds, wall_seconds=reading.wall_seconds
            )
            roles = endpoints.roles_of(config, operators_of(config))
            with (
                endpoints.made(config, roles) as models,
                _made(evaluators, problem, config) as made,
            ):
                counter = counter_of(config, name=started.tokenizer)
                calls = Calls(models, config, record, counter, meter)
                drive(Opened(config, problem, record, calls, folder), made, meter)
        return summarize(folder, journal.events())


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
    journal: Journal, config: Run, started: Started, listeners: Sequence[Listener]
) -> tuple[State, int]:
    """Return where a run stands, and how many of its steps were known from a snapshot."""
    state, row = new_state(config, tokenizer=started.tokenizer), 0
    taken = Snapshots(journal).load(state.memory.counter if state.memory else None)
    if taken is not None and taken.told(listeners):
        state, row = taken.state, taken.row
    since = state.closed
    for event in journal.events(after=row):
        state.apply(event)
        for listener in listeners:
            listener.on_event(event)
    return state, since


def drive(opened: Opened, evaluators: Sequence[Evaluator], meter: Meter) -> None:
    """Bring an open run to its end: self-test, search, confirmation.

    Raises:
        SeAgentError: Something of ours broke; it is on record, and the run can be resumed.
    """
    record = opened.record
    operators = operators_of(opened.config)
    guessing = frozenset(name for name, made in operators.items() if guesses(made))
    arena = Arena(evaluators, record, guessing)
    try:
        _drive(opened, arena, operators, evaluators[0].kind, meter)
    except SeAgentError as err:
        if record.state.ended is None and not isinstance(err, JournalError):
            record(Failed(message=str(err)))
        raise


def _drive(
    opened: Opened,
    arena: Arena,
    operators: Mapping[str, Operator | ModelWritten],
    kind: Kind,
    meter: Meter,
) -> None:
    record, config, state = opened.record, opened.config, opened.record.state
    assert state.started is not None
    if kind is Kind.TIMED and state.spread is None:
        initial = state.populated.initial.solution
        found = self_test(
            partial(arena.compare, RUN, initial, initial),
            measure=config.measure,
            judge=config.judge,
            who="the initial program",
        )
        record(found)
        if (doubt := hopeless(found, measure=config.measure, judge=config.judge)) is not None:
            raise doubt
    if state.generation is None:
        # Not later: a search that began without it is replayed without it.
        arena.observe(RUN, state.populated.initial.solution)
    if state.confirmed is None:
        parts = Parts(
            problem=opened.problem,
            config=config,
            operators=lifted(operators, opened.calls, record),
            calls=opened.calls,
            extractor=extractor_of(config, opened.calls.ask),
            compressor=compressor_of(config, opened.calls.ask),
            rule=rule_of(config, kind, state.spread),
            meter=meter,
        )
        if state.search_ended is None:
            Search(parts, arena, record).run()
        no_loss = no_loss_of(config, kind, state.spread)
        Trimming(replace(parts, rule=no_loss), arena, record).run()
        record(_confirmed(opened, arena, kind, meter))
    assert state.confirmed is not None
    if state.remembered is None and opened.folder is not None and config.memory.writes_prior:
        record(Remembered(note=_remember(opened.folder, opened.problem, state)))
    reading = meter.read(state.costs.child_seconds)
    record(
        Ended(
            status=state.confirmed.status,
            cpu_seconds=reading.cpu_seconds,
            wall_seconds=reading.wall_seconds,
        )
    )


def _confirmed(opened: Opened, arena: Arena, kind: Kind, meter: Meter) -> Confirmed:
    config, state = opened.config, opened.record.state
    assert state.started is not None
    limits = Limits.of(config, state.started)
    last = confirm(
        arena,
        state.populated,
        config,
        kind,
        state.spread or 0.0,
        lambda: limits.left(meter.glance(state.costs.child_seconds), whole=True),
    )
    best = state.populated.members[last.solution].solution
    beside = against_reference(arena, opened.problem, best, config, kind)
    left = limits.left(meter.glance(state.costs.child_seconds), whole=True)
    flags = flags_gain(arena, best, config, kind, spread=state.spread or 0.0, left=left)
    told = {"against_reference": beside.figures, "no_reference": beside.why_not}
    return last.model_copy(update={**told, "with_flags": flags})


def _remember(folder: Path, problem: Problem, state: State) -> str:
    """Keep what a run found out for later ones; return what kept it from that, or nothing."""
    assert state.started is not None
    if not problem.trusted:
        return _UNTRUSTED
    name = f"{folder.name} {state.started.at.isoformat()}"
    trials = state.experience.trials(problem, state.started.initial)
    try:
        store.write(folder.parent / store.FILE, name, trials)
    except MemoryFileError as err:
        return str(err)
    return ""


@contextmanager
def _made(
    evaluators: EvaluatorFactory, problem: Problem, config: Run
) -> Iterator[list[Evaluator]]:
    """Make an evaluator a worker, and close all of them, however this ends."""
    with ExitStack() as stack:
        made: list[Evaluator] = []
        for _ in range(config.workers):
            made.append(evaluators(problem, config))
            stack.callback(made[-1].close)
        yield made
