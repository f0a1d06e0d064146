"""Sections of the run file that other packages add.

A package registers the class of its section as an entry point of the group
`se_agent.sections`. The name of the entry point is the place of the section in the run file,
such as `memory.echo` for `[memory.echo]`. Not here: what a section is (`section`), nor what the
package does with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from se_agent.errors import ConfigError

GROUP = "se_agent.sections"


@cache
def added_to(table: str) -> Mapping[str, Any]:  # classes; `section` says of what kind
    """Return the classes of the sections that packages add to a table, by key.

    Args:
        table: The dotted name of the table; empty: the run file itself.

    Raises:
        ConfigError: A class cannot be loaded.
    """
    return {point.name.rpartition(".")[2]: _loaded(point) for point in _points(table)}


def _points(table: str) -> Iterator[EntryPoint]:
    found = {point.name: point for point in entry_points(group=GROUP)}
    for name in sorted(found):
        if name.rpartition(".")[0] == table:
            yield found[name]


def _loaded(point: EntryPoint) -> Any:  # whatever the package registers
    try:
        return point.load()
    except (ImportError, AttributeError) as err:
        raise ConfigError(
            f"section {point.name!r}: {err}", hint="mend the package that adds it, or remove it"
        ) from err
