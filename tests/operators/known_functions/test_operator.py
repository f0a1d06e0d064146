"""The operator on fresh programs: what it proposes, and that the proposal does the same."""

from __future__ import annotations

import ast
import dataclasses
from typing import Any

import pytest

from operators.editing.genome import replayed
from operators.known_functions.adapter import Adapter
from operators.known_functions.body import with_archetype
from operators.known_functions.library import library
from operators.known_functions.operator import KnownFunctions
from operators.known_functions.site import sites
from se_agent.values.brief import Brief
from se_agent.values.observation import Observation
from se_agent.values.step import Proposal
from tests.contracts.operator import OperatorContract
from tests.contracts.operator import brief as plain_brief
from tests.operators.known_functions.watching import function_of, watched

SLOW = '''"""Which numbers are prime?"""

LIMIT = 1000


def other( a,b ):  # kept as it is
    return (a+  b)


# Whether nobody divides it.
def lonely(number):
    """Say whether a number is prime."""
    if number < 2:
        return False
    for d in range(2, number):
        if number % d == 0:
            return False
    return True


def solve(numbers):
    return [lonely(number) for number in numbers if number < LIMIT]
'''
NUMBERS = [(n,) for n in range(40)]


def brief(
    text: str, name: str = "lonely", inputs: list[tuple[Any, ...]] = NUMBERS, **fields: Any
) -> Brief:
    """Return a brief in which a function of the program was watched."""
    calls = {name: watched(function_of(text, name.partition(".")[0]), inputs)}
    observed = Observation(calls=calls)
    return dataclasses.replace(plain_brief(text), observed=observed, **fields)


def proposed(given: Brief) -> str:
    proposal = KnownFunctions().propose(given)
    assert proposal is not None
    return proposal.solution.text


class TestByBehaviour(OperatorContract):
    @pytest.fixture
    def operator(self) -> KnownFunctions:
        return KnownFunctions()

    @pytest.fixture
    def given(self) -> Brief:
        return brief(SLOW)

    def test_all_else_stays_byte_for_byte(self, proposal: Proposal) -> None:
        text = proposal.solution.text
        head, _, rest = SLOW.partition("LIMIT")
        assert text.startswith(head)
        signature = "# Whether nobody divides it.\ndef lonely(number):\n"
        above, below = rest.split(signature)
        assert above in text
        work = below.index("    for")
        assert signature + below[:work] in text  # with what it answers at once
        assert text.endswith(below[work:])

    def test_the_new_program_does_the_same(self, proposal: Proposal) -> None:
        numbers = list(range(-5, 1200))
        new = function_of(proposal.solution.text, "solve")(numbers)
        assert new == function_of(SLOW, "solve")(numbers)

    def test_says_what_it_rests_on(self, proposal: Proposal) -> None:
        assert (
            "`lonely` behaves like is_prime (40 calls agree, by chance once in 10^12)"
            in proposal.direction
        )
        assert "search for counterexamples" in proposal.expected_effect

    def test_the_edit_replays_to_the_child(self, proposal: Proposal) -> None:
        solution = proposal.solution
        assert solution.base == "Gen1_Sol_0"
        assert replayed({"main.py": SLOW}, solution.edits) == (solution.files, ())

    def test_an_edit_whose_place_is_gone_is_dropped(self, proposal: Proposal) -> None:
        files = {"main.py": SLOW.replace("number % d", "number // d")}
        assert replayed(files, proposal.solution.edits) == (files, proposal.solution.edits)

    def test_what_was_done_is_not_done_again(self, given: Brief, proposal: Proposal) -> None:
        slot = dataclasses.replace(given.slot, parents=(proposal.solution,))
        assert KnownFunctions().propose(dataclasses.replace(given, slot=slot)) is None

    @pytest.mark.tier("library")
    def test_every_variant_is_new(self, given: Brief) -> None:
        contents = []
        for variant in range(20):
            slot = dataclasses.replace(given.slot, variant=variant)
            proposal = KnownFunctions().propose(dataclasses.replace(given, slot=slot))
            if proposal:
                contents.append(proposal.solution.content)
        assert len(contents) == len(set(contents)) > 0


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(SLOW.replace("    return True\n", "    print()\n    return True\n"),
                     id="it-prints"),
        pytest.param(SLOW.replace("def lonely(number)", "def lonely(number, *rest)"),
                     id="any-number-of-arguments"),
        pytest.param(SLOW + "\n\ndef lonely(n):\n    return all(n % d for d in [1])\n",
                     id="two-of-one-name"),
    ],
)  # fmt: skip
def test_a_function_that_cannot_give_way_is_left_alone(text: str) -> None:
    given = brief(SLOW)
    parents = plain_brief(text).slot.parents
    slot = dataclasses.replace(given.slot, parents=parents)
    assert KnownFunctions().propose(dataclasses.replace(given, slot=slot)) is None


