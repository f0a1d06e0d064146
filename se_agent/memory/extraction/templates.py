"""Fills in the templates beside it, in `prompts`: the words that a model is asked with.

A text that a program or a model wrote comes fenced or inline, for it is not trusted. Not here:
what is filled in (`instructions`).
"""

from __future__ import annotations

from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from se_agent.chat.prompt_templates import environment_of

FOLDER = Path(__file__).with_name("prompts")


def filled_prompt(name: str, **values: Any) -> str:  # whatever a template shows
    """Return a prompt.

    Args:
        name: Name of the template, without its ending.
        values: What it shows, by name; a missing one is an error.
    """
    return _environment().get_template(f"{name}.jinja").render(values).strip() + "\n"


_environment = lru_cache(1)(partial(environment_of, FOLDER))
