"""`memory`: what earlier runs found out about operators, as a table or as JSON.

Not here: care for what is kept beside runs (`memory_care`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from se_agent.cli.commands import memory_items
from se_agent.cli.commands.memory_care import backup, doctor, gc, maintain, restore
from se_agent.cli.commands.memory_explain import explain
from se_agent.cli.commands.memory_graph import graph
from se_agent.cli.commands.memory_knowledge import knowledge
from se_agent.cli.commands.memory_search import search
from se_agent.cli.commands.run import JsonOption
from se_agent.cli.run_path import RESULTS
from se_agent.cli.screen import Screen
from se_agent.wording import counted

_RULES = "rules"

if TYPE_CHECKING:
    from se_agent.memory import OperatorCounts
    from se_agent.report.terminal.columns import Columns


class _RulesAtFirst(TyperGroup):
    """A group in which what is no command of its own is a rule: `memory`, `memory RULE`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # its class is private
        """Name the command that shows rules, where no other one is named."""
        first = args[0] if args else ""
        named = first in self.commands or first in ctx.help_option_names
        return super().parse_args(ctx, args if named else [_RULES, *args])


memory = typer.Typer(
    name="memory",
    cls=_RulesAtFirst,
    help="Show what earlier runs found out, and care for what is kept beside runs.\n\n"
    "`se-agent memory` and `se-agent memory RULE` are `se-agent memory rules`.",
)
for _command in (knowledge, graph, gc, doctor, backup, restore, maintain):
    memory.command()(_command)
memory.command("list")(memory_items.list_memories)
memory.command()(memory_items.show)
memory.command()(search)
memory.command("match", hidden=True)(search)  # its old name, where a program was given
memory.command()(explain)
memory.command()(memory_items.stats)
memory.command()(memory_items.add)
memory.command()(memory_items.retire)
memory.command()(memory_items.promote)
memory.command()(memory_items.export)


@memory.command(_RULES)
def rules(
    rule: Annotated[
        str, typer.Argument(metavar="[RULE]", help="Show where this operator worked.")
    ] = "",
    results: Annotated[Path, typer.Option(metavar="DIR", help="Folder of runs.")] = RESULTS,
    as_json: JsonOption = False,
) -> None:
    """Show what earlier runs found out: which rule worked how often, and where."""
    from se_agent.errors import ConfigError, did_you_mean
    from se_agent.memory import MEMORY_FILE, read_memory

    screen, path = Screen(as_json=as_json), results / MEMORY_FILE
    known = read_memory(path)
    rules = {one.rule for one in known.trials}
    if rule and rule not in rules:
        hint = did_you_mean(rule, sorted(rules)) or "`se-agent memory` lists what is known"
        raise ConfigError(f"no run in {path} has tried {rule!r}", hint=hint)
    chosen = [one for one in known.trials if rule in ("", one.rule)]
    if as_json:
        screen.answer([asdict(one) for one in chosen])
        return
    screen.say(f"{path}: {counted(known.runs, 'run')}")
    if not rule:
        screen.show([_table("rule", chosen, lambda one: (one.rule,))] if chosen else [])
        return
    screen.show([_table("family", chosen, lambda one: (one.family or "none",))])
    screen.show([_table("programs with", chosen, lambda one: one.traits or ("nothing",))])


def _table(
    title: str,
    trials: Iterable[OperatorCounts],
    groups: Callable[[OperatorCounts], tuple[str, ...]],
) -> Columns:
    """Return counts by group, those that were most often better first."""
    from se_agent.report.terminal.columns import Columns
    from se_agent.report.words import phrases
    from se_agent.values.objective import seconds

    found: dict[str, list[OperatorCounts]] = {}
    for one in trials:
        for group in groups(one):
            found.setdefault(group, []).append(one)
    table = Columns((title, "runs", "tries", "better", "mean effect", "CPU time"))
    for group, own in sorted(found.items(), key=lambda item: (-_wins(item[1]), item[0])):
        wins, tries = _wins(own), sum(one.tries for one in own)
        ratios = [one for one in own if one.gain]
        mean = sum(one.gain for one in ratios) / max(1, _wins(ratios))
        table.add(
            phrases.one_line(group),
            str(len(own)),
            str(tries),
            f"{wins} ({wins / tries:.0%})",
            phrases.times(math.exp(min(mean, 700.0))) if ratios else "",
            seconds(sum(one.cpu_seconds for one in own)),
        )
    return table


def _wins(trials: list[OperatorCounts]) -> int:
    return sum(one.wins for one in trials)
