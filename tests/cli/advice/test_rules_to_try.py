"""Rules are told as worth trying on a function where a change of theirs reaches it."""

from __future__ import annotations

from pathlib import Path

import pytest

from se_agent.cli.advice.rules_to_try import rules_to_try
from se_agent.user_function.advisor.costs import Owner
from se_agent.user_function.advisor.ranking import Hotspot
from tests.fakes import number_run

TEXT = """
class Source:
    def __init__(self, text: str):
        self.text = text

    def line(self, offset):
        return self.text.count("\\n", 0, offset) + 1

    def known(self, names, listed):
        return [name for name in names if name in listed]

    def size(self):
        return len(self.text)
"""


def spot(file: Path, name: str) -> Hotspot:
    return Hotspot(
        file=str(file),
        name=name,
        line=1,
        owner=Owner.PROJECT,
        own=0.9,
        whole=0.9,
        calls=1,
        growth=None,
        passes_on=False,
        score=1.0,
    )


@pytest.mark.parametrize(
    ("name", "rules"),
    [
        pytest.param("Source.line", {"prefix_counts"}, id="a-change-of-another-method-as-well"),
        pytest.param("Source.known", {"set_membership"}, id="its-own"),
        pytest.param("Source.size", set(), id="those-of-others-do-not-count"),
        pytest.param("Source.missing", set(), id="what-the-file-does-not-define"),
    ],
)
def test_rules_that_reach_a_function(tmp_path: Path, name: str, rules: set[str]) -> None:
    file = tmp_path / "source.py"
    file.write_text(TEXT, encoding="utf-8")
    chosen = number_run(tmp_path, operators=["prefix_counts", "set_membership"])
    (found,) = rules_to_try([spot(file, name)], lambda _: TEXT, chosen)
    assert set(found) == rules


def test_a_file_without_a_text_has_no_rule(tmp_path: Path) -> None:
    chosen = number_run(tmp_path, operators=["prefix_counts"])
    assert rules_to_try([spot(tmp_path / "m.py", "f")], lambda _: None, chosen) == [()]
