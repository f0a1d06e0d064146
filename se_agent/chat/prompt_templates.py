"""How the templates of all prompts are read: one environment for each folder of them.

Not here: the templates, and what fills them in.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jinja2 import Environment


def environment_of(folder: Path) -> Environment:
    """Return a new environment: a name that a template is not given is an error."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader(folder),
        undefined=StrictUndefined,
        auto_reload=False,
        autoescape=False,  # noqa: S701 - a prompt is not HTML; data is fenced or inline
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
