"""The market: what it reads in a prompt, how likely an answer is, and how it is written."""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import partial
from typing import Any

import pytest

from experiments.arena.answer import answered, block, lesson, renamed, within
from experiments.arena.corpus import Program, address, edition, lot, lots, plain
from experiments.arena.draw import distance, drawn, weights
from experiments.arena.prompt import Asked, Form, parts, read
from se_agent.program.features import content_address

OVERTAKES = lot("overtakes")
ASK = "Write SEARCH/REPLACE blocks:\n<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE\n"


def fenced(text: str) -> str:
    return f"```python\n{text}```\n"


def program(name: str) -> Program:
    return next(each for each in OVERTAKES.programs if each.name == name)


def asked(text: str) -> Asked:
    return read(text, lots())


def answers(text: str, number: int = 200) -> list[str]:
    return [answered(asked(text), f"0 {n}") for n in range(number)]


CURRENT = f"# Current Program\n{fenced(program('slice_scan').text)}"
WHOLE = f"{OVERTAKES.problem.statement}\n{CURRENT}# Task\nRewrite the program.\n"


class TestReading:
    @pytest.mark.parametrize("name", [each.name for each in lots()])
    def test_a_problem_is_known_by_its_program_or_its_title(self, name: str) -> None:
        own = lot(name)
        for text in (own.problem.statement, f"# Program\n{fenced(own.initial.text)}"):
            found = asked(text).lot
            assert found is not None
            assert found.name == name

    def test_of_nothing_known_there_is_nothing(self) -> None:
        assert asked("# Sort\n" + fenced("def f(x):\n    return x\n")).lot is None

    def test_the_program_to_change_is_told_from_those_beside_it(self) -> None:
        beside = f"## Top Performing Programs\n{fenced(program('insorted').text)}"
        found = asked(beside + CURRENT)
        assert found.parent == program("slice_scan").text
        assert found.shown == (program("insorted").text,)

    def test_what_stands_in_a_fence_is_no_heading(self) -> None:
        text = "# One\n```\n# no heading\n```\n## Two\nline\n# Three\n"
        assert [part.heading for part in parts(text)] == ["", "One", "One / Two", "Three"]

    @pytest.mark.parametrize(
        ("text", "form"),
        [
            pytest.param(WHOLE, Form.WHOLE, id="whole"),
            pytest.param(WHOLE + ASK, Form.DIFF, id="diff"),
            pytest.param(WHOLE + '{"strategies": []}', Form.PLAN, id="plan"),
            pytest.param('{"updated_directions": []}', Form.LESSON, id="lesson"),
            pytest.param('{"items": []}', Form.DIGEST, id="digest"),
        ],
    )
    def test_the_form_is_that_of_the_request(self, text: str, form: Form) -> None:
        assert asked(text).form is form


