"""Tables in tables: read, shown, compared and changed by the same rules at every depth."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any  # values of a run file

import pytest
from hypothesis import given
from hypothesis import strategies as st

from se_agent.config import run_file
from se_agent.config.changes import can_change, changed, changes_of, merged_table
from se_agent.config.deviations import changed_lines, deviations
from se_agent.config.sections import MemorySection
from se_agent.errors import ConfigError
from tests.config import outside

LEAF = "memory.echo.branch.leaf"


@pytest.fixture(scope="module", autouse=True)
def package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with outside.installed(tmp_path_factory.mktemp("site")):
        yield


def echo(run: run_file.Run) -> dict[str, Any]:
    found: dict[str, Any] = run.model_dump(mode="json")["memory"]["echo"]
    return found


def test_each_package_gets_its_table_in_its_class() -> None:
    import echo_tier  # type: ignore[import-not-found]  # made by the fixture

    run = run_file.parse("sort", [f"{LEAF}.depth=5", "memory.echo.far.away=9"])
    section = run.memory.added_section(echo_tier.Echo)
    assert section.branch.leaf == echo_tier.Leaf(depth=5)
    assert section.added_section(echo_tier.Far).away == 9
    with pytest.raises(LookupError, match=r"Leaf is not registered in \[memory\]"):
        run.memory.added_section(echo_tier.Leaf)


def test_a_run_that_says_nothing_has_the_defaults_of_the_package() -> None:
    assert run_file.parse("sort") == run_file.Run(problem="sort")
    assert echo(run_file.Run(problem="sort"))["branch"]["leaf"]["depth"] == 3


def test_tables_of_files_that_extend_each_other_are_merged_at_every_depth(
    tmp_path: Path,
) -> None:
    base = f"problem = 'sort'\n[{LEAF}]\ndepth = 4\npace = 4\nbook = 'b.txt'\n"
    (tmp_path / "base.toml").write_text(base)
    path = tmp_path / "run.toml"
    path.write_text(
        f"extends = 'base.toml'\n[memory.echo.branch]\nleaf.pace = 5\n[{LEAF}.tags]\n"
    )
    leaf = echo(run_file.load(path, [f"{LEAF}.tags.a=2"]))["branch"]["leaf"]
    assert (leaf["depth"], leaf["pace"], leaf["tags"]) == (4, 5, {"a": 2.0})
    assert leaf["book"] == str((tmp_path / "b.txt").resolve())


@pytest.mark.parametrize(
    ("key", "error", "hint"),
    [
        (
            "memory.eco.loud=1",
            "memory.eco.loud: memory.eco: unknown key",
            "did you mean 'memory.echo'?",
        ),
        (
            "memory.echo.lout=1",
            "memory.echo.lout: unknown key",
            "did you mean 'memory.echo.loud'?",
        ),
        (f"{LEAF}.dept=1", f"{LEAF}.dept: unknown key", f"did you mean '{LEAF}.depth'?"),
        (
            "memory.echo.depth=1",
            "memory.echo.depth: unknown key",
            f"did you mean '{LEAF}.depth'?",
        ),
        ("depth=1", "depth: unknown key", f"did you mean '{LEAF}.depth'?"),
        ("memory.echo.far.qqq=1", "memory.echo.far.qqq: unknown key", "known here: away"),
        (
            "memory.echo.branch.qqq=1",
            "memory.echo.branch.qqq: unknown key",
            "known here: leaf, twigs",
        ),
        (
            "memory.qqq=1",
            "memory.qqq: unknown key",
            f"known here: {', '.join(MemorySection.model_fields)}, echo",
        ),
        (
            f"{LEAF}.depth=-1",
            f"{LEAF}.depth: Input should be greater",
            "depth: How deep it is.",
        ),
        (
            "memory.echo.branch.twigs.a.dept=1",
            "memory.echo.branch.twigs.a.dept: unknown key",
            "did you mean 'memory.echo.branch.twigs.a.depth'?",
        ),
        ("memory.echo.branch=3", "memory.echo.branch: Input", "its keys: leaf, twigs"),
        ("memory.echo=3", "memory.echo: Input should", "its keys: loud, branch, far"),
        ("memory.echo.branch.twigs=3", "memory.echo.branch.twigs: Input", "twigs: Leaves by"),
    ],
)
def test_a_wrong_key_is_explained_at_every_depth(key: str, error: str, hint: str) -> None:
    with pytest.raises(ConfigError, match=r"^--set memory|^--set depth") as caught:
        run_file.parse("sort", [key])
    assert str(caught.value).startswith(f"--set {error}")
    assert caught.value.hint.startswith(hint)


def test_only_what_differs_is_told_by_its_dotted_key() -> None:
    given = [f"{LEAF}.depth=4", "memory.echo.branch.twigs.a.pace=2", "memory.local.tabu=false"]
    run = run_file.parse("sort", given)
    assert deviations(run.model_dump(mode="json")) == {
        "memory.local.tabu": False,
        f"{LEAF}.depth": 4,
        "memory.echo.branch.twigs.a.pace": 2,
    }
    assert changed_lines(run)[1] == f"{LEAF}.depth = 4"


class TestChanges:
    def test_a_key_that_is_marked_may_change(self) -> None:
        run = run_file.parse("sort", ["memory.echo.branch.twigs.a.pace=2"])
        settings = [f"{LEAF}.pace=3", "memory.echo.branch.twigs.a.pace=4"]
        found = changes_of(run, settings)
        assert found == {f"{LEAF}.pace": 3, "memory.echo.branch.twigs.a.pace": 4}
        assert deviations(changed(run, found).model_dump(mode="json")) == found
        assert f"{LEAF}.pace" in can_change()

    @pytest.mark.parametrize(
        "key", [f"{LEAF}.depth", "memory.echo.branch.twigs.b.pace", "memory.local.tabu"]
    )
    def test_no_other_may(self, key: str) -> None:
        run = run_file.parse("sort")
        with pytest.raises(ConfigError, match=f"^--set {key}: it cannot change any more") as e:
            changes_of(run, [f"{key}=1"])
        assert "budget.*, " in e.value.hint
        assert "asking.in_flight" in e.value.hint

    def test_an_unknown_one_is_told_as_such(self) -> None:
        with pytest.raises(ConfigError, match=f"^--set {LEAF}.dept: unknown key"):
            changes_of(run_file.parse("sort"), [f"{LEAF}.dept=1"])


words = st.text(st.characters(exclude_categories=["Cc", "Cs"]), max_size=9)
leaves = st.fixed_dictionaries(
    {},
    optional={
        "depth": st.integers(0, 2**63),
        "tags": st.dictionaries(words, st.floats(-9, 9), max_size=2),
        "names": st.lists(words, max_size=2),
        "pace": st.integers(-9, 9),
    },
)
branches = st.fixed_dictionaries(
    {}, optional={"leaf": leaves, "twigs": st.dictionaries(words, leaves, max_size=2)}
)
tiers = st.fixed_dictionaries(
    {},
    optional={
        "loud": st.booleans(),
        "branch": branches,
        "far": st.fixed_dictionaries({}, optional={"away": st.integers(-9, 9)}),
    },
)
locals_ = st.fixed_dictionaries(
    {}, optional={"token_limit": st.integers(100, 9999), "status": st.booleans()}
)
memories = st.fixed_dictionaries({}, optional={"echo": tiers, "local": locals_})


@pytest.mark.tier("runs")
@given(memories)
def test_any_nested_run_file_comes_back_from_its_record(memory: dict[str, object]) -> None:
    run = run_file.Run.model_validate({"problem": "p", "memory": memory})
    assert run_file.run_of_record(json.loads(json.dumps(run.model_dump(mode="json")))) == run
    assert run_file.Run.model_validate(tomllib.loads(run_file.describe(run))) == run


dotless = words.filter(lambda word: word and "." not in word)
plain_branches = st.fixed_dictionaries(
    {}, optional={"leaf": leaves, "twigs": st.dictionaries(dotless, leaves, max_size=2)}
)


@given(plain_branches)
def test_the_default_with_what_differs_is_the_run(branch: dict[str, object]) -> None:
    """Except for tables of the user's naming that say nothing."""
    table = {"problem": "p", "memory": {"echo": {"branch": branch}}}
    run = run_file.Run.model_validate(table).model_dump(mode="json")
    usual = run_file.Run(problem="p").model_dump(mode="json")
    usual["memory"]["echo"]["branch"]["twigs"] = {
        name: {} for name in run["memory"]["echo"]["branch"]["twigs"]
    }
    again = run_file.run_of_record(merged_table(usual, deviations(run)))
    assert again.model_dump(mode="json") == run


def test_a_record_of_a_section_whose_package_is_gone_is_refused_in_two_lines() -> None:
    table = run_file.Run(problem="p").model_dump(mode="json")
    table["memory"]["gone"] = {"key": 1}
    with pytest.raises(ConfigError, match=r"record of the run: memory\.gone: unknown") as e:
        run_file.run_of_record(table)
    assert e.value.hint
    assert deviations(table) == {"memory.gone.key": 1}
