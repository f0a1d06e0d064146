"""What is said when the work on a run ends otherwise than by itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from se_agent.cli.drive import Watch, drive
from se_agent.cli.screen import Screen
from se_agent.engine.record.result import Result
from se_agent.errors import ModelError
from se_agent.protocols import Listener


@pytest.mark.parametrize("begun", [True, False])
def test_whoever_has_no_model_any_more_is_told_how_to_go_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], begun: bool
) -> None:
    def work(view: Listener, watch: Watch) -> Result:
        if begun:
            watch(tmp_path)
        raise ModelError("401: wrong key", hint="see the key", fatal=True)

    with pytest.raises(ModelError, match="wrong key"):
        drive(work, Screen())
    told = f"saved. Resume with:\n  se-agent resume {tmp_path}" in capsys.readouterr().out
    assert told == begun
