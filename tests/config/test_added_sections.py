"""Sections that packages add: found when they are installed, refused in two lines if broken."""

from __future__ import annotations

from pathlib import Path

import pytest

from se_agent.config import run_file
from se_agent.errors import ConfigError
from tests.config import outside


@pytest.mark.tier("runs")
def test_a_package_that_is_installed_adds_its_section_to_every_command(tmp_path: Path) -> None:
    outside.install(tmp_path)
    given = ("--static", "--set", "memory.echo.branch.leaf.depth=5")
    done = outside.command(tmp_path, "check", "order_report", *given)
    assert done.returncode == 0, done.stderr
    assert "memory.echo.branch.leaf.depth = 5" in done.stdout
    wrong = outside.command(tmp_path, "check", "order_report", "--set", "memory.echo.lout=1")
    assert wrong.returncode == 2
    assert wrong.stderr.splitlines() == [
        "error: --set memory.echo.lout: unknown key",
        "hint:  did you mean 'memory.echo.loud'?",
    ]


def test_a_section_of_the_top_is_a_table_like_our_own(tmp_path: Path) -> None:
    with outside.installed(tmp_path, {"far": "Far"}):
        run = run_file.parse("sort", ["far.away=2"])
        assert run.model_dump()["far"] == {"away": 2}
    with pytest.raises(ConfigError, match=r"^--set far\.away: far: unknown section"):
        run_file.parse("sort", ["far.away=2"])


@pytest.mark.parametrize("section", ["far", "memory.far"])
def test_a_section_that_no_installed_package_adds_is_told_as_such(
    tmp_path: Path, section: str
) -> None:
    path = tmp_path / "run.toml"
    path.write_text(f'problem = "sort"\n[{section}]\naway = 2\n')
    with pytest.raises(ConfigError, match="unknown section") as caught:
        run_file.load(path)
    told = f"{path}: {section}: unknown section: no package that is installed here adds it"
    assert str(caught.value) == told
    hint = (
        "install the package that adds it (entry points 'se_agent.sections'), or leave it out"
    )
    assert caught.value.hint == hint


def test_a_mistyped_section_is_told_which_is_meant() -> None:
    with pytest.raises(ConfigError, match="unknown key") as caught:
        run_file.parse("sort", ["memory.locla.tabu=false"])
    assert caught.value.hint == "did you mean 'memory.local'?"


def test_a_table_in_a_section_that_is_closed_is_an_unknown_key() -> None:
    with pytest.raises(ConfigError, match=r"^--set judge\.far\.away: judge\.far: unknown key$"):
        run_file.parse("sort", ["judge.far.away=2"])


def test_a_record_has_the_sections_that_say_something(tmp_path: Path) -> None:
    plain = run_file.as_record(run_file.parse("sort"))
    with outside.installed(tmp_path):
        assert run_file.as_record(run_file.parse("sort")) == plain
        given = run_file.parse("sort", ["memory.echo.loud=false"])
        record = run_file.as_record(given)
        assert record["memory"]["echo"]["loud"] is False
        assert "far" not in record["memory"]["echo"]
        assert run_file.run_of_record(record) == given
        assert run_file.run_of_record(plain).model_dump()["memory"]["echo"]["loud"] is True
    assert run_file.run_of_record(plain) == run_file.parse("sort")


@pytest.mark.parametrize(
    ("places", "error"),
    [
        ({"memory.echo": "Gone"}, "section 'memory.echo': .*has no attribute 'Gone'"),
        ({"memory.echo": "Field"}, "section 'memory.echo': not a class derived from"),
        (
            {"memory.local": "Far"},
            "section 'memory.local': there is a key of this name already",
        ),
        (
            {"memory.prior": "Far"},
            "section 'memory.prior': there is a key of this name already",
        ),
        ({"seed": "Far"}, "section 'seed': there is a key of this name already"),
    ],
)
def test_what_is_no_section_is_refused(
    tmp_path: Path, places: dict[str, str], error: str
) -> None:
    with outside.installed(tmp_path, places):
        with pytest.raises(ConfigError, match=error) as caught:
            run_file.parse("sort")
        assert "the package that adds it" in caught.value.hint


def test_a_package_that_cannot_be_imported_is_named(tmp_path: Path) -> None:
    told = r"'memory\.echo': No module named 'no_such"
    with (
        outside.installed(tmp_path, code="import no_such_module_here\n"),
        pytest.raises(ConfigError, match=told),
    ):
        run_file.parse("sort")
