"""Texts of standard input as a form of the search."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING

from evaluators.answers.bench import Bench
from evaluators.counterexample.asking import LARGEST, Input
from evaluators.counterexample.function.edges import constants
from evaluators.counterexample.function.strategies import Dice
from evaluators.counterexample.stdin.changing import InputChange
from evaluators.counterexample.stdin.edges import edges
from evaluators.counterexample.stdin.layout import Document, InputLayout, layout_of
from evaluators.counterexample.stdin.making import Draw
from evaluators.counterexample.stdin.mending import Mending
from evaluators.counterexample.stdin.smaller import smaller, weight
from evaluators.counterexample.stdin.ties import Tied
from evaluators.sandbox.job import JobAnswer


@dataclass(frozen=True)
class KnownInput:
    """What is known of texts: the layout, the texts read by it, and what bends others.

    Attributes:
        layout: Layout of all the texts.
        documents: The texts.
        mending: With their ties.
    """

    layout: InputLayout
    documents: tuple[Document, ...]
    mending: Mending

    def like_seen(self, document: Document) -> bool:
        """Say whether a document lies within what was seen."""
        tied, ties = self.mending.tied, self.mending.ties
        return self.layout.admits(document) and tied.holds(document, ties)


_LEARNED = 32 << 10  # characters of texts that a layout is learned from: about a CPU second


def learned(texts: Sequence[str]) -> list[str]:
    """Return the texts that a layout is learned from, in their order: the smallest ones.

    What is learned takes time that grows faster than the texts do.
    """
    room, chosen = _LEARNED, set[int]()
    for number in sorted(range(len(texts)), key=lambda number: len(texts[number])):
        room -= len(texts[number])
        if room < 0 and chosen:
            break
        chosen.add(number)
    return [text for number, text in enumerate(texts) if number in chosen]


def known_of(texts: Sequence[str]) -> KnownInput | None:
    """Return what is known of texts; None where they have no layout in common.

    The time that it takes is bounded, however large the texts are, and however many.
    """
    texts = learned(texts)
    layout = layout_of(texts)
    if layout is None:
        return None
    read = tuple(document for text in texts if (document := layout.read(text)) is not None)
    tied = Tied(layout)
    return KnownInput(layout, read, Mending(tied, tied.of(read)))


class StdinBounds:
    """What the texts seen say of others.

    Args:
        seen: Texts.
        free: Whether the problem says itself which texts count.
    """

    def __init__(self, seen: Sequence[str], *, free: bool) -> None:
        self._seen = seen
        self._free = free

    @cached_property
    def known(self) -> KnownInput | None:
        """What is known of the texts seen."""
        return known_of(self._seen) if self._seen else None

    @property
    def sure(self) -> KnownInput:
        """The same, where others may be made."""
        assert self.known is not None, "see `makes`"
        return self.known

    @property
    def makes(self) -> bool:
        """Whether each length is explained, where the problem does not say what counts."""
        return self.known is not None and (self._free or self.known.layout.understood)

    def like_seen(self, given: Input) -> bool:
        """Say whether a text keeps layout and ties; see `Bounds.like_seen`."""
        if self.known is None or not self.known.layout.understood:
            return text_of(given) in self._seen
        document = self.known.layout.read(text_of(given))
        return document is not None and self.known.like_seen(document)

    def typed(self, given: Input) -> bool:
        """Say whether the problem may be asked what it thinks of a text: always."""
        return True

    def piecewise(self, given: Input) -> bool:
        """Say whether the arguments of a text were seen one by one: it has none."""
        return False

    def within(self, given: Input) -> bool:
        """Say whether a text is no larger than those seen; see `Bounds.within`."""
        if self.known is None:
            return text_of(given) in self._seen
        document = self.known.layout.read(text_of(given))
        return document is not None and self.known.layout.admits(document)

    def bend(self, value: str) -> str:
        """Return a text that keeps the ties, where that is simple."""
        document = self.sure.layout.read(value)
        return value if document is None else self.written(document, mend=True)

    def written(self, document: Document, *, mend: bool) -> str:
        """Return the text of a document, with counts that are right, and bent if it helps."""
        if mend and not self._free:
            return self.sure.layout.write(self.sure.mending.mended(document))
        return self.sure.layout.write(self.sure.layout.settled(document))


class StdinForm:
    """Texts of standard input.

    Args:
        bench: The bench of the problem.
        seen: Texts as bytes.
    """

    def __init__(self, bench: Bench, seen: Sequence[bytes]) -> None:
        self.each, self.at_once = 20, 6
        self._free = bool(bench.problem.valid)
        self._numbers = constants(bench.oracle.program)
        self.bounds = StdinBounds([text_of(Input(data)) for data in seen], free=self._free)

    def fresh(self, random: Random, *, wild: bool, tiny: bool) -> str:
        """Return a new text; see `Form.fresh`."""
        draw = self._draw(random, wild=wild, tiny=tiny)
        return self.bounds.written(draw.fresh(), mend=not wild)

    def changed(self, random: Random, *, wild: bool) -> str:
        """Return a seen text with a few changes; see `Form.changed`."""
        draw = self._draw(random, wild=wild)
        document = draw.dice.pick(self.bounds.sure.documents)
        return self.bounds.written(InputChange(draw).changed(document), mend=not wild)

    def edges(self) -> Iterator[str]:
        """Yield texts at the edge of those seen; see `Form.edges`."""
        if not self.bounds.makes:
            return
        known = self.bounds.sure
        smallest = min(known.documents, key=lambda one: len(known.layout.write(one)))
        for made in edges(smallest, known.layout, self._numbers):
            yield self.bounds.written(made, mend=False)

    def input(self, value: str) -> Input | None:
        """Return the text as it is sent; None for bytes that are no UTF-8, too."""
        try:
            data = value.encode("utf-8")
        except UnicodeEncodeError:
            return None
        return Input(data) if len(data) <= LARGEST else None

    def repeated(self, given: Input, right: JobAnswer) -> None:
        """Return none: a script ends with its answer."""

    def value(self, given: Input) -> str:
        """Return the text."""
        return text_of(given)

    def name(self, given: Input) -> object:
        """Return the bytes: equal texts have equal ones."""
        return given.data

    def smaller(self, value: str) -> Iterator[str]:
        """Yield smaller texts, with counts that are right."""
        layout = self.bounds.sure.layout if self.bounds.makes else None
        document = layout.read(value) if layout else None
        if layout is None or document is None:
            return
        for less in smaller(document, layout):
            yield layout.write(layout.settled(less))

    def weight(self, value: str) -> tuple[int, ...]:
        """Return how large a text is."""
        return weight(value)

    def _draw(self, random: Random, *, wild: bool, tiny: bool = False) -> Draw:
        layout = self.bounds.sure.layout
        return Draw(layout, Dice(random), wild=wild, tiny=tiny, free=wild or self._free)


def text_of(given: Input) -> str:
    """Return the text of an input; bytes that are not UTF-8 become lone surrogates."""
    return given.data.decode("utf-8", "surrogateescape")


if TYPE_CHECKING:
    from evaluators.counterexample.forms import Formed

    _: Formed = StdinForm
