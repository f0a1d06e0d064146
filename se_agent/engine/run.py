"""A run from start to end: wire the parts, drive the loop, confirm, and pick up where it broke.

A run folder is self-contained: `run.db` (the journal, which is the state), `problem.json` (the
problem as it was), `run.toml` (the configuration, for people).
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from se_agent import registry
from se_agent.config import Run, describe
from se_agent.engine.arena import RUN, Arena, Recorder
from se_agent.engine.budget import LiveMeter, Meter
from se_agent.engine.confirm import confirm
from se_agent.engine.journal import Journal
from se_agent.engine.loop import Search
from se_agent.engine.parts import Parts
from se_agent.engine.result import Result, summarize
from se_agent.engine.state import State
from se_agent.errors import JournalError, ProblemError, SeAgentError, did_you_mean
from se_agent.events import Ended, Event, Failed, SelfTested, Started
from se_agent.lessons import Metric
from se_agent.load import fingerprint, load_problem
from se_agent.memory.extract import DeterministicExtractor
from se_agent.memory.local import LocalMemory
from se_agent.memory.tokens import counter
from se_agent.problem import Problem
from se_agent.protocols import Evaluator, Listener, Operator, Policy
from se_agent.stats import Fixed, Once, Rule, Sequential, self_test_spread
from se_agent.types import Kind, Solution

_PROBLEM = TypeAdapter(Problem)

EvaluatorFactory = Callable[[Problem, Run], Evaluator]


@dataclass(frozen=True)
class Opened:
    """An open run: what `drive` needs."""

    folder: Path
    config: Run
    problem: Problem
    record: Recorder


def registered(problem: Problem, config: Run) -> Evaluator:
    """Return a new evaluator of the kind that the problem asks for."""
    made: Evaluator = registry.load("evaluator", problem.kind)(
        problem,
        measure=config.measure,
        isolation=config.sandbox.isolation,
        seed=config.seed,
    )
    return made


def start(
    config: Run,
    *,
    problem: Problem | None = None,
    listeners: Sequence[Listener] = (),
    evaluators: EvaluatorFactory = registered,
    announce: Callable[[Path], None] | None = None,
) -> Result:
    """Evolve a problem from the beginning.

    Args:
        config: The run file.
        problem: Instead of the one that `config` names.
        listeners: Are told of every event.
        evaluators: Makes an evaluator; one is made for every worker.
        announce: Is told the run folder as soon as the run can be resumed from it.

    Raises:
        SeAgentError: The problem, a name or this machine will not do; nothing was spent on a
            search yet.
    """
    problem = problem or load_problem(config.problem)
    initial = initial_of(problem, config)
    with _closing([evaluators(problem, config) for _ in range(config.workers)]) as made:
        state = new_state(config)
        checked = made[0].preflight(initial)
        folder = _folder(config, problem)
        with Journal(folder / "run.db") as journal:
            _describe(folder, problem, config)
            record = Recorder(journal, state, listeners)
            value = checked.evaluation.score if not problem.timed else checked.seconds
            record(
                Started(
                    name=problem.name,
                    config=config.model_dump(mode="json"),
                    problem=fingerprint(problem),
                    initial=initial,
                    evaluation=checked.evaluation,
                    measure=made[0].kind,
                    metric=Metric(
                        value=value or 0.0, unit=problem.unit, direction=problem.direction
                    ),
                    isolation=config.sandbox.isolation,
                    tokenizer=counter(config.memory.vocabulary).name,
                )
            )
            if announce is not None:
                announce(folder)
            drive(Opened(folder, config, problem, record), made, LiveMeter())
            return summarize(folder, journal.events())


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
    if not (folder / "run.db").is_file():
        raise JournalError(f"{folder}: no run here", hint="`se-agent ls` lists the runs")
    with Journal(folder / "run.db") as journal:
        past = list(journal.events())
        started, config, problem = stored(folder, past)
        state = new_state(config, tokenizer=started.tokenizer)
        for event in past:
            state.apply(event)
        if state.ended is None:
            record = Recorder(journal, state, listeners)
            for listener in listeners:
                for event in past:
                    listener.on_event(event)
            meter = LiveMeter(
                engine_seconds=state.engine_seconds,
                wall_seconds=state.reading.wall_seconds,
            )
            made = [evaluators(problem, config) for _ in range(config.workers)]
            with _closing(made):
                drive(Opened(folder, config, problem, record), made, meter)
        return summarize(folder, journal.events())


def drive(opened: Opened, evaluators: Sequence[Evaluator], meter: Meter) -> None:
    """Bring an open run to its end: self-test, search, confirmation.

    Raises:
        SeAgentError: Something of ours broke; it is on record, and the run can be resumed.
    """
    record = opened.record
    arena = Arena(evaluators, record)
    try:
        _drive(opened, arena, evaluators[0].kind, meter)
    except SeAgentError as err:
        if not isinstance(err, JournalError):
            record(Failed(message=str(err)))
        raise


def _drive(opened: Opened, arena: Arena, kind: Kind, meter: Meter) -> None:
    record, config, state = opened.record, opened.config, opened.record.state
    assert state.population is not None
    if kind is Kind.TIMED and state.spread is None:
        record(_self_test(arena, state.population.initial.solution, config))
    parts = Parts(
        problem=opened.problem,
        config=config,
        operators=operators_of(config),
        extractor=DeterministicExtractor(),
        rule=_rule(config, kind, state.spread),
        meter=meter,
    )
    end = Search(parts, arena, record).run()
    if state.confirmed is None:
        record(confirm(arena, state.population, config, kind, state.spread or 0.0))
    assert state.confirmed is not None
    reading = meter.read(-1, state.spent.child_seconds)
    record(
        Ended(
            status=state.confirmed.status,
            budget_end=end,
            generations=state.generation.generation if state.generation else 0,
            cpu_seconds=reading.cpu_seconds,
            wall_seconds=reading.wall_seconds,
        )
    )


def new_state(config: Run, *, tokenizer: str = "") -> State:
    """Return the state before the first event.

    Args:
        config: The run file.
        tokenizer: Name of the token counter that the run began with; empty: the best here.
    """
    arities = {name: operator.arity for name, operator in operators_of(config).items()}
    policy: Policy = registry.load("policy", config.policy)(arities, seed=config.seed)
    memory = None
    if config.memory.enabled:
        memory = LocalMemory(
            limits=config.memory, counter=counter(config.memory.vocabulary, name=tokenizer)
        )
    return State(policy=policy, memory=memory)


def stored(folder: Path, events: Sequence[Event]) -> tuple[Started, Run, Problem]:
    """Return what a run was started with: the event, its configuration and its problem.

    Raises:
        JournalError: The folder is incomplete.
    """
    started = next((event for event in events if isinstance(event, Started)), None)
    if started is None:
        raise JournalError(
            f"{folder}: the run never started", hint="delete the folder and run it again"
        )
    path = folder / "problem.json"
    try:
        problem = _PROBLEM.validate_json(path.read_bytes())
    except (OSError, ValidationError) as err:
        raise JournalError(
            f"{path}: cannot be read: {err}", hint="restore it from a copy of the run folder"
        ) from err
    return started, Run.model_validate_json(json.dumps(started.config)), problem


def operators_of(config: Run) -> dict[str, Operator]:
    """Return the operators that a run uses, by name.

    Raises:
        UnknownPluginError: One of them is not registered.
    """
    names = config.operators or registry.names("operator")
    return {name: registry.load("operator", name)() for name in names}


def _rule(config: Run, kind: Kind, spread: float | None) -> Rule:
    if kind is Kind.EXACT or spread is None:
        return Once()
    rules = config.judge
    return Sequential(
        margin=rules.margin,
        spread=spread,
        min_blocks=rules.min_blocks,
        max_blocks=rules.max_blocks,
        full=rules.pairs,
    )


def _self_test(arena: Arena, initial: Solution, config: Run) -> SelfTested:
    rule = Fixed(blocks=config.measure.self_test_blocks, per_block=config.judge.pairs)
    found = arena.compare(RUN, initial, initial, rule)
    spread = self_test_spread([block.effect for block in found.blocks])
    return SelfTested(spread=spread, blocks=found.blocks)


def initial_of(problem: Problem, config: Run) -> Solution:
    """Return the program that a run starts from.

    Raises:
        ProblemError: The problem has no program of that name.
    """
    try:
        return problem.initial(config.program)
    except KeyError as err:
        names = list(problem.programs)
        raise ProblemError(
            f"{problem.name}: no initial program {config.program!r}",
            hint=did_you_mean(config.program, names) or f"known: {', '.join(names)}",
        ) from err


def _describe(folder: Path, problem: Problem, config: Run) -> None:
    try:
        (folder / "problem.json").write_bytes(_PROBLEM.dump_json(problem))
        (folder / "run.toml").write_text(describe(config) + "\n", encoding="utf-8")
    except OSError as err:
        raise JournalError(
            f"{folder}: cannot be written: {err.strerror}; nothing was spent",
            hint="make room, delete the folder, and run it again",
        ) from err


def _folder(config: Run, problem: Problem) -> Path:
    """Make the run folder; a made-up name never meets another one."""
    root = Path(config.results)
    stamp = dt.datetime.now().astimezone().strftime("%Y%m%d-%H%M%S")
    name = config.name or f"{problem.name.replace('/', '_')}-{stamp}"
    for number in range(1, 1000):
        folder = root / (name if number == 1 else f"{name}-{number}")
        try:
            folder.mkdir(parents=True)
        except FileExistsError as err:
            if config.name:
                raise JournalError(
                    f"{folder}: there is a run of this name already",
                    hint=f"`se-agent resume {folder}`, or choose another name",
                ) from err
        except OSError as err:
            raise JournalError(
                f"{folder}: cannot be made: {err.strerror}",
                hint="choose another place with `--set results=FOLDER`",
            ) from err
        else:
            return folder
    raise JournalError(f"{root}: a thousand runs of one name", hint="tidy up the folder")


@contextmanager
def _closing(evaluators: list[Evaluator]) -> Iterator[list[Evaluator]]:
    try:
        yield evaluators
    finally:
        for evaluator in evaluators:
            evaluator.close()
