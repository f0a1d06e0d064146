"""A run begins with a survey, and from then on it reads its journal, and no pack."""

from __future__ import annotations

import dataclasses
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from se_agent.config.run_file import Run
from se_agent.engine.journal.journal import Journal
from se_agent.engine.run.replay import replay
from se_agent.engine.run.start import resume, start
from se_agent.engine.step.survey import interface_of, packs_of, surveyor
from se_agent.errors import ConfigError, PackError, SandboxError
from se_agent.events import Event, GenerationOpened, Proposed, Started
from se_agent.memory import ESTIMATOR, counter
from se_agent.memory.knowledge.retrieval import DATA
from se_agent.memory.knowledge.schema import SECTIONS
from se_agent.memory_events import Surveyed
from se_agent.problem.model import Case, Expr, Problem, ProblemKind
from se_agent.program.language import Language
from se_agent.values.evaluation import ComparisonKind
from se_agent.values.view import View
from tests.engine.runs import CrashAt, events_of, factory
from tests.engine.talking import Mutating, Mutation, PlanFirst, asked, of, run_file, spoken
from tests.fakes import Step1, number_problem, number_run

EXACT = factory(ComparisonKind.EXACT)
TOML = f"""
name = "lines"
version = "1"
language = "python"

[archetypes.number_line]
pitfalls = ["haste"]
phases = ["think", "write"]
features = {{ "no loop" = 2.0 }}
rules = {{ "{Step1.name}" = 0.75 }}

[pitfalls.haste]
statuses = ["WA"]
"""
SCAN = """
def solve(values, k):
    if k < 1:
        raise ValueError(k)
    values.append(0)
    best = 0
    for i in range(len(values) - k + 1):
        best = max(best, sum(values[i:i + k]))
    return best
"""


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    """A pack of a user's own, beside the runs, that knows programs without a loop."""
    folder = tmp_path / ".se_agent" / "knowledge" / "lines"
    for kind in ("archetypes", "pitfalls"):
        (folder / kind).mkdir(parents=True)
    (folder / "pack.toml").write_text(TOML)
    sections = "".join(f"## {head}\n\nText of {head}.\n\n" for head in SECTIONS)
    (folder / "archetypes" / "number_line.md").write_text(sections)
    pitfall = "## Error Pattern\n\nToo fast.\n\n## Real Case\n\nA.\n\n## Detection\n\nB.\n\n"
    (folder / "pitfalls" / "haste.md").write_text(f"{pitfall}## Fix\n\nThink.\n")
    return folder


def knowledge(**changes: object) -> dict[str, object]:
    return {"prior": False, "knowledge": {"packs": ["lines"], **changes}}


def began(config: Run) -> list[Event]:
    return events_of(start(config, problem=number_problem(), evaluators=EXACT))


def survey_of(
    text: str, *, language: Language = Language.PYTHON, **changes: object
) -> Surveyed:
    """Return the event of a program, made from the packs of the package."""
    problem = Problem(
        name="scan",
        kind=ProblemKind.FUNCTION,
        programs={"initial": text},
        entry_point="solve",
        language=language,
        cases=(
            Case(name="one", input=Expr(code="([1, 2, 3], 2)")),
            Case(name="two", input=Expr(code="(range(9), 1)")),
        ),
    )
    config = Run.model_validate({"problem": "scan", "memory": changes})
    made = surveyor(
        config,
        problem,
        problem.initial(),
        counter("", name=ESTIMATOR),
        packs_of(config, problem, ()),
    )
    assert made is not None
    return made().event


class TestWhatIsRead:
    @pytest.mark.row("LF-35")
    def test_archetype_and_interface_are_found_in_the_text(self) -> None:
        found = survey_of(SCAN)
        assert found.updates.archetype is not None
        assert found.updates.archetype.type == "array_scan"
        constraints = found.updates.api_constraints
        assert [each.constraint for each in constraints] == [
            "`solve` changes its argument `values`",
            "`solve` raises ValueError for some arguments",
            "argument `values` is list of int in the visible tests",
            "argument `k` is int in the visible tests",
        ]
        assert all(each.confidence == "high" and each.verified for each in constraints)

    @pytest.mark.row("LF-37")
    def test_fixes_of_the_pack_are_agreed_on_and_not_taken_for_true(self) -> None:
        fixes = survey_of(SCAN).updates.known_fixes
        assert "IndexError: pop from empty list" in [one.error_pattern for one in fixes]
        assert {(one.source, one.verified) for one in fixes} == {("pack code_opt", False)}
        assert survey_of(SCAN, knowledge={"packs": "none"}).updates.known_fixes == ()

    def test_of_a_text_that_cannot_be_read_nothing_is_said(self) -> None:
        assert survey_of("def solve(:").updates.api_constraints == ()

    def test_the_documents_are_those_of_the_archetype(self) -> None:
        found = survey_of(SCAN)
        assert found.pack.startswith("code_opt ")
        assert set(found.documents) == {
            "archetypes/array_scan",
            "skeletons/array_scan",
            "pitfalls/correctness_regression",
            "pitfalls/complexity_trap",
            "pitfalls/measurement_error",
        }
        assert "### Skeleton" in found.excerpt.bundle

    def test_a_pack_for_another_language_is_left_out(self) -> None:
        found = survey_of("int main() { return 0; }", language=Language.CPP)
        assert (found.pack, found.documents) == ("", {})

    def test_none_is_no_pack_but_the_interface_is_read(self) -> None:
        found = survey_of(SCAN, knowledge={"packs": "none"})
        assert found.pack == ""
        assert len(found.updates.api_constraints) == 4

    def test_an_argument_that_is_bound_anew_is_not_said_to_change(self) -> None:
        text = "def solve(values):\n    values = list(values)\n    values.sort()\n"
        problem = dataclasses.replace(number_problem(), entry_point="solve")
        assert list(interface_of(problem, text)) == []


