"""The documentation as a site: links lead to pages that are there, and nothing is fetched."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from experiments.docs.site import BESIDE, ROOT, linked, place_of, reference

UP = "[a](../../x.md)"


@pytest.mark.parametrize(
    ("place", "text", "found"),
    [
        pytest.param("cli.md", "[a](prove.md#x)", "[a](prove.md#x)", id="within-docs"),
        pytest.param(
            "cli.md", "[a](../CHANGELOG.md)", "[a](project/CHANGELOG.md)", id="beside"
        ),
        pytest.param("project/README.md", "[a](docs/cli.md#x)", "[a](../cli.md#x)", id="back"),
        pytest.param("project/README.md", "![a](docs/b.svg)", "![a](../b.svg)", id="picture"),
        pytest.param(
            "project/problems/README.md", "[a](../docs/x.md)", "[a](../../x.md)", id="up"
        ),
        pytest.param("notebooks.md", "[a](../experiments/b.ipynb)", "a", id="no-page"),
        pytest.param(
            "cli.md", "[a](https://b.c/d.md)", "[a](https://b.c/d.md)", id="elsewhere"
        ),
        pytest.param("cli.md", "[a](#x)", "[a](#x)", id="same-page"),
        pytest.param("cli.md", "```\n[a](../b)\n```\n", "```\n[a](../b)\n```\n", id="code"),
    ],
)
def test_links_are_those_of_the_site(place: str, text: str, found: str) -> None:
    assert linked(text, place) == found


def test_the_reference_names_what_the_package_gives() -> None:
    text = reference()
    assert "::: se_agent.analysis.face.open\n" in text
    assert "::: se_agent.protocols" in text


def test_the_site_is_built_and_its_links_hold(tmp_path: Path) -> None:
    pytest.importorskip("mkdocs", reason="the extra `docs` is not installed")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path)]
    quiet = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    built = subprocess.run(
        command, cwd=ROOT, env=quiet, capture_output=True, text=True, check=False
    )
    assert built.returncode == 0, built.stderr
    pages = [place_of(path) for path in BESIDE] + [p.name for p in ROOT.glob("docs/*.md")]
    for page in pages:
        made = page.replace("README.md", "index.md").replace(".md", ".html")
        text = (tmp_path / made).read_text(encoding="utf-8")
        assert not re.findall(r'(?:src|<link[^>]*href)="(https?:[^"]*)"', text), page
    index = json.loads((tmp_path / "search/search_index.json").read_text(encoding="utf-8"))
    assert any("Study" in one["title"] for one in index["docs"])
