"""`problems` and `operators`: what is on the shelf."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Sequence

from se_agent.cli.screen import Screen
from se_agent.errors import SeAgentError


def problems() -> None:
    """List the shipped problems."""
    from se_agent.problem.loading import find_problems, load_problem
    from se_agent.report.words.phrases import task, untrusted

    rows = []
    for name, folder in find_problems().items():
        try:
            problem = load_problem(folder)
        except SeAgentError as err:
            rows.append((name, "broken", "", str(err)))
            continue
        what = problem.title or task(problem.statement)
        what += untrusted(problem.trusted)
        rows.append((name, str(problem.kind), problem.family, what))
    _table(("problem", "kind", "family", "what it asks for"), rows)


def operators() -> None:
    """List what makes candidates."""
    from se_agent import registry
    from se_agent.engine.search.search_space import unites

    rows = []
    for name in registry.names("operator"):
        try:
            made = registry.make("operator", name)
            kind = "mutation" if made.arity == 1 else "crossover"
            kind = "union" if unites(made) else kind
            rows.append((name, kind, _first_line(registry.load("operator", name))))
        except SeAgentError as err:
            rows.append((name, "broken", str(err)))
    _table(("operator", "kind", "what it does"), rows)


def _first_line(found: object) -> str:
    text = inspect.getdoc(found) or ""
    return text.partition("\n")[0]


def _table(names: Sequence[str], rows: Iterable[tuple[str, ...]]) -> None:
    from se_agent.report.terminal.columns import Columns

    table = Columns(names)
    for row in rows:
        table.add(*row)
    Screen().show([table])
