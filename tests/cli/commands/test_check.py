"""`check`, `problems`, `operators` and `doctor`: what can be known before a run."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from evaluators.sandbox.server.probe import Feature, Isolation, tried
from se_agent import registry
from se_agent.cli.commands.doctor import findings, refused
from se_agent.cli.doctor_row import DoctorRow
from se_agent.memory.experience import schema
from se_agent.memory.experience.operator_counts import OperatorCounts
from se_agent.problem.loading import find_problems, load_problem
from tests.cli.calls import Called, call, two_lines
from tests.cli.folders import INITIAL, problem_folder

SLOW = """
def pairs(numbers, total):
    while True:
        pass
"""


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_it_says_what_it_is_about_and_which_constants_are_marked() -> None:
    called = call("check", "bin_packing", "--static")
    title = load_problem("bin_packing").title
    assert re.search(rf"^title +{re.escape(title)}$", called.out, re.MULTILINE)
    marked = "AWKWARD = 0 (0..60), DISLIKE = 0.0 (0.0..100.0)"
    assert re.search(rf"^to tune +{re.escape(marked)}$", called.out, re.MULTILINE)


def test_it_says_which_marks_do_not_count(tmp_path: Path) -> None:
    folder = problem_folder(tmp_path, initial=f"POWER = 0.5  # tune: 9..1\n{INITIAL}")
    called = call("check", folder, "--static")
    said = "line 1: the range 9..1 is empty: LOW must be below HIGH"
    assert re.search(rf"^mark +{re.escape(said)}$", called.out, re.MULTILINE)


@pytest.mark.tier("runs")
def test_it_says_what_a_run_means_and_makes_none(tmp_path: Path) -> None:
    folder = problem_folder(tmp_path)
    called = call("check", folder, "--set", "seed=7")
    assert called.code == 0
    assert "...\nverdict      a run can start\n" in called.out
    ending = f"settings     seed = 7\nnext:\n  se-agent run {folder} --set=seed=7\n"
    assert called.out.endswith(ending)
    assert re.search(r"^problem +pairs \(function\)$", called.out, re.MULTILINE)
    assert re.search(r"^tests +2 visible cases$", called.out, re.MULTILINE)
    assert re.search(r"^level 1 +generate\(rng, 200\)  <- search and final$", called.out, re.M)
    assert re.search(r"^candidates +1 distinct program within 3 edits", called.out, re.M)
    assert re.search(r"^time +[\d.]+ ms of CPU for one final input", called.out, re.MULTILINE)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["pairs"]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        pytest.param((), "read and added to: results/memory.db, 1 earlier run", id="as-usual"),
        pytest.param(("read",), "read: results/memory.db, 1 earlier run", id="frozen"),
        pytest.param(("write",), "added to: results/memory.db, 1 earlier run", id="added-to"),
        pytest.param(("off",), "off: what earlier runs found out is neither", id="off"),
        pytest.param(("false",), "off: what earlier runs found out is neither", id="false"),
    ],
)
def test_it_says_what_is_used_of_earlier_runs(
    tmp_path: Path, said: tuple[str, ...], told: str
) -> None:
    (tmp_path / "results").mkdir()
    one = OperatorCounts(rule="counter", tries=1, cpu_seconds=1.0)
    schema.write(tmp_path / "results" / schema.FILE, "one", [one])
    given = [part for prior in said for part in ("--set", f"memory.prior={prior}")]
    called = call("check", problem_folder(tmp_path), "--static", *given)
    assert re.search(rf"^prior +{told}", called.out, re.MULTILINE), called.out
    freezes = 'the next run learns from this one; memory.prior = "read" freezes it'
    assert (freezes in called.out) == (not said)


def test_a_prior_that_there_is_not_is_refused(tmp_path: Path) -> None:
    called = call("check", problem_folder(tmp_path), "--set", "memory.prior=frozen")
    wrong, _ = two_lines(called)
    assert "memory.prior: Input should be True, False, 'read', 'write' or 'off'" in wrong


@pytest.mark.tier("runs")
def test_inputs_that_are_too_short_are_told_by_the_command(tmp_path: Path) -> None:
    squares = "sum(n * n for n in numbers for _ in range(9))"  # 0.06 to 0.3 ms would do
    body = f"def pairs(numbers, total):\n    return {squares}\n"
    folder = problem_folder(tmp_path, initial=body)
    long = ("--set", "measure.fast_seconds=0.6", "--set", "measure.slow_seconds=0.9")
    called = call("check", folder, "--mutants", 0, "--json", *long)
    notes = json.loads(called.out)["notes"]  # of a busy machine it is told as well
    (note,) = (note for note in notes if "Make the final inputs larger" in note)
    assert f"note         {note}" in called.err


def test_static_runs_nothing(tmp_path: Path) -> None:
    folder = problem_folder(tmp_path, initial=SLOW)
    called = call("check", folder, "--static")
    assert called.code == 0
    assert "hash seeds" not in called.out
    assert "...\nverdict      it can be read; nothing was run\n" in called.out
    assert re.search(r"^settings +all as by default", called.out, re.MULTILINE)
    assert called.out.endswith(f"next:\n  se-agent run {folder}\n")


NEVER = "def generate(rng, size):\n    return [rng.randrange(9) for _ in range(size)], 99\n"


@pytest.fixture(scope="module")
def never(tmp_path_factory: pytest.TempPathFactory) -> Called:
    """What `check` says of a problem whose inputs tell no mutant from it."""
    folder = problem_folder(tmp_path_factory.mktemp("never"), generator=NEVER)
    return call("check", folder, "--json")


class TestMutants:
    """The strength of the visible tests, as people and as programs read it."""

    @pytest.mark.tier("runs")
    def test_faults_are_planted_and_found(self, tmp_path: Path) -> None:
        called = call("check", problem_folder(tmp_path), "--mutants", 6)
        assert re.search(r"^mutants +6 of \d+ places tried$", called.out, re.MULTILINE), called
        assert re.search(r"^ +\d of \d \(\d+%\) caught by the tests", called.out, re.M)
        assert re.search(r"^ +off by one +\d of \d", called.out, re.MULTILINE)

    @pytest.mark.tier("runs")
    def test_survivors_are_shown_with_the_input_that_tells(self, tmp_path: Path) -> None:
        case = 'name = "none"\nargs = "([], 3)"'
        folder = problem_folder(
            tmp_path,
            problem='kind = "function"\nentry_point = "pairs"\n'
            "[inputs]\nsizes = [5, 200]\nvisible = 0\n",
            cases=f"[[case]]\n{case}\n",
        )
        called = call("check", folder)
        assert re.search(r"^missed +\w.* in pairs$", called.out, re.MULTILINE), called
        assert re.search(r"^ +\+ +found -= 1$", called.out, re.MULTILINE)
        assert re.search(r"^ +told by generate\(rng, \d+\), seed \d+: ", called.out, re.M)

    @pytest.mark.tier("runs")
    def test_json_has_all_of_them(self, never: Called) -> None:
        answer = json.loads(never.out)
        mutants = answer["mutants"]
        assert (answer["problem"], answer["kind"], answer["tests"]) == ("pairs", "function", 2)
        assert mutants["caught"] + mutants["missed"] + mutants["alike"] == mutants["tried"]
        assert len(mutants["survivors"]) == mutants["missed"] + mutants["alike"] > 0
        assert {"fate", "fault", "function", "diff", "told_by"} == set(mutants["survivors"][0])
        assert "mutants " in never.err

    @pytest.mark.tier("runs")
    def test_inputs_that_tell_few_of_them_are_warned_of(self, never: Called) -> None:
        mutants = json.loads(never.out)["mutants"]
        counted = f"{mutants['caught']} of {mutants['tried']} caught by the tests, 0 missed"
        assert f"{counted}, {mutants['alike']} alike" in never.err
        assert re.search(r"^ +[a-z ]+ {2,}\d+ alike$", never.err, re.MULTILINE)
        assert "%" not in never.err.partition("mutants ")[2].partition("warning")[0]
        alike = f"{mutants['alike']} of {mutants['tried']} mutants answer as the initial"
        assert mutants["doubt"].startswith(alike)
        assert "or add test cases." in mutants["doubt"]
        assert f"warning      {mutants['doubt']}" in never.err

    @pytest.mark.tier("runs")
    @pytest.mark.parametrize("option", [("--mutants", "0"), ("--static",)])
    def test_none_are_planted_when_none_are_wanted(
        self, tmp_path: Path, option: tuple[str, ...]
    ) -> None:
        called = call("check", problem_folder(tmp_path), "--json", *option)
        assert "mutants" not in json.loads(called.out)

    @pytest.mark.tier("runs")
    def test_a_scored_problem_has_mutants_too(self) -> None:
        called = call("check", "circle_packing", "--mutants", 2, "--json")
        row = json.loads(called.out)
        assert row["mutants"]["caught"] > 0
        assert row["scorer"]["let_through"] == []
        assert row["scorer"]["tried"] > 20

    @pytest.mark.tier("runs")
    def test_what_a_scorer_lets_through_is_told_in_plain_words(self, tmp_path: Path) -> None:
        folder = tmp_path / "points"
        folder.mkdir()
        texts = {
            "problem.toml": 'kind = "score"\nentry_point = "place"\n[inputs]\nsizes = [3]\n'
            '[score]\ndirection = "maximize"\n',
            "generator.py": "def generate(rng, size):\n    return (size,)\n",
            "initial.py": "def place(size):\n    return [0.5 / size]  # tune: 0.1..1.0\n",
            "scorer.py": "def score(args, output):\n    if output[0] > 1: raise ValueError\n"
            "    return min(2.637, *output, 2.637)\n",
        }
        for name, text in texts.items():
            (folder / name).write_text(text, encoding="utf-8")
        called = call("check", folder, "--mutants", 0)
        assert re.search(r"^warning +the scorer lets \d+ of \d+ spoiled", called.out, re.M)
        assert "nan at [0]: score 2.637, the right answer has 0.1666" in called.out, called
        assert "let it raise ValueError for these" in called.out


@pytest.mark.tier("library")
def test_a_shipped_problem_has_30_candidates_and_more() -> None:
    found = re.search(
        r"^candidates +at least (\d+) ", call("check", "order_report", "--static").out, re.M
    )
    assert found is not None
    assert int(found[1]) >= 30


def test_a_run_file(tmp_path: Path) -> None:
    problem_folder(tmp_path)
    (tmp_path / "run.toml").write_text('problem = "pairs"\nseed = 3\n', encoding="utf-8")
    assert "seed = 3" in call("check", "run.toml", "--static").out
    (tmp_path / "bad.toml").write_text('problem = "pairs"\nsed = 3\n', encoding="utf-8")
    error, hint = two_lines(call("check", "bad.toml"))
    assert error == "bad.toml: sed: unknown key"
    assert hint == "did you mean 'seed'?"


@pytest.mark.tier("runs")
def test_a_scored_problem_has_its_score(tmp_path: Path) -> None:
    called = call("check", "bin_packing", "--set", "program=best_fit", "--mutants", 0)
    assert re.search(r"^score +[\d.]+ excess bins$", called.out, re.MULTILINE), called
    assert re.search(r"^tests +none: answers are scored", called.out, re.MULTILINE)
    assert "passes its tests" not in called.out
    assert "time  " not in called.out


def test_every_shipped_problem_and_operator_is_listed() -> None:
    problems = call("problems").out
    assert all(
        re.search(rf"^{name} +(function|stdio|score) ", problems, re.M)
        for name in find_problems()
    )
    assert all(load_problem(name).title in problems for name in find_problems())
    operators = call("operators").out
    for name in registry.names("operator"):
        assert re.search(rf"^{name} +(mutation|crossover|union) +\w", operators, re.MULTILINE)


@pytest.mark.tier("runs")
def test_the_doctor_of_this_machine() -> None:
    called = call("doctor")
    assert called.code == (2 if tried("jail") else 0)
    for word in ("landlock", "seccomp", "clock", "tokeniser", "Python", "results folder"):
        assert word in called.out


def test_the_doctor_names_the_level_that_isolates_nothing() -> None:
    row = next(r for r in findings(Isolation(features=())) if r.name == "isolation none")
    assert row.ok
    assert "isolates nothing: by name only" in row.detail


def test_the_doctor_tells_one_earlier_run_as_one(tmp_path: Path) -> None:
    one = OperatorCounts(rule="counter", tries=1, cpu_seconds=1.0)
    (tmp_path / "results").mkdir()
    schema.write(tmp_path / "results" / schema.FILE, "one", [one])
    rows = findings(Isolation(features=()))
    row = next(row for row in rows if row.name == "memory of earlier runs")
    assert row.detail.endswith("results/memory.db: 1 run")


@pytest.mark.parametrize(
    ("row", "why"),
    [
        pytest.param(
            DoctorRow("isolation jail", False, "no filter", ""), "no filter", id="refused"
        ),
        pytest.param(DoctorRow("isolation jail", True, "limits"), "", id="works"),
        pytest.param(
            DoctorRow("isolation namespace", False, "no filter", ""), "", id="another"
        ),
    ],
)
def test_what_was_tried_decides_and_not_what_the_kernel_has(row: DoctorRow, why: str) -> None:
    has_all = Feature(name="seccomp", available=True, detail="", cost="", needed=True)
    assert refused(Isolation(features=(has_all,)), [row]) == why


def test_what_is_missing_costs_something() -> None:
    lost = Feature(name="landlock", available=False, detail="", cost="files", needed=True)
    row = next(findings(Isolation(features=(lost,))))
    assert (row.name, row.ok, row.cost) == ("landlock", False, "files")


def test_a_results_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "results").symlink_to("/proc")
    row = next(r for r in findings(Isolation(features=())) if r.name == "results folder")
    assert not row.ok
    assert "--set results=FOLDER" in row.cost


def test_a_key_that_has_another_name_now_is_noted_once_apart_from_the_answer(
    tmp_path: Path,
) -> None:
    folder = problem_folder(tmp_path, initial=SLOW)
    given = ("--set", "memory.tabu=true", "--set", "memory.tabu=false")
    called = call("check", folder, "--static", *given)
    assert called.code == 0
    assert called.err == "note: memory.tabu is now memory.local.tabu\n"
    assert re.search(r"^settings +memory\.local\.tabu = false$", called.out, re.MULTILINE)
    both = call("check", folder, "--static", *given, "--set", "memory.local.tabu=true")
    wrong, hint = two_lines(both)
    assert wrong.startswith("--set memory.tabu: given twice: it is now memory.local.tabu")
    assert hint == "leave out memory.tabu"
