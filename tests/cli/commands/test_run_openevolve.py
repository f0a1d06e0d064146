"""`run --openevolve`: folders of that format run as they are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any  # rows of JSON

import pytest

from evaluators.sandbox.server.probe import leaves_no_trace
from tests.cli.calls import call, two_lines

_LOAD = """\
import importlib.util


def load(path):
    spec = importlib.util.spec_from_file_location("program", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


"""
_PROGRAM = """\
# EVOLVE-BLOCK-START
LEVEL = 3  # tune: 1..9
# EVOLVE-BLOCK-END


def answer():
    return LEVEL
"""
FOLDERS = {
    "combined": {
        "evaluator.py": _LOAD + "def evaluate(program_path):\n"
        "    x = load(program_path).answer()\n"
        "    return {'combined_score': -(x - 7) ** 2, 'other': 1000.0}\n",
    },
    "mean": {
        "evaluator.py": _LOAD + "def evaluate(program_path):\n"
        "    x = load(program_path).answer()\n"
        "    print('noise that is no score')\n"
        "    return {'a': float(x), 'b': 2.0, 'told': 'text', 'size': 99.0}\n",
        "config.yaml": "max_iterations: 2\nrandom_seed: 7\ndatabase:\n"
        "  feature_dimensions: [size]\n  num_islands: 3\n",
    },
    "result": {
        "evaluator.py": "from openevolve.evaluation_result import EvaluationResult\n"
        + _LOAD
        + "def evaluate(program_path):\n"
        "    x = load(program_path).answer()\n"
        "    return EvaluationResult({'combined_score': 1.0 * x}, artifacts={'s': 'x'})\n",
    },
    "staged": {
        "evaluator.py": _LOAD + "def evaluate_stage1(program_path):\n"
        "    return {'stage': 1.0, 'combined_score': 0.9}\n\n\n"
        "def evaluate_stage2(program_path):\n"
        "    return {'combined_score': load(program_path).answer() / 100}\n\n\n"
        "def evaluate_stage3(program_path):\n    raise RuntimeError('not reached')\n\n\n"
        "def evaluate(program_path):\n    return evaluate_stage2(program_path)\n",
        "config.yaml": "evaluator:\n  cascade_thresholds: [0.5, 0.75]\n  timeout: 20\n",
    },
    "process": {
        "evaluator.py": "import subprocess\nimport sys\nimport tempfile\n\n\n"
        "def evaluate(program_path):\n"
        '    code = f"exec(open({program_path!r}).read()); print(answer())"\n'
        "    with tempfile.NamedTemporaryFile('w', suffix='.py') as file:\n"
        "        file.write(code)\n        file.flush()\n"
        "        said = subprocess.run([sys.executable, file.name], capture_output=True)\n"
        "    return {'combined_score': float(said.stdout)}\n",
    },
    "files": {
        "evaluator.py": "import json\nimport os\n\nimport helper\n\n\n"
        "def evaluate(program_path):\n"
        "    here = os.path.dirname(os.path.abspath(__file__))\n"
        "    with open(os.path.join(here, 'data', 'goal.json')) as file:\n"
        "        goal = json.load(file)['goal']\n"
        "    return {'combined_score': -abs(helper.load(program_path).answer() - goal)}\n",
        "helper.py": _LOAD,
        "data/goal.json": '{"goal": 8}\n',
    },
    "drawing": {
        "evaluator.py": "import random\n\nimport numpy\n\n"
        + _LOAD
        + "def evaluate(program_path):\n"
        "    noise = random.random() + numpy.random.random()\n"
        "    return {'combined_score': noise + load(program_path).answer()}\n",
    },
    "shared": {
        "evaluator.py": "import openevolve.evaluation_result\n"
        "from concurrent.futures import ProcessPoolExecutor\n\n"
        + _LOAD
        + "def rated(program_path):\n    return float(load(program_path).answer())\n\n\n"
        "def evaluate(program_path):\n"
        "    with ProcessPoolExecutor(2) as pool:\n"
        "        (found,) = pool.map(rated, [program_path])\n"
        "    made = openevolve.evaluation_result.EvaluationResult\n"
        "    return made({'combined_score': found})\n",
    },
}
SCORES = {
    "combined": -16.0,
    "mean": 2.5,
    "result": 3.0,
    "staged": 0.03,
    "process": 3.0,
    "files": -5.0,
    "drawing": 4.393235355,
    "shared": 3.0,
}


def folder_in(place: Path, files: dict[str, str]) -> Path:
    for name, text in {"initial_program.py": _PROGRAM, **files}.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(text, encoding="utf-8")
    return place


def ran(folder: Path, *options: str) -> tuple[dict[str, Any], str]:
    quick = ("--set", "operators=tune", "--set", "budget.evaluations=2")
    called = call("run", "--openevolve", folder, "--json", *quick, *options)
    assert called.code in (0, 3), called
    return json.loads(called.out.splitlines()[-1]), called.err


@pytest.mark.tier("runs")
class TestARun:
    @pytest.mark.parametrize("name", FOLDERS)
    def test_of_a_folder_rates_programs_by_its_evaluator(
        self, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        if name == "shared" and not leaves_no_trace():
            pytest.skip("mounts cannot be made here")
        row, said = ran(folder_in(tmp_path / name, FOLDERS[name]))
        assert row["problem"] == name
        assert (row["verdict"], row["trusted"]) == ("untrusted", False)
        assert row["score_initial"] == pytest.approx(SCORES[name])
        assert row["score"] >= row["score_initial"]
        assert row["seed"] == (7 if name == "mean" else row["seed"])
        if name == "mean":
            assert "config.yaml: without a meaning here: database.num_islands" in said

    def test_sees_files_that_are_no_texts(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        text = "def evaluate(p):\n    return {'score': open('data.bin', 'rb').read()[1]}\n"
        folder = folder_in(tmp_path / "f", {"evaluator.py": text})
        (folder / "data.bin").write_bytes(b"\x93\xff\x00")
        (folder / "large.bin").write_bytes(bytes(5 << 20))
        row, said = ran(folder)
        assert row["score_initial"] == 255
        assert "note: programs do not see large.bin (larger than 4 MB)" in said
        assert call("replay", row["run"]).code == 0

    def test_tells_models_which_packages_are_there(self, tmp_path: Path) -> None:
        files = FOLDERS["files"]["evaluator.py"].replace("import os", "import os, numpy.linalg")
        folder = folder_in(tmp_path / "f", {**FOLDERS["files"], "evaluator.py": files})
        called = call("run", "--openevolve", folder, "--model", "m", "--dry-run")
        assert "uses the standard library and numpy, nothing else" in called.out


class TestFailures:
    @pytest.mark.tier("runs")
    @pytest.mark.parametrize(
        ("evaluator", "told"),
        [
            pytest.param(
                "def evaluate(p):\n    return {'score': 0.0, 'error': 'no such data'}\n",
                "(RE): RuntimeError: no such data",
                id="told-beside-a-score",
            ),
            pytest.param(
                "def evaluate_stage1(p):\n    return {'combined_score': 0.9}\n\n\n"
                "def evaluate_stage2(p):\n    raise LookupError('no such row')\n\n\n"
                "def evaluate(p):\n    return evaluate_stage2(p)\n",
                "(RE): LookupError: no such row",
                id="in-a-later-stage",
            ),
            pytest.param(
                "def evaluate(p):\n    return {'combined_score': float('nan'), 'size': 9.0}\n",
                "(WA): the score is not finite: nan",
                id="not-a-number",
            ),
            pytest.param(
                "def evaluate(p):\n    return {'told': 'text'}\n",
                "(RE): ValueError: evaluate() returned no metric that is a number",
                id="no-number",
            ),
        ],
    )
    def test_of_the_initial_program_are_no_score(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, evaluator: str, told: str
    ) -> None:
        monkeypatch.chdir(tmp_path)
        folder = folder_in(tmp_path / "f", {"evaluator.py": evaluator})
        error, _ = two_lines(call("run", "--openevolve", folder, "--set", "operators=tune"))
        assert f"has no score {told}" in error


class TestRefusals:
    @pytest.mark.parametrize(
        ("files", "told"),
        [
            pytest.param({}, "evaluator.py: No such file", id="no-evaluator"),
            pytest.param({"evaluator.py": "x = 1\n"}, "'evaluate' is not defined", id="no-f"),
            pytest.param({"evaluator.py": "def (\n"}, "evaluator.py:1", id="no-python"),
            pytest.param(
                {"evaluator.py": "def evaluate(p): ...\n", "config.yaml": "a: [\n"},
                "config.yaml: not valid YAML",
                id="no-yaml",
            ),
            pytest.param(
                {"evaluator.py": "def evaluate(p): ...\n", "config.yaml": "- 1\n"},
                "config.yaml: it holds no keys",
                id="a-list",
            ),
        ],
    )
    def test_are_two_lines(self, tmp_path: Path, files: dict[str, str], told: str) -> None:
        called = call("run", "--openevolve", folder_in(tmp_path / "f", files))
        assert told in two_lines(called)[0]

    def test_one_problem_is_taken(self, tmp_path: Path) -> None:
        called = call("run", "order_report", "--openevolve", tmp_path)
        assert "--openevolve names the problem" in two_lines(called)[0]
