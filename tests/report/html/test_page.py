"""The file of a report: it holds all of a run, fetches nothing, and no text of it is markup."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import sqlite3
import zlib
from contextlib import closing
from html.parser import HTMLParser
from pathlib import Path

import pytest

from se_agent.analysis.recorded_run import RecordedRun
from se_agent.analysis.run_tables.columns import names_of
from se_agent.engine.journal.journal import Journal
from se_agent.errors import ConfigError, JournalError
from se_agent.events import Event, Started
from se_agent.report.html.page import SCRIPTS, page
from se_agent.report.html.report import report_data, report_text
from se_agent.report.html.text_pool import LONGEST, PLAIN, TextPool, json_text
from tests.analysis.arms import run_in
from tests.engine.journal.test_old import GAINS, OLD
from tests.finished import recorded, unfinished
from tests.report.html.runs import HOSTILE, asked_run, hostile_run, island_of, texts_of

FEW = {"evaluations": 6}


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return asked_run(tmp_path_factory.mktemp("asked"))


class _Elements(HTMLParser):
    """The tags of a page with their attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def _elements(text: str) -> list[tuple[str, dict[str, str | None]]]:
    parser = _Elements()
    parser.feed(text)
    return parser.found


class TestRun:
    """The data of one run."""

    def test_every_step_and_program_is_in_it(self, asked: Path) -> None:
        run = island_of(report_text(asked))["run"]
        steps, fields = run["steps"]["rows"], run["steps"]["fields"]
        recorded = RecordedRun(asked)
        assert len(steps) == len(recorded.rows("steps"))
        texts = texts_of(report_text(asked))
        programs = {texts[row[fields.index("text")]] for row in steps} | {"x = 0"}
        assert programs == {str(row[-1]) for row in recorded.rows("solutions")}

    def test_each_step_says_why_it_ended_so(self, asked: Path) -> None:
        run = island_of(report_text(asked))["run"]
        fields = run["steps"]["fields"]
        reasons = {
            row[fields.index("outcome")]: row[fields.index("reason")]
            for row in run["steps"]["rows"]
        }
        assert reasons["better"].startswith("accepted: proven better than Gen")
        assert run["summary"]["python"]
        wrong = "failed: gave a wrong answer on seven: expected no multiple, got 21"
        assert reasons["failed"] == wrong

    def test_memory_is_there_version_by_version_with_whom_it_was_shown_to(
        self, asked: Path
    ) -> None:
        page_text = report_text(asked)
        memory = island_of(page_text)["run"]["memory"]
        whole = json.loads(texts_of(page_text)[memory["text"]])
        shown = whole["fields"].index("shown_to")
        assert len(whole["rows"]) == memory["count"] == len(RecordedRun(asked).rows("memory"))
        assert any(row[shown] for row in whole["rows"])

    def test_prompts_and_replies_are_there(self, asked: Path) -> None:
        page_text = report_text(asked)
        texts, run = texts_of(page_text), island_of(page_text)["run"]
        place = run["steps"]["fields"].index("detail")
        details = [json.loads(texts[row[place]]) for row in run["steps"]["rows"]]
        call = details[-1]["calls"][0]
        assert [role for role, _ in call["asked"]] == ["system", "user"]
        assert "Make x large." in texts[call["asked"][1][1]]
        assert texts[call["reply"]].startswith("x = ")
        places = [
            names_of("calls").index(f"{kind}_tokens") for kind in ("prompt", "completion")
        ]
        rows = RecordedRun(asked).rows("calls")
        assert call["tokens"] in [[row[place] for place in places] for row in rows]

    def test_a_prompt_that_is_lost_is_told_in_its_place(
        self, asked: Path, tmp_path: Path
    ) -> None:
        with Journal(tmp_path / "run.db") as journal:
            journal.append(*recorded(asked))
        page_text = report_text(tmp_path)
        assert any(text.startswith("[not readable: ") for text in texts_of(page_text))

    @pytest.mark.tier("runs")
    def test_a_run_under_way_has_a_report_as_far_as_it_goes(self, tmp_path: Path) -> None:
        for events in (1, 2, 9, 40):
            home = tmp_path / str(events)
            home.mkdir()
            run = island_of(report_text(unfinished(home, events)))["run"]
            assert run["summary"]["status"] == "interrupted"

    @pytest.mark.parametrize("version", GAINS)
    def test_a_run_of_an_older_version_has_one(self, version: int, tmp_path: Path) -> None:
        script = (OLD / f"journal-{version}.sql").read_text(encoding="utf-8")
        with closing(sqlite3.connect(tmp_path / "run.db")) as db:
            db.executescript(script)
        run = island_of(report_text(tmp_path))["run"]
        assert run["summary"]["gain"][0] == pytest.approx(GAINS[version], rel=1e-5)
        assert len(run["steps"]["rows"]) == len(RecordedRun(tmp_path).rows("steps"))

    def test_a_memory_that_cannot_be_made_anew_is_told_and_the_rest_is_there(
        self, asked: Path, tmp_path: Path
    ) -> None:
        with Journal(tmp_path / "run.db") as journal:
            journal.append(*map(_with_a_strange_tier, recorded(asked)))
        run = island_of(report_text(tmp_path))["run"]
        assert run["memory"]["why"].startswith("It cannot be made anew here: ")
        assert len(run["steps"]["rows"]) == len(RecordedRun(asked).rows("steps"))

    def test_the_same_run_gives_the_same_file(self, asked: Path) -> None:
        assert report_text(asked) == report_text(asked)