def test_a_function_without_any_work_is_left_alone() -> None:
    text = "def least(a, b):\n    return min(a, b)\n"
    assert (
        KnownFunctions().propose(brief(text, "least", [(i, 9 - i) for i in range(9)])) is None
    )


def test_only_the_editable_function_changes() -> None:
    assert KnownFunctions().propose(brief(SLOW, editable="solve")) is None
    text = proposed(brief(SLOW, editable="lonely"))
    old, new = ast.parse(SLOW).body, ast.parse(text).body
    assert [ast.dump(node) for node in old if getattr(node, "name", "") != "lonely"] == [
        ast.dump(node) for node in new if getattr(node, "name", "") != "lonely"
    ]
    assert function_of(text, "solve")(range(99)) == function_of(SLOW, "solve")(range(99))


def test_code_outside_the_marks_is_left_alone() -> None:
    marked = f"{SLOW}\n# EVOLVE-BLOCK-START\nx = 1\n# EVOLVE-BLOCK-END\n"
    assert KnownFunctions().propose(brief(marked)) is None


@pytest.mark.tier("library")
def test_inside_the_marks_it_works() -> None:
    head, tail = "import os\n# EVOLVE-BLOCK-START\n", "\n# EVOLVE-BLOCK-END\nx = 1\n"
    text = proposed(brief(head + SLOW + tail))
    assert text.startswith(head)
    assert text.endswith(tail)


def test_names_that_are_taken_stay_what_they_are() -> None:
    taken = SLOW + "\n\ndef is_prime(text):\n    return text\n"
    text = proposed(brief(taken))
    assert function_of(text, "is_prime")("as before") == "as before"
    assert function_of(text, "lonely")(97) is True


def test_a_new_name_is_no_word_of_the_documentation() -> None:
    text = (
        "def distinct(xs):\n    found = []\n    for x in xs:\n"
        "        if x not in found:\n            found.append(x)\n    return found\n"
    )
    inputs = [([(7 * i * j) % 5 for i in range(j)],) for j in range(12)]
    new = proposed(brief(text, "distinct", inputs))
    functions = [part for part in ast.parse(new).body if isinstance(part, ast.FunctionDef)]
    (added,) = (function for function in functions if function.name != "distinct")
    assert added.name.startswith("distinct_")
    assert "the distinct values" in (ast.get_docstring(added) or "")


@pytest.mark.tier("library")
def test_a_body_on_the_line_of_its_name_gets_lines_of_its_own() -> None:
    text = "def f(n): return n > 1 and all(n % d for d in range(2, n))\n"
    new = proposed(brief(text, "f"))
    assert new.endswith("    return n > 1 and all(n % d for d in range(2, n))\n")
    assert [function_of(new, "f")(n) for n in range(50)] == [
        function_of(text, "f")(n) for n in range(50)
    ]


def test_a_list_that_is_sorted_in_place_still_is() -> None:
    text = (
        "def order(xs):\n    for i in range(len(xs)):\n        for j in range(i):\n"
        "            if xs[j] > xs[i]:\n                xs[i], xs[j] = xs[j], xs[i]\n"
        "    return xs\n"
    )
    inputs = [([(7 * i * j) % 11 - 4 for i in range(j)],) for j in range(9)]
    given = [5, -3, 2]
    assert function_of(proposed(brief(text, "order", inputs)), "order")(given) is given
    assert given == [-3, 2, 5]


def test_a_form_feed_ends_no_line() -> None:
    before, after = "LIMIT = 1000", "LIMIT = 1000\nFEED = '\x0c'\n\x0c"
    expected = proposed(brief(SLOW)).replace(before, after)
    assert proposed(brief(SLOW.replace(before, after))) == expected


@pytest.mark.parametrize("held", ["SEEN", "_seen"])
def test_a_function_that_changes_its_module_keeps_its_body(held: str) -> None:
    """A cache of its own may stay empty, what others may read may not."""
    text = SLOW.replace("LIMIT = 1000", f"LIMIT, {held} = 1000, []").replace(
        "    if number < 2:", f"    {held}.append(number)\n    if number < 2:"
    )
    assert (KnownFunctions().propose(brief(text)) is None) == (held == "SEEN")


TWICE = """
def first(xs):
    out = []
    for x in xs:
        if x not in out:
            out.append(x)
    return out


def second(ys):
    kept = []
    for y in ys:
        if kept.count(y) == 0:
            kept.append(y)
    return kept
"""
LISTS = [([n % 3, n, n % 2, n % 5, n],) for n in range(30)]


