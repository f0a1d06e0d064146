"""The noise study's machinery: what it plans, counts, computes and writes. Nothing is timed."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from experiments.figures.rows import fill
from experiments.noise import __main__ as study
from experiments.noise.apart import PAIRS, apart, arguments
from experiments.noise.counts import Count, count, gain_of
from experiments.noise.measure import SETTINGS, counted, name, quietly
from experiments.noise.plan import FIRST, GAINS, HALVES, MORE, Session, comparisons, sessions
from experiments.noise.rivals import apart_samples, one_run_each, same_samples, signed_rank
from experiments.noise.table import again, ended, page
from se_agent.noise.families import KernelEdit, Text, World
from se_agent.noise.kernels import Family
from se_agent.values.evaluation import SequentialDecision

WORLD = World(Family.LOOP, 0)


class TestPlan:
    def test_a_half_compares_600_identical_pairs_and_as_many_of_each_gain(self) -> None:
        worlds = [session.world for session in sessions("idle", FIRST)]
        gains = Counter(one.gain for world in worlds for one in comparisons(world))
        assert gains == {0.0: 600} | dict.fromkeys(GAINS, 168)

    def test_more_doubles_the_edits_only(self) -> None:
        worlds = [session.world for session in sessions("loaded", MORE)]
        gains = Counter(one.gain for world in worlds for one in comparisons(world))
        assert gains == dict.fromkeys(GAINS, 168)

    def test_half_of_the_texts_are_identical(self) -> None:
        alike = [one for one in comparisons(WORLD) if not one.gain]
        kinds = Counter(one.kind for one in alike)
        assert kinds[Text.SAME] in (12, 13)
        assert set(kinds) == set(Text)

    def test_no_two_comparisons_are_the_same(self) -> None:
        every = [
            one
            for numbers in (FIRST, MORE)
            for session in sessions("idle", numbers)
            for one in comparisons(session.world)
        ]
        assert len({one.key for one in every}) == len(every)
        edited = [one.pair() for one in every if one.gain]
        assert len({(p.reference.text, p.candidate.text) for p in edited}) == len(edited)

    def test_halves_take_turns(self) -> None:
        planned = study.planned(["idle", "loaded"])
        assert [session.half for session in planned[:4]] == [*HALVES, *HALVES]
        assert len(planned) == 2 * len(FIRST) * len(Family)
        assert len({session.key for session in study.planned(study.PARTS)}) == 96

    def test_more_alone_is_both_halves(self) -> None:
        planned = study.planned(["more"])
        assert {session.half for session in planned} == set(HALVES)
        assert {session.world.number for session in planned} == set(MORE)


class TestCounts:
    @pytest.mark.skipif(not shutil.which("valgrind"), reason="valgrind is not installed")
    def test_instructions_tell_the_size_of_an_edit(self) -> None:
        pair = WORLD.gained(0, 0.05, KernelEdit.TURNS)
        texts = [pair.candidate.text, pair.reference.text]
        less, more = count(texts, arguments(WORLD, 1)[0])
        assert more.call / less.call == pytest.approx(1.05, rel=0.005)
        assert 0 < less.load < less.call

    def test_loading_weighs_less_the_more_inputs_a_run_answers(self) -> None:
        counts = {"counts": {"pair": [[1000, 1100], [1000, 1000]]}}
        assert gain_of(counts, "pair", 1) == pytest.approx(0.05)
        assert gain_of(counts, "pair", 9) == pytest.approx(0.09)
        assert Count(load=7, call=5).run(3) == 22


class TestRivals:
    def test_the_signed_rank_test_believes_repeats(self) -> None:
        steady = [0.01 + 0.001 * (n % 3) for n in range(24)]
        assert signed_rank(steady)
        assert not signed_rank([-effect for effect in steady])
        assert not signed_rank([0.0] * 24)

    def test_one_run_each_believes_the_first(self) -> None:
        assert one_run_each([0.001, -1.0])
        assert not one_run_each([0.0, 1.0])

    def test_two_processes_time_themselves(self) -> None:
        found = apart(WORLD, WORLD.alike(0, Text.SAME), 0)
        assert len(found) == PAIRS
        assert all(seconds > 0 for pair in found for seconds in pair)
        assert len(apart_samples({"apart": found})) == PAIRS


def block(effect: float, pairs: int = 12, cost: float = 1.0) -> dict[str, Any]:
    spread = [effect + 0.0001 * (n - pairs / 2) for n in range(pairs)]
    return {"effect": effect, "inputs": 9, "pair_effects": spread, "cost_seconds": cost}


def row(effect: float, gain: float = 0.0, place: int = 0) -> dict[str, Any]:
    """Return what the study would keep of a comparison whose blocks all have one effect."""
    full = 3 if effect > 0.02 else 1
    cost = (1.0 + place) / (full + 1)
    return {
        "key": "a row",
        "family": Family.LOOP,
        "world": "world",
        "pair": f"pair {gain}",
        "gain": gain,
        "kind": Text.SAME,
        "spread": 0.003,
        "decision": "yes" if effect > 0.02 else "no",
        "cost_seconds": 99.0,
        "cores": 1.0,
        "blocks": [block(effect, 2, cost), *[block(effect, cost=cost)] * full],
        "apart": [] if gain else [[2.0, 2.0 - effect + 0.0001 * n] for n in range(24)],
    }


class TestTable:
    def rows(self) -> dict[str, Any]:
        alike = [row(0.001 * (-1) ** n, place=n) for n in range(9)] + [row(0.09)]
        edited = [row(0.05, 0.05)] * 3 + [row(0.0, 0.05)] + [row(0.1, 0.1)] * 2
        tested = {"family": Family.LOOP, "blocks": [block(0.002)] * 6}
        return {str(n): one for n, one in enumerate((*alike, *edited, tested))}

    def counts(self) -> dict[str, Any]:
        sizes = {"pair 0.05": [[0, 1051], [0, 1000]], "pair 0.1": [[0, 1300], [0, 1000]]}
        return {"world": {"counts": sizes}}

    def made(self) -> list[str]:
        return page({"idle": self.rows(), "loaded": {}}, self.counts()).splitlines()

    def test_false_improvements_are_counted_by_every_rule(self) -> None:
        alike = [line for line in self.made() if line.startswith("| idle | ")]
        assert "| idle | this rule | 10 | 1 | 10.0 % | 0.3 % to 44.5 % |" in alike
        assert any(
            line.startswith("| idle | one run each | 10 | 6 | 60.0 % ") for line in alike
        )
        assert any("two processes | 10 |" in line for line in alike)

    def test_what_was_made_again_is_told_with_how_it_had_ended(self) -> None:
        rows = self.rows()
        rows["0"]["disturbed"] = [{"cores": 1.4, "decision": "no"}] * 2
        rows["10"] = rows["10"] | {"disturbed": [{"cores": 1.2, "decision": "yes"}]}
        told = page({"idle": rows, "loaded": {}}, self.counts())
        assert "2 of identical programs (0 called faster), 1 of edits (1 found)." in told
        assert not any("Made again" in line for line in self.made())

    def test_power_counts_the_pairs_whose_size_is_known(self) -> None:
        lines = [line for line in self.made() if line.startswith("| idle | 5 % ")]
        size, found = "5.10 %, 5.10 % to 5.10 %", "75.0 % | 19.4 % to 99.4 %"
        assert lines == [f"| idle | 5 % | 4 | {size} | {found} | 1 | 0 | 75 % | 75 % |"]

    def test_an_edit_of_another_size_is_left_out(self) -> None:
        assert not any(line.startswith("| idle | 10 % ") for line in self.made())

    def test_losers_and_winners_have_their_cost(self) -> None:
        made = self.made()
        assert "| idle | no | 10 | 4.50 | 2 | 1.0 |" in made
        assert any(line.startswith("| idle | yes | 6 | 1.00 | 4 ") for line in made)

    def test_the_rule_is_asked_again(self) -> None:
        longer = row(0.05)
        longer["blocks"] += [block(0.05)] * 5
        assert again(longer)["decision"] is SequentialDecision.YES
        assert again(longer)["blocks"] == row(0.05)["blocks"]
        assert again(longer)["cost_seconds"] == 1.0

    def test_what_ended_too_soon_for_it_has_to_be_measured_again(self) -> None:
        begun = row(0.05) | {"spread": 0.5}
        assert ended(begun) is None
        with pytest.raises(ValueError, match="4 blocks, and the rule asks for more"):
            again(begun)

    def test_full_blocks_are_the_samples_of_others(self) -> None:
        assert len(same_samples(row(0.05))) == 36

    def test_it_stands_between_the_marks(self, tmp_path: Path) -> None:
        document = tmp_path / "page.md"
        document.write_text(f"before\n{study.BEGIN}\nold\n{study.END}\nafter\n")
        study.write(document, {"idle": self.rows()}, self.counts())
        text = document.read_text()
        assert text.startswith(f"before\n{study.BEGIN}\n")
        assert text.endswith(f"{study.END}\nafter\n")
        assert "this rule" in text
        assert "old" not in text


class TestQuiet:
    """Rows of the idle half are made again while others use the machine or its host."""

    SESSIONS = tuple(Session(half, World(Family.LOOP, 0)) for half in HALVES)

    def made(self, session: Session, *cores: float) -> list[dict[str, Any]]:
        """What is kept of tries at a row, and of those that are left."""
        left = [{"cores": each, "decision": "no"} for each in cores]
        return [quietly(session, lambda: left.pop(0)), *left]

    def test_a_quiet_one_is_kept(self) -> None:
        assert self.made(self.SESSIONS[0], 1.01) == [{"cores": 1.01, "decision": "no"}]

    def test_a_disturbed_one_is_made_again_and_stays_on_record(self) -> None:
        found, *left = self.made(self.SESSIONS[0], 1.4, 1.02, 1.0)
        assert (found["cores"], len(left)) == (1.02, 1)
        assert found["disturbed"] == [{"cores": 1.4, "decision": "no"}]

    def test_it_is_given_up_for_now(self) -> None:
        found, *left = self.made(self.SESSIONS[0], 1.4, 1.3, 1.2, 1.0)
        assert (found["cores"], len(found["disturbed"]), len(left)) == (1.2, 2, 1)

    def test_what_an_earlier_start_set_aside_stays_on_record(self) -> None:
        earlier = {"cores": 1.3, "decision": "no", "disturbed": [{"cores": 1.2}]}
        left = [{"cores": 1.0, "decision": "yes"}]
        found = quietly(self.SESSIONS[0], lambda: left.pop(0), earlier)
        assert found["disturbed"] == [{"cores": 1.2}, {"cores": 1.3, "decision": "no"}]
        taken_up = {"cores": 1.0, "decision": "undecided"}
        left = [{"cores": 1.0, "decision": "yes"}]
        assert "disturbed" not in quietly(self.SESSIONS[0], lambda: left.pop(0), taken_up)

    def test_the_loaded_half_is_never_quiet(self) -> None:
        assert self.made(self.SESSIONS[1], 1.99) == [{"cores": 1.99, "decision": "no"}]

    def test_rows_that_stay_disturbed_count_as_missing(self, tmp_path: Path) -> None:
        for half in HALVES:
            tasks = {"a": lambda: {"cores": 1.2}, "b": lambda: {"cores": 1.0}, "c": dict}
            fill(name(half), tasks, settings=SETTINGS, jobs=1, home=tmp_path)
        assert list(counted("idle", home=tmp_path)) == ["b", "c"]
        assert list(counted("loaded", home=tmp_path)) == ["a", "b", "c"]
