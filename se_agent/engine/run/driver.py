"""An open run is brought to its end: self-test, search, trimming, confirmation.

Each has a part of the time, and is broken off when that is over. Not here: how a run is opened,
or taken up again (`run`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from se_agent.config.run_file import Run
from se_agent.engine.judging.confirm import broken_off, confirm
from se_agent.engine.judging.drawing import Seeds, draw
from se_agent.engine.judging.evaluator_pool import RUN, Arena, Recorder
from se_agent.engine.judging.flags import flags_gain
from se_agent.engine.judging.kept_outputs import KeptOutputs
from se_agent.engine.judging.reference import NO_TIME, ReferenceComparison, against_reference
from se_agent.engine.judging.self_test import hopeless, self_test
from se_agent.engine.judging.terms import PLAIN_MARGIN, no_loss_of, proven_no_loss_of, rule_of
from se_agent.engine.models.calls import Calling
from se_agent.engine.run.experience import Recaller, recaller, remember
from se_agent.engine.run.foreign_memory import ForeignFacts, foreign_facts, send_graph
from se_agent.engine.run.resolve import ResolvedRun, as_operators
from se_agent.engine.run.upkeep import collect_garbage, keep_states, note_begin, note_end
from se_agent.engine.search.search_space import guesses
from se_agent.engine.state.budget import BudgetLimits
from se_agent.engine.state.meter import Act, Meter
from se_agent.engine.state.state import State
from se_agent.engine.step.components import Parts
from se_agent.engine.step.extract import compressor_of, extractor_of
from se_agent.engine.step.generation import cut
from se_agent.engine.step.minimise import Trimming, TrimTerms
from se_agent.engine.step.restyle import RULE as RESTYLE
from se_agent.engine.step.scheduler import Scheduler
from se_agent.engine.step.survey import Surveyor
from se_agent.errors import JournalError, SeAgentError
from se_agent.events import Ended, Remembered
from se_agent.memory_events import Noted, Recalled
from se_agent.protocols import Evaluator
from se_agent.stats.costs import Reading
from se_agent.values.evaluation import ComparisonKind
from se_agent.values.randomness import fresh_seed

_STRETCHED = 4.0  # seconds on the wall that a CPU second of a search for an input may take


@dataclass(frozen=True)
class OpenRun:
    """An open run: what `drive` needs. Without a folder nothing is kept for later runs.

    `seeds` gives the seed of its confirmation, `outputs` keeps what was seen of failures,
    `survey` what is known before the first step, `recall` what a repeated run recalled.
    """

    resolved: ResolvedRun
    record: Recorder
    calls: Calling
    folder: Path | None = None
    seeds: Seeds = fresh_seed
    outputs: KeptOutputs | None = None
    survey: Surveyor | None = None
    recall: Recaller | None = None


def drive(
    opened: OpenRun,
    evaluators: Sequence[Evaluator],
    meter: Meter,
    renewed: Callable[[], Sequence[Evaluator]] | None = None,
) -> None:
    """Bring an open run to its end: self-test, search, confirmation.

    Args:
        opened: The run.
        evaluators: One a worker.
        meter: Its clocks.
        renewed: Gives other evaluators: those at work when time runs out are closed.

    Raises:
        SeAgentError: Something of ours broke; it is on record, and the run can be resumed.
    """
    record, operators = opened.record, opened.resolved.operators
    guessing = frozenset(name for name, made in operators.items() if guesses(made))
    arena = Arena(evaluators, record, renewed, guessing, opened.outputs)
    try:
        Drive(opened, arena, evaluators[0].kind, meter).run()
    except SeAgentError as err:
        record.fail(err)
        _keep_states(opened)
        raise
    _keep_states(opened)


class Drive:
    """The way of one run to its end."""

    def __init__(
        self,
        opened: OpenRun,
        arena: Arena,
        kind: ComparisonKind,
        meter: Meter,
    ) -> None:
        self._opened = opened
        self._resolved = opened.resolved
        self._arena = arena
        self._kind = kind
        self._meter = meter
        self._record = opened.record
        self._config = opened.resolved.config

    def run(self) -> None:
        """Do all that is not on record yet."""
        state = self._state
        name = self._resolved.problem.name
        _upkeep(self._opened, lambda folder: note_begin(folder, self._config, name))
        if state.confirmed is None:
            if state.search_ended is None:
                self._in_time(BudgetLimits.left, Act.CLOSE, self._search)
            if state.search_ended is None:
                cut(self._parts(), self._record)
            if self._config.trim:
                self._in_time(BudgetLimits.trimming, Act.TRY, self._trim)
            whole = partial(BudgetLimits.left, whole=True)
            if not self._in_time(whole, Act.CONFIRM, self._confirm):
                self._record(broken_off(state.populated))
        self._end()

    @property
    def _state(self) -> State:
        return self._record.state

    @property
    def _limits(self) -> BudgetLimits:
        return self._state.limits(self._config)

    def _glance(self) -> Reading:
        return self._meter.glance(self._state.costs.child_seconds)

    def _in_time(
        self, left: Callable[[BudgetLimits, Reading], float], act: Act, work: Callable[[], None]
    ) -> bool:
        """Do the work of a phase; return whether it was done before its time was over."""
        self._arena.open()
        try:
            with self._meter.until(lambda: left(self._limits, self._glance()), self._stop):
                work()
        except JournalError:
            raise
        except SeAgentError:
            done = len(self._state.trimmed) if act is Act.TRY else self._state.closed
            told = act is Act.CLOSE and self._state.search_ended is not None
            rewording = any(one.edit.rule == RESTYLE for one in self._state.trimmed)
            act = Act.REWORD if act is Act.TRY and rewording else act
            if told or self._meter.allows(act, done):
                raise
            return False
        return True

    def _stop(self) -> None:
        """Break off what is under way: time is over."""
        if self._state.search_ended is None:
            self._opened.calls.close()
        self._arena.close()

    def _parts(self) -> Parts:
        config, calls = self._config, self._opened.calls
        return Parts(
            problem=self._resolved.problem,
            config=config,
            operators=as_operators(self._resolved.operators, calls, self._record, self._config),
            calls=calls,
            extractor=extractor_of(config, calls.ask),
            compressor=compressor_of(config, calls.ask),
            rule=rule_of(config, self._kind, self._state.spread or 0.0),
            meter=self._meter,
        )

    def _search(self) -> None:
        """See how much identical code differs, watch the initial program, and search."""
        arena, state = self._arena, self._state
        initial = state.populated.initial.solution
        survey = self._opened.survey
        if survey is not None and state.generation is None and not state.surveyed:
            self._record(*survey())
        if state.generation is None and state.recalled is None:
            _recall(self._opened)
        if self._kind is ComparisonKind.TIMED and state.spread is None:
            found = self_test(
                partial(arena.compare, RUN, initial, initial),
                measure=self._config.measure,
                judge=self._config.judge,
                who="the initial program",
            )
            self._record(found)
            if doubt := hopeless(found, measure=self._config.measure, judge=self._config.judge):
                raise doubt
        if state.generation is None:
            # Not later: a search that began without it is replayed without it.
            arena.observe(RUN, initial)
        Scheduler(self._parts(), arena, self._record).run()

    def _trim(self) -> None:
        config, kind, spread = self._config, self._kind, self._state.spread or 0.0
        assert self._state.started is not None
        if self._state.started.restyles:
            terms = TrimTerms(
                no_loss_of(config, kind, spread),
                no_loss_of(config, kind, spread, margin=PLAIN_MARGIN),
            )
        else:
            proven = proven_no_loss_of(config, kind, spread)
            terms = TrimTerms(proven, proven)
        Trimming(self._parts(), self._arena, self._record, terms).run()

    def _confirm(self) -> None:
        config, state, arena = self._config, self._state, self._arena
        draw(arena, self._record, self._opened.seeds)
        last = confirm(
            arena,
            state.populated,
            config,
            self._kind,
            state.spread or 0.0,
            lambda: _left_for_a_hunt(self._limits, self._glance(), config),
            thrifty=state.started is not None and state.started.thrifty,
        )
        best = state.populated.members[last.solution].solution
        flags = None
        try:
            beside = against_reference(arena, self._resolved.problem, best, config, self._kind)
            left = self._limits.left(self._glance(), whole=True)
            spread = state.spread or 0.0
            flags = flags_gain(arena, best, config, self._kind, spread=spread, left=left)
        except JournalError:
            raise
        except SeAgentError:
            if self._meter.allows(Act.CONFIRM):
                raise
            beside = ReferenceComparison(why_not=NO_TIME)  # a proof stands without it
        told = {"against_reference": beside.figures, "no_reference": beside.why_not}
        self._record(last.model_copy(update={**told, "with_flags": flags}))

    def _end(self) -> None:
        state, folder = self._state, self._opened.folder
        assert state.confirmed is not None
        if state.remembered is None and folder is not None and self._config.memory.writes_prior:
            problem, events = self._resolved.problem, self._record.numbered_events
            note = remember(folder, self._config, problem, state, events)
            self._record(Remembered(note=note))
            told = (event for _, event in events())
            _upkeep(self._opened, lambda folder: send_graph(self._config, told, folder.name))
        _upkeep(self._opened, lambda folder: collect_garbage(folder, self._config))
        reading = self._meter.read(state.costs.child_seconds)
        self._record(
            Ended(
                status=state.confirmed.status,
                cpu_seconds=reading.cpu_seconds,
                wall_seconds=reading.wall_seconds,
            )
        )
        status = state.confirmed.status
        _upkeep(self._opened, lambda folder: note_end(folder, self._config, status))


def _recall(opened: OpenRun) -> None:
    """Record what earlier runs give; a run that is repeated has it on record."""
    resolved, look_up = opened.resolved, opened.recall
    if opened.folder is not None:
        results, initial = opened.folder.parent, resolved.initial
        look_up = recaller(results, resolved.config, resolved.problem, initial)
    if look_up is None:
        return
    found, told = look_up(), ForeignFacts()
    if opened.folder is not None:
        told = foreign_facts(resolved.config, resolved.problem)
    if isinstance(found, Noted):
        opened.record(found)
        found = None
    if told.facts:
        found = (found or Recalled()).model_copy(update={"facts": told.facts})
    if found is not None:
        opened.record(found)
    if told.note:
        opened.record(Noted(text=told.note))


def _upkeep(opened: OpenRun, work: Callable[[Path], str]) -> None:
    """Do something for the workspace beside a run; what kept the run from it is noted."""
    folder, record = opened.folder, opened.record
    if folder is None or not (note := work(folder)):
        return
    if record.state.ended is None:
        record(Noted(text=note))
    else:  # a journal that is over stays as it is
        record.busy(note)


def _keep_states(opened: OpenRun) -> None:
    """Keep what each agent did last: the run stops here."""
    memory, config = opened.record.state.memory, opened.resolved.config
    if opened.folder is not None and memory is not None:
        note = keep_states(opened.folder, config, memory.messages.agents.known)
        if note:
            opened.record.busy(note)


def _left_for_a_hunt(limits: BudgetLimits, reading: Reading, config: Run) -> float:
    """Return the CPU seconds that are left besides the blocks of the confirmation."""
    left = limits.trimming(reading) + config.judge.counterexample_seconds
    return left / (_STRETCHED if limits.budget.wall_seconds else 1.0)
