"""Run files: what they mean, and how a wrong one is refused."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from se_agent.chat.messages import Role
from se_agent.config import run_file, sections
from se_agent.config.deviations import changed_lines
from se_agent.errors import ConfigError


def write(folder: Path, text: str, name: str = "run.toml") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_a_problem_name_alone_is_a_complete_run() -> None:
    run = run_file.parse("sort")
    assert run == run_file.Run(problem="sort")
    assert (run.policy, run.workers, run.generation_size) == ("portfolio", 1, 8)
    assert (run.memory.local.token_limit, run.memory.local.directions_limit) == (1500, 12)
    assert (run.judge.margin, run.judge.min_blocks, run.judge.max_blocks) == (0.01, 3, 9)
    assert run.budget.evaluations == 60


@pytest.mark.parametrize(
    ("text", "error", "hint"),
    [
        pytest.param(
            'problem = "sort"\n[memory.local]\ntoken_limt = 9\n',
            "memory.local.token_limt: unknown key",
            "did you mean 'memory.local.token_limit'?",
            id="typo-in-a-section",
        ),
        pytest.param(
            'problem = "sort"\nsede = 1\n',
            "sede: unknown key",
            "did you mean 'seed'?",
            id="typo",
        ),
        pytest.param(
            'problem = "sort"\n[juge]\n',
            "juge: unknown key",
            "did you mean 'judge'?",
            id="empty-section-with-a-typo",
        ),
        pytest.param(
            'problem = "sort"\nextend = "base.toml"\n',
            "extend: unknown key",
            "did you mean 'extends'?",
            id="typo-in-extends",
        ),
        pytest.param(
            'problme = "sort"\n',
            "problme: unknown key",
            "did you mean 'problem'?",
            id="the-typo-is-why-another-is-missing",
        ),
        pytest.param(
            'problem = "sort"\nevaluations = 3\n',
            "evaluations: unknown key",
            "did you mean 'budget.evaluations'?",
            id="right-key-in-the-wrong-section",
        ),
        pytest.param(
            'problem = "sort"\n[sandbox]\nqqqqq = 1\n',
            "sandbox.qqqqq: unknown key",
            "known here: isolation",
            id="nothing-near",
        ),
        pytest.param("", "problem: Field required", "problem: Name of a shipped", id="missing"),
        pytest.param(
            'problem = "sort"\nseed = true\n',
            "seed: Input should be a valid integer, not True",
            "seed: ",
            id="a-truth-is-no-number",
        ),
        pytest.param(
            'problem = "sort"\n[budget]\ncpu_seconds = inf\n',
            "budget.cpu_seconds: Input should be a finite number",
            "cpu_seconds: CPU seconds",
            id="infinity",
        ),
        pytest.param(
            'problem = "sort"\njudge = 3\n', "judge: ", "its keys: margin", id="no-section"
        ),
        pytest.param(
            'problem = "sort"\n[judge]\nmin_blocks = 10\n',
            "judge: min_blocks=10 is above max_blocks=9",
            "its keys: margin",
            id="blocks-out-of-order",
        ),
        pytest.param(
            'problem = "sort"\n[measure]\nfast_seconds = 0.5\n',
            "measure: fast_seconds=0.5 is not below slow_seconds=0.3",
            "its keys: fast",
            id="seconds-out-of-order",
        ),
        pytest.param(
            'problem = "sort"\nfolds = ["gains", "costs"]\n',
            "folds: the engine has a fold named 'costs' itself",
            "register yours under another name",
            id="fold-of-the-engine",
        ),
        pytest.param(
            'problem = "sort"\nfolds = ["a", "b", "a"]\n',
            "folds: 'a' is named twice",
            "name each fold once",
            id="fold-twice",
        ),
        pytest.param('problem = "sort', "not valid TOML", "a run file is TOML", id="no-toml"),
        pytest.param(
            'problem = "sort"\nextends = 1\n',
            "extends: not a string",
            'write extends = "',
            id="x",
        ),
    ],
)
def test_a_wrong_run_file_is_refused(tmp_path: Path, text: str, error: str, hint: str) -> None:
    path = write(tmp_path, text)
    with pytest.raises(ConfigError, match=r"run\.toml: ") as caught:
        run_file.load(path)
    assert str(caught.value).startswith(f"{path}: {error}")
    assert caught.value.hint.startswith(hint)


@pytest.mark.parametrize("key", ["sk-very-secret-0123", "gsk_abcDEF0123456789", "K" * 80])
@pytest.mark.parametrize("place", ["key", "api_key"])
def test_a_key_in_the_place_of_its_variable_is_repeated_nowhere(
    tmp_path: Path, key: str, place: str
) -> None:
    path = write(tmp_path, f'problem = "sort"\n[models.main]\nname = "m"\n{place} = "{key}"\n')
    with pytest.raises(ConfigError, match=rf"models\.main\.{place}: ") as in_file:
        run_file.load(path)
    given = ["models.main.name=m", f"models.main.{place}={key}"]
    with pytest.raises(ConfigError, match=rf"models\.main\.{place}: ") as overridden:
        run_file.parse("sort", given)
    for caught in (in_file, overridden):
        assert key not in f"{caught.value} {caught.value.hint}"


@pytest.mark.parametrize(
    ("override", "error"),
    [
        pytest.param("sede=1", "--set sede: unknown key", id="typo"),
        pytest.param("budget.evaluation=1", "budget.evaluation: unknown key", id="in-section"),
        pytest.param("budgets.evaluations=1", "budgets: unknown key", id="section"),
        pytest.param("seed", "--set: not key=value", id="no-value"),
        pytest.param("=1", "--set =: not key=value", id="no-key"),
        pytest.param("judge..margin=1", "not key=value", id="empty-part"),
        pytest.param("workers=65", "workers: Input should be less than or equal", id="range"),
        pytest.param("judge.margin.x=1", "judge.margin: Input should be", id="below-a-leaf"),
        pytest.param("name=../x", "name: String should match", id="name-is-no-path"),
        pytest.param("seed=1\nname='x'", "seed: Input should be", id="two-lines"),
        pytest.param("measure.confirm_inputs=7", "confirm_inputs: ", id="too-thin"),
        pytest.param(
            r'memory.vocabulary="\u0000"', "memory.vocabulary: no path: ", id="no-vocabulary"
        ),
        pytest.param(r'problem="a/\u0000"', "problem: no path: ", id="no-folder"),
        pytest.param(f"problem={'a' * 300}", "problem: no path: ", id="too-long-for-a-folder"),
        pytest.param("problem=~nobody-here/x", "problem: no path: ", id="nobody's-home"),
    ],
)
def test_a_wrong_override_is_refused(override: str, error: str) -> None:
    with pytest.raises(ConfigError, match=r"^--set") as caught:
        run_file.parse("sort", [override])
    assert error in str(caught.value)
    assert caught.value.hint


@pytest.mark.parametrize(
    ("override", "changed"),
    [
        pytest.param("seed=7", {"seed": 7}, id="number"),
        pytest.param("policy=best_of_n", {"policy": "best_of_n"}, id="bare-string"),
        pytest.param('policy="a=b"', {"policy": "a=b"}, id="quoted-string"),
        pytest.param("operators=a,b", {"operators": ("a", "b")}, id="names"),
        pytest.param('operators = ["a"]', {"operators": ("a",)}, id="array"),
        pytest.param("operators=", {}, id="no-names"),
        pytest.param("memory.enabled=false", {"memory": {"enabled": False}}, id="truth"),
        pytest.param("judge={margin=0.02}", {"judge": {"margin": 0.02}}, id="table"),
        pytest.param("budget.evaluations=none", {"budget": {"evaluations": None}}, id="none"),
        pytest.param("budget.cpu_seconds=5", {"budget": {"cpu_seconds": 5.0}}, id="whole"),
    ],
)
def test_an_override_changes_one_key(override: str, changed: dict[str, object]) -> None:
    run = run_file.parse("sort", [override])
    assert run.model_dump(exclude_defaults=True) == {"problem": "sort", **changed}


class TestExtends:
    def test_own_keys_win_and_sections_are_merged(self, tmp_path: Path) -> None:
        base = "problem = 'sort'\nseed = 1\n[judge]\nmargin = 0.05\npairs = 6\n"
        write(tmp_path, base, "base/base.toml")
        path = write(tmp_path, "extends = 'base/base.toml'\nseed = 2\n[judge]\npairs = 8\n")
        run = run_file.load(path, ["judge.max_blocks=5"])
        assert (run.problem, run.seed) == ("sort", 2)
        assert (run.judge.margin, run.judge.pairs, run.judge.max_blocks) == (0.05, 8, 5)

    def test_an_empty_section_takes_nothing_away(self, tmp_path: Path) -> None:
        write(tmp_path, "problem = 'sort'\n[judge]\nmargin = 0.05\n", "base.toml")
        run = run_file.load(write(tmp_path, "extends = 'base.toml'\n[judge]\n"))
        assert run.judge.margin == 0.05

    def test_an_error_names_the_file_that_holds_it(self, tmp_path: Path) -> None:
        base = write(tmp_path, "problem = 'sort'\nsede = 1\n", "base.toml")
        path = write(tmp_path, "extends = 'base.toml'\nseed = 2\n")
        with pytest.raises(ConfigError, match="sede: unknown key") as caught:
            run_file.load(path)
        assert str(caught.value).startswith(f"{base}: ")

    def test_what_is_no_file_is_not_read(self, tmp_path: Path) -> None:
        """A device has no end."""
        path = write(tmp_path, "extends = '/dev/zero'\n")
        with pytest.raises(ConfigError, match="/dev/zero: not a file"):
            run_file.load(path)

    def test_a_circle_is_named(self, tmp_path: Path) -> None:
        write(tmp_path, "extends = '../a.toml'\n", "deep/b.toml")
        path = write(tmp_path, "extends = 'deep/b.toml'\n", "a.toml")
        with pytest.raises(ConfigError, match=r"circle: a\.toml -> b\.toml -> a\.toml"):
            run_file.load(path)

    def test_a_missing_base_is_named(self, tmp_path: Path) -> None:
        path = write(tmp_path, "extends = 'gone.toml'\n")
        with pytest.raises(ConfigError, match=r"gone\.toml: No such file") as caught:
            run_file.load(path)
        assert caught.value.hint


class TestWhichProblem:
    def test_a_path_starts_at_the_file_that_writes_it(self, tmp_path: Path) -> None:
        write(tmp_path, "problem = './mine'\n", "base/base.toml")
        run = run_file.load(write(tmp_path, "extends = 'base/base.toml'\n"))
        assert run.problem == str((tmp_path / "base" / "mine").resolve())

    def test_a_folder_beside_the_run_file_comes_before_a_shipped_name(
        self, tmp_path: Path
    ) -> None:
        write(tmp_path, "", "mine/problem.toml")
        run = run_file.load(write(tmp_path, "problem = 'mine'\n"))
        assert run.problem == str((tmp_path / "mine").resolve())

    def test_a_plain_name_stays_one(self, tmp_path: Path) -> None:
        assert run_file.load(write(tmp_path, "problem = 'mine'\n")).problem == "mine"

    def test_a_workspace_starts_at_the_file_too_and_none_is_none(self, tmp_path: Path) -> None:
        for value, meant in (
            ("beside", str((tmp_path / "beside").resolve())),
            ("none", "none"),
        ):
            text = f"problem = 'x'\n[memory.workspace]\npath = '{value}'\n"
            run = run_file.load(write(tmp_path, text))
            assert run.memory.workspace.path == meant

    def test_a_vocabulary_starts_at_the_file_too(self, tmp_path: Path) -> None:
        run = run_file.load(write(tmp_path, "problem = 'x'\n[memory]\nvocabulary = 'v.txt'\n"))
        assert run.memory.vocabulary == str((tmp_path / "v.txt").resolve())


class TestParse:
    def test_a_run_file_is_told_from_a_problem(self, tmp_path: Path) -> None:
        path = write(tmp_path, "problem = 'sort'\nseed = 4\n")
        assert run_file.parse(str(path), ["workers=2"]) == run_file.Run(
            problem="sort", seed=4, workers=2
        )

    def test_the_file_of_a_problem_means_its_folder(self, tmp_path: Path) -> None:
        path = write(tmp_path, "name = 'mine'\n", "mine/problem.toml")
        assert run_file.parse(str(path)).problem == str((tmp_path / "mine").resolve())

    @pytest.mark.parametrize("text", ["gone.toml", "deep/gone.toml"])
    def test_a_run_file_that_is_not_there_is_no_problem_name(self, text: str) -> None:
        with pytest.raises(ConfigError, match="No such file") as caught:
            run_file.parse(text)
        assert caught.value.hint

    def test_a_program_is_no_run_file(self, tmp_path: Path) -> None:
        path = write(tmp_path, "def f(x):\n    return x\n", "slow.py")
        with pytest.raises(ConfigError, match=r"slow\.py: a program, neither") as caught:
            run_file.parse(str(path))
        assert f"se-agent optimize {path}:FUNCTION" in caught.value.hint


limits = st.none() | st.integers(1, 10**6)
written = st.text(st.characters(exclude_categories=["Cc", "Cs"]), min_size=1)
endpoints = st.builds(
    sections.Endpoint,
    name=written,
    weights=st.dictionaries(st.sampled_from(Role), st.floats(0, 9)),
    temperature=st.none() | st.floats(0, 2),
    prompt_price=st.none() | st.floats(0, 99),
)
runs = st.builds(
    run_file.Run,
    problem=written,
    operators=st.lists(st.from_regex(r"[a-z_]+", fullmatch=True)).map(tuple),
    seed=st.integers(0, 2**63),
    models=st.dictionaries(
        st.from_regex(r"[a-z][a-z0-9_-]*", fullmatch=True), endpoints, max_size=2
    ),
    memory=st.builds(sections.MemorySection, enabled=st.booleans()),
    judge=st.builds(sections.Judge, margin=st.floats(0.001, 0.5)),
    budget=st.builds(sections.Budget, evaluations=limits, proposals=limits),
)


@pytest.mark.tier("runs")
@given(runs)
def test_a_journal_gives_back_the_run_that_it_was_given(run: run_file.Run) -> None:
    kept = json.loads(json.dumps(run.model_dump(mode="json")))
    assert run_file.Run.model_validate(kept) == run


@pytest.mark.tier("runs")
@given(runs)
def test_a_description_is_a_run_file_that_means_the_same(run: run_file.Run) -> None:
    assert run_file.Run.model_validate(tomllib.loads(run_file.describe(run))) == run


@given(st.lists(st.integers(0, 99), min_size=1))
def test_of_several_overrides_of_a_key_the_last_wins(seeds: list[int]) -> None:
    run = run_file.parse("sort", [f"seed={seed}" for seed in seeds])
    assert run.seed == seeds[-1]


def test_every_key_says_what_it_means_in_one_line() -> None:
    text = run_file.describe(run_file.Run(problem="x"))
    for line in filter(None, text.splitlines()):
        assert line.startswith("[") or (" = " in line and line.endswith(".")), line


def test_only_what_differs_from_the_default_is_a_change() -> None:
    assert changed_lines(run_file.Run(problem="x")) == []
    run = run_file.Run(
        problem="x", seed=3, weights={"cpu": 1.0}, budget=sections.Budget(evaluations=None)
    )
    assert changed_lines(run) == [
        "weights = { cpu = 1.0 }",
        "seed = 3",
        'budget.evaluations = "none"',
    ]


@pytest.mark.parametrize("url", ["https://me:word@host/v1", "https://host/v1?key=word"])
def test_a_secret_in_an_address_is_refused_for_the_run_file_is_kept(url: str) -> None:
    with pytest.raises(ConfigError, match="user, password or query is not taken") as caught:
        run_file.parse("sort", ["models.main.name=m", f"models.main.base_url={url}"])
    with pytest.raises(ConfigError, match="--set base_url: unknown key") as astray:
        run_file.parse("sort", [f"base_url={url}"])
    for error in (caught.value, astray.value):
        assert "word" not in str(error).replace("password", "")


def test_a_model_is_a_table_of_its_own() -> None:
    run = run_file.parse("sort", ["models.main.name=m", "models.main.weights.plan=2.0"])
    assert run.models["main"].weights == {Role.PLAN: 2.0}
    assert changed_lines(run) == [
        'models.main.name = "m"',
        "models.main.weights = { plan = 2.0 }",
    ]


@pytest.mark.parametrize("key", ["measure.mas_blocks", "mas_blocks", "judge.mas_blocks"])
def test_a_mistyped_key_of_another_table_is_found(key: str) -> None:
    with pytest.raises(ConfigError, match=f"{key}: unknown key") as caught:
        run_file.parse("sort", [f"{key}=1"])
    assert caught.value.hint == "did you mean 'judge.max_blocks'?"


@pytest.mark.parametrize(
    ("setting", "hint"),
    [
        ("models.main.nam=m", "did you mean 'models.main.name'?"),
        ("models.main.max_tokens=none", "max_tokens: Tokens of a reply"),
        ("models.main=7", "its keys: name"),
        ("models.main.weights.mutation=-1", "weights: Share of the calls of a role"),
    ],
)
def test_a_wrong_key_of_a_model_is_explained(setting: str, hint: str) -> None:
    with pytest.raises(ConfigError, match=r"models\.main") as caught:
        run_file.parse("sort", ["models.main.name=m", setting])
    assert hint in caught.value.hint


def test_a_role_has_a_name_that_can_be_a_key() -> None:
    with pytest.raises(ConfigError, match=r"models\.main\.weights"):
        run_file.parse("sort", ["models.main.name=m", 'models.main.weights."my role"=1'])
