"""The documents say what the program does."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any, get_args

import pytest

from experiments.docs.cli import PAGE, commands, updated
from se_agent.engine.journal.canonical import ASIDE, STAGES
from se_agent.events import Event
from tests.cli.calls import ENV, ROOT, call
from tests.finished import finished

KINDS_OF_EVENTS = {
    get_args(each.model_fields["kind"].annotation)[0] for each in get_args(Event)
}
QUICK = (
    "measure.self_test_blocks=2",
    "measure.fast_seconds=0.003",
    "measure.slow_seconds=0.02",
    "judge.pairs=4",
    "budget.evaluations=3",
    "judge.counterexample_seconds=1",
)


@pytest.mark.tier("runs")
def test_the_page_of_commands_is_up_to_date() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert updated(page) == page, "run: python -m experiments.docs.cli"
    headings = re.findall(
        r"^## .*$", re.sub(r"^```.*?^```$", "", page, flags=re.M | re.S), re.M
    )
    assert [*dict.fromkeys(headings)] == headings
    assert all(page.count(f"$ se-agent {name} --help\n") == 1 for name in commands())


@pytest.mark.tier("runs")
def test_the_example_in_the_readme_does_what_it_says(tmp_path: Path) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    section = readme.partition("## Your own function")[2]
    script = re.search(r"```sh\n(.*?)```", section, re.DOTALL)
    assert script is not None
    program = f"{sys.executable} -m se_agent"
    quick = " ".join(f"--set {setting}" for setting in QUICK)
    lines = script[1].replace(". .venv/bin/activate\n", "set -e\n")
    assert "sizes = [10, 100, 1000, 2000, 8000]\nfinal = 2000\n" in lines
    lines = lines.replace("1000, 2000, 8000", "500, 1000").replace("= 2000", "= 500")
    lines = re.sub(r"^se-agent run .*$", rf"\g<0> {quick}", lines, flags=re.MULTILINE)
    lines = re.sub(r"^se-agent check .*$", r"\g<0> --mutants 6", lines, flags=re.MULTILINE)
    lines = re.sub(r"^se-agent", program, lines, flags=re.MULTILINE)
    done = subprocess.run(
        ["bash", "-c", lines],
        cwd=tmp_path,
        env=ENV,
        capture_output=True,
        text=True,
        check=False,
        timeout=400,  # ends what hangs; a busy machine takes its time
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert re.search(r"^time +[\d.]+ ms of CPU for one final input", done.stdout, re.M)
    assert re.search(r"^proven: [\d.]+x faster", done.stdout, re.MULTILINE), done.stdout
    (folder,) = (run.parent for run in (tmp_path / "results").glob("*/run.db"))
    assert "def repeated" in (folder / "best.py").read_text(encoding="utf-8")


def write_files(page: str) -> None:
    """Write the files that a guide shows, with inputs that are small."""
    name = r"^(?:And this|This) is `(\w+\.py)`(?: in a folder `(\w+)`)?[^\n]*:"
    for file, folder, text in re.findall(rf"{name}\n\n```python\n(.*?)```", page, re.M | re.S):
        if folder:
            Path(folder).mkdir()
            (Path(folder) / "__init__.py").touch()
        small = "rng, size):\n" + ("" if "SIZES" in text else "    size = min(size, 100)\n")
        quick = text.replace("rng, size):\n", small)
        (Path(folder) / file).write_text(quick, encoding="utf-8")


def first_command(page: str) -> tuple[list[str], str]:
    """Return the first command of a guide that is shown with its output, and this output."""
    shown = r"^```sh\nse-agent ([^\n]*)\n```\n\n```text\n(?:\.\.\.\n)?(.*?)```"
    (command, said), *_ = re.findall(shown, page, re.M | re.S)
    return command.split(), said


@pytest.mark.tier("runs")
@pytest.mark.parametrize(
    ("guide", "code"), [("prove", 4), ("workload", 0)], ids=["prove", "workload"]
)
def test_the_first_command_of_a_guide_prints_what_it_says(
    guide: str, code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = (ROOT / "docs" / f"{guide}.md").read_text(encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    write_files(page)
    command, said = first_command(page)
    called = call(*command)
    assert called.code == code, called
    figures = re.compile(r"(?<=\s)[\d,]+%? *|n\^[\d.]+| +")
    printed, expected = (figures.sub(" ", text).splitlines() for text in (called.out, said))
    assert printed[-len(expected) :] == expected


@pytest.mark.parametrize("name", ["README.md", "docs/cli.md"])
def test_no_link_leads_nowhere(name: str) -> None:
    page = ROOT / name
    found = re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8"))
    missing = [
        link for link in found if "://" not in link and not (page.parent / link).exists()
    ]
    assert missing == []


def test_the_picture_fetches_nothing() -> None:
    text = (ROOT / "docs" / "demo.svg").read_text(encoding="utf-8")
    assert "proven:" in text.replace("&#160;", " ")
    assert "@font-face" not in text
    assert "url(" not in text.replace("url(#", "")


def test_every_kind_of_event_has_its_place_where_two_runs_are_compared() -> None:
    assert sorted([*STAGES, *ASIDE]) == sorted(KINDS_OF_EVENTS)


class TestNotebooks:
    """The page says what a run keeps, and its Python works as it stands."""

    PAGE = (ROOT / "docs" / "notebooks.md").read_text(encoding="utf-8")

    def test_every_kind_of_event_is_on_the_page(self) -> None:
        assert set(re.findall(r"`(\w+)`", self.PAGE)) >= KINDS_OF_EVENTS

    @pytest.mark.tier("runs")
    def test_its_python_reads_a_run(self, tmp_path: Path) -> None:
        space: dict[str, Any] = {}
        run = finished(tmp_path, timed=True)
        for block in re.findall(r"```python\n(.*?)```", self.PAGE, re.DOTALL):
            exec(block.replace("results/NAME", str(run)), space)
        (started,) = space["events"](run, "started")
        assert started["config"]["policy"]
        (step, *_) = space["compared"]([run])
        assert step.keys() == {
            "run",
            "slot",
            "solution",
            "operator",
            "status",
            "effect",
            "best",
        }
