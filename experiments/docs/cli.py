"""Bring keys and help texts in docs/cli.md up to date: `python -m experiments.docs.cli`.

Prose between the texts is left alone; a command without a section gets one at the end.
"""

from __future__ import annotations

import re
from pathlib import Path

from typer import Typer
from typer.testing import CliRunner

from se_agent.cli.app import app
from se_agent.config.run_file import Run, describe
from se_agent.config.sections import Endpoint, RoleSection

PAGE = Path(__file__).parents[2] / "docs" / "cli.md"
WIDTH = 78
"""Columns of text on a terminal of 80: the last two stay free."""


def commands() -> list[str]:
    """Return the names of all commands, in the order of the program's own help."""
    groups = [group.typer_instance for group in app.registered_groups if group.typer_instance]
    names = [str(group.info.name) for group in groups]
    below = [
        f"{name} {each}"
        for name, group in zip(names, groups, strict=True)
        for each in _names(group)
    ]
    return [*_names(app), *names, *below]


def _names(group: Typer) -> list[str]:
    found = group.registered_commands
    shown = (one for one in found if not one.hidden)
    return [one.name or one.callback.__name__ for one in shown if one.callback]


def help_block(command: str) -> str:
    """Return what a terminal of 80 columns shows for `--help`, as a block of Markdown."""
    name = f"se-agent {command}".strip()
    asked = [*command.split(), "--help"]
    told = CliRunner().invoke(app, asked, prog_name="se-agent", terminal_width=WIDTH)
    if told.exception:
        raise told.exception
    return f"```text\n$ {name} --help\n{told.output.strip()}\n```"


def keys_block() -> str:
    """Return a whole run file, each key with its default and its meaning."""
    run = Run(
        problem="order_report",
        models={"NAME": Endpoint(name="MODEL")},
        roles={"name": RoleSection()},
    )
    return f"```toml\n{describe(run)}\n```"


def updated(page: str) -> str:
    """Return the page with the keys and help texts of today."""
    keys = keys_block()
    page = re.sub(r"```toml\nproblem = .*?\n```", lambda _: keys, page, flags=re.DOTALL)
    for command in ["", *commands()]:
        name = re.escape(f"se-agent {command}".strip())
        block = help_block(command)
        found = re.compile(rf"```text\n\$ {name} --help\n.*?\n```", re.DOTALL)
        page, count = found.subn(lambda _: block, page)  # noqa: B023 - used at once
        if not count:
            page += f"\n## {command or 'se-agent'}\n\n{block}\n"
    return page


if __name__ == "__main__":
    PAGE.write_text(updated(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
