"""A study: the search asks, somebody else measures, and the run is on record like any other."""

from __future__ import annotations

import gc
import math
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import se_agent
from se_agent.analysis.outside import StudyRequest, StudyTrial
from se_agent.engine.run.start import resume
from se_agent.errors import ConfigError, SandboxError, SeAgentError
from tests.fakes import Step1, Step3


def study(results: Path, **changes: Any) -> se_agent.Study:
    settings = {
        "operators": [Step1.name, Step3.name],
        "results": str(results),
        "budget": {"evaluations": 8},
        "memory": {"prior": False},
    }
    return se_agent.Study(
        "x = 0", statement="Make x large.", direction="maximize", **(settings | changes)
    )


def value(text: str) -> float:
    return float(text.partition("=")[2])


def test_scores_from_outside_lead_the_search(tmp_path: Path) -> None:
    seen: list[tuple[str, bool]] = []
    with study(tmp_path) as loop:
        for trial in loop:
            assert isinstance(trial, StudyTrial)
            seen.append((trial.text, trial.is_final))
            loop.tell(value(trial.text))
    assert seen[0] == ("x = 0", False)
    assert {final for _, final in seen} == {False, True}
    assert loop.run is not None
    assert loop.run.result.status == "proven"
    assert loop.run.result.score == max(value(text) for text, _ in seen)
    assert len(loop.run.rows("evaluations")) >= 8


def test_the_same_trial_is_asked_for_until_it_is_told(tmp_path: Path) -> None:
    with study(tmp_path) as loop:
        first = loop.ask()
        assert loop.ask() is first
        loop.tell(1.0)
        assert loop.ask() is not first


def test_a_loop_that_tells_nothing_is_stopped(tmp_path: Path) -> None:
    untold = "nothing was told of the trial of Gen0_Sol_0"
    with study(tmp_path) as loop, pytest.raises(ConfigError, match=untold):
        for _ in loop:
            pass


def test_a_trial_that_failed_is_a_wrong_program(tmp_path: Path) -> None:
    with study(tmp_path) as loop:
        for trial in loop:
            if value(trial.text) == 3:
                loop.tell(error="it crashed")
            else:
                loop.tell(value(trial.text))
    assert loop.run is not None
    rows = [row for row in loop.run.rows("evaluations") if "it crashed" in row]
    assert [row[3] for row in rows] == ["WA"]


def test_a_study_that_is_closed_keeps_what_was_measured(tmp_path: Path) -> None:
    with study(tmp_path, name="mine") as loop:
        for _ in range(4):
            trial = loop.ask()
            assert trial is not None
            loop.tell(value(trial.text))
    with pytest.raises(SandboxError, match="the study was closed"):
        loop.ask()
    assert loop.run is not None
    assert len(loop.run.rows("evaluations")) >= 3


def test_several_workers_ask_one_after_the_other(tmp_path: Path) -> None:
    with study(tmp_path, workers=2, lag=2) as loop:
        for trial in loop:
            loop.tell(value(trial.text))
    assert loop.run is not None
    for row in loop.run.rows("evaluations"):
        score, solution = row[6], str(row[2])
        assert score is None or score == value(str(loop.run.solution(solution)))


def test_a_score_or_an_error_is_told_once(tmp_path: Path) -> None:
    with study(tmp_path) as loop:
        with pytest.raises(ConfigError, match="no program is waiting"):
            loop.tell(1.0)
        loop.ask()
        with pytest.raises(ConfigError, match="a score, or an error"):
            loop.tell()
        with pytest.raises(ConfigError, match="a score, or an error"):
            loop.tell(1.0, error="both")


def test_a_setting_that_is_not_known_is_refused_before_anything(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="evaluation"):
        study(tmp_path, budget={"evaluation": 8})


def program(text: str) -> str:
    """Return a reply as its form asks for: what it tries, then the whole program."""
    declared = '{"summary": "a larger constant", "strategy": "constants"}'
    return f"```json\n{declared}\n```\n\n```python\n{text}\n```\n"


def test_prompts_are_answered_outside_beside_the_measuring(tmp_path: Path) -> None:
    proposed = [f"x = {number}" for number in range(1, 40)]
    left = iter(proposed)
    prompts: list[str] = []
    written = {"operators": ["rewriting"], "budget": {"evaluations": 4}}
    with study(tmp_path, proposes=True, **written) as loop:
        for asked in loop:
            if isinstance(asked, StudyRequest):
                prompts.append(asked.text)
                loop.tell(reply=program(next(left)))
            else:
                loop.tell(value(asked.text))
    assert loop.run is not None
    assert "Make x large." in prompts[0]
    assert loop.run.result.score in {value(text) for text in proposed}
    assert loop.run.result.calls == len(prompts) >= 4
    assert len(loop.run.rows("calls")) == len(prompts)


@pytest.mark.tier("runs")
def test_a_problem_is_measured_here_and_its_prompts_are_answered_outside(
    tmp_path: Path,
) -> None:
    with se_agent.Study(
        problem=str(shortest_list(tmp_path)),
        operators=["rewriting"],
        results=str(tmp_path / "results"),
        budget={"evaluations": 1, "calls": 3},
        memory={"prior": False},
    ) as loop:
        for asked in loop:
            assert isinstance(asked, StudyRequest)
            loop.tell(reply=program("def answer(size):\n    return list(range(size))"))
    assert loop.run is not None
    assert loop.run.result.status == "proven"
    assert loop.run.result.gain is None
    assert loop.run.result.score_initial == 2 * (loop.run.result.score or 0.0)


