"""What every extractor must do, whoever writes the lesson. Inherit and give the fixture."""

from __future__ import annotations

import copy
import math

import pytest

from se_agent.protocols import Extractor
from se_agent.values.evaluation import Branch, FailedCase, Status
from se_agent.values.lesson import Direction, Lesson, Outcome
from se_agent.values.step import Step
from tests.memory.examples import (
    CHILD,
    PARENT,
    comparison,
    direction,
    failed,
    judged,
    proposal,
    slot,
)

OTHERS = (
    direction("Use a heap", Outcome.FAILED, key="heap@solve"),
    direction("Use bisect", Outcome.SUCCESS, key="bisect@solve"),
    direction("Unroll", key="unroll@solve"),
)
GAIN = judged(comparison(0.0105, 0.00011))
LOSS = judged(comparison(0.010, 0.012))
NOISE = judged(comparison(0.0100, 0.00995, spread=0.05))
WRONG = failed(Status.WA, case=FailedCase(name="case 3", expected="[1]", got="[2]"))
NOTHING = Step(slot=slot(CHILD))
DUPLICATE = Step(slot=slot(CHILD), proposal=proposal(), duplicate_of="Gen1_Sol_1")


class ExtractorContract:
    """Inherited by the tests of the deterministic extractor and of model-written ones."""

    @pytest.fixture
    def extractor(self) -> Extractor:
        raise NotImplementedError

    def extract(
        self, extractor: Extractor, step: Step, directions: tuple[Direction, ...] = OTHERS
    ) -> Lesson:
        return extractor.extract("Count the common values.", PARENT, step, directions)

    @pytest.mark.lm("LM-36", "LM-39")
    @pytest.mark.parametrize("step", [GAIN, LOSS, NOISE, WRONG, NOTHING, DUPLICATE])
    def test_same_step_same_lesson_and_what_it_was_given_is_left_alone(
        self, extractor: Extractor, step: Step
    ) -> None:
        before = copy.deepcopy((step, OTHERS))
        assert self.extract(extractor, step) == self.extract(extractor, step)
        assert (step, OTHERS) == before

    @pytest.mark.lm("LM-47", "LM-52")
    @pytest.mark.parametrize("step", [GAIN, LOSS, NOISE, WRONG])
    def test_the_whole_list_comes_back_with_the_new_direction(
        self, extractor: Extractor, step: Step
    ) -> None:
        told = self.extract(extractor, step).updated_directions
        assert {entry.key for entry in OTHERS} <= {entry.key for entry in told}
        assert [e.source_ref.solution_id for e in told].count(step.slot.child) == 1

    @pytest.mark.lm("LM-41")
    def test_a_proven_gain_is_a_success_with_an_item(self, extractor: Extractor) -> None:
        lesson = self.extract(extractor, GAIN)
        item = lesson.new_memory_item
        assert lesson.updated_directions[-1].outcome is Outcome.SUCCESS
        assert item is not None
        assert item.type is Branch.SUCCESS
        assert item.significant
        assert item.effect == pytest.approx(math.log(0.0105 / 0.00011))

    @pytest.mark.lm("LM-42")
    @pytest.mark.parametrize("step", [LOSS, WRONG])
    def test_a_loss_or_a_wrong_program_is_a_failure_with_an_item(
        self, extractor: Extractor, step: Step
    ) -> None:
        assert step.verdict is not None
        lesson = self.extract(extractor, step)
        item = lesson.new_memory_item
        assert lesson.updated_directions[-1].outcome is Outcome.FAILED
        assert item is not None
        assert (item.type, item.status) == (Branch.FAILURE, step.verdict.status)
        assert item.effect == step.verdict.effect

    @pytest.mark.lm("LM-34", "LM-41", "LM-42")
    def test_noise_is_neutral(self, extractor: Extractor) -> None:
        assert self.extract(extractor, NOISE).updated_directions[-1].outcome is Outcome.NEUTRAL

    @pytest.mark.parametrize("step", [NOTHING, DUPLICATE])
    def test_a_step_that_was_not_judged_teaches_nothing(
        self, extractor: Extractor, step: Step
    ) -> None:
        assert self.extract(extractor, step) == Lesson(updated_directions=OTHERS)

    @pytest.mark.lm("LM-15", "LM-23", "LM-24")
    def test_every_lesson_says_where_it_comes_from(self, extractor: Extractor) -> None:
        lesson = self.extract(extractor, GAIN)
        assert lesson.new_memory_item is not None
        for source in (
            lesson.updated_directions[-1].source_ref,
            lesson.new_memory_item.source_ref,
        ):
            assert source.generation == 1
            assert source.solution_id == CHILD.id
            assert source.parent_id == PARENT.id
        assert lesson.new_memory_item.related_operator == CHILD.operator
