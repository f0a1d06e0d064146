"""The evaluator that reads records, the judge beside it, and a search of ours on both."""

from __future__ import annotations

import json
import math
import urllib.request
from pathlib import Path

import pytest

from experiments.arena import figure, runs
from experiments.arena.corpus import edition, lot
from experiments.arena.judge import Judge, judging
from experiments.arena.recorded import Record, Recorded
from experiments.arena.server import Market
from se_agent.values.evaluation import Evaluation, FailedCase, Measurement, Status
from se_agent.values.solution import Solution

OWN = lot("tank_mixing")
RIGHT = Evaluation(status=Status.AC, measurement=Measurement(cpu_seconds=0.01))
CASE = FailedCase(name="one", expected="1", got="2", input="([],)")
WRONG = Evaluation(status=Status.WA, failing=(CASE,), feedback="wrong answer")


def made(text: str) -> Solution:
    return Solution(id="Gen1_Sol_0", files={OWN.problem.path: text})


@pytest.fixture
def evaluator(tmp_path: Path) -> Recorded:
    """Records in which each program is faster than the one before."""
    known = {
        each.content: Record(RIGHT, (0.5 * n, 0.5 * n + 0.01), 0.02)
        if each.right
        else Record(WRONG, (), 0.02)
        for n, each in enumerate(OWN.programs)
    }
    return Recorded(OWN, known, tmp_path / "more.jsonl")


class TestRecorded:
    def test_the_effect_is_the_difference_of_the_records(self, evaluator: Recorded) -> None:
        old, new = (made(OWN.programs[n].text) for n in (1, 2))
        block = evaluator.block(old, new, number=1, pairs=4)
        assert block.effect == pytest.approx(0.5)
        assert math.log(block.reference / block.candidate) == pytest.approx(block.effect)
        assert block.pairs == len(block.pair_effects) == 4

    def test_the_initial_program_beside_itself_shows_the_noise(
        self, evaluator: Recorded
    ) -> None:
        initial = OWN.problem.initial()
        found = [evaluator.block(initial, initial, number=n, pairs=4).effect for n in range(4)]
        assert found == [0.0, 0.01, 0.0, 0.01]

    def test_a_wrong_program_ends_its_block(self, evaluator: Recorded) -> None:
        wrong = next(each for each in OWN.programs if not each.right)
        block = evaluator.block(OWN.problem.initial(), made(wrong.text), number=0, pairs=4)
        assert block.status is Status.WA
        assert evaluator.evaluate(made(wrong.text)) == WRONG

    def test_an_edition_has_the_record_of_its_program(self, evaluator: Recorded) -> None:
        text = edition(OWN.programs[2].text, OWN.problem.entry_point, 3)
        assert evaluator.of(made(text)).gain == pytest.approx(1.005)

    @pytest.mark.parametrize(
        ("line", "status"),
        [
            pytest.param("weights = list(weights)", Status.AC, id="right"),
            pytest.param("weights = weights[1:]", Status.WA, id="wrong"),
        ],
    )
    def test_what_is_not_in_the_corpus_is_measured_once(
        self, tmp_path: Path, line: str, status: Status
    ) -> None:
        own, path = lot("scale_weights"), tmp_path / "more.jsonl"
        text = own.programs[2].text.replace("known = {0}\n", f"known = {{0}}\n    {line}\n")
        found = Recorded(own, {}, path).of(made(text))
        assert found.evaluation.status is status
        assert (found.gain > 0) is (status is Status.AC)
        written = path.read_text(encoding="utf-8")
        assert Recorded(own, {}, path).of(made(text)) == found
        assert path.read_text(encoding="utf-8") == written


class TestJudge:
    def test_it_tells_gain_and_feedback_and_notes_the_calls(self, evaluator: Recorded) -> None:
        market = Market(0, [OWN])
        judge = Judge(evaluator, market)
        wrong = next(each for each in OWN.programs if not each.right)
        with judging(judge) as url:
            found = []
            for text in (OWN.programs[4].text, wrong.text):
                market.reply([{"role": "user", "content": text}])
                request = urllib.request.Request(url, text.encode())
                with urllib.request.urlopen(request, timeout=20) as answer:
                    found.append(json.load(answer))
        assert found[0] == {"right": False, "gain": 0.0, "feedback": ""} | found[0]
        assert found[1]["feedback"] == "wrong answer\ninput ([],): expected 1, got 2"
        assert [calls for calls, _ in judge.course] == [1, 2]
        assert judge.course[1][1] == 0.0