class TestRuns:
    """The data of a folder of runs."""

    @pytest.mark.tier("runs")
    def test_a_folder_of_arms_has_its_comparison(self, two_arms: Path) -> None:
        found = island_of(report_text(two_arms))["grid"]
        assert [run["arm"] for run in found["runs"]] == ["first"] * 2 + ["random"] * 2
        assert {run["seed"] for run in found["runs"]} == {0, 1}
        assert found["comparison"]["base"] in ("first", "random")
        assert found["comparison"]["effects"][0]["measure"]
        assert found["runs"][0]["curve"][-1][0] == found["runs"][0]["evaluations"]

    def test_runs_that_cannot_be_compared_are_shown_with_the_reason(
        self, tmp_path: Path
    ) -> None:
        run_in(tmp_path, "one", budget=FEW)
        run_in(tmp_path, "two", seed=1, budget=FEW)
        (tmp_path / "three").mkdir()
        (tmp_path / "three" / "run.db").write_bytes(b"no journal")
        found = island_of(report_text(tmp_path))["grid"]
        assert found["comparison"] is None
        assert "nothing to compare" in found["not_compared"]
        assert [run["name"] for run in found["runs"]] == ["one", "two"]
        assert "three" in found["left_out"][0]

    def test_hostile_names_of_runs_and_problems_are_escaped(self, tmp_path: Path) -> None:
        for name in ("a <img src=x>", "b </script>"):
            made = run_in(tmp_path / "made", "run", problem=f"{name}\x1b[31m\u202e", budget=FEW)
            (tmp_path / "runs").mkdir(exist_ok=True)
            made.rename(tmp_path / "runs" / name.replace("/", ""))
        text = report_text(tmp_path / "runs")
        assert {tag for tag, _ in _elements(text)}.isdisjoint({"img"})
        problems = {run["problem"] for run in island_of(text)["grid"]["runs"]}
        assert "b </script>\x1b[31m\u202e" in problems

    def test_a_place_without_a_run_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(ConfigError, match="there is no run in it"):
            report_data(tmp_path)
        for name in ("one", "two"):
            (tmp_path / name).mkdir()
            (tmp_path / name / "run.db").write_bytes(b"no journal")
        with pytest.raises(JournalError, match="none of the runs in it can be read"):
            report_data(tmp_path)