class TestInARun:
    @pytest.mark.tier("runs")
    @pytest.mark.row("LF-05")
    def test_it_is_on_record_once_before_the_first_step_with_its_texts(
        self, tmp_path: Path, pack: Path
    ) -> None:
        events = began(number_run(tmp_path, memory=knowledge()))
        (found,) = of(events, Surveyed)
        kinds = [event.kind for event in events]
        assert kinds.index("started") < kinds.index("surveyed")
        assert kinds.index("surveyed") < kinds.index("generation_opened")
        assert found.slot == -1
        with Journal(tmp_path / "run" / "run.db", write=False) as journal:
            texts = {name: journal.text(digest) for name, digest in found.documents.items()}
        assert texts == {
            name: (pack / f"{name}.md").read_text()
            for name in ("archetypes/number_line", "pitfalls/haste")
        }

    def test_a_run_without_memory_has_none(self, tmp_path: Path) -> None:
        assert of(began(number_run(tmp_path, memory={"enabled": False})), Surveyed) == []

    @pytest.mark.tier("runs")
    @pytest.mark.row("LF-06")
    def test_a_run_and_its_replay_leave_the_pack_as_it_is_and_need_it_no_more(
        self, tmp_path: Path, pack: Path
    ) -> None:
        before = {path: path.read_bytes() for path in pack.rglob("*") if path.is_file()}
        began(number_run(tmp_path, memory=knowledge(shown=True, rules=True)))
        assert before == {p: p.read_bytes() for p in pack.rglob("*") if p.is_file()}
        shutil.rmtree(tmp_path / ".se_agent")
        again = replay(tmp_path / "run")
        assert again.differences == ()
        assert any('"surveyed"' in line for line in again.replayed)

    @pytest.mark.tier("runs")
    @pytest.mark.parametrize("kind", ["surveyed", "generation_opened", "learned"])
    def test_a_pack_that_is_changed_before_a_resume_changes_nothing(
        self, tmp_path: Path, pack: Path, kind: str
    ) -> None:
        config = number_run(tmp_path, memory=knowledge(shown=True, rules=True))
        with pytest.raises(SandboxError, match="gave up"):
            start(
                config,
                problem=number_problem(),
                listeners=[CrashAt(kind)],
                evaluators=EXACT,
            )
        (pack / "pack.toml").write_text("this is no TOML")
        resumed = events_of(resume(tmp_path / "run", evaluators=EXACT))
        assert len(of(resumed, Surveyed)) == 1
        assert replay(tmp_path / "run").differences == ()

    @pytest.mark.tier("runs")
    def test_one_that_broke_off_before_it_makes_up_for_it(
        self, tmp_path: Path, pack: Path
    ) -> None:
        with pytest.raises(SandboxError, match="gave up"):
            start(
                number_run(tmp_path, memory=knowledge()),
                problem=number_problem(),
                listeners=[CrashAt("started")],
                evaluators=EXACT,
            )
        resumed = events_of(resume(tmp_path / "run", evaluators=EXACT))
        assert len(of(resumed, Surveyed)) == 1
        assert len(of(resumed, Started)) == 1

    @pytest.mark.tier("runs")
    def test_an_older_run_that_had_begun_goes_on_without(self, tmp_path: Path) -> None:
        with pytest.raises(SandboxError, match="gave up"):
            start(
                number_run(tmp_path),
                problem=number_problem(),
                listeners=[CrashAt("learned")],
                evaluators=EXACT,
            )
        older = tmp_path / "older"
        older.mkdir()
        for path in (tmp_path / "run").iterdir():
            if path.suffix in (".json", ".toml"):
                shutil.copy(path, older)
        with (
            Journal(tmp_path / "run" / "run.db", write=False) as journal,
            Journal(older / "run.db") as copy,
        ):
            for event in journal.events():
                if not isinstance(event, Surveyed):
                    copy.append(event)
        resumed = events_of(resume(older, evaluators=EXACT))
        assert of(resumed, GenerationOpened)
        assert of(resumed, Surveyed) == []
        assert replay(older).differences == ()


