"""What mkdocs needs to make a site of the pages (`mkdocs.yml`): `make docs`.

Pages that lie beside `docs/` belong to the site as well, links lead to where a page is
there, and the reference is made of the docstrings. A link to a file that is no page becomes
plain text.
"""

from __future__ import annotations

import os
import re
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

import se_agent
from experiments.docs import archetypes

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[2]
BESIDE = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "problems/README.md")
"""Pages that do not lie in `docs/`."""

REFERENCE, KNOWN = "reference.md", "known_functions.md"
SEAMS = ("se_agent.protocols", "se_agent.events", "se_agent.memory_events")
"""Modules that plug-ins are written against, or journals are read by."""

_DOCS, _PROJECT = "docs/", "project/"  # of the project, and of the site
_LINK = re.compile(r"(!?\[)([^\]]+)\]\(([^)#\s]+)(#[^)\s]*)?\)")
_FENCED = re.compile(r"(^```.*?^```)", re.MULTILINE | re.DOTALL)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that lie elsewhere, and those that are made of the code."""
    from mkdocs.structure.files import File

    for path in BESIDE:
        files.append(File.generated(config, place_of(path), abs_src_path=str(ROOT / path)))
    for page, content in ((REFERENCE, reference()), (KNOWN, archetypes.page())):
        files.append(File.generated(config, page, content=content))
    return files


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:
    """Return a page with its links as they are on the site."""
    return linked(markdown, page.file.src_uri)


def place_of(path: str) -> str:
    """Return where a page of the project lies on the site.

    Args:
        path: From the root of the project.
    """
    return path.removeprefix(_DOCS) if path.startswith(_DOCS) else f"{_PROJECT}{path}"


def linked(text: str, place: str) -> str:
    """Return a page with its links as they are on the site; code stays as it is.

    Args:
        text: Markdown, with links as they are in the project.
        place: Where the page lies on the site.
    """
    at = place.startswith(_PROJECT)
    home = PurePosixPath(place.removeprefix(_PROJECT) if at else f"{_DOCS}{place}").parent

    def link(found: re.Match[str]) -> str:
        begin, words, target, anchor = found[1], found[2], found[3], found[4] or ""
        if ":" in target:
            return found[0]
        path = os.path.normpath(home / target)
        if not (path in BESIDE or path.startswith(_DOCS)):
            return words
        there = os.path.relpath(place_of(path), PurePosixPath(place).parent)
        return f"{begin}{words}]({there}{anchor})"

    parts = _FENCED.split(text)
    return "".join(part if at % 2 else _LINK.sub(link, part) for at, part in enumerate(parts))


def reference() -> str:
    """Return the page of all that `import se_agent` gives, and of what plug-ins implement."""
    lines = ["# Reference", "", "## `import se_agent`", ""]
    names = sorted({*se_agent.__all__, "open"})
    places = [getattr(se_agent, name) for name in names]
    for name, made in zip(names, places, strict=True):
        lines += [f"::: {made.__module__}.{name}", ""]
    for module in SEAMS:
        lines += [f"## `{module}`", "", f"::: {module}", ""]
    return "\n".join(lines)