def shortest_list(folder: Path) -> Path:
    """Write a scored problem; its initial program gives a list of twice the wanted length."""
    place = folder / "shortest"
    place.mkdir()
    (place / "statement.md").write_text("Give as short a list as you can, of `size` or more.")
    (place / "long.py").write_text("def answer(size):\n    return list(range(2 * size))\n")
    (place / "scorer.py").write_text("def score(args, output):\n    return len(output)\n")
    (place / "problem.toml").write_text(
        'kind = "score"\nentry_point = "answer"\n[programs]\nlong = "long.py"\n'
        '[score]\nfile = "scorer.py"\ndirection = "minimize"\n'
        "[inputs]\nsizes = [9]\n"
    )
    (place / "generator.py").write_text(
        "def generate(rng, size):\n    return (rng.randint(1, size),)\n"
    )
    return place


def test_an_answer_suits_what_was_asked(tmp_path: Path) -> None:
    written = {"operators": ["rewriting"], "budget": {"evaluations": 2}}
    with study(tmp_path, proposes=True, **written) as loop:
        for asked in loop:
            if isinstance(asked, StudyTrial):
                with pytest.raises(ConfigError, match="a score, or an error"):
                    loop.tell(reply=program("x = 1"))
                loop.tell(value(asked.text))
                continue
            for wrong in ({"score": 1.0}, {"error": "no"}, {}, {"score": 1.0, "reply": "x"}):
                with pytest.raises(ConfigError, match="by a reply"):
                    loop.tell(**wrong)
            break


def test_a_study_that_is_closed_while_a_prompt_waits_ends(tmp_path: Path) -> None:
    with study(tmp_path, proposes=True, operators=["rewriting"]) as loop:
        while isinstance(asked := loop.ask(), StudyTrial):
            loop.tell(value(asked.text))
        assert isinstance(asked, StudyRequest)
    with pytest.raises(SandboxError, match="the study was closed"):
        loop.ask()


def test_there_is_an_initial_program_or_a_problem() -> None:
    for wrong in ({}, {"initial": "x = 1", "problem": "order_report"}):
        with pytest.raises(ConfigError, match="an initial program, or a problem"):
            se_agent.Study(**wrong)  # type: ignore[arg-type]


def test_what_was_told_last_stays_on_record(tmp_path: Path) -> None:
    with study(tmp_path) as loop:
        for _ in range(3):
            trial = loop.ask()
            assert trial is not None
            loop.tell(value(trial.text))
    found = se_agent.open(tmp_path)
    assert len(found.rows("evaluations")) == 3


@pytest.mark.parametrize("wrong", [math.nan, math.inf, "abc", [1.0], 10**400])
def test_a_score_is_a_finite_number(tmp_path: Path, wrong: Any) -> None:
    with study(tmp_path) as loop:
        asked = loop.ask()
        with pytest.raises(ConfigError, match="not a finite number"):
            loop.tell(wrong)
        assert loop.ask() is asked


def test_threads_that_ask_are_all_told_of_the_end(tmp_path: Path) -> None:
    loop = study(tmp_path)

    def answer() -> None:
        while (trial := loop.ask()) is not None:
            assert isinstance(trial, StudyTrial)
            with suppress(ConfigError):  # another thread has told it
                loop.tell(value(trial.text))

    threads = [threading.Thread(target=answer, daemon=True) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not any(thread.is_alive() for thread in threads)


def test_a_study_that_nobody_holds_is_closed(tmp_path: Path) -> None:
    before = threading.active_count()
    loop = study(tmp_path)
    loop.ask()
    search = next(each for each in threading.enumerate() if each.name == "study")
    del loop
    gc.collect()
    search.join(60)
    assert threading.active_count() <= before


@pytest.mark.tier("runs")
def test_python_ends_while_a_study_is_open(tmp_path: Path) -> None:
    script = (
        "from pathlib import Path\nfrom tests.analysis.test_study import study\n"
        f"loop = study(Path({str(tmp_path)!r}), workers=2, lag=2)\n"
        "loop.ask()\nloop.tell(0.0)\nloop.ask()\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", script], check=False, capture_output=True, timeout=100
    )
    assert (ended.returncode, ended.stderr) == (0, b"")


def test_an_initial_program_that_is_no_text_is_refused() -> None:
    with pytest.raises(ConfigError, match="the initial program is a text, not int"):
        se_agent.Study(3)  # type: ignore[arg-type]


def test_a_direction_that_is_not_known_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no direction 'up'"):
        se_agent.Study("x = 1", direction="up")  # type: ignore[arg-type]


def test_a_run_whose_study_has_ended_is_not_resumed(tmp_path: Path) -> None:
    with study(tmp_path, proposes=True, operators=["rewriting"]) as loop:
        while isinstance(asked := loop.ask(), StudyTrial):
            loop.tell(value(asked.text))
    with pytest.raises(ConfigError, match="has ended"):
        resume(next(tmp_path.rglob("run.db")).parent)


def test_the_name_of_a_problem_is_no_path(tmp_path: Path) -> None:
    with study(tmp_path, name="none.toml") as loop:
        assert loop.ask() is not None


def test_a_name_that_no_folder_can_have_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SeAgentError, match="too long"):
        study(tmp_path, name="x" * 300).ask()
