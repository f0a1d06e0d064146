"""What a scorer lets through, for `check`: found out, and told in lines or as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import TYPE_CHECKING

from se_agent.wording import counted

if TYPE_CHECKING:
    from evaluators.kinds.scorer_check import Scrutiny
    from se_agent.config.run_file import Run
    from se_agent.problem.model import Problem

_SHOWN = 5
_CURE = "let it raise ValueError for these: a search finds such answers, and lives on them"


def tried(run: Run, problem: Problem) -> Scrutiny | None:
    """Have spoiled answers rated; None for a problem without a scorer."""
    from evaluators.kinds.score import ScoreEvaluator
    from se_agent.engine.run.resolve import initial_of, registered_evaluator
    from se_agent.problem.model import ProblemKind

    if problem.kind is not ProblemKind.SCORE:
        return None
    evaluator = registered_evaluator(problem, run)
    with closing(evaluator):
        if not isinstance(evaluator, ScoreEvaluator):
            return None
        return evaluator.scrutiny(initial_of(problem, run))


def lines(found: Scrutiny) -> Iterator[tuple[str, str]]:
    """Yield label and text of each line for people."""
    from se_agent.report.words.phrases import figure, one_line

    answers = counted(found.tried, "spoiled answer")
    if not found.gaps:
        yield "scorer", f"no gain in any of {answers}: NaN, infinities, texts, empty ones"
        return
    yield "warning", f"the scorer lets {len(found.gaps)} of {answers} through"
    for gap in found.gaps[:_SHOWN]:
        told = f"{one_line(gap.words, 120)}: score {figure(gap.score)}"
        yield "", f"{told}, the right answer has {figure(found.right)}"
    if len(found.gaps) > _SHOWN:
        yield "", f"{len(found.gaps) - _SHOWN} more: --json lists all"
    yield "", _CURE


def row(found: Scrutiny) -> dict[str, object]:
    """Return the object that `--json` prints."""
    return {
        "tried": found.tried,
        "right": found.right,
        "let_through": [{"what": gap.words, "score": gap.score} for gap in found.gaps],
    }