class TestWhatIsWrong:
    def test_an_unknown_pack_is_told_before_the_problem_is_checked(
        self, tmp_path: Path
    ) -> None:
        def unchecked(problem: Problem, config: Run) -> object:
            raise AssertionError("nothing is measured")

        with pytest.raises(PackError, match="there is no pack 'code_op'") as caught:
            start(
                number_run(tmp_path, memory={"knowledge": {"packs": ["code_op"]}}),
                problem=number_problem(),
                evaluators=unchecked,  # type: ignore[arg-type]
            )
        assert caught.value.hint == "did you mean 'code_opt'?"
        assert not (tmp_path / "run").exists()

    @pytest.mark.parametrize("wrong", [{"token_limit": 10}, {"pack": "x"}, {"shown": "yes"}])
    def test_a_wrong_key_is_told_as_any_other(self, wrong: dict[str, object]) -> None:
        from se_agent.config.run_file import run_of_record

        with pytest.raises(ConfigError, match=r"memory\.knowledge"):
            run_of_record({"problem": "x", "memory": {"knowledge": wrong}})


class Advised(Mutating):
    """Keeps what it is advised of operators."""

    priors: list[dict[str, tuple[float, float]]] = []  # noqa: RUF012 - read by its test

    def ask(self, view: View) -> object:  # type: ignore[override]
        Advised.priors.append(dict(view.advice.prior))
        return super().ask(view)


@pytest.fixture
def silence() -> Iterator[None]:
    asked.clear()
    Advised.priors.clear()
    yield
    asked.clear()


@pytest.mark.usefixtures("silence")
class TestWhoSeesIt:
    @pytest.mark.row("LF-36")
    def test_the_bundle_stands_in_prompts_before_all_other_memory(
        self, tmp_path: Path, pack: Path
    ) -> None:
        began(run_file(tmp_path, memory=knowledge(shown=True)))
        prompts = [messages[0].content for messages in asked]
        shown = [text for text in prompts if "Known of such programs: number_line" in text]
        assert shown
        assert all(text.startswith("## Known of such programs") for text in shown)
        assert any("## Memory of this run" in text for text in shown)
        assert all("- **haste**: Too fast." in text for text in shown)
        assert replay(tmp_path / "run").differences == ()

    def test_by_default_prompts_are_what_they_were(self, tmp_path: Path, pack: Path) -> None:
        began(run_file(tmp_path, memory=knowledge()))
        with_pack = list(asked)
        asked.clear()
        config = run_file(tmp_path, name="none", memory=knowledge(packs=[]))
        began(config)
        assert len(with_pack) == len(asked)
        assert not any("number_line" in each.content for ask in with_pack for each in ask)

    def test_rules_of_the_pack_reach_the_policy_and_only_if_asked_for(
        self, tmp_path: Path, pack: Path
    ) -> None:
        policy = f"{__name__}:Advised"
        began(run_file(tmp_path, memory=knowledge(rules=True), policy=policy))
        told = [prior for prior in Advised.priors if prior]
        assert told
        assert all(prior == {Step1.name: (0.75, 0.25)} for prior in told)
        Advised.priors.clear()
        began(run_file(tmp_path, name="off", memory=knowledge(), policy=policy))
        assert not any(Advised.priors)


class AnalyseFirst(PlanFirst):
    """Has the program analysed in slot 0, then mutates."""

    _operators = ("analyse", Mutation.name)


@pytest.mark.usefixtures("silence")
def test_an_analysis_sees_all_archetypes_and_closes_its_slot_without_a_candidate(
    tmp_path: Path, pack: Path
) -> None:
    changes = {
        "operators": ["analyse", Mutation.name],
        "policy": f"{__name__}:AnalyseFirst",
        "memory": knowledge(),
    }
    reply = '<archetype type="number_line" phases="think" />'
    events = spoken(tmp_path, reply, "x = 3", **changes)  # which replays it
    analysis, mutation = asked[:2]
    assert "- **number_line**: Text of Pattern Signature." in analysis[0].content
    assert "number_line" not in mutation[0].content
    first, second = (event.proposal for event in of(events, Proposed)[:2])
    assert first is None
    assert second is not None


def test_the_package_is_where_the_packs_are() -> None:
    assert {path.name for path in DATA.iterdir()} == {"code_opt", "fuzz_api"}
