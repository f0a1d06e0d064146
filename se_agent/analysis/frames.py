"""Tables of a run as pandas frames, each column of the kind that its table promises."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

from se_agent.analysis.run_tables.columns import TABLES
from se_agent.errors import ConfigError

if TYPE_CHECKING:
    import pandas as pd

_KINDS = {
    "text": "string[python]",  # the same whether or not pyarrow is there, which is slow to load
    "number": "float64",
    "count": "Int64",
    "truth": "boolean",
    "time": "datetime64[us, UTC]",
}
"""The dtype of each kind of column; all of them can be missing."""


def frame(table: str, rows: Sequence[tuple[object, ...]]) -> pd.DataFrame:
    """Return rows of a table as a frame; an empty one has its columns, too.

    Args:
        table: Name of the table, in `columns.TABLES`.
        rows: In the order of its columns.

    Raises:
        ConfigError: pandas is not installed.
    """
    pandas, columns = pandas_for(table), TABLES[table]
    values = zip(*rows, strict=True) if rows else ((),) * len(columns)
    return pandas.DataFrame(
        {
            column.name: pandas.array(list(each), dtype=_KINDS[column.kind])
            for column, each in zip(columns, values, strict=True)
        }
    )


def pandas_for(what: str) -> ModuleType:
    """Return pandas.

    Args:
        what: What needs it, in the words of whoever asked.

    Raises:
        ConfigError: It is not installed.
    """
    try:
        return import_module("pandas")
    except ImportError as err:
        raise ConfigError(
            f"{what} is a pandas frame, and pandas is not installed here",
            hint="pip install 'se-agent[analysis]'; `rows` gives the same as tuples",
        ) from err
