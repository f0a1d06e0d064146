"""What a closed step adds to session memory: what replies say, and what was measured.

Pure. With a model or without: an input that refuted a champion is a constraint, a program that
was mended is a fix, one that failed an analysis, and the line that costs most a strategy. What
is measured is verified; what a reply says is not. Not here: how it is merged
(`se_agent.memory.session`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from operator import attrgetter

from se_agent.chat.escaping import inline, shortened_text
from se_agent.engine.models.briefing import seen_in
from se_agent.engine.state.open_steps import OpenSlot
from se_agent.engine.state.state import State
from se_agent.engine.step.components import Parts
from se_agent.memory import result_phrase, session_updates_of, updates_within
from se_agent.program.error_report import telling_part
from se_agent.program.error_template import error_template
from se_agent.values.evaluation import Calls, Counterexample, Evaluation, Status
from se_agent.values.search_context import Failure
from se_agent.values.session import (
    Constraint,
    CoverageStrategy,
    Decision,
    FailureAnalysis,
    KnownFix,
    SessionUpdates,
    SkeletonComponents,
)
from se_agent.values.solution import Solution
from se_agent.values.step import Step

GIVEN_UP = 4
"""Tries of a strategy without a proven gain after which it counts as given up."""

EVALUATOR, PROFILER, SUPERVISOR = "evaluator", "profiler", "supervisor"
"""Sources of what Python finds: by judging, by watching, and by choosing what comes next."""

_CHEAPER = "Make this line cheaper, or reach it less often: "
_SHORT, _LONG = 120, 300  # characters of a value, and of a report
_SILENT = {
    Status.WA: "wrong answer",
    Status.TLE: "time limit exceeded",
    Status.MLE: "memory limit exceeded",
    Status.REJECTED: "refused by the sandbox",
}
"""What stands for a template where a program says nothing itself."""


class SessionFindings:
    """Works out what a step adds, without changing anything."""

    def __init__(self, state: State, parts: Parts) -> None:
        self._state = state
        self._parts = parts

    def of(self, slot: int, step: Step | None, best: Solution) -> SessionUpdates | None:
        """Return what a slot adds; None: nothing, or session memory is off.

        Args:
            slot: Its number; it is still open.
            step: Judged; None: it has no candidate.
            best: The incumbent after the step.
        """
        config, stack = self._parts.config.memory.session, self._state.memory
        if stack is None or not config.enabled or not self._state.surveyed:
            return None  # a run of before there was session memory goes on without
        stages = self._state.open.of(slot)
        generation = stages.slot.generation if stages.slot else 0
        known = stack.knowledge.surveyed.names if stack.knowledge else ()
        said = [*self._told(stages, generation, known)] if config.tags else []
        found = joined([*said, self._measured(stages, step, best, generation)])
        found = updates_within(found, config.kept)
        return None if found.empty and not found.dropped else found

    def _told(
        self, stages: OpenSlot, generation: int, known: Collection[str]
    ) -> Iterator[SessionUpdates]:
        """Give what the tags of replies say, each as far as its role may."""
        config = self._parts.config.memory.session
        for reply in stages.replies:
            allowed = config.written_by(reply.role)
            text, role = reply.text, reply.role
            yield session_updates_of(text, role, generation, allowed, known=known)

    def _measured(
        self, stages: OpenSlot, step: Step | None, best: Solution, generation: int
    ) -> SessionUpdates:
        hunts = (hunt.test for hunt in stages.hunts.values())
        tests = [test for test in hunts if test is not None]
        return SessionUpdates(
            api_constraints=tuple(constraint(test, generation) for test in tests),
            known_fixes=tuple(self._mended(stages, step)),
            decisions=tuple(self._turned(stages, step, generation)),
            coverage_strategies=(
                *self._tried(step),
                *self._hottest(best, generation),
            ),
            failure_analyses=tuple(_failure(step)),
        )

    def _mended(self, stages: OpenSlot, step: Step | None) -> Iterator[KnownFix]:
        """Give the fix of a program that failed, where its child is right."""
        past, slot = stages.past, stages.slot
        if step is None or step.proposal is None or not slot or not past or not slot.subject:
            return
        if step.verdict is None or step.verdict.status is not Status.AC:
            return
        for failure in past.knowledge.failures:
            if failure.solution.id == slot.subject:
                yield _fix(failure, step)

    def _turned(
        self, stages: OpenSlot, step: Step | None, generation: int
    ) -> Iterator[Decision]:
        """Give what the policy decided: other strategies, or one less."""
        ledger = self._state.knowledge.ledger
        if stages.planned and ledger:
            names = ", ".join(strategy.name for strategy in stages.planned)
            why = f"{len(ledger)} strategies so far, and the leading ones brought no gain"
            yield _decision(f"Plan anew: {shortened_text(names, _LONG)}", why, generation)
        record = ledger.get(stages.slot.strategy) if stages.slot else None
        if record is None or record.gains:
            return
        name = record.strategy.name
        if record.tries >= GIVEN_UP and step is not None and step.gain:
            yield _decision(f"Take up again the strategy: {name}", _came(step), generation)
        if record.tries + 1 == GIVEN_UP and (step is None or not step.gain):
            last = f"; it failed last with: {record.failure}" if record.failure else ""
            why = f"{GIVEN_UP} tries without a proven gain{last}"
            yield _decision(f"Give up the strategy: {name}", why, generation)

    def _tried(self, step: Step | None) -> Iterator[CoverageStrategy]:
        """Give the strategies that a judged step followed, with what came of them.

        What was tried in vain and brings a gain later has worked: a gain is proven.
        """
        memory = self._state.memory
        if memory is None or step is None or step.proposal is None or step.verdict is None:
            return
        old, new = step.slot.parents[0].all_text, step.proposal.solution.all_text
        for one in memory.session.coverage_strategies:
            is_news = step.gain or not one.outcome
            if one.source == PROFILER and is_news and _changed(one, old, new):
                outcome = shortened_text(result_phrase(step), _SHORT)
                iteration = step.slot.generation
                yield one.model_copy(update={"outcome": outcome, "iteration": iteration})

    def _hottest(self, best: Solution, generation: int) -> Iterator[CoverageStrategy]:
        """Give the line in which the incumbent spends most, where nobody named it before."""
        if not self._parts.config.memory.session.strategies:
            return
        memory, state = self._state.memory, self._state
        known = memory.session.coverage_strategies if memory else ()
        if best.id == state.populated.best.solution.id and known:
            return
        hot = seen_in(state.seen_of(best), best).hot
        found = max(hot, key=attrgetter("share"), default=None)
        if found is None or any(one.strategy == f"{_CHEAPER}{found.text}" for one in known):
            return
        yield CoverageStrategy(
            strategy=f"{_CHEAPER}{found.text}",
            target=f"line {found.line} of {best.id}, {found.share:.0%} of what it costs",
            source=PROFILER,
            iteration=generation,
            verified=True,
        )


def joined(updates: Iterable[SessionUpdates]) -> SessionUpdates:
    """Return several updates as one, in their order; the last archetype counts."""
    found = list(updates)
    parts = [each.skeleton_components for each in found]
    return SessionUpdates(
        api_constraints=tuple(e for each in found for e in each.api_constraints),
        archetype=next((u.archetype for u in reversed(found) if u.archetype), None),
        known_fixes=tuple(e for each in found for e in each.known_fixes),
        decisions=tuple(e for each in found for e in each.decisions),
        coverage_strategies=tuple(e for each in found for e in each.coverage_strategies),
        failure_analyses=tuple(e for each in found for e in each.failure_analyses),
        skeleton_components=SkeletonComponents(
            headers=tuple(e for each in parts for e in each.headers),
            input_validation=tuple(e for each in parts for e in each.input_validation),
            setup_sequence=tuple(e for each in parts for e in each.setup_sequence),
            cleanup_sequence=tuple(e for each in parts for e in each.cleanup_sequence),
            parameter_construction=tuple(
                e for each in parts for e in each.parameter_construction
            ),
        ),
        dropped=sum(each.dropped for each in found),
    )


def constraint(test: Counterexample, generation: int) -> Constraint:
    """Return what an input says that refuted a champion: every program answers it so."""
    case = test.failed
    again = ", when it is asked again" if test.calls is Calls.REPEATED else ""
    wanted, given = (shortened_text(text, _SHORT) for text in (case.expected, case.input))
    wrong = shortened_text(case.got, _SHORT)
    return Constraint(
        constraint=f"answers {wanted} for {given}{again}, not {wrong}",
        source=EVALUATOR,
        confidence="high",
        iteration=generation,
        verified=True,
    )


def template_of(found: Evaluation) -> str:
    """Return the template of a failure: of what the program said, or else how it failed."""
    if (silent := _SILENT.get(found.status)) is not None:
        return silent
    return error_template(found.feedback).words or found.status.value


def _failure(step: Step | None) -> Iterator[FailureAnalysis]:
    found = step.evaluation if step else None
    if step is None or found is None or found.status is Status.AC or step.verdict is None:
        return
    yield FailureAnalysis(
        template=template_of(found),
        details=inline(telling_part(found.feedback, _LONG)) or result_phrase(step),
        source=EVALUATOR,
        iteration=step.slot.generation,
        verified=True,
    )


def _fix(failure: Failure, step: Step) -> KnownFix:
    assert step.proposal is not None
    return KnownFix(
        error_pattern=template_of(failure.evaluation),
        solution=shortened_text(step.proposal.direction, _LONG),
        source=step.slot.operator,
        iteration=step.slot.generation,
        verified=True,
    )


def _came(step: Step) -> str:
    return f"it brought a proven gain: {shortened_text(result_phrase(step), _SHORT)}"


def _decision(text: str, reason: str, generation: int) -> Decision:
    return Decision(decision=text, reason=reason, source=SUPERVISOR, iteration=generation)


def _changed(strategy: CoverageStrategy, old: str, new: str) -> bool:
    """Say whether a program has no longer the line that a strategy names."""
    line = strategy.strategy.removeprefix(_CHEAPER)
    return line in old and line not in new
