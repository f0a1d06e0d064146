"""`memory search`: what is remembered by words and by programs, with the parts of scores."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from se_agent.memory import ItemRow, ItemStatus, Workspace, text_words
from se_agent.memory.experience.long_term import KnownRun, LongTerm
from tests.cli.calls import call, two_lines
from tests.llm.endpoint import Request, says, serving

QUEUE = "def f(q):\n    while q:\n        x = q.pop(0)\n        q.append(x)\n"
AT = "2026-11-28T00:00:00"


@pytest.fixture
def results(tmp_path: Path) -> Path:
    rows = [
        ItemRow(
            title="`deque_popleft` in `bfs`: 61 ms -> 5.9 ms",
            description="Take from the front of a deque",
            outcome="Success",
            words=text_words(QUEUE, "python"),
            language="python",
        ),
        ItemRow(
            title="Ask a set", description="Membership", outcome="Success", language="python"
        ),
        ItemRow(title="Reserve room in a vector", outcome="Failed", language="cpp"),
    ]
    with Workspace.open(tmp_path / ".se_agent", results=tmp_path) as workspace:
        for row in rows:
            workspace.items().add(row, at=AT)
        old = workspace.items().add(ItemRow(title="A deque of old"), at=AT)
        workspace.items().status(old, ItemStatus.RETIRED, why="told", at=AT)
    return tmp_path


@pytest.mark.row("SQ-62", "AM-01")
def test_words_find_all_kinds_and_the_parts_of_scores_are_shown(results: Path) -> None:
    with Workspace.open(results / ".se_agent", results=results) as workspace:
        LongTerm(workspace.items().db).put_run(KnownRun(run="a", problem="a deque"))
    head, *rows = call("memory", "search", "deque", "--results", results).out.splitlines()
    names = ["id", "kind", "status", "score", "words", "meaning", "lift", "title"]
    assert head.split() == names
    kinds = sorted(row.split()[1:3] for row in rows)
    assert kinds == [["lesson", "candidate"], ["lesson", "retired"], ["run", "failed"]]


def test_the_old_name_of_the_search_for_a_program_still_works(results: Path) -> None:
    asked = ("deque", "--kind", "lesson", "--json", "--results", results)
    assert call("memory", "match", *asked).out == call("memory", "search", *asked).out
    assert "match" not in call("memory", "--help").out


def test_filters_hold_for_programs_too(results: Path, tmp_path: Path) -> None:
    path = tmp_path / "other.py"
    path.write_text(QUEUE)
    asked = ("memory", "search", "--program", path, "--results", results)
    assert "deque_popleft" in call(*asked, "--success").out
    assert "A deque of old" not in call(*asked).out  # it is not in use any more
    assert "nothing that is remembered suits that" in call(*asked, "--failure").out
    assert "nothing that is remembered suits that" in call(*asked, "--kind", "run").out


def test_a_program_finds_what_suits_it(results: Path, tmp_path: Path) -> None:
    path = tmp_path / "other.py"
    path.write_text("def g(waiting):\n    while waiting:\n        j = waiting.pop(0)\n")
    told = call("memory", "search", "--program", path, "--results", results, "--json").out
    first, *_ = json.loads(told)
    assert "deque" in first["title"]
    assert first["score"] == pytest.approx(first["words"] * first["lift"])
    assert first["similarity"] is None


def test_a_language_leaves_out_all_others(results: Path) -> None:
    told = call("memory", "search", "vector", "--language", "python", "--results", results)
    assert "nothing that is remembered suits that" in told.out


@pytest.mark.tier("runs")
@pytest.mark.row("SQ-61")
def test_an_endpoint_compares_meanings_and_is_asked_once_for_each_text(
    results: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def vectors(request: Request) -> object:
        rows = [
            [float("deque" in text or "front" in text), 0.1] for text in request.body["input"]
        ]
        return says({"data": [{"index": n, "embedding": row} for n, row in enumerate(rows)]})

    with serving() as server:
        server.will(vectors)  # type: ignore[arg-type]
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        given = ("memory", "search", "front", "--embedder", "endpoint:small", "--json")
        first, *_ = json.loads(call(*given, "--results", results).out)
        asked = sum(len(request.body["input"]) for request in server.requests)
        again = json.loads(call(*given, "--results", results).out)
        assert again[0] == first
        assert sum(len(r.body["input"]) for r in server.requests) == asked + 2
    assert "deque" in first["title"]
    assert first["similarity"] > 0.9
    assert first["meaning"] > 0


@pytest.mark.parametrize(
    ("given", "says_what"),
    [
        ((), "nothing to look for"),
        (("deque", "--embedder", "magic"), "no embedder 'magic'"),
        (("deque", "--embedder", "minilm:/nowhere"), "/nowhere"),
        (("--program", "/nowhere.txt"), "no language is known"),
        (("--program", "/nowhere.py"), "/nowhere.py: cannot be read"),
        (("--program", "latin.py"), "latin.py: cannot be read: 'utf-8' codec"),
    ],
)
def test_what_cannot_be_searched_is_told_in_two_lines(
    results: Path, given: tuple[str, ...], says_what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(results)
    Path("latin.py").write_bytes("x = 'ä'".encode("latin-1"))
    done = call("memory", "search", *given, "--results", results)
    error, hint = two_lines(done)
    assert says_what in error
    assert hint


@pytest.mark.parametrize("words", ["NEAR(a, b)", '" OR ""="', "'; DROP TABLE items; --", "*"])
def test_operators_are_words(results: Path, words: str) -> None:
    assert call("memory", "search", words, "--results", results).code == 0


def test_an_empty_workspace_is_told(tmp_path: Path) -> None:
    told = call("memory", "search", "deque", "--results", tmp_path)
    assert "nothing that is remembered suits that" in told.out