class TestRuns:
    @pytest.mark.parametrize("arm", ["best_of_n", "portfolio"])
    def test_a_search_of_ours_uses_its_calls_and_gains(
        self, evaluator: Recorded, tmp_path: Path, arm: str
    ) -> None:
        row = runs.ours(evaluator, tmp_path / "run", 1, 12, figure.ARMS[arm])
        assert len(row["course"]) == 12
        assert row["calls"] == 12
        assert row["course"] == sorted(row["course"])
        assert 0 < row["course"][-1] <= row["top"]
        assert len(row["tokens"]) == 12
        assert min(row["tokens"]) > len(OWN.problem.statement) / 4

    def test_a_search_of_others_needs_its_package_or_its_interpreter(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        assert not runs.installed("no_such_search")
        monkeypatch.setenv("SE_AGENT_NO_SUCH_SEARCH", "python3")
        assert runs.installed("no_such_search")

    def test_a_course_keeps_what_it_has_until_more_is_found(self) -> None:
        assert runs.filled([(2, 1.0), (2, 1.5), (4, 2.0)], 6) == [0, 1.5, 1.5, 2.0, 2.0, 2.0]
        assert runs.filled([], 2) == [0, 0]


class TestTable:
    def row(self, gain: float, tokens: int = 100) -> dict[str, object]:
        return {"course": [gain] * 150, "calls": 150, "tokens": [tokens] * 150, "top": 4.0}

    def late(self, tokens: int) -> dict[str, object]:
        """Return a run that finds all there is with its second call."""
        return self.row(4.0, tokens) | {"course": [0.0] + [4.0] * 149}

    def test_arms_are_paired_by_problem_and_seed(self) -> None:
        found = {
            "p/portfolio/0": self.row(3.0),
            "p/best_of_n/0": self.row(2.0),
            "p/best_of_n/1": self.row(0.0),
            "q/portfolio/0": self.row(2.0),
            "q/best_of_n/0": self.row(2.0),
            "r/portfolio/0": self.row(2.0),
            "r/best_of_n/0": self.row(1.5),
        }
        text = figure.table(found)
        assert "3 problems, 7 runs." in text
        assert "| portfolio | 3 | 100 | 0.583 |" in text
        # By hand: differences 1/4, 0 and 1/8, and Student's 4.303 of two degrees of freedom.
        assert "| best_of_n | 4 | 100 | 0.375 | +0.125 (-0.186 to +0.436) |" in text
        where = "30 calls, 60 calls, 150 calls, equal tokens"
        assert text.endswith(f"Not proven to be ahead of: best_of_n at {where}.")

    def test_who_asks_in_fewer_words_is_ahead_at_equal_tokens_only(self) -> None:
        found = {"p/portfolio/0": self.late(100), "p/cse/0": self.late(300)}
        (line,) = (line for line in figure.table(found).split("\n") if "| cse |" in line)
        assert "| +0.000 (too few pairs) | 0.993 |" in line
        # Of 15,000 tokens the one has nothing for 200, the other for 600.
        assert line.endswith(f"| +{400 / 15_000:.3f} (too few pairs) |")

    def test_an_arm_that_ran_with_nobody_beside_it_is_open(self) -> None:
        found = {"p/portfolio/0": self.row(3.0), "p/cse/1": self.row(1.0)}
        text = figure.table(found)
        assert "cse at 30 calls" in text
        assert "| 0.250 | no run beside it |" in text

    def test_the_area_by_tokens_ends_where_it_is_told_to(self) -> None:
        course, tokens = [1.0, 2.0, 2.0, 2.0], [10, 10, 20]
        assert figure.area_by_tokens(course, tokens, 40) == pytest.approx((10 + 2 * 20) / 40)
        assert figure.area_by_tokens(course, tokens, 20) == pytest.approx(10 / 20)
        assert figure.area_by_tokens(course, tokens, 5) == 0.0
        assert figure.area_by_tokens([0.0], [], 0) == 0.0

    def test_what_is_proven_is_not_named_as_open(self) -> None:
        first = {f"p/portfolio/{seed}": self.row(3.0) for seed in range(3)}
        found = first | {f"p/cse/{seed}": self.row(2.0) for seed in range(3)}
        assert figure.table(found).endswith("Not proven to be ahead of: none.")

    def test_the_area_is_a_mean_over_the_calls(self) -> None:
        assert figure.area([0.0, 1.0, 1.0, 5.0], 3) == pytest.approx(2 / 3)
