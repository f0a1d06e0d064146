"""Gates on descriptions: they are sentences that stand by themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tests.house import CODE, described, modules

DANGLING = re.compile(
    r"(?:(?P<name>^ *\w+(?: \([^)]*\))?): |\A\s*)(?:Of|That|Whose|Who|Which)\b", re.M
)
"""The beginning of a text, or of an entry below `Args:`, that needs the name before it."""


def test_no_description_begins_with_a_word_that_needs_another() -> None:
    assert [*all_dangling()] == []


def test_a_dangling_description_is_found_wherever_it_stands() -> None:
    text = (
        '"""Of the run."""\n'
        "LIMIT = 3\n"
        '"""Whose limit it is."""\n'
        "def f(seed):\n"
        '    """Return it.\n\n    Args:\n        seed: Of the run.\n    """\n'
    )
    assert list(dangling("a.py", text)) == ["a.py:1: Of", "a.py:3: Whose", "a.py:8: seed: Of"]


def test_the_same_words_inside_a_sentence_are_no_offence() -> None:
    text = '"""Seed of the run, that all draws come from. Of two, which one?"""'
    assert list(dangling("a.py", text)) == []


def all_dangling() -> Iterator[str]:
    for where, text in modules(*CODE):
        yield from dangling(where, text)


def dangling(where: str, text: str) -> Iterator[str]:
    """Yield place and first words of each description that begins with such a word."""
    for line, words in described(text):
        for found in DANGLING.finditer(words):
            at = line + words.count("\n", 0, found.start())
            yield f"{where}:{at}: {found[0].strip()}"