class TestDrawing:
    def shares(self, text: str) -> dict[str, float]:
        found = weights(asked(text), OVERTAKES)
        total = sum(found.values())
        strategies: Counter[str] = Counter()
        for each, weight in found.items():
            strategies[each.strategy] += weight / total  # type: ignore[assignment]
        return dict(strategies)

    def test_small_steps_are_likelier_than_leaps(self) -> None:
        diff, whole = self.shares(WHOLE + ASK), self.shares(WHOLE)
        afar = self.shares(WHOLE + "Use a completely different algorithm.\n")
        assert diff["Pair scan"] > whole["Pair scan"] > afar["Pair scan"]
        assert diff["Pair scan"] > 0.5
        assert min(diff.values()) > 0

    def test_the_strategy_that_is_named_is_followed(self) -> None:
        (wanted,) = (s for s in OVERTAKES.strategies if s.name == "Merge sort")
        follow = f"## The strategy to follow\nName: {wanted.name}\nIdea: {wanted.idea}\n"
        assert self.shares(WHOLE + follow)["Merge sort"] > 3 * self.shares(WHOLE)["Merge sort"]

    def test_what_is_said_to_have_failed_is_avoided(self) -> None:
        idea = program("half_scan")
        told = weights(asked(f"{WHOLE}## Tabu directions\n- {idea.words}\n"), OVERTAKES)
        elsewhere = weights(asked(f"{WHOLE}## Notes\n- {idea.words}\n"), OVERTAKES)
        assert told[idea] < elsewhere[idea] / 2
        assert {p: w for p, w in told.items() if p != idea} == {
            p: w for p, w in elsewhere.items() if p != idea
        }

    def test_the_parent_itself_is_not_drawn_nor_gladly_what_is_shown(self) -> None:
        shown = f"## Inspiration\n{fenced(program('insorted').text)}"
        found = weights(asked(WHOLE + shown), OVERTAKES)
        assert program("slice_scan") not in found
        assert max(found.values()) > found[program("insorted")]

    def test_nobody_goes_back_to_the_beginning_and_few_to_what_is_plainer(self) -> None:
        found = weights(asked(WHOLE), OVERTAKES)
        assert OVERTAKES.initial not in found
        assert found[program("gathered_scan")] > 2 * found[program("half_scan")]

    def test_new_ground_begins_with_its_plainest_program(self) -> None:
        found = weights(asked(WHOLE), OVERTAKES)
        assert found[program("fenwick_class")] > found[program("fenwick_inline")]

    def test_some_answers_help_nobody(self) -> None:
        names = Counter(drawn(asked(WHOLE), OVERTAKES, f"{n}").manner.name for n in range(2000))
        assert {name for name, n in names.items() if n > 40} == {
            "PLAIN",
            "PROSE",
            "BROKEN",
            "RENAMED",
        }
        assert names["PLAIN"] > 1600

    def test_the_same_seed_draws_the_same_and_another_draws_anew(self) -> None:
        draw = partial(drawn, asked(WHOLE), OVERTAKES)
        assert draw("a") == draw("a")
        assert len({draw(f"{n}").program.name for n in range(40)}) > 3

    def test_distance_is_a_share(self) -> None:
        texts = [each.text for each in OVERTAKES.programs]
        assert distance(texts[0], texts[0]) == 0
        assert all(0 < distance(texts[0], text) <= 1 for text in texts[1:])


