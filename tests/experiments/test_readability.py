"""Pages for users have short sentences, and the check finds those that are not."""

from __future__ import annotations

import pytest

from experiments.docs.readability import LIMIT, ROOT, WRITTEN, length, row, sentences, too_long

PAGE = """# A heading is no sentence

<!-- nor is a note
of two lines -->
The first one names `two or more words`,
on [two](lines.md) lines. [a/b.md](b.md) has 2.5. The 2.5 percent end it!

![A picture](x.svg)

| a | table |
|---|---|

    an indented command

```sh
a command
```

- An item
  of a list
- Another one: see *this.* And `that` (too).
"""


def test_sentences_are_found_and_what_is_none_is_left_out() -> None:
    assert list(sentences(PAGE)) == [
        "The first one names §, on two lines.",
        "§ has 2.5.",
        "The 2.5 percent end it!",
        "An item of a list",
        "Another one: see *this.",
        "And § (too).",
    ]


@pytest.mark.parametrize(
    ("sentence", "words"),
    [("The § of 2.5 MB, at once.", 7), ("It's user-made - done (now).", 4), ("§", 1)],
)
def test_inline_code_and_joined_words_count_once(sentence: str, words: int) -> None:
    assert length(sentence) == words


def test_the_figures_of_a_page() -> None:
    assert row("a.md", PAGE) == ("a.md", len(PAGE.split()), 28, 6, 5, 8, 8)


def test_a_sentence_is_too_long_from_one_word_more_on() -> None:
    text = " ".join(["word"] * LIMIT)
    assert list(too_long("a.md", f"{text}.")) == []
    assert list(too_long("a.md", f"{text} more.")) == [f"a.md: 41 words: {text} more."]


def test_no_sentence_of_a_page_that_people_write_is_too_long() -> None:
    texts = [(name, (ROOT / name).read_text(encoding="utf-8")) for name in WRITTEN]
    assert [long for name, text in texts for long in too_long(name, text)] == []