def changed_both(text: str) -> str:
    """Return a program of which both functions gave way to the same library function."""
    once = proposed(brief(text, "first", LISTS))
    return proposed(brief(once, "second", LISTS))


def test_a_library_function_that_is_there_is_used_again() -> None:
    text = changed_both(TWICE)
    assert text.count("def distinct(") == 1
    assert "distinct_2" not in text
    assert text.count("return distinct(") == 2
    namespace: dict[str, Any] = {}
    exec(text, namespace)
    assert namespace["second"]([3, 1, 3]) == namespace["first"]([3, 1, 3]) == [3, 1]


def test_a_function_of_that_name_that_does_something_else_is_left_alone() -> None:
    text = changed_both(f"def distinct(xs):\n    return len(xs)\n\n{TWICE}")
    assert text.count("def distinct(xs):\n    return len(xs)\n") == 1
    assert text.count("def distinct_2(") == 1
    assert text.count("return distinct_2(") == 2


def test_imports_that_an_edit_brought_under_another_name_are_used_again() -> None:
    text = f"Counter = 1\n{TWICE}"
    for name in ("first", "second"):
        site = sites(text)[name]
        adapter = Adapter(arguments=("a0", "a0"))
        text = with_archetype(text, site, library()["can_be_spelled"], adapter)
    assert text.count("from collections import Counter as Counter_") == 1
    assert text.count("def can_be_spelled") == 1


def test_what_stands_in_for_a_function_is_not_stacked_when_its_edit_is_forgotten() -> None:
    """A model that writes the program anew keeps the library function, and no edit of it."""
    once = proposed(brief(TWICE, "first", LISTS))
    again = KnownFunctions().propose(brief(once, "first", LISTS))
    assert again is None or "distinct" not in again.direction


DIGITS = """def digits(n):
    {question}
    found = 0
    while n:
        found += n % 10
        n //= 10
    return found
"""


@pytest.mark.parametrize(
    "question",
    [
        "if n > 999_999:\n        raise ValueError('six digits')",
        "if n in (123_456, 654_321):\n        return 0",
        "assert n < 999_999, 'six digits'",
        "if not isinstance(n, int) or n % 1_000_003 == 7:\n        return [n]",
    ],
)
def test_what_a_function_refuses_or_answers_at_once_stays_as_it_is(question: str) -> None:
    text = DIGITS.format(question=question)
    new = proposed(brief(text, "digits", [(n,) for n in range(7, 900, 11)]))
    for number in (0, 5, 123_456, 654_321, 1_000_000, 1_000_010, 5_000_001):
        results = []
        for program in (text, new):
            try:
                results.append(function_of(program, "digits")(number))
            except (ValueError, AssertionError) as err:
                results.append(repr(err))
        assert results[0] == results[1]


@pytest.mark.tier("library")
@pytest.mark.parametrize(
    "work",
    [
        "if n > 9:\n        return n % 10 + digits(n // 10)",
        "if n not in range(10):\n        return sum(map(int, str(n)))",
        "if n in list(str(n)):\n        return 0",
        "if sum(map(int, str(n))) > 99:\n        return 0",
        "if n > 9: n += 0",
        "assert n >= 0; n += 0",
    ],
)
def test_what_may_be_work_is_done_by_the_library(work: str) -> None:
    inputs = [(n,) for n in range(0, 900, 4)]
    new = proposed(brief(DIGITS.format(question=work), "digits", inputs))
    assert new.index("try:") < new.index(work)


SUM = """def lonely(n):
    total = 0
    for i in range(n):
        total += i
    return total
"""


@pytest.mark.parametrize(
    "text",
    [
        SUM.replace("(n)", "(type)", 1).replace("range(n)", "range(type)"),
        SUM.replace("for i", "for type").replace("+= i", "+= type"),
        f"int = float\n{SUM}",
        f"if True:\n    from math import prod as type\n{SUM}",
    ],
)
def test_where_a_builtin_has_another_meaning_nothing_is_proposed(text: str) -> None:
    numbers = [(n,) for n in range(40)]
    assert KnownFunctions().propose(brief(SUM, inputs=numbers)) is not None
    assert KnownFunctions().propose(brief(text, inputs=numbers)) is None


@pytest.mark.parametrize("line", ["", "    if type(n) is not int:\n        return None\n"])
def test_a_known_function_that_was_put_in_is_not_replaced_by_its_like(line: str) -> None:
    known = library()["is_prime"].text
    head, doc, rest = known.partition('number."""\n')
    text = f"import math\n{head}{doc}{line}{rest}\ndef solve(n):\n    return is_prime(n)\n"
    assert KnownFunctions().propose(brief(text, "is_prime")) is None
    slow = SLOW.replace("lonely", "is_prime")
    assert KnownFunctions().propose(brief(slow, "is_prime")) is not None
