"""The end of a step: its place in the population, whether it is the new best, and its lesson.

Not here: the verdict (`judge`), and applying what is decided (`state`, when it is recorded).
"""

from __future__ import annotations

from se_agent.engine.arena import Arena
from se_agent.engine.parts import Parts
from se_agent.engine.population import Population
from se_agent.engine.state import State
from se_agent.events import Learned
from se_agent.lessons import Lesson
from se_agent.types import Decision, Solution, Status, Step

_Z_99 = 2.576  # an interval of 99 % reaches so many deviations to either side


class Closing:
    """Works out the event that closes a step, without changing anything."""

    def __init__(self, arena: Arena, state: State, parts: Parts) -> None:
        self._arena = arena
        self._state = state
        self._parts = parts

    def learned(self, step: Step, candidate: Solution) -> Learned:
        """Return the event for a judged step; a new best may have to be measured for it."""
        parent, verdict = step.slot.parents[0], step.verdict
        assert verdict is not None, "judge the step first"
        faulty = step.comparison and step.comparison.reference_status is not Status.AC
        place = None if faulty else self._place(step)
        best = self._population.best.solution
        if verdict.significant and place and self._wins(step, candidate, place[0]):
            best = candidate
        lesson, memory = self._lesson(step, parent), self._state.memory
        return Learned(
            slot=step.slot.number,
            child=candidate.id,
            verdict=verdict,
            effect=place[0] if place else None,
            variance=place[1] if place else 0.0,
            best=best.id,
            withdrawn=(parent.id,) if faulty else (),
            lesson=lesson,
            memory_version=memory.version + 1 if memory and lesson else 0,
        )

    @property
    def _population(self) -> Population:
        assert self._state.population is not None, "the run was not started"
        return self._state.population

    def _place(self, step: Step) -> tuple[float, float] | None:
        """Return effect and variance from the initial program; None for a wrong candidate."""
        parent = self._population.members.get(step.slot.parents[0].id)
        verdict = step.verdict
        if verdict is None or verdict.status is not Status.AC or parent is None:
            return None
        low, high = verdict.interval
        deviation = (high - low) / 2 / _Z_99
        return parent.effect + verdict.effect, parent.variance + deviation**2

    def _wins(self, step: Step, candidate: Solution, effect: float) -> bool:
        """Let a child with a proven gain meet the incumbent: only a direct win counts."""
        best = self._population.best
        if best.solution.id == step.slot.parents[0].id:
            return True
        if effect <= best.effect:
            return False
        rule = self._parts.rule
        met = self._arena.compare(step.slot.number, best.solution, candidate, rule)
        return met.decision is Decision.YES

    def _lesson(self, step: Step, parent: Solution) -> Lesson | None:
        memory = self._state.memory
        if memory is None:
            return None
        return self._parts.extractor.extract(
            self._parts.problem.statement, parent, step, memory.attempted_directions
        )