class TestFile:
    """The file as a browser reads it."""

    def test_it_allows_its_own_script_and_style_and_nothing_else(self, asked: Path) -> None:
        text = report_text(asked)
        found = re.search(r'Content-Security-Policy" content="([^"]*)"', text)
        assert found is not None
        policy = dict(part.strip().split(" ", 1) for part in found[1].split(";"))
        style, *scripts = re.findall(
            r"<style>(.*?)</style>|<script>(.*?)</script>", text, re.DOTALL
        )
        assert policy["default-src"] == "'none'"
        assert policy["style-src"] == _digest(style[0])
        assert [policy["script-src"]] == [_digest(script[1]) for script in scripts]
        assert policy["require-trusted-types-for"] == "'script'"
        assert "connect-src" not in policy
        assert "unsafe" not in found[1]

    def test_it_names_no_other_file(self, asked: Path) -> None:
        for tag, attributes in _elements(report_text(asked)):
            assert tag in {
                *("html", "head", "meta", "title", "style", "body", "a", "header", "main"),
                *("p", "noscript", "code", "script"),
            }
            assert "src" not in attributes
            assert attributes.get("href") in (None, "#view")

    def test_no_script_makes_markup_of_a_text(self) -> None:
        script = re.findall(r"<script>(.*?)</script>", page({}, TextPool(), title=""), re.S)[0]
        for word in (
            "innerHTML",
            "outerHTML",
            "insertAdjacent",
            "document.write",
            "eval(",
            "new Function",
            "setHTML",
            "DOMParser",
            "createContextualFragment",
        ):
            assert word not in script
        assert len(SCRIPTS) == len(set(SCRIPTS))

    @pytest.mark.tier("runs")
    def test_hostile_texts_are_neither_elements_nor_lost(self, tmp_path: Path) -> None:
        text = report_text(hostile_run(tmp_path))
        assert text.isascii() or not set(text) & set("\x00\x1b\u202e\u2028\ud800")
        assert {tag for tag, _ in _elements(text)}.isdisjoint({"img", "svg", "b", "textarea"})
        island = re.search(r'id="data">(.*?)</script>', text, re.DOTALL)
        assert island is not None
        assert not set(island[1]) & set("<>&\n\x00\x1b")
        assert island[1].isascii()
        initial = texts_of(text)[island_of(text)["run"]["programs"][0]["text"]]
        for each in HOSTILE:
            assert each.encode("utf-8", "backslashreplace").decode() in initial
        assert len(text) < 3_000_000  # a line of ten million is cut
        assert "\\u202e" in island[1]
        assert "<title>hostile &lt;b&gt;run" in text


class TestTexts:
    """The pool of texts."""

    def test_a_text_stands_there_once(self) -> None:
        pool = TextPool()
        assert [pool.add(text) for text in ("a", "b", "a")] == [0, 1, 0]
        assert pool.plain() == ["a", "b"]

    def test_a_long_text_is_cut_and_says_so(self) -> None:
        pool = TextPool()
        pool.add("y" * (LONGEST + 5))
        assert pool.plain()[0].endswith("[5 more characters are in the run]")

    def test_so_is_one_within_a_value(self) -> None:
        pool = TextPool()
        pool.add_value({"a": ["y" * (LONGEST + 5), 1, None], "b": "short"})
        found = json.loads(pool.plain()[0])
        assert found["a"][0].endswith("[5 more characters are in the run]")
        assert found == {"a": [found["a"][0], 1, None], "b": "short"}

    def test_many_texts_are_packed_in_parts_and_come_out_as_they_were(self) -> None:
        pool = TextPool()
        texts = [f"{number} </script> \ud800 \u202e\n" * 4000 for number in range(60)]
        for text in texts:
            pool.add(text)
        assert pool.is_packed
        assert sum(map(len, texts)) > PLAIN
        parts = list(pool.packed())
        assert len(parts) > 1
        unpacked = [
            (first, json.loads(zlib.decompress(base64.b64decode(text))))
            for first, text in parts
        ]
        assert [each for _, part in unpacked for each in part] == texts
        firsts = [0]
        for _, part in unpacked[:-1]:
            firsts.append(firsts[-1] + len(part))
        assert [first for first, _ in unpacked] == firsts
        shown = page({}, pool, title="")
        assert [text in shown for _, text in parts] == [True] * len(parts)

    def test_json_is_what_was_given_and_no_markup(self) -> None:
        value = {"a": [*HOSTILE, 1.5, None, True]}
        text = json_text(value)
        assert json.loads(text) == value
        assert text.isascii()
        assert not set(text) & set("<>&")


def _with_a_strange_tier(event: Event) -> Event:
    if not isinstance(event, Started):
        return event
    config = {**event.config, "memory": {**event.config["memory"], "tiers": ["nowhere:Tier"]}}
    return event.model_copy(update={"config": config})


def _digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
