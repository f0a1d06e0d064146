"""`memory list`, `show`, `search`, `stats`, `add`, `retire`, `promote`, `export`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from se_agent.memory import Workspace
from se_agent.memory.experience.long_term import KnownRun, KnownSolution, LongTerm
from tests.cli.calls import call, two_lines


@pytest.fixture
def results(tmp_path: Path) -> Path:
    Workspace.open(tmp_path / ".se_agent").close()
    told = call("memory", "add", "--policy", "Use no threads", "--results", tmp_path)
    assert told.out.endswith(": added\n")
    return tmp_path


def listed(results: Path) -> list[dict[str, object]]:
    found = json.loads(call("memory", "list", "--results", results, "--json").out)
    assert isinstance(found, list)
    return found


@pytest.mark.tier("runs")
@pytest.mark.row("AM-11", "AM-61")
def test_a_policy_is_added_listed_found_retired_and_promoted(results: Path) -> None:
    (row,) = listed(results)
    assert (row["kind"], row["status"]) == ("policy", "active")
    id_ = str(row["id"])
    assert "Use no threads" in call("memory", "list", "--results", results).out
    assert id_ in call("memory", "search", "threads", "--results", results).out
    told = call("memory", "search", "sorting", "--results", results).out
    assert told.endswith("nothing that is remembered suits that\n")
    assert call("memory", "retire", id_, "--results", results).out == f"{id_}: retired\n"
    assert listed(results)[0]["status"] == "retired"
    call("memory", "promote", id_, "--why", "we need it", "--results", results)
    shown = call("memory", "show", id_, "--results", results).out
    assert "status: active" in shown
    assert "we need it" in shown


@pytest.mark.row("SQ-14")
def test_a_preference_is_for_a_role_in_a_family_and_lies_in_its_file(results: Path) -> None:
    wish = ("--preference", "Change one loop", "--agent", "refine", "--family", "lists/../x")
    id_ = json.loads(call("memory", "add", *wish, "--results", results, "--json").out)["id"]
    row = next(one for one in listed(results) if one["id"] == id_)
    assert (row["kind"], row["agent"]) == ("preference", "refine")
    (file,) = (results / ".se_agent" / "groups").glob("*/kv_store/refine.json")
    assert json.loads(file.read_text()) == {id_: "Change one loop"}
    call("memory", "retire", id_, "--results", results)
    assert json.loads(file.read_text()) == {}
    call("memory", "promote", id_, "--results", results)
    assert json.loads(file.read_text()) == {id_: "Change one loop"}


def test_statistics_and_exports(results: Path, tmp_path: Path) -> None:
    told = json.loads(call("memory", "stats", "--results", results, "--json").out)
    assert told["memories"] == {"policy": 1}
    assert "memories: policy 1" in call("memory", "stats", "--results", results).out
    file = tmp_path / "all.csv"
    told_of = call("memory", "export", file, "--format", "csv", "--results", results).out
    assert told_of == f"{file}: 1 memory\n"
    assert "Use no threads" in file.read_text(encoding="utf-8")


def test_a_policy_that_denies_another_one_is_remarked_upon(results: Path) -> None:
    told = call("memory", "add", "--policy", "Do not use no threads", "--results", results)
    (row, _) = sorted(listed(results), key=lambda one: one["title"] != "Use no threads")
    assert f"it says otherwise than {row['id']}, which stays: Use no threads" in told.out
    assert f"memory retire {row['id']}" in told.out
    agreed = call("memory", "add", "--policy", "Use one thread", "--results", results)
    assert "otherwise" not in agreed.out


def test_a_solution_is_taken_out_and_brought_back(results: Path) -> None:
    known = KnownSolution(id="S0123456789ab", project="shop", files={"main.py": "x = 1"})
    with Workspace.open(results / ".se_agent", results=results) as workspace:
        LongTerm(workspace.items().db).put_solution(known)
    told = call("memory", "retire", known.id, "--why", "wrong", "--results", results)
    assert told.out == f"{known.id}: retired\n"
    shown = call("memory", "show", known.id, "--results", results).out
    assert "status: retired" in shown
    assert "why: wrong" in shown
    call("memory", "promote", known.id, "--results", results)
    assert "status: active" in call("memory", "show", known.id, "--results", results).out


def test_an_id_with_spaces_needs_no_quotes(results: Path) -> None:
    with Workspace.open(results / ".se_agent", results=results) as workspace:
        LongTerm(workspace.items().db).put_run(KnownRun(run="first 2026-11-28", problem="shop"))
    told = call("memory", "show", "first", "2026-11-28", "--results", results).out
    assert "problem: shop" in told


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (("show", "Lnothing"), "nothing that is remembered has the id 'Lnothing'"),
        (("retire", "Lnothing"), "there is no item 'Lnothing'"),
        (("retire", "\udcff"), "there is no item"),  # bytes that are no UTF-8
        (("explain", "\udcff"), "nothing that is remembered has the id"),
        (("list", "--kind", "dream"), "no kind of memory is called 'dream'"),
        (("add", "--policy", " "), "a policy says nothing"),
        (("add", "--policy", "x" * 100_000), "a policy has 100000 characters, more than 1000"),
        (("add",), "name one of them"),
        (("add", "--policy", "x", "--preference", "y"), "name one of them"),
        (("add", "--preference", "x", "--agent", "plan"), "a preference needs --agent"),
        (("add", "--policy", "x", "--family", "lists"), "a policy is for all roles"),
        (("add", "--policy", "x", "--language", "pythn"), "there is no language 'pythn'"),
        (("search", "x", "--since", "yesterday"), "--since 'yesterday': no time"),
        (("search", "x", "--until", "11/28"), "--until '11/28': no time"),
    ],
)
def test_what_is_not_there_is_two_lines(
    results: Path, words: tuple[str, ...], error: str
) -> None:
    told, hint = two_lines(call("memory", *words, "--results", results))
    assert error in told
    assert hint
