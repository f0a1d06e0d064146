"""The page of a report: one file, with its looks, its script and its data. Nothing is fetched.

The data stand in elements that no browser runs, as JSON of ASCII in which no `<` is left. The
policy of the page allows one script and one style sheet, by their digests, and nothing else: no
image, no frame, no form, and no connection but that of a live page to its own server.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Mapping
from functools import cache
from html import escape
from importlib.resources import files

from se_agent.report.html.text_pool import TextPool, json_text

SCRIPTS = (
    "base.js",
    "widgets.js",
    "data.js",
    "charts.js",
    "code.js",
    "summary.js",
    "steps.js",
    "solutions.js",
    "memory.js",
    "grid.js",
    "app.js",
)
"""Parts of the script, in their order."""

_HEAD = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<a class="skip" href="#view">Skip to the content</a>
<header id="top"></header>
<main id="view" tabindex="-1"><p class="quiet">One moment: the report is drawn.</p></main>
<noscript><p class="card">This report is drawn by its own script; it fetches nothing.
Allow scripts for this file to read it, or run <code>se-agent show</code>.</p></noscript>
"""


def page(data: Mapping[str, object], pool: TextPool, *, title: str, live: bool = False) -> str:
    """Return the whole file.

    Args:
        data: What is shown at once.
        pool: The texts that the data name by number.
        title: Title of the window.
        live: Whether the page asks its own server for newer data.
    """
    style, script = _asset("style.css"), _script()
    connect = " connect-src 'self';" if live else ""
    policy = (
        f"default-src 'none'; script-src {_digest(script)}; style-src {_digest(style)};"
        f"{connect} base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'"
    )
    head = _HEAD.format(policy=policy, title=escape(title), style=style)
    islands = "\n".join(_islands(data, pool))
    return f"{head}{islands}\n<script>{script}</script>\n</body>\n</html>\n"


def island(data: Mapping[str, object], pool: TextPool) -> dict[str, object]:
    """Return data and texts as one value, as the server of a live page sends them."""
    if pool.is_packed:
        return {**data, "packed": list(pool.packed()), "text_count": len(pool)}
    return {**data, "texts": pool.plain(), "text_count": len(pool)}


def _islands(data: Mapping[str, object], pool: TextPool) -> Iterator[str]:
    """Yield the elements that hold data."""
    if not pool.is_packed:
        yield _element("data", json_text(island(data, pool)))
        return
    parts = list(pool.packed())
    firsts = [first for first, _ in parts]
    whole = {**data, "parts": firsts, "text_count": len(pool)}
    yield _element("data", json_text(whole))
    for first, text in parts:
        yield _element(f"texts-{first}", text, kind="text/plain")


def _element(name: str, text: str, *, kind: str = "application/json") -> str:
    return f'<script type="{kind}" id="{name}">{text}</script>'


@cache
def _script() -> str:
    """Return the script: its parts in one function, which leaves no name behind."""
    parts = "\n".join(_asset(name) for name in SCRIPTS)
    return f'"use strict";\n(() => {{\n{parts}\n}})();'


@cache
def _asset(name: str) -> str:
    return (files("se_agent.report.html") / "assets" / name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    found = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"'sha256-{found}'"
