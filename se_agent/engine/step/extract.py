"""What a step teaches: its lesson, and the bank where a model compresses it.

Not here: how a lesson is worded (`se_agent.memory.extraction`), and how memory takes it in
(`se_agent.engine.state.memory_fold`).
"""

from __future__ import annotations

from typing import NamedTuple

from se_agent.abilities.optional import Contrasting
from se_agent.chat.retry import AskModel
from se_agent.config.run_file import Run
from se_agent.engine.state.global_status import standing
from se_agent.engine.state.state import State
from se_agent.engine.step.components import Parts
from se_agent.memory import replaced_list
from se_agent.memory.extraction import (
    DeterministicExtractor,
    ModelCompressor,
    ModelExtractor,
    SiblingExtractor,
)
from se_agent.protocols import Extractor
from se_agent.values.lesson import Item, Lesson
from se_agent.values.step import Step
from se_agent.values.view import Member


def extractor_of(config: Run, ask: AskModel) -> Extractor:
    """Return the extractor of a run: by a model, or by rules, as `memory.extraction` says."""
    match config.memory.extraction:
        case "each":
            return ModelExtractor(ask)
        case "batch":
            return SiblingExtractor(ask)
        case "declared":
            return DeterministicExtractor()


def compressor_of(config: Run, ask: AskModel) -> ModelCompressor | None:
    """Return the model that compresses the bank of a run; None: the rules do."""
    return ModelCompressor(ask) if config.memory.local.compression == "model" else None


class Taught(NamedTuple):
    """The part of `Learned` that memory takes in, under the same names."""

    lesson: Lesson | None = None
    bank: tuple[Item, ...] | None = None
    memory_version: int = 0
    refused: tuple[str, ...] = ()


class Teaching:
    """Works out what a step teaches, without changing anything."""

    def __init__(self, state: State, parts: Parts) -> None:
        self._state = state
        self._parts = parts

    def contrasts(self, slot: int) -> bool:
        """Say whether a slot is closed with a lesson even where it has no candidate."""
        return self._contrasting(slot) is not None and bool(self._state.siblings.steps)

    def of(self, slot: int, step: Step | None, best: Member) -> Taught:
        """Return what a slot teaches.

        Args:
            slot: Its number.
            step: Judged; None: it has no candidate.
            best: The incumbent after the step.
        """
        stack, started = self._state.memory, self._state.started
        assert started is not None
        lesson = self._lesson(slot, step)
        if stack is None or lesson is None:
            return Taught()
        memory = stack.local
        generation = (step or self._state.siblings.steps[-1]).slot.generation
        bank = None
        if self._parts.compressor is not None:
            status = standing(started, best, generation)
            bank = self._parts.compressor.compress(memory, lesson, status, slot=slot)
        refused = replaced_list(
            memory.attempted_directions, lesson.updated_directions, generation=generation
        ).refused
        return Taught(
            lesson=lesson,
            bank=bank,
            memory_version=memory.version + 1,
            refused=tuple(entry.direction for entry in refused),
        )

    def _lesson(self, slot: int, step: Step | None) -> Lesson | None:
        """Return the lesson: the one of the whole generation where the slot completes it."""
        memory, siblings = self._state.memory, tuple(self._state.siblings.steps)
        if memory is None or (step is None and not self.contrasts(slot)):
            return None
        problem, listed = self._parts.problem.statement, memory.local.attempted_directions
        if (contrasting := self._contrasting(slot)) is not None:
            return contrasting.contrast(problem, siblings, step, listed, slot=slot)
        assert step is not None
        return self._parts.extractor.extract(problem, step.slot.parents[0], step, listed)

    def _contrasting(self, slot: int) -> Contrasting | None:
        """Return what distils a whole generation, where the slot completes one."""
        extractor, state = self._parts.extractor, self._state
        complete = state.memory is not None and state.siblings.complete(slot)
        return extractor if complete and isinstance(extractor, Contrasting) else None
