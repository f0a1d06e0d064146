"""A model's words completed by Python: sources, outcomes, counts and figures are measured.

Pure. A model may merge and drop, and word what the step did; it may take a tabu back, and never
make one, nor a recommendation. An earlier direction keeps its words, for its figures are of
what they say. What a reply says of a direction that nobody attempted is left out. Not here: the
lesson without a model (`rule_extractor`), and how a reply is read (`replies`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from se_agent.memory.extraction.figure_check import supported_line
from se_agent.memory.extraction.replies import KeptItem, SaidDirection, SaidItem
from se_agent.memory.extraction.rule_extractor import again
from se_agent.memory.local.directions import direction_key
from se_agent.values.lesson import Direction, Evidence, Item, Outcome, canonical_id

_TITLE, _LINE, _TEXT = 80, 200, 400  # characters of a title, a sentence, an insight


@dataclass
class Completing:
    """One reply's directions, completed one after the other.

    Attributes:
        old: The current list, keyed.
        own: What the step tried, by its measurements; None: there is no step.
        given: All that the model was told; other figures are none of its business.
        generation: Generation of the step, for ids that leave it out.
    """

    old: Sequence[Direction]
    own: Direction | None
    given: str
    generation: int
    _made: dict[str, Direction] = field(default_factory=dict)
    _placed: bool = False

    def directions(self, said: Sequence[SaidDirection]) -> tuple[Direction, ...]:
        """Return the new list: the reply's, with the step's own direction whatever it says."""
        known = {entry.key: entry for entry in self.old}
        for one in said:
            key = self._key(one, known)
            if self._is_own(one, key):
                self._place(one, known.get(self._own_key) or known.get(key))
            elif key and key not in self._made:
                self._made[key] = _taken_back(known[key], one)
        if self.own is not None and not self._placed:
            self._place(None, known.get(self.own.key))
        return tuple(self._made.values())

    @property
    def _own_key(self) -> str:
        return self.own.key if self.own else ""

    def _key(self, said: SaidDirection, known: Mapping[str, Direction]) -> str:
        """Return the key of the entry that is meant: by key, words or step; empty: none."""
        if said.key in known:
            return said.key
        words = direction_key(said.direction)
        source = self._id(said.source_ref)
        return next(
            (
                entry.key
                for entry in known.values()
                if direction_key(entry.direction) == words
                or (source == entry.source_ref.solution_id and not entry.untried)
            ),
            "",
        )

    def _is_own(self, said: SaidDirection, key: str) -> bool:
        """Say whether an entry is about the step: it names it, or is new and names nothing.

        Where the edits say that the approach is an old one, that is settled.
        """
        if self.own is None or self._placed:
            return False
        if key == self.own.key or (not key and not said.source_ref):
            return True
        settled = key and any(entry.key == self.own.key for entry in self.old)
        return not settled and self._id(said.source_ref) == self.own.source_ref.solution_id

    def _place(self, said: SaidDirection | None, before: Direction | None) -> None:
        """Put the step's direction into the list: a new one, or another try of an old one."""
        assert self.own is not None
        entry = self.own
        if before is not None:
            kept = {"key": before.key, "direction": before.direction}
            entry = again(before, entry.model_copy(update=kept))
        if said is not None:
            told = supported_line(said.evidence, self.given, _LINE)
            entry = _taken_back(entry, said).model_copy(
                update={"evidence": _joined(entry.evidence, told)}
            )
            if before is None:
                words = supported_line(said.direction, self.given, _LINE) or entry.direction
                entry = entry.model_copy(update={"direction": words})
        self._made[entry.key] = entry
        self._placed = True

    def _id(self, source: str) -> str:
        return spelled_id(source, self.generation)


def _taken_back(entry: Direction, said: SaidDirection) -> Direction:
    """Return an entry, of which a reply may say that the attempt alone had failed."""
    failed = entry.outcome is Outcome.FAILED and not entry.untried
    if failed and said.outcome is Outcome.NEUTRAL:
        return entry.model_copy(update={"outcome": Outcome.NEUTRAL})
    return entry


def item(
    said: SaidItem, base: Callable[[str], Item | None], given: str, generation: int
) -> Item | None:
    """Return the item in a model's words, with the figures of the step that it comes from.

    Args:
        said: The reply's.
        base: Returns the item of a step by its measurements; empty id: of the step that is
            closed. None: there is no such step.
        given: All that the model was told.
        generation: Generation of the step, for ids that leave it out.
    """
    measured = base(spelled_id(said.source_ref, generation)) or base("")
    if measured is None:
        return None
    evidence = measured.evidence
    return in_words(measured, said, given).model_copy(
        update={
            "evidence": Evidence(
                code_change=supported_line(said.evidence.code_change, given, _LINE)
                or evidence.code_change,
                metrics_delta=evidence.metrics_delta,
                context=_joined(
                    supported_line(said.evidence.context, given, _LINE), evidence.context
                ),
            ),
        }
    )


def in_words(measured: Item, said: SaidItem | KeptItem, given: str) -> Item:
    """Return an item with the title, description and content of a model, where it has some.

    Args:
        measured: The item by its measurements.
        said: The reply's.
        given: All that the model was told; what it says beyond that of figures is left out.
    """
    words = {
        "title": supported_line(said.title, given, _TITLE).rstrip("."),
        "description": supported_line(said.description, given, _LINE),
        "content": supported_line(said.content, given, _TEXT),
    }
    return measured.model_copy(update={name: text for name, text in words.items() if text})


def spelled_id(source: str, generation: int) -> str:
    """Return an id in its one spelling (X-06), or nothing for what is none."""
    try:
        return canonical_id(source, generation=generation) if source else ""
    except ValueError:
        return ""


def _joined(first: str, second: str) -> str:
    return "; ".join(part.rstrip(".") for part in (first, second) if part)
