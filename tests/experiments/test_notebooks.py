"""The notebooks: each runs from its first cell to its last, and concludes what the runs say."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any  # a notebook has no types

import nbclient
import nbformat
import pytest

import se_agent
from se_agent.analysis.recorded_run import RecordedRun
from tests.experiments.notebook_runs import grid_in
from tests.house import ROOT

HOME = ROOT / "experiments" / "notebooks"
FILES = sorted(HOME.glob("*.ipynb"))
NAMES = ("ablation", "calls_and_costs", "first_look", "memory_over_time", "noise_and_power")
SECONDS = 100
"""For a cell; it takes a few on a busy machine."""


@pytest.fixture(autouse=True)
def _no_files_of_kernels_at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path / "jupyter"))


@pytest.fixture(scope="module")
def grid(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return grid_in(tmp_path_factory.mktemp("notebooks"))


@pytest.fixture(scope="module")
def run(grid: Path) -> RecordedRun:
    found = se_agent.open(grid / "all" / "overtakes-s0")
    assert isinstance(found, RecordedRun)
    return found


def read(path: Path) -> Any:
    return nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]


def concluded(name: str, **parameters: object) -> str:
    """Execute a notebook in a kernel of its own, with other parameters; return its last words.

    Raises:
        nbclient.exceptions.CellExecutionError: A cell failed.
    """
    notebook = read(HOME / f"{name}.ipynb")
    (given,) = (cell for cell in notebook.cells if _is_parameters(cell))
    assert re.findall(r"^(\w+) = ", given.source, re.MULTILINE) == [*parameters]
    given.source = "\n".join(f"{key} = {str(value)!r}" for key, value in parameters.items())
    client = nbclient.NotebookClient(notebook, timeout=SECONDS, kernel_name="python3")
    client.execute(cwd=str(HOME))
    return "".join(each.get("text", "") for each in notebook.cells[-1].outputs)


def _is_parameters(cell: Any) -> bool:
    return "parameters" in cell.metadata.get("tags", ())


def test_a_first_look_says_the_proven_gain(run: RecordedRun) -> None:
    said, found = concluded("first_look", RUN=run.folder), run.result
    assert f"overtakes: proven, {found.gain:.2f}x" in said
    assert found.best_solution_id in said


def test_memory_over_time_counts_what_is_known_at_the_end(run: RecordedRun) -> None:
    said, memory = concluded("memory_over_time", RUN=run.folder), run.memory()
    assert f"{memory.from_version.max()} versions" in said
    assert f"{memory.to_version.isna().sum()} entries at the end" in said


def test_an_ablation_ends_in_the_verdict_of_the_comparison(grid: Path) -> None:
    said = concluded("ablation", GRID=grid, BASE="all")
    frame = se_agent.compare(grid, base="all").frame()
    (row,) = frame[(frame.problem == "") & (frame.measure == "gain")].head(1).itertuples()
    assert f"no_memory, gain: {row.effect:.2f}" in said
    assert row.verdict in said


def test_noise_and_power_are_those_of_the_run_and_the_grid(
    grid: Path, run: RecordedRun
) -> None:
    said, blocks = concluded("noise_and_power", RUN=run.folder, GRID=grid), run.blocks()
    noise = blocks[blocks.phase == "self_test"].effect.std()
    assert f"noise of a block: {100 * noise:.2f} %" in said
    assert "6 pairs show a ratio of gains of" in said


def test_calls_and_costs_add_up(run: RecordedRun) -> None:
    said, found = concluded("calls_and_costs", RUN=run.folder), run.result
    assert f"{found.calls} calls, {found.tokens} tokens, {found.money:.4f} in money" in said


def test_a_cell_that_fails_fails_the_test(tmp_path: Path) -> None:
    with pytest.raises(nbclient.exceptions.CellExecutionError, match="no such folder"):
        concluded("first_look", RUN=tmp_path / "none")


@pytest.mark.tier("fast")
class TestFiles:
    def test_there_are_five_and_the_page_names_each(self) -> None:
        assert tuple(path.stem for path in FILES) == NAMES
        page = (ROOT / "docs" / "notebooks.md").read_text(encoding="utf-8")
        assert [path.name for path in FILES if f"notebooks/{path.name})" not in page] == []

    def test_the_page_begins_with_what_opens_a_run(self) -> None:
        page = (ROOT / "docs" / "notebooks.md").read_text(encoding="utf-8")
        assert page.index("se_agent.open") < page.index("sqlite")

    @pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
    def test_each_is_valid_short_and_without_outputs(self, path: Path) -> None:
        notebook = read(path)
        nbformat.validate(notebook)
        code = [cell for cell in notebook.cells if cell.cell_type == "code"]
        assert 5 <= len(code) <= 12
        assert [cell.id for cell in code if cell.outputs or cell.execution_count] == []
        assert _is_parameters(code[0])

    @pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
    def test_each_uses_the_public_face_only(self, path: Path) -> None:
        """Nothing that another version may have moved; paths of machines the house finds."""
        cells = read(path).cells
        sources = "\n".join(cell.source for cell in cells if cell.cell_type == "code")
        ours = re.findall(r"^(?:from|import) se_agent.*", sources, re.MULTILINE)
        assert set(ours) <= {"import se_agent", "from se_agent.analysis import plots"}
