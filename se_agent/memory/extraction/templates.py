"""Fills in the templates beside it, in `prompts`: the words that a model is asked with.

A text that a program or a model wrote comes fenced or inline, for it is not trusted. Not here:
what is filled in (`instructions`).
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jinja2 import Environment

FOLDER = Path(__file__).with_name("prompts")


def filled_prompt(name: str, **values: Any) -> str:  # whatever a template shows
    """Return a prompt.

    Args:
        name: Name of the template, without its ending.
        values: What it shows, by name; a missing one is an error.
    """
    return _environment().get_template(f"{name}.jinja").render(values).strip() + "\n"


@lru_cache(1)
def _environment() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader(FOLDER),
        undefined=StrictUndefined,
        auto_reload=False,
        autoescape=False,  # noqa: S701  # a prompt is not HTML; data is fenced
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
