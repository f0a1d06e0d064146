"""Blocks are read as Markdown has them."""

from __future__ import annotations

import pytest
from hypothesis import given

from operators.written.blocks import FencedBlock, blocks
from se_agent.chat.fencing import fenced
from tests.contracts.written import DECEIVING


@pytest.mark.parametrize(
    ("reply", "found"),
    [
        pytest.param("no block", [], id="none"),
        pytest.param("```python\na\n```", [("python", "a\n", True)], id="label"),
        pytest.param("```Python 3\na\n```", [("python", "a\n", True)], id="words"),
        pytest.param("``` \n```", [("", "", True)], id="empty"),
        pytest.param("~~~\n```\n~~~~", [("", "```\n", True)], id="tildes"),
        pytest.param("````\n```\nb\n````", [("", "```\nb\n", True)], id="fence-inside"),
        pytest.param("```\n    ```\n```", [("", "    ```\n", True)], id="indented-inside"),
        pytest.param("  ```\na\n   ```", [("", "a\n", True)], id="indented"),
        pytest.param("```\n``` x\n```", [("", "``` x\n", True)], id="words-behind-a-fence"),
        pytest.param("``` a `b` ```\nc", [], id="code-in-a-line"),
        pytest.param(
            "```\na\n```\nb\n```c\nd", [("", "a\n", True), ("c", "d", False)], id="cut"
        ),
        pytest.param("```\r\na\r\n```\r\n", [("", "a\r\n", True)], id="crlf"),
    ],
)
def test_blocks(reply: str, found: list[tuple[str, str, bool]]) -> None:
    assert [(b.label, b.text, b.closed) for b in blocks(reply)] == found


def test_a_block_says_where_it_stands() -> None:
    reply = "before\n```\na\n```\nbehind"
    (block,) = blocks(reply)
    assert block == FencedBlock(label="", text="a\n", start=7, end=16)
    assert reply[: block.start] + reply[block.end :] == "before\n\nbehind"


@given(DECEIVING)
def test_what_we_fence_is_one_block(text: str) -> None:
    (block,) = blocks(f"## Head\n{fenced(text, 'python')}\nbehind")
    assert block.text == (text if text.endswith("\n") or not text else f"{text}\n")
    assert block.closed
