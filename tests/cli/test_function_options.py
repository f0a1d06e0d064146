"""Groups of options: one parameter of a command, several options of the command line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer
from typer.testing import CliRunner

from se_agent.cli.function_options import SettingOptions, with_groups


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """Two options that belong together."""

    least: Annotated[int, typer.Option(help="The least.")] = 1
    most: Annotated[int, typer.Option(help="The most.")] = 9


@with_groups
def show(
    name: Annotated[str, typer.Argument(help="A name.")],
    *,
    sizes: Sizes,
    loud: Annotated[bool, typer.Option("--loud", help="Say it loud.")] = False,
) -> None:
    """Show what was given."""
    typer.echo(f"{name} {sizes.least} {sizes.most} {loud}")


def shown(*words: str) -> str:
    app = typer.Typer()
    app.command()(show)
    return CliRunner().invoke(app, words).stdout


def test_each_field_is_an_option_at_the_place_of_its_group() -> None:
    assert shown("a") == "a 1 9 False\n"
    assert shown("a", "--most", "3", "--loud") == "a 1 3 True\n"
    told = shown("--help")
    assert told.index("--least") < told.index("--most") < told.index("--loud")


def test_tolerances_are_settings_of_the_run_file() -> None:
    assert SettingOptions().overrides == []
    both = SettingOptions(rel_tol=1e-9, abs_tol=0)
    assert both.overrides == ["judge.rel_tol=1e-09", "judge.abs_tol=0.0"]
