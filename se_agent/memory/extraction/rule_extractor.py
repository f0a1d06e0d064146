"""The extractor that needs no model: it words a lesson by rules, out of what was measured.

Pure. It has two tasks (LM-43): it brings the list of directions up to date, and writes an item
unless what happened is within noise. Not here: the words for figures, changes and their context
(`local.evidence`), and lessons that a model words (`llm_extractor`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from se_agent.chat.escaping import inline, shortened_text
from se_agent.memory.local import evidence
from se_agent.memory.local.directions import AT, direction_key, joint_key, words_of
from se_agent.values.evaluation import Branch, Status, Verdict
from se_agent.values.lesson import Direction, Evidence, Item, Lesson, Outcome, SourceRef
from se_agent.values.solution import Edit, Solution
from se_agent.values.step import Proposal, Step

_WIDTH = 200  # characters of a declared text
_TITLE = 80  # characters of a title without its figures
_WORDS = 3  # in a row that both must have where one of two texts is only the beginning
_LAST = "; last: "
_NAME = re.compile(r"[\w.]*\w")


class DeterministicExtractor:
    """Writes what was measured. Same step and directions, same lesson."""

    def extract(
        self,
        problem: str,
        parent: Solution,
        step: Step,
        directions: Sequence[Direction],
    ) -> Lesson:
        """Return the directions with this step's outcome, and an item if it says something.

        A step that was not judged (nothing new, a duplicate) leaves the list as it is.
        """
        if step.proposal is None or step.verdict is None or step.evaluation is None:
            return Lesson(updated_directions=tuple(directions))
        entry = attempt(parent, step, directions)
        item = None
        if evidence.outcome_of(step.verdict) is not Outcome.NEUTRAL:
            item = item_of(parent, step)
        return Lesson(updated_directions=_updated(directions, entry), new_memory_item=item)


def attempt(
    parent: Solution, step: Step, directions: Sequence[Direction] = (), *, key: str = ""
) -> Direction:
    """Return what a judged step tried, as a direction of its own.

    Args:
        parent: What the candidate was compared with.
        step: With proposal, evaluation and verdict.
        directions: So far; one that a person suggested may be what the step tried.
        key: Key of the direction that it tries; empty: found by its edits, or its words.
    """
    assert step.proposal is not None
    assert step.verdict is not None
    change = evidence.MeasuredChange(parent, step.proposal.solution)
    outcome = evidence.outcome_of(step.verdict)
    credited = step.slot.operator if step.slot.edits else ""
    own = key_of(step.proposal, change.edits, credited=credited)
    key = key or _suggested(step.proposal, directions) or own
    return _direction(change, step, step.proposal, outcome, key)


def _suggested(proposal: Proposal, directions: Sequence[Direction]) -> str:
    """Return the key of an untried direction that the proposal says it drew on."""
    said = [words_of(text) for text in (proposal.direction, *proposal.lessons_used)]
    for entry in (one for one in directions if one.untried):
        if any(_meant(words_of(entry.direction), words) for words in said):
            return entry.key
    return ""


def _meant(direction: str, said: str) -> bool:
    """Say whether words are those of a direction: all of them, or one begins as the other."""
    shorter, longer = sorted((direction, said), key=len)
    return f"{longer} ".startswith(f"{shorter} ") and (
        shorter == longer or shorter.count(" ") >= _WORDS - 1
    )


def item_of(parent: Solution, step: Step) -> Item:
    """Return the item of a judged step, whatever its verdict."""
    assert step.proposal is not None
    assert step.verdict is not None
    change = evidence.MeasuredChange(parent, step.proposal.solution)
    return _item(change, step, step.proposal, step.verdict)


def key_of(proposal: Proposal, edits: Sequence[Edit], *, credited: str = "") -> str:
    """Return the stable key of what a proposal tried.

    For edits their rules and functions, whatever the place within the function; for the
    rest the words of its direction. `credited` is the operator that chose several edits to be
    made together: what came of that says little of each rule.
    """
    pairs = sorted({f"{credited or edit.rule}{AT}{edit.function}" for edit in edits})
    return joint_key(pairs) if pairs else direction_key(proposal.direction)


def _direction(
    change: evidence.MeasuredChange, step: Step, proposal: Proposal, outcome: Outcome, key: str
) -> Direction:
    edits = change.edits
    text = shortened_text(proposal.direction, _WIDTH).rstrip(".")
    named = _named(proposal, [edit.function for edit in edits])
    return Direction(
        direction=text if named else f"{text},{evidence.place(change.functions)}",
        outcome=outcome,
        source_ref=_source(change.parent, step),
        evidence=evidence.result_phrase(step),
        key=key,
        gains=int(outcome is Outcome.SUCCESS),
        losses=int(outcome is Outcome.FAILED),
    )


def _named(proposal: Proposal, functions: Iterable[str]) -> bool:
    """Whether a direction names all these functions; the module has no name."""
    return {"", *_NAME.findall(inline(proposal.direction))}.issuperset(functions)


def _source(parent: Solution, step: Step) -> SourceRef:
    return SourceRef(
        generation=step.slot.generation, solution_id=step.slot.child, parent_id=parent.id
    )


def _updated(directions: Sequence[Direction], entry: Direction) -> tuple[Direction, ...]:
    """Update the entry of this key (LM-46), or add it (LM-47); duplicates go (LM-48)."""
    listed: dict[str, Direction] = {}
    for old in directions:
        listed.setdefault(old.key or direction_key(old.direction), old)
    before = listed.get(entry.key)
    listed[entry.key] = entry if before is None else again(before, entry)
    return tuple(listed.values())


def again(before: Direction, entry: Direction) -> Direction:
    """Unite an approach with a later try of it, perhaps at another place or parent.

    Proven gains and losses are counted, and the majority is the outcome, so that one failure
    elsewhere does not make a tabu of what has worked, nor one success a recommendation of
    what mostly fails. A gain wins a tie: it is proven. The evidence is the latest result
    that agrees with the outcome, followed by the last one if that does not; the words are of
    the first of them.
    """
    gains = max(before.gains, before.outcome is Outcome.SUCCESS) + entry.gains
    losses = max(before.losses, before.outcome is Outcome.FAILED) + entry.losses
    outcome = Outcome.NEUTRAL
    if gains or losses:
        outcome = Outcome.SUCCESS if gains >= losses else Outcome.FAILED
    joined = _joined(before, entry, outcome)
    return entry.model_copy(
        update={
            "direction": entry.direction if joined == entry.evidence else before.direction,
            "outcome": outcome,
            "evidence": joined,
            "tries": before.tries + entry.tries,
            "gains": gains,
            "losses": losses,
        }
    )


def _joined(before: Direction, entry: Direction, outcome: Outcome) -> str:
    if entry.outcome is outcome or before.outcome is not outcome:
        return entry.evidence
    said, joined, _ = before.evidence.partition(_LAST)
    origin = "" if joined else f" ({before.source_ref.solution_id})"
    return f"{said}{origin}{_LAST}{entry.evidence}"


def _item(
    change: evidence.MeasuredChange, step: Step, proposal: Proposal, verdict: Verdict
) -> Item:
    rules = ", ".join(dict.fromkeys(f"`{edit.rule}`" for edit in change.edits))
    told = rules or shortened_text(proposal.direction, _TITLE)
    known = not rules and _named(proposal, change.functions)
    where = "" if known else evidence.place(change.functions)
    return Item(
        type=_branch(verdict),
        title=f"{told}{where}: {_short(step, verdict)}",
        description=shortened_text(proposal.direction, _WIDTH),
        content=_insight(proposal, verdict),
        related_operator=proposal.solution.operator,
        source_ref=_source(change.parent, step),
        evidence=Evidence(
            code_change=str(change),
            metrics_delta=evidence.result_phrase(step),
            context=evidence.context(step),
        ),
        status=verdict.status,
        effect=verdict.effect,
        significant=verdict.significant,
        constructs=change.constructs,
    )


def _branch(verdict: Verdict) -> Branch:
    """Return the seed's branch; a proven loss is none of sign but of proof."""
    outcome = evidence.outcome_of(verdict)
    if outcome is Outcome.NEUTRAL:
        return verdict.branch
    return Branch.SUCCESS if outcome is Outcome.SUCCESS else Branch.FAILURE


