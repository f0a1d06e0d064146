"""An unforeseen error is ours or a plug-in's, told from where it was raised."""

from __future__ import annotations

import json
import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from se_agent.cli.app import ended
from se_agent.stats.sequential import median_error

RAISES = "def propose(brief):\n    return {}[brief]\n"
IN_A_LIBRARY = "import json\ndef propose(brief):\n    return json.loads(brief)\n"


def told(command: Callable[[], Any], capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    with pytest.raises(SystemExit, match=r"^\d+$") as ends:
        ended(command)
    assert isinstance(ends.value.code, int)
    return ends.value.code, capsys.readouterr().err


@pytest.mark.parametrize(("text", "line"), [(RAISES, 2), (IN_A_LIBRARY, 3)])
def test_a_plug_in_that_raises_is_named_with_its_line(
    text: str, line: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mine.py"
    file.write_text(text)
    propose = runpy.run_path(str(file))["propose"]
    code, said = told(lambda: propose("brief"), capsys)
    assert code == 2
    assert f"a fault of what is plugged in at {file}:{line}\n" in said
    assert "hint:  mend it" in said


def test_an_error_of_ours_is_ours_whoever_called(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mine.py"
    file.write_text("def propose(ask):\n    return ask()\n")
    propose = runpy.run_path(str(file))["propose"]
    code, said = told(lambda: propose(lambda: median_error(None)), capsys)  # type: ignore[arg-type]
    assert code == 70
    assert "a fault of se-agent" in said


def test_an_error_of_a_library_that_we_called_is_ours(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, said = told(lambda: median_error([json]), capsys)  # type: ignore[list-item]
    assert code == 70
    assert "a fault of se-agent" in said
