"""The end of a step: its place in the population, whether it is the new best, and its lesson.

Not here: the verdict (`judging.judge`), and applying what is decided (`state`, when it is
recorded).
"""

from __future__ import annotations

from dataclasses import replace

from se_agent.engine.judging.evaluator_pool import Arena, fallen
from se_agent.engine.judging.judge import judge
from se_agent.engine.state.population import kept
from se_agent.engine.state.state import State
from se_agent.engine.step.components import Parts
from se_agent.engine.step.extract import Teaching
from se_agent.engine.step.session_updates import SessionFindings
from se_agent.events import Learned
from se_agent.stats.sequential import Z_YES
from se_agent.values.evaluation import (
    Comparison,
    Counterexample,
    SequentialDecision,
    Status,
    refuted_evaluation,
)
from se_agent.values.solution import Solution
from se_agent.values.step import Step
from se_agent.values.view import Member


class StepCommit:
    """Works out the event that closes a step, without changing anything."""

    def __init__(self, arena: Arena, state: State, parts: Parts) -> None:
        self._arena = arena
        self._state = state
        self._parts = parts
        self._teaching = Teaching(state, parts)
        self._findings = SessionFindings(state, parts)

    def learned_event(self, step: Step, candidate: Solution) -> Learned:
        """Return the event for a judged step; a new best may have to be measured for it."""
        assert step.verdict is not None, "judge the step first"
        step = self._retested(step, candidate)
        place, withdrawn = self._place(step), _faulty(step.slot.parents[0], step.comparison)
        met = self._met(step, candidate, place)
        if met is not None:
            withdrawn += _faulty(self._state.populated.best.solution, met)
            if met.status is not Status.AC and step.evaluation is not None:
                # Right on all inputs so far, and wrong on those of this last comparison.
                step = replace(step, comparison=met, verdict=judge(step.evaluation, met))
                place = None
        crowned = place is not None and self._wins(step, met)
        refuted = self._refuted(step.slot.number, candidate) if crowned else None
        if refuted is not None:
            step, place, crowned = _failed(step, refuted), None, False
            others = self._state.populated.trusted(kept(self._state.policy))
            withdrawn += fallen(self._arena, step.slot.number, others, refuted)
        if crowned:
            self._arena.observe(step.slot.number, candidate)
        best = self._state.populated.fallback(withdrawn)
        if crowned and place is not None:
            best = Member(solution=candidate, effect=place[0])
        return Learned(
            slot=step.slot.number,
            child=candidate.id,
            verdict=step.verdict,
            effect=place[0] if place else None,
            variance=place[1] if place else 0.0,
            best=best.solution.id,
            withdrawn=withdrawn,
            session_updates=self._findings.of(step.slot.number, step, best.solution),
            **self._teaching.of(step.slot.number, step, best)._asdict(),
        )

    def contrasts(self, slot: int) -> bool:
        """Say whether a lesson is learned where a slot without a candidate is closed."""
        return self._teaching.contrasts(slot)

    def unfilled_event(self, slot: int) -> Learned:
        """Return the event for a slot without a candidate."""
        best = self._state.populated.best
        taught = self._teaching.of(slot, None, best)
        found = self._findings.of(slot, None, best.solution)
        return Learned(
            slot=slot, best=best.solution.id, session_updates=found, **taught._asdict()
        )

    def _place(self, step: Step) -> tuple[float, float] | None:
        """Return effect and variance from the initial program; None for a wrong candidate."""
        parent = self._state.populated.members.get(step.slot.parents[0].id)
        verdict, found = step.verdict, step.comparison
        if verdict is None or found is None or parent is None:
            return None
        if verdict.status is not Status.AC or found.reference_status is not Status.AC:
            return None
        low, high = verdict.interval
        error = (high - low) / 2 / Z_YES
        return parent.effect + verdict.effect, parent.variance + error**2

    def _met(
        self, step: Step, candidate: Solution, place: tuple[float, float] | None
    ) -> Comparison | None:
        """Let a child with a proven gain meet the incumbent, where that is not its parent."""
        best, verdict = self._state.populated.best, step.verdict
        if place is None or verdict is None or not verdict.significant:
            return None
        if best.solution.id == step.slot.parents[0].id or place[0] <= best.effect:
            return None
        rule = self._parts.rule
        return self._arena.compare(step.slot.number, best.solution, candidate, rule)

    def _wins(self, step: Step, met: Comparison | None) -> bool:
        """Only a direct win makes a new best: over the parent that is it, or in the meeting."""
        if met is not None:
            return met.decision is SequentialDecision.YES
        if step.verdict is None or not step.verdict.significant:
            return False
        return self._state.populated.best.solution.id == step.slot.parents[0].id

    def _retested(self, step: Step, candidate: Solution) -> Step:
        """Hold a right candidate to what was found since it was evaluated."""
        number = step.slot.number
        for test in self._state.tests[self._state.tested_of(number) :]:
            if step.verdict is None or step.verdict.status is not Status.AC:
                break
            found = self._arena.retest(number, candidate, test)
            if found.status is not Status.AC:
                step = replace(
                    step, evaluation=found, comparison=None, verdict=judge(found, None)
                )
        return step

    def _refuted(self, slot: int, candidate: Solution) -> Counterexample | None:
        """Let a new best face the search for a counterexample before it is credited.

        The budget is asked each time: a round of challenges may take longer than all else. What
        the search has no time for is made up for by the confirmation, whose reserve holds it.
        """
        config, state = self._parts.config, self._state
        reading = self._parts.meter.glance(state.costs.child_seconds)
        return self._arena.hunt(
            slot,
            candidate,
            seconds=config.judge.counterexample_seconds,
            left=state.limits(config).left(reading),
        ).found


def _faulty(reference: Solution, found: Comparison | None) -> tuple[str, ...]:
    """Return the reference's id if a comparison showed that it is wrong."""
    wrong = found is not None and found.reference_status is not Status.AC
    return (reference.id,) if wrong else ()


def _failed(step: Step, test: Counterexample) -> Step:
    """Return the step of a candidate that passed all tests and is wrong all the same."""
    cost = step.evaluation.cost_seconds if step.evaluation else 0.0
    found = replace(refuted_evaluation(test), cost_seconds=cost)
    return replace(step, evaluation=found, comparison=None, verdict=judge(found, None))