def _short(step: Step, verdict: Verdict) -> str:
    if verdict.status is not Status.AC or step.comparison is None:
        return verdict.status.value
    return evidence.figures(step.comparison).partition(" (")[0]


def _insight(proposal: Proposal, verdict: Verdict) -> str:
    """Say what follows (LM-49): what was declared, and whether it came true."""
    expected = shortened_text(proposal.expected_effect, _WIDTH).rstrip(".")
    hoped = f" Expected was: {expected}." if expected else ""
    used = "; ".join(
        shortened_text(title, _TITLE).rstrip(".") for title in proposal.lessons_used
    )
    drawn = f" It drew on: {used}." if used else ""
    if verdict.status is not Status.AC:
        return f"{_LESSONS[verdict.status]}{hoped}{drawn}"
    if verdict.significant:
        return f"It pays off here.{f' As expected: {expected}.' if expected else ''}{drawn}"
    return f"It does not pay off here.{hoped}{drawn}"


_LESSONS = {
    Status.WA: "It changes the result: it is not equivalent here.",
    Status.TLE: "It is too slow to finish here.",
    Status.MLE: "It needs more memory than is allowed.",
    Status.RE: "It fails at run time here.",
    Status.CE: "It does not compile here.",
    Status.REJECTED: "It needs what the sandbox forbids.",
}


if TYPE_CHECKING:
    from se_agent.protocols import Extractor

    _: Extractor = DeterministicExtractor()
