"""Commands that are told can be given to a shell as they stand."""

from __future__ import annotations

import shlex
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from se_agent.wording import command


def test_a_plain_path_stands_as_it_is() -> None:
    assert command("resume", Path("results/run-1")) == "se-agent resume results/run-1"
    assert (
        command("optimize", "shop/stock.py:missing")
        == "se-agent optimize shop/stock.py:missing"
    )


@given(st.lists(st.text()))
def test_a_shell_reads_the_same_words(words: list[str]) -> None:
    assert shlex.split(command(*words)) == ["se-agent", *words]
