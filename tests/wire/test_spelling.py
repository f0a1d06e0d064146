"""Every edge takes every text: what counts is not lost, and what is seen hides nothing."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from se_agent import wire
from se_agent.chat.escaping import inline
from se_agent.chat.fencing import printable
from se_agent.report.words.phrases import clean, one_line
from se_agent.wire.spelling import as_bytes, as_text, encodable, is_hidden, json_line, visible
from tests.texts import TEXTS

each = pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
anything = st.text(st.characters() | st.sampled_from("\ud83d\ude00\x1b\x9b\u202e\0\\"))
_HALF = re.compile("[\ud800-\udfff]")


def hidden(text: str, kept: str = "") -> set[str]:
    return {character for character in set(text) - set(kept) if is_hidden(character)}


def test_there_are_forty_of_them() -> None:
    assert len(TEXTS) >= 40


@pytest.mark.tier("runs")
@each
def test_a_terminal_is_told_nothing_that_it_would_obey(text: str) -> None:
    assert hidden(visible(text), "\n\t") == set()
    assert hidden(clean(text), "\n") == set()
    assert hidden(one_line(text)) == set()


@pytest.mark.tier("runs")
@each
def test_a_prompt_shows_nothing_that_nobody_sees(text: str) -> None:
    assert hidden(printable(text), "\n\t") == set()
    assert hidden(inline(text)) == set()


@each
def test_every_text_can_be_written_into_a_file(text: str) -> None:
    written = encodable(text)
    assert written.encode().decode() == written
    assert (written == text) == (_HALF.search(text) is None)


@each
def test_what_a_program_reads_is_what_was_meant(text: str) -> None:
    line = json_line({"text": text})
    assert json.loads(line) == json.loads(json.dumps({"text": text}))
    assert hidden(line) == set()
    assert json_line({"text": text}, only_ascii=True).isascii()


@each
def test_an_answer_crosses_the_pipe_as_it_is(text: str) -> None:
    assert wire.loads(wire.dumps(text)) == text
    assert wire.loads(wire.dumps({text: [text]})) == {text: [text]}


@each
def test_an_input_is_recorded_as_it_is(text: str) -> None:
    data = wire.dumps((text,))
    told = as_text(data)
    assert encodable(told) == told
    assert as_bytes(told) == data


@given(st.binary() | anything.map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_bytes_come_back(data: bytes) -> None:
    told = as_text(data)
    assert told.encode().decode() == told
    assert as_bytes(told) == data


@given(anything)
def test_what_was_spelled_once_stays(text: str) -> None:
    assert visible(visible(text)) == visible(text)
    assert encodable(encodable(text)) == encodable(text)
    assert hidden(visible(text), "\n\t") == set()


def test_halves_are_spelled_as_python_writes_them() -> None:
    assert encodable("a\ud800b") == r"a\ud800b"
    assert encodable("\ud83d" + "\ude00") == "\U0001f600"
    assert visible("\x1b[31m\x9b\u202e\ud800") == r"\x1b[31m\x9b\u202e\ud800"
