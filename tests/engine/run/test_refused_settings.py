"""What a resume refuses is not on record: the run can be resumed otherwise."""

from __future__ import annotations

from pathlib import Path

import pytest

from se_agent.engine.run.start import resume
from se_agent.errors import ConfigError
from se_agent.events import Resumed
from se_agent.values.evaluation import ComparisonKind
from tests.engine.runs import events_of, factory
from tests.engine.talking import ran, run_file


def test_money_without_prices_is_refused_before_it_is_recorded(tmp_path: Path) -> None:
    ran(run_file(tmp_path, name="run"))
    evaluators = factory(ComparisonKind.EXACT)
    with pytest.raises(ConfigError, match="has no prices"):
        resume(tmp_path / "run", evaluators=evaluators, overrides=["budget.money=1"])
    result = resume(tmp_path / "run", evaluators=evaluators)
    assert not [event for event in events_of(result) if isinstance(event, Resumed)]
