"""Old keys of the run file: read as the new ones, with a note to whoever wrote them."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from se_agent.config import run_file
from se_agent.config.changes import changes_of
from se_agent.config.deviations import deviations
from se_agent.config.renamed_keys import RENAMED, names_of_today
from se_agent.config.sections import LocalSection
from se_agent.engine.journal.row_fingerprint import with_flat_memory
from se_agent.errors import ConfigError

NOTE = "note: memory.token_limit is now memory.local.token_limit"


def parsed(*overrides: str, path: Path | str = "sort") -> tuple[run_file.Run, list[str]]:
    told: list[str] = []
    return run_file.parse(str(path), overrides, told.append), told


def test_an_option_with_an_old_key_sets_the_new_one() -> None:
    run, told = parsed("memory.token_limit=300")
    assert run == run_file.parse("sort", ["memory.local.token_limit=300"])
    assert told == [NOTE]


def test_who_writes_new_keys_is_told_nothing() -> None:
    assert parsed("memory.local.token_limit=300", "memory.prior=read")[1] == []


def test_each_key_is_noted_once_wherever_it_was_written(tmp_path: Path) -> None:
    (tmp_path / "base.toml").write_text("problem = 'sort'\nmemory.token_limit = 300\n")
    path = tmp_path / "run.toml"
    path.write_text("extends = 'base.toml'\n[memory]\ntoken_limit = 400\ntabu = false\n")
    run, told = parsed("memory.token_limit=500", path=path)
    assert run.memory.local == LocalSection(token_limit=500, tabu=False)
    assert told == [NOTE, "note: memory.tabu is now memory.local.tabu"]


def test_every_old_key_is_read() -> None:
    usual = LocalSection().model_dump()
    given = [f"{'.'.join(old)}={json.dumps(usual[old[-1]])}" for old in RENAMED]
    run, told = parsed(*given)
    assert run.memory.local == LocalSection()
    assert len(told) == len(usual) == len(RENAMED)


def test_an_option_wins_over_an_older_file(tmp_path: Path) -> None:
    path = tmp_path / "run.toml"
    path.write_text("problem = 'sort'\nmemory.token_limit = 300\n")
    run, told = parsed("memory.local.token_limit=400", path=path)
    assert run.memory.local.token_limit == 400
    assert told == [NOTE]


class TestGivenBothWays:
    def test_in_a_file_is_an_error(self, tmp_path: Path) -> None:
        path = tmp_path / "run.toml"
        path.write_text("problem = 'x'\n[memory]\ntabu = true\n[memory.local]\ntabu = true\n")
        with pytest.raises(ConfigError, match=r"memory\.tabu: given twice: ") as caught:
            run_file.load(path)
        new = "it is now memory.local.tabu, which is given, too"
        assert str(caught.value) == f"{path}: memory.tabu: given twice: {new}"
        assert caught.value.hint == "leave out memory.tabu"

    def test_in_options_is_an_error(self) -> None:
        with pytest.raises(ConfigError, match=r"^--set memory\.tabu: given twice: ") as caught:
            run_file.parse("sort", ["memory.tabu=true", "memory.local.tabu=false"])
        assert caught.value.hint == "leave out memory.tabu"

    def test_in_a_table_is_an_error(self) -> None:
        memory = {"tabu": True, "local": {"tabu": True}}
        with pytest.raises(ConfigError, match=r"^the run file: memory\.tabu: given twice"):
            run_file.run_of_record({"problem": "x", "memory": memory})


def test_a_wrong_value_names_the_option_and_the_new_key() -> None:
    with pytest.raises(ConfigError, match=r"^--set memory\.token_limit: ") as caught:
        run_file.parse("sort", ["memory.token_limit=1"])
    assert str(caught.value).startswith(
        "--set memory.token_limit: memory.local.token_limit: Input should be greater"
    )
    assert caught.value.hint.startswith("token_limit: Tokens of the rendered memory")


@pytest.mark.parametrize("value", ["200", "not-even-a-number"])
def test_a_run_that_goes_on_refuses_an_old_key_as_it_was_written(value: str) -> None:
    with pytest.raises(ConfigError, match=r"^--set memory\.token_limit: ") as caught:
        changes_of(run_file.parse("sort"), [f"memory.token_limit={value}"])
    told = "--set memory.token_limit: memory.local.token_limit: it cannot change any more"
    assert str(caught.value).startswith(told)


def old(run: run_file.Run) -> dict[str, object]:
    return json.loads(json.dumps(with_flat_memory(run.model_dump(mode="json"))))  # type: ignore[no-any-return]


def test_an_old_record_is_the_run_that_it_was() -> None:
    run = run_file.parse("sort", ["memory.local.tabu=false", "memory.prior=read"])
    assert "local" not in str(old(run))
    assert run_file.run_of_record(old(run)) == run


def test_of_an_old_record_only_what_differs_is_told_by_the_new_keys() -> None:
    run = run_file.parse("sort", ["memory.local.tabu=false", "memory.prior=read"])
    found = {"memory.local.tabu": False, "memory.prior": "read"}
    assert deviations(old(run)) == found
    assert names_of_today({"memory.tabu": False, "memory.prior": "read"}) == found


def test_the_run_file_of_an_old_run_folder_is_read(tmp_path: Path) -> None:
    """As it was written before there were tables in `[memory]`."""
    run = run_file.parse("sort", ["memory.local.token_limit=300"])
    text = run_file.describe(run).replace("\n[memory.local]\n", "")
    path = tmp_path / "run.toml"
    path.write_text(text)
    assert "local" not in tomllib.loads(text)["memory"]
    again, told = parsed(path=path)
    assert again == run
    assert len(told) == len(RENAMED)
