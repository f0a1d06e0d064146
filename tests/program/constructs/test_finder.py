from __future__ import annotations

import pytest

from se_agent.program.constructs.finder import Construct, constructs

EXAMPLES = {
    "membership_in_loop": "for x in a:\n    if x in b:\n        n += 1",
    "membership_of_literal": "y = x in [1, 2]",
    "membership_of_grown_list": "def f(a):\n    r = []\n    for x in a:\n"
    "        if x not in r:\n            r.append(x)",
    "count_in_loop": "for x in a:\n    n = a.count(x)",
    "pop_from_front": "while q:\n    x = q.pop(0)",
    "work_list": "while q:\n    x = q.pop()",
    "until_nothing_changes": "while go:\n    go = False",
    "later_indices": "for i in range(n):\n    for j in range(i + 1, n):\n        pass",
    "earlier_indices": "for i in range(n):\n    for j in range(i):\n        pass",
    "range_of_outer_values": "for a, b in q:\n    for i in range(a, b):\n        pass",
    "later_elements": "for i, x in enumerate(a):\n    for y in a[i:]:\n        pass",
    "pairs_of_one_sequence": "for x in a:\n    for y in a:\n        pass",
    "pairs_searched_by_key": "def f(e, k):\n    for a, b in e:\n        if a == k:\n"
    "            return b",
    "inner_search": "for x in a:\n    for y in b:\n        if y > x:\n            break",
    "loops_nested_3": "for x in a:\n    for y in b:\n        for z in c:\n            pass",
    "loop_builds_list": "for x in a:\n    r.append(x * x)",
    "flag_without_exit": "for x in a:\n    if x < 0:\n        found = True",
    "range_update": "for i in range(a, b):\n    cells[i] += v",
    "range_sum": "for i in range(a, b):\n    total += cells[i]",
    "sum_of_numbers": "for i in range(n):\n    total += i",
    "product_in_loop": "for x in a:\n    p *= x",
    "sum_of_slice": "y = sum(a[i:j])",
    "invariant_call": "for x in a:\n    y = x / max(a)",
    "recursion": "def f(n):\n    return f(n // 2)",
    "branching_recursion": "def f(n):\n    return f(n - 1) + f(n - 2)",
    "recursion_on_smaller_number": "def f(n):\n    return f(n - 1)",
    "slice_handed_down": "def f(a):\n    return f(a[1:])",
    "swap": "a[i], a[j] = a[j], a[i]",
    "recurrence_step": "for _ in range(n):\n    a, b = b, a + b",
    "running_max": "for x in a:\n    best = max(best, x)",
    "difference_of_elements": "for x in a:\n    best = max(best, x - low)",
    "text_grows": "for x in a:\n    s += ', '",
    "replace_again_and_again": "for x in a:\n    s = s.replace(x, '')",
    "chain_of_constants": "if c == 'a':\n    x = 1\nelif c == 'b':\n    x = 2\n"
    "elif c == 'c':\n    x = 3",
    "scan_for_place": "while i < n and a[i] < x:\n    i += 1",
    "scan_while_equal": "while i < n and a[i] == b[i]:\n    i += 1",
    "elements_compared_order": "y = a[i] < a[j]",
    "sum_compared": "y = a + b == c",
    "remainder_tested_in_loop": "for d in r:\n    if n % d == 0:\n        pass",
    "float_equality": "y = a ** 0.5 == b",
    "compared_with_reverse": "y = s == s[::-1]",
    "beginning_compared": "y = s[:len(p)] == p",
    "sorted_of_both_compared": "y = sorted(a) == sorted(b)",
    "power_modulo": "y = a ** b % m",
    "product_modulo": "y = a * b % m",
    "table_of_rows": "t = [[0] * n for _ in r]",
    "table_cell_set": "t[i][j] = 0",
    "whole_file": "text = file.read()",
    "call_permutations": "from itertools import permutations",
}


@pytest.mark.parametrize("word", EXAMPLES)
def test_a_construct_is_found(word: str) -> None:
    assert word in {one.word for one in constructs(EXAMPLES[word])}


@pytest.mark.parametrize(
    ("word", "text"),
    [
        ("membership_in_loop", "y = x in b"),
        ("membership_of_grown_list", "def f(a, r):\n    for x in a:\n        y = x in r"),
        ("pop_from_front", "while q:\n    x = q.pop()"),
        ("later_indices", "for i in range(n):\n    for j in range(n):\n        pass"),
        ("loop_builds_list", "for x in a:\n    r.append(x)\n    n += 1"),
        ("range_update", "for i in range(n):\n    cells[i] += i"),
        ("invariant_call", "for x in a:\n    a.append(x)\n    y = max(a)"),
        ("branching_recursion", "def f(n):\n    return f(n - 1)"),
        ("text_grows", "for x in a:\n    s += 1"),
        ("chain_of_constants", "if c == 'a':\n    x = 1\nelif d == 'b':\n    x = 2"),
        ("float_equality", "y = a == b"),
        ("product_modulo", "y = (a + b) % m"),
    ],
)
def test_what_only_looks_like_a_construct_is_none(word: str, text: str) -> None:
    assert word not in {one.word for one in constructs(text)}


def test_constructs_have_their_lines() -> None:
    text = "def f(q):\n    while q:\n        q.pop(0)\n"
    assert Construct(3, "pop_from_front") in constructs(text)


def test_calls_of_the_programs_own_functions_say_nothing() -> None:
    text = "def helper(x):\n    return x\n\n\nfor x in a:\n    helper(x)\n"
    assert not any("helper" in one.word for one in constructs(text))


def test_names_of_variables_change_nothing() -> None:
    text = "for x in a:\n    if x in b:\n        out.append(x)\n"
    renamed = text.replace("x", "item").replace("out", "hits").replace(" b:", " known:")
    assert constructs(renamed) == constructs(text)


@pytest.mark.parametrize("text", ["", "no python at all (", "x = '\0'", "(" * 5000])
def test_what_is_no_program_shows_nothing(text: str) -> None:
    assert constructs(text) == ()
