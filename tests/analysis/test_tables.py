"""Tables of runs: the columns that are promised, and rows that agree with the journal."""

from __future__ import annotations

import math
from pathlib import Path

import pandas as pd
import pytest

from se_agent.analysis.recorded_run import RecordedRun
from se_agent.analysis.run_tables.columns import TABLES, names_of
from se_agent.analysis.run_tables.tables import RunTables
from se_agent.chat.events import Objected, Replied
from se_agent.engine.run.start import start
from se_agent.errors import ConfigError, JournalError
from se_agent.events import BlockMeasured, Evaluated, Learned
from se_agent.report.story import Story
from se_agent.values.evaluation import ComparisonKind
from tests.analysis.arms import run_in
from tests.engine.talking import run_file
from tests.fakes import NumberEvaluator, number_problem
from tests.finished import recorded, unfinished

NAMES = {
    "runs": "run arm problem seed status gain gain_low gain_high score score_initial "
    "evaluations generations calls tokens money cpu_seconds budget_end machine settings folder",
    "solutions": "run solution slot generation parents operator strategy edits outcome status "
    "effect proven total_effect is_best direction text",
    "steps": "run slot generation solution parents operator variant strategy informed outcome "
    "status effect effect_low effect_high proven total_effect best best_effect evaluations "
    "calls tokens money run_cpu_seconds cost_seconds memory_version at",
    "evaluations": "run slot solution status cpu_seconds peak_bytes score cost_seconds "
    "failed_case feedback is_retest at",
    "blocks": "run slot phase reference candidate inputs number effect reference_figure "
    "candidate_figure unit pairs input_count level status reference_status cost_seconds at",
    "calls": "run slot solution role model attempt outcome prompt_tokens cached_tokens "
    "completion_tokens reasoning_tokens lost_tokens money seconds complete why request reply "
    "at",
    "memory": "run kind entry from_version to_version change cause slot step source text "
    "outcome tries gains losses effect proven evidence shown_to withheld shown_gain "
    "gain_per_1000 end",
}
"""What users of frames rely on. A name may be added at an end; none may go or change."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return run_in(tmp_path_factory.mktemp("tables"), "run")


@pytest.fixture(scope="module")
def run(folder: Path) -> RecordedRun:
    return RecordedRun(folder)


@pytest.mark.parametrize("table", TABLES)
def test_columns_keep_their_names_and_places(table: str) -> None:
    promised = NAMES[table].split()
    assert list(names_of(table))[: len(promised)] == promised


@pytest.mark.parametrize("table", TABLES)
def test_every_column_says_what_it_is(table: str) -> None:
    for column in TABLES[table]:
        assert column.meaning.endswith(".")
        assert (
            column.meaning[0].isupper() or column.meaning[0].isdigit() or column.kind == "text"
        )
        named_seconds = column.name.endswith("seconds")
        assert not named_seconds or column.unit in ("CPU s", "s"), column.name


@pytest.mark.parametrize("table", [table for table in TABLES if table != "runs"])
def test_frames_have_their_columns_whether_or_not_there_are_rows(
    table: str, run: RecordedRun, tmp_path: Path
) -> None:
    found, begun = run.frame(table), RecordedRun(unfinished(tmp_path, 1)).frame(table)
    assert list(found) == list(begun) == list(names_of(table))
    assert found.dtypes.equals(begun.dtypes)


def test_a_step_is_a_row_that_agrees_with_its_verdict(run: RecordedRun, folder: Path) -> None:
    steps = run.steps().set_index("slot")
    learned = [event for event in recorded(folder) if isinstance(event, Learned)]
    assert len(steps) == len(learned)
    for event in learned:
        row = steps.loc[event.slot]
        assert row.best == event.best
        if event.verdict is not None and math.isfinite(event.verdict.effect):
            assert row.effect == event.verdict.effect
            assert row.proven == event.verdict.significant
    assert set(steps.outcome) <= {"better", "worse", "failed", "duplicate", "nothing new"}
    assert steps.evaluations.is_monotonic_increasing
    assert steps.evaluations.iloc[-1] == run.result.evaluations


def test_solutions_hold_the_programs_and_one_of_them_is_best(run: RecordedRun) -> None:
    found = run.solutions()
    assert found.text[0] == "x = 0"
    assert found.outcome[0] == "initial"
    assert found.solution.is_unique
    assert list(found.solution[found.is_best.astype(bool)]) == [run.result.best_solution_id]
    best = found.set_index("solution").loc[run.result.best_solution_id]
    assert best.total_effect == run.steps().best_effect.iloc[-1]


def test_evaluations_and_blocks_are_all_there(run: RecordedRun, folder: Path) -> None:
    events = list(recorded(folder))
    assert len(run.evaluations()) == 1 + sum(isinstance(e, Evaluated) for e in events)
    blocks = run.blocks()
    assert len(blocks) == sum(isinstance(e, BlockMeasured) for e in events)
    assert list(dict.fromkeys(blocks.phase))[:2] == ["self_test", "search"]
    assert blocks.phase.iloc[-1] == "confirmation"


def test_rows_need_no_frame(run: RecordedRun) -> None:
    assert len(run.rows("steps")) == len(run.steps())
    with pytest.raises(ConfigError, match="no table 'step'") as caught:
        run.rows("step")
    assert caught.value.hint == "did you mean 'steps'?"
    for strange in (3, ["steps"], None):
        with pytest.raises(ConfigError, match="no table"):
            run.rows(strange)  # type: ignore[arg-type]


def test_a_run_under_way_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    steps = RecordedRun(unfinished(tmp_path, 40)).steps()
    assert len(steps)
    assert steps.outcome.iloc[-1] in {"open", "better", "worse", "failed", "within noise"}


def test_a_step_stands_in_the_table_as_reports_tell_it_after_each_event(
    folder: Path,
) -> None:
    tables, story = RunTables("any"), Story()
    slot, outcome = (names_of("steps").index(name) for name in ("slot", "outcome"))
    seen = set[str]()
    for event in recorded(folder):
        tables.apply(event)
        story.apply(event)
        found = {row[slot]: str(row[outcome]) for row in tables.rows("steps")}
        seen.update(found.values())
        assert found == {at: str(each.standing) for at, each in story.chapters.items()}
    assert {"open", "nothing new", "better", "failed"} <= seen


def test_what_is_no_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="no such journal"):
        RecordedRun(tmp_path).steps()


class TestMemory:
    @pytest.fixture
    def memory(self, run: RecordedRun) -> pd.DataFrame:
        return run.memory()

    def test_entries_come_and_go_with_versions(self, memory: pd.DataFrame) -> None:
        assert set(memory.kind) == {"direction", "item"}
        assert (memory.from_version >= 1).all()
        gone = memory.dropna(subset=["to_version"])
        assert (gone.to_version > gone.from_version).all()
        assert set(memory.cause) == {"lesson"}

    def test_a_direction_stands_in_a_version_once(self, memory: pd.DataFrame) -> None:
        own = memory[memory.kind == "direction"]
        for _, rows in own.groupby("entry"):
            ends = rows.to_version.fillna(10**9).tolist()
            starts = rows.from_version.tolist()
            assert all(end <= start for end, start in zip(ends, starts[1:], strict=False))
            assert rows.change.tolist()[1:] == ["changed"] * (len(rows) - 1)

    def test_the_last_version_is_what_the_engine_holds(
        self, memory: pd.DataFrame, folder: Path
    ) -> None:
        learned = [e for e in recorded(folder) if isinstance(e, Learned) and e.lesson]
        lesson = learned[-1].lesson
        assert lesson is not None
        now = memory[(memory.kind == "direction") & memory.to_version.isna()]
        assert set(now.text) == {entry.direction for entry in lesson.updated_directions}

    def test_of_a_run_without_memory_there_is_none(self, tmp_path: Path) -> None:
        off = run_in(tmp_path, "off", memory={"enabled": False, "prior": False})
        assert RecordedRun(off).memory().empty


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> RecordedRun:
    results = tmp_path_factory.mktemp("asked")
    found = start(
        run_file(results, budget={"evaluations": 12}),
        problem=number_problem(),
        evaluators=lambda *_: NumberEvaluator(ComparisonKind.EXACT),
    )
    return RecordedRun(Path(found.run))


class TestCalls:
    """A run whose candidates come from a model, which is shown what was learned."""

    def test_each_call_has_its_tokens_and_its_texts(self, asked: RecordedRun) -> None:
        calls = asked.calls()
        assert calls.prompt_tokens.sum() + calls.completion_tokens.sum() == asked.result.tokens
        assert set(calls.outcome) == {"replied"}
        with pytest.raises(ConfigError, match="no request 'nix'"):
            asked.messages("nix")
        messages = asked.messages(calls.request[0])
        assert [message.role for message in messages] == ["system", "user"]
        assert calls.reply[0]

    def test_what_was_shown_stands_in_the_prompt_of_whom_it_was_shown_to(
        self, asked: RecordedRun
    ) -> None:
        memory, calls = asked.memory(), asked.calls().set_index("solution")
        shown = memory[memory.shown_to != ""]
        assert len(shown)
        for _, row in shown.iterrows():
            for child in row.shown_to.split():
                prompts = calls.loc[[child]].request
                texts = [m.content for digest in prompts for m in asked.messages(digest)]
                assert row.text in "".join(texts)
        steps = asked.steps().set_index("solution")
        for _, row in shown.iterrows():
            proven = steps.loc[row.shown_to.split()].query("proven == True")
            gains = proven.effect.clip(lower=0)
            assert row.shown_gain == pytest.approx(gains.sum())
            assert (row.gain_per_1000 > 0) == (gains.sum() > 0)
        assert memory[memory.shown_to == ""].gain_per_1000.isna().all()


def test_pictures_show_texts_as_texts(run: RecordedRun, folder: Path) -> None:
    picture = run._repr_html_()
    assert "<table>" in picture
    assert "numbers, seed 0" in picture
    best = run.solution()
    assert "+x = " in best._repr_html_()
    assert str(run.solution("initial")) == "x = 0"
    with pytest.raises(ConfigError, match="no solution 'Gen99_Sol_1'"):
        run.solution("Gen99_Sol_1")


def test_hostile_programs_and_names_stay_text(tmp_path: Path) -> None:
    hostile = run_in(tmp_path, "run", problem="<script>alert(1)</script>\x1b[31m")
    picture = RecordedRun(hostile)._repr_html_()
    assert "<script>" not in picture
    assert "\x1b" not in picture


@pytest.mark.parametrize(
    ("attempts", "outcome"),
    [
        pytest.param([True, True], "unusable reply", id="both"),
        pytest.param([True, False], "nothing new", id="the second one said that there is none"),
        pytest.param([False], "nothing new", id="the first one did"),
    ],
)
def test_a_reply_that_cannot_be_used_is_not_one_that_brings_nothing(
    attempts: list[bool], outcome: str
) -> None:
    tables = RunTables("any")
    for attempt, is_unusable in enumerate(attempts):
        tables.apply(Replied(slot=0, role="refine", model="m", text="?", attempt=attempt))
        if is_unusable:
            tables.apply(Objected(slot=0, role="refine", why="no code", attempt=attempt))
    tables.apply(Learned(slot=0, best="Gen0_Sol_0"))
    place = names_of("steps").index("outcome")
    assert [row[place] for row in tables.rows("steps")] == [outcome]