class TestAnswering:
    def test_a_whole_program_is_one_of_the_corpus(self) -> None:
        known = {each.content for each in OVERTAKES.programs}
        found = [re.findall(r"```python\n(.*?)```", text, re.S) for text in answers(WHOLE)]
        whole = [texts[0] for texts in found if texts and "= (\n" not in texts[0]]
        assert len(whole) > 150
        assert {address(text) for text in whole} <= known

    def test_a_diff_makes_a_program_of_the_corpus(self) -> None:
        parent, known = program("slice_scan").text, {p.text for p in OVERTAKES.programs}
        pattern = r"<<<<<<< SEARCH\n(.*?)\n=======\n(.*?)\n>>>>>>> REPLACE"
        made = set()
        for text in answers(WHOLE + ASK):
            for search, replace in re.findall(pattern, text, re.S):
                assert parent.count(search) == 1
                made.add(plain(parent.replace(search, replace)))
        assert len(made & known) > 5

    @pytest.mark.parametrize("goal", [each.name for each in OVERTAKES.programs[1:]])
    def test_a_block_applies_where_it_says(self, goal: str) -> None:
        old, new = OVERTAKES.initial.text, program(goal).text
        search, replace = re.findall(
            r"SEARCH\n(.*)\n=======\n(.*)\n>>>", block(old, new), re.S
        )[0]
        assert old.count(search) == 1
        assert old.replace(search, replace).rstrip() == new.rstrip()

    @pytest.mark.parametrize("name", [each.name for each in lots()])
    def test_an_edition_is_another_text_of_the_same_worth(self, name: str) -> None:
        own = lot(name)
        for each in own.programs:
            made = edition(each.text, own.problem.entry_point, 7)
            assert content_address({"main.py": made}) != each.content
            assert (plain(made), address(made)) == (each.text, each.content)

    def test_what_is_outside_of_the_marks_stays(self) -> None:
        parent = "x = 1\n# EVOLVE-BLOCK-START\nold\n# EVOLVE-BLOCK-END\ny = 2\n"
        made = "x = 1\n# EVOLVE-BLOCK-START\nnew\n# EVOLVE-BLOCK-END\ny = 2\n"
        assert within(parent, "new\n") == made

    def test_tags_are_used_where_the_prompt_has_them(self) -> None:
        tags = "<NAME>\nshort\n</NAME>\n<DESCRIPTION>\nwhy\n</DESCRIPTION>\n"
        whole, diff = answers(WHOLE + tags, 1)[0], answers(WHOLE + tags + ASK, 1)[0]
        assert re.fullmatch(r"<NAME>.*</NAME>.*<CODE>.*</CODE>\n", whole, re.S)
        assert re.fullmatch(r"<NAME>.*</NAME>.*<DIFF>.*</DIFF>\n", diff, re.S)

    def test_a_declaration_comes_first_where_it_is_asked_for(self) -> None:
        text = answers(WHOLE + '{"direction": "...", "expected_effect": "..."}\n', 1)[0]
        head = re.findall(r"```json\n(.*?)\n```", text, re.S)[0]
        assert set(json.loads(head)) == {"direction", "expected_effect", "lessons_used"}

    def test_a_plan_names_what_the_prompt_does_not(self) -> None:
        known = OVERTAKES.strategies[0]
        text = f'{WHOLE}- {known.words}\nAnswer: {{"strategies": []}}'
        found = json.loads(answers(text, 1)[0])["strategies"]
        names = [each["name"] for each in found]
        assert len(names) == 5
        assert known.name not in names
        assert {s.name for s in OVERTAKES.strategies[1:]} <= set(names)

    def test_a_planner_never_runs_out_of_names(self) -> None:
        told: list[str] = []
        for _ in range(4):
            text = f'{WHOLE}{"".join(told)}Answer: {{"strategies": []}}'
            found = json.loads(answers(text, 1)[0])["strategies"]
            assert len(found) == 5
            told += [f"- {s['name']}: {s['idea']} {s['complexity']}\n" for s in found]
        assert len(set(told)) == len(told) == 20

    @pytest.mark.parametrize(
        ("direction", "effect", "expected"),
        [
            pytest.param(
                "use a heap", "1.9x", ["sort/Success/", "use a heap/Failed/"], id="new"
            ),
            pytest.param("Sort.", "1.9x", ["sort/Failed/k1"], id="known"),
            pytest.param("Sort.", "within noise", ["sort/Neutral/k1"], id="noise"),
        ],
    )
    def test_a_lesson_keeps_the_directions_and_tells_what_was_tried(
        self, direction: str, effect: str, expected: list[str]
    ) -> None:
        text = (
            f"- New CPU time: 2 ms [Outcome: FAILURE]\n- Measured Effect: {effect}\n"
            f"- Step: Gen1_Sol_2 from Gen0_Sol_0, by x\n- Declared Direction: {direction}\n"
            '```json\n[{"key": "k1", "direction": "sort", "outcome": "Success"}]\n```\n'
            '{"updated_directions": []}'
        )
        found: Any = lesson(asked(text))  # JSON
        told = [
            f"{d['direction']}/{d['outcome']}/{d['key']}" for d in found["updated_directions"]
        ]
        assert [told[n].startswith(each) for n, each in enumerate(expected)] == [True] * len(
            told
        )
        assert (found["new_memory_item"] is None) is (effect == "within noise")

    def test_a_digest_keeps_the_largest_effects(self) -> None:
        row = {"title": "t", "description": "d", "content": "c"}
        kinds = [("Success", 0.1), ("Success", 0.9), ("Failure", -0.5), ("Success", 0.4)]
        lines = [
            json.dumps({"number": n, "type": kind, "effect": f"{effect}", **row})
            for n, (kind, effect) in enumerate(kinds)
        ]
        text = "Keep at most 2 successes and at most 2 failures.\n```json\n{}\n```\n{}"
        found = json.loads(answers(text.format("\n".join(lines), '{"items": []}'), 1)[0])
        assert [item["sources"] for item in found["items"]] == [[1], [3], [2]]

    @pytest.mark.parametrize("name", [each.name for each in lots()])
    def test_a_renamed_program_has_the_same_content(self, name: str) -> None:
        for each in lot(name).programs:
            made = renamed(each.text)
            assert made != each.text
            assert address(made) == each.content

    def test_about_a_problem_that_is_not_known_there_are_words_only(self) -> None:
        assert "```" not in answers("# Sort\nSort the list.", 1)[0]
