"""`skill`: how a coding agent uses this program, as the page that such agents load."""

from __future__ import annotations

from importlib.resources import files

import typer


def skill() -> None:
    """Print a page that tells a coding agent how to use se-agent: SKILL.md.

    Save it where your agent looks for skills, such as .claude/skills/se-agent/SKILL.md.
    """
    page = files("se_agent.cli").joinpath("SKILL.md")
    typer.echo(page.read_text(encoding="utf-8"), nl=False)
