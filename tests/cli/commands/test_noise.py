"""`doctor --noise`, on a machine of known noise."""

from __future__ import annotations

import json

import pytest
import typer

from se_agent.cli.commands.noise import COMPARISONS, noise
from se_agent.cli.screen import Screen
from se_agent.noise.families import World
from se_agent.noise.kernels import Family
from tests.noise.machine import Machine


class Rooms:
    """Makes a machine a world, and remembers them; the last may be interrupted."""

    def __init__(self, stop: dict[Family, int] | None = None) -> None:
        self.machines: list[Machine] = []
        self._stop = stop or {}

    def __call__(self, world: World) -> Machine:
        """Return a new one."""
        made = Machine(stop=self._stop.get(world.family, 10**9))
        self.machines.append(made)
        return made


@pytest.mark.tier("runs")
def test_it_says_how_noisy_the_machine_is(capsys: pytest.CaptureFixture[str]) -> None:
    rooms = Rooms()
    noise(Screen(), rooms)
    shown = capsys.readouterr().out
    for family in Family:
        assert f"{family}: {COMPARISONS} of {COMPARISONS} comparisons" in shown
        assert any(line.startswith(f"{family} ") for line in shown.splitlines())
    assert "all of them" in shown
    assert all(machine.closed for machine in rooms.machines)


@pytest.mark.tier("runs")
def test_with_json_the_table_goes_to_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    noise(Screen(as_json=True), Rooms())
    out, err = capsys.readouterr()
    answer = json.loads(out)
    *families, whole = answer["families"]
    assert answer["interrupted"] is False
    assert [row["family"] for row in families] == [*Family]
    assert (whole["comparisons"], whole["false"]) == (COMPARISONS * len(Family), 0)
    assert 0.0 < whole["false_at_most"] < families[0]["false_at_most"] < 0.2
    assert whole["smallest_gain"] == 0.015
    assert "smallest gain" in err


@pytest.mark.tier("runs")
def test_what_there_is_is_shown_when_it_is_interrupted(
    capsys: pytest.CaptureFixture[str],
) -> None:
    rooms = Rooms({Family.NUMPY: 10})
    with pytest.raises(typer.Exit, match="130"):
        noise(Screen(as_json=True), rooms)
    answer = json.loads(capsys.readouterr().out)
    assert answer["interrupted"] is True
    assert [row["comparisons"] for row in answer["families"]] == [
        COMPARISONS,
        2,
        COMPARISONS + 2,
    ]
    assert [machine.closed for machine in rooms.machines] == [True, True]


def test_interrupted_at_once_it_has_nothing_to_show(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(typer.Exit, match="130"):
        noise(Screen(), Rooms({Family.LOOP: 0}))
    assert "smallest gain" not in capsys.readouterr().out
