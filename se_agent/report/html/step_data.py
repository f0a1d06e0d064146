"""What a page shows of one step: measurements, failing cases, hot lines. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from se_agent.events import BlockMeasured
from se_agent.report.html.figures import short
from se_agent.report.html.text_pool import TextPool
from se_agent.report.story import Chapter, Story
from se_agent.values.evaluation import Evaluation, FailedCase
from se_agent.values.observation import Observation

_HOT = 12
_CASES = 20


@dataclass(frozen=True)
class StepDetails:
    """Where the long texts of steps go, and what their effects mean."""

    pool: TextPool
    timed: bool

    def of_program(self, solution: str, story: Story) -> dict[str, object]:
        """Return what is known of a program that no step made."""
        seen = story.observed.get(solution)
        blocks = (event for event in story.own_blocks if event.candidate == solution)
        evaluation = None
        if story.started is not None and story.started.initial.id == solution:
            evaluation = story.started.evaluation
        return {
            "evaluation": _evaluation(evaluation),
            "failing": [],
            "blocks": [_block(event) for event in blocks],
            "observed": _observed(seen),
            "calls": [],
            "lesson": None,
        }

    def case(self, found: FailedCase) -> dict[str, object]:
        """Return a case that failed; its texts are numbers of the pool."""
        return {
            "name": found.name,
            "input": self.pool.add(found.input),
            "expected": self.pool.add(found.expected),
            "got": self.pool.add(found.got),
        }


def step_details(chapter: Chapter, story: Story, details: StepDetails) -> dict[str, object]:
    """Return what is shown of a step beside its row."""
    proposal = chapter.proposed.proposal if chapter.proposed else None
    final = [event for event in story.own_blocks if event.candidate == chapter.id]
    return {
        "direction": proposal.direction if proposal else "",
        "expected": proposal.expected_effect if proposal else "",
        "used": proposal.lessons_used if proposal else (),
        "notes": proposal.notes if proposal else (),
        "duplicate": chapter.proposed.duplicate_of if chapter.proposed else "",
        "planned": [s.name for s in chapter.planned.strategies] if chapter.planned else [],
        "evaluation": _evaluation(chapter.evaluation),
        "failing": [details.case(case) for case in _failing(chapter)][:_CASES],
        "blocks": [_block(event) for event in (*chapter.blocks, *final)],
        "observed": _observed(story.observed.get(chapter.id)),
    }


def _failing(chapter: Chapter) -> Iterator[FailedCase]:
    """Yield the inputs that a candidate failed on: of the tests, of blocks, made up."""
    if chapter.evaluation is not None:
        yield from chapter.evaluation.failing
    for event in chapter.blocks:
        yield from event.block.failing
    if chapter.challenged is not None and chapter.challenged.hunt.found is not None:
        yield chapter.challenged.hunt.found.failed


def _evaluation(found: Evaluation | None) -> Mapping[str, object] | None:
    if found is None:
        return None
    measured = found.measurement
    return {
        "status": str(found.status),
        "cpu_seconds": short(measured.cpu_seconds) if measured else None,
        "peak_bytes": measured.peak_bytes if measured else None,
        "score": short(found.score),
        "feedback": found.feedback,
        "cost_seconds": short(found.cost_seconds),
    }


def _block(event: BlockMeasured) -> list[object]:
    """Return a block in the order of the columns that the page shows."""
    block = event.block
    return [
        event.reference,
        str(event.inputs),
        block.number,
        short(block.effect),
        short(block.reference),
        short(block.candidate),
        block.unit,
        block.pairs,
        str(block.status),
    ]


def _observed(found: Observation | None) -> Mapping[str, object] | None:
    if not found:
        return None
    return {
        "hot": [
            [each.line, each.function, each.text, short(each.share), each.hits]
            for each in found.hot[:_HOT]
        ],
        "allocations": [
            [each.line, each.function, each.text, short(each.share), each.bytes]
            for each in found.allocations[:_HOT]
        ],
        "exponent": short(found.scaling.exponent) if found.scaling else None,
    }
