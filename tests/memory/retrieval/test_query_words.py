from __future__ import annotations

import pytest

from se_agent.memory.retrieval.query_words import MOST_WORDS, plain_words, words_of
from se_agent.values.evaluation import Evaluation, Measurement, Status
from se_agent.values.observation import HotLine, Observation, Scaling
from se_agent.values.solution import Solution

SLOW = """def f(a, b):
    out = []
    for x in a:
        if x in b:
            out.append(x)
    return "".join(out)
"""


def words(text: str, language: str = "python", **more: object) -> tuple[str, ...]:
    program = Solution(id="Gen0_Sol_0", files={"program.py": text})
    return words_of(program, language, **more)  # type: ignore[arg-type]


@pytest.mark.row("AM-47")
def test_a_program_is_described_by_what_it_is_built_of() -> None:
    found = words(SLOW)
    assert {"membership_in_loop", "membership", "set", "depth_1"} <= set(found)
    assert not {"a", "b", "x", "out"} & set(found)


def test_each_word_stands_once() -> None:
    found = words(SLOW * 3)
    assert len(found) == len(set(found))


def test_hot_lines_come_first() -> None:
    def hot(line: int) -> Observation:
        return Observation(hot=(HotLine(function="f", line=line, text="", share=0.9, hits=9),))

    first, last = words(SLOW, observed=hot(4)), words(SLOW, observed=hot(6))
    assert first[0] == "membership_in_loop"
    assert last[0] == "call_join"
    assert set(first) == set(last)


@pytest.mark.parametrize(
    ("exponent", "word"), [(1.1, None), (1.9, "quadratic"), (3.1, "cubic")]
)
def test_scaling_is_a_word(exponent: float, word: str | None) -> None:
    scaling = Scaling(exponent=exponent, sizes=(1, 2), seconds=(1.0, 2.0))
    found = set(words(SLOW, observed=Observation(scaling=scaling)))
    assert found & {"quadratic", "cubic"} == ({word} - {None})


def test_a_failure_is_described_by_status_and_template() -> None:
    def failed(feedback: str) -> set[str]:
        evaluation = Evaluation(status=Status.RE, feedback=feedback)
        return set(words(SLOW, failed=evaluation)) - set(words(SLOW))

    one, other = failed("IndexError: list index out of range"), failed("KeyError: 'a'")
    assert "status_re" in one & other
    assert {"IndexError", "index", "range"} <= one
    assert failed("KeyError: 'b'") == other


def test_a_right_program_has_no_failure() -> None:
    right = Evaluation(
        status=Status.AC,
        measurement=Measurement(cpu_seconds=1.0),
        feedback="IndexError: no",
    )
    assert words(SLOW, failed=right) == words(SLOW)


def test_other_languages_are_described_by_their_names() -> None:
    text = "int main() { std::vector<int> v; v.push_back(1); std::cout << std::endl; }"
    assert {"vector", "push_back", "endl"} <= set(words(text, "cpp"))
    assert words("int main() {", "cpp") == ()


def test_a_program_has_a_bounded_number_of_words() -> None:
    text = "\n".join(f"for x in a:\n    x.name_{n}()" for n in range(300))
    assert len(words(text)) == MOST_WORDS


def test_people_speak_of_a_construct_in_other_words() -> None:
    assert "deque" in plain_words("pop_from_front")
    assert plain_words("never heard of") == ()
