"""`optimize` of functions in several files of one package, in real runs."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

from tests.cli.calls import call
from tests.cli.shelf import QUICK

FEW = (
    *QUICK,
    "--set",
    "operators=set_membership,crossover",
    "--set",
    "budget.evaluations=3",
)
"""One of each file, and a third that unites them."""

LEFT = """\
def left(names, gone):
    taken = [name for name in gone]
    return [name for name in names if name not in taken]
"""
SHARED = """\
def shared(names, others):
    known = [name for name in others]
    return [name for name in names if name in known]
"""
USE = """\
SIZES = [100, 200, 400]


def generate(rng, size):
    pick = lambda: [str(rng.randrange(size)) for _ in range(size)]
    return pick(), pick()


def work(names, others):
    from pkg.first import left
    from pkg.second import shared

    return left(names, others), shared(names, others)
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "pkg"
    folder.mkdir()
    texts = {"__init__.py": "", "first.py": LEFT, "second.py": SHARED}
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    Path("use.py").write_text(USE, encoding="utf-8")
    return folder


@pytest.mark.tier("runs")
@pytest.mark.timeout(300)  # a whole run, beside others
class TestTwoFiles:
    def test_that_are_hot_are_both_chosen_changed_written_and_replayed_without_them(
        self, package: Path
    ) -> None:
        Path("results").mkdir()
        subprocess.run(["git", "init", "-q", "."], check=True)
        options = ("--workload", "use.py:work", *FEW, "--set", "name=two", "--write")
        called = call("optimize", *options)
        assert called.code == 0, called
        for name, old in (("first.py", LEFT), ("second.py", SHARED)):
            text = (package / name).read_text(encoding="utf-8")
            assert text != old
            assert f"+++ b/pkg/{name}" in called.out
            saved = Path("results/two/best/pkg") / name
            assert saved.read_text(encoding="utf-8") == text
            assert (package / f"{name}.orig").read_text(encoding="utf-8") == old
            (package / f"{name}.orig").rename(package / name)
        chosen = re.findall(r"^(\w+) takes \d+% of the CPU time itself", called.out, re.M)
        assert sorted(chosen) == ["left", "shared"]
        files = {"left": "pkg/first.py", "shared": "pkg/second.py"}
        made = json.loads(call("patch", "results/two", "--json").out)
        assert made["paths"] == [files[name] for name in chosen]
        subprocess.run(["git", "apply", "-"], input=made["diff"].encode(), check=True)
        for path in (package, Path("use.py")):
            path.rename(f"{path}-gone")
        replayed = call("replay", "results/two")
        assert (replayed.code, "identical" in replayed.out) == (0, True)
