"""Codes and brackets against definitions read off letter by letter."""

from __future__ import annotations

import re
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.known_functions.library import brackets as b
from operators.known_functions.library import codes as c

from .agreement import Law, by_name, check, without_law

LOWER = "abcdefghijklmnopqrstuvwxyz"


def runs(text: str) -> list[tuple[str, int]]:
    result: list[tuple[str, int]] = []
    for x in text:
        if result and result[-1][0] == x:
            result[-1] = (x, result[-1][1] + 1)
        else:
            result.append((x, 1))
    return result


def written(text: str) -> str:
    return "".join(f"{x}{n}" for x, n in runs(text))


def read(text: str) -> str:
    if text and not (text[0] not in "0123456789" and re.match(r".\d", text)):
        raise ValueError
    return text[:1] * int(text[1]) + read(text[2:]) if text else ""


def backwards(text: str) -> str:
    return text[::-1]


def moved(text: str, shift: int) -> str:
    result = ""
    for x in text:
        alphabet = LOWER if x in LOWER else LOWER.upper()
        result += alphabet[(alphabet.index(x) + shift) % 26] if x in alphabet else x
    return result


def roman(n: int) -> str:
    if not 0 <= n < 4000:
        raise ValueError
    signs = {1000: "M", 900: "CM", 500: "D", 400: "CD", 100: "C", 90: "XC", 50: "L", 40: "XL"}
    for value, sign in {**signs, 10: "X", 9: "IX", 5: "V", 4: "IV", 1: "I"}.items():
        if n >= value:
            return sign + roman(n - value)
    return ""


ROMANS = [roman(n) for n in range(4000)]


def zigzag(text: str, rows: int) -> str:
    if rows < 1:
        raise ValueError
    turn = [*range(rows), *range(rows - 2, 0, -1)]
    lines = [""] * rows
    for i, x in enumerate(text):
        lines[turn[i % len(turn)]] += x
    return "".join(lines)


def luhn(number: str) -> bool:
    total = 0
    for i, d in enumerate(reversed(number)):
        total += sum(map(int, str(int(d) * (2 if i % 2 else 1))))
    return number != "" and total % 10 == 0


def compared(a: str, b: str) -> int:
    xs, ys = [*map(int, a.split("."))], [*map(int, b.split("."))]
    for i in range(max(len(xs), len(ys))):
        x, y = [*xs, *[0] * 9][i], [*ys, *[0] * 9][i]
        if x != y:
            return 1 if x > y else -1
    return 0


def ipv4(text: str) -> bool:
    return text in {".".join(x) for x in product(["0", "1", "255"], repeat=4)}


def vanished(text: str) -> str:
    last = None
    while text != last:
        last, text = text, re.sub(r"\(\)|\[\]|\{\}", "", text)
    return text


def balanced(text: str) -> bool:
    return vanished(text) == ""


def with_stars(text: str) -> bool:
    return any(
        balanced("".join(t))
        for t in product(*[["(", ")", ""] if x == "*" else [x] for x in text])
    )


def depth(text: str) -> int:
    return max(text[:i].count("(") - text[:i].count(")") for i in range(len(text) + 1))


def parts(text: str) -> list[str]:
    n = len(text)
    return [text[i:j] for i in range(n + 1) for j in range(i, n + 1)]


def turns(text: str) -> int:
    tries = ["".join(t) for t in product("()", repeat=len(text)) if balanced("".join(t))]
    return min((sum(x != y for x, y in zip(t, text, strict=True)) for t in tries), default=-1)


def groups(text: str) -> list[str]:
    text = text.replace(" ", "")
    if not text:
        return []
    end = min(i for i in range(1, len(text) + 1) if balanced(text[:i]))
    return [text[:end], *groups(text[end:])]


def score(text: str) -> int:
    return sum(1 if g == "()" else 2 * score(g[1:-1]) for g in groups(text))


def postfix(tokens: list[str]) -> int:
    if len(tokens) == 1:
        return int(tokens[0])
    at = min(i for i, x in enumerate(tokens) if x in ("+", "-", "*", "/"))
    if at < 2:
        raise ValueError
    x, y, sign = int(tokens[at - 2]), int(tokens[at - 1]), tokens[at]
    value = int(x / y) if sign == "/" else eval(f"({x}){sign}({y})")
    return postfix([*tokens[: at - 2], str(value), *tokens[at + 1 :]])


def infix(text: str) -> int:
    def product_of(term: str) -> int:
        head, *rest = re.split(r"([*/])", term)
        value = int(head)
        for sign, number in zip(rest[::2], rest[1::2], strict=True):
            value = value * int(number) if sign == "*" else int(value / int(number))
        return value

    first, *rest = re.split(r"([+-])", text)
    value = product_of(first)
    for sign, term in zip(rest[::2], rest[1::2], strict=True):
        value += product_of(term) if sign == "+" else -product_of(term)
    return value


def unfold(text: str) -> str:
    while found := re.search(r"(\d+)\[([a-z]*)\]", text):
        text = text[: found.start()] + found[2] * int(found[1]) + text[found.end() :]
    return text


def plain(path: str) -> str:
    folders: list[str] = []
    for part in path.split("/"):
        if part in ("", "."):
            continue
        folders = folders[:-1] if part == ".." else [*folders, part]
    return "/" + "/".join(folders)


def stack_order(pushed: list[int], popped: list[int], stack: tuple[int, ...] = ()) -> bool:
    if not popped:
        return not pushed and not stack
    out = bool(stack) and stack[-1] == popped[0] and stack_order(pushed, popped[1:], stack[:-1])
    return out or (bool(pushed) and stack_order(pushed[1:], popped, (*stack, pushed[0])))


def typed(text: str) -> str:
    last = None
    while text != last:
        last, text = text, re.sub(r"[^#]#|^#", "", text, count=1)
    return text


text = st.text("aab", max_size=8)
mixed = st.text("azMZ 1", max_size=8)
shifted = st.tuples(mixed, st.integers(-60, 60))
digits = st.text("0123456789", min_size=1, max_size=20)
binary = st.text("01", min_size=1, max_size=9)
two_binaries = st.integers(0, 6).flatmap(
    lambda n: st.tuples(*[st.text("01", min_size=n, max_size=n)] * 2)
)
version = st.lists(st.integers(0, 2), min_size=1, max_size=3).map(
    lambda x: ".".join(map(str, x))
)
address = st.lists(st.sampled_from(["0", "1", "255", "256", "01", ""]), min_size=3, max_size=4)
kinds = st.text("()[]{}", max_size=6) | st.sampled_from(["([]{})", "[(])", "(())[]"])
with_letters = st.text("()[]a", max_size=6)
round_ = st.text("()", max_size=9)
nested = st.recursive(
    st.just(""), lambda x: st.lists(x, max_size=3).map(lambda y: "".join(f"({z})" for z in y))
)
operand = st.integers(-9, 9).map(str)
expression = st.recursive(
    operand.map(lambda x: [x]),
    lambda x: st.tuples(x, x, st.sampled_from("+-*/")).map(lambda p: [*p[0], *p[1], p[2]]),
    max_leaves=5,
)
flat = st.from_regex(r"[0-9]{1,2}([+*/-][1-9][0-9]?){0,4}", fullmatch=True)
summed = st.recursive(
    st.integers(0, 99).map(str),
    lambda x: st.tuples(x, st.sampled_from([" + ", "-"]), x).map(lambda p: f"({''.join(p)})"),
    max_leaves=5,
)
folded = st.recursive(
    st.text("ab", max_size=2),
    lambda x: st.tuples(st.integers(1, 3), x, x).map(lambda p: f"{p[0]}[{p[1]}]{p[2]}"),
    max_leaves=4,
)
path = st.lists(st.sampled_from(["a", "b", "..", ".", ""]), max_size=7).map("/".join)
pushes = st.integers(0, 5).flatmap(
    lambda n: st.tuples(st.permutations(range(n)), st.permutations(range(n)))
)
LAWS = [
    Law(c.letter_then_length, written, text),
    Law(c.length_then_letter, lambda x: "".join(f"{n}{y}" for y, n in runs(x)), text),
    Law(
        c.letter_then_length_above_one,
        lambda x: "".join(y + (str(n) if n > 1 else "") for y, n in runs(x)),
        text,
    ),
    Law(
        c.length_above_one_then_letter,
        lambda x: "".join((str(n) if n > 1 else "") + y for y, n in runs(x)),
        text,
    ),
    Law(
        c.shorter_of_text_and_runs,
        lambda x: written(x) if len(written(x)) < len(x) else x,
        text,
    ),
    Law(c.letter_length_pairs, runs, text),
    Law(c.from_letter_then_length, read, text.map(written) | text),
    Law(
        c.from_length_then_letter,
        lambda x: read(x[::-1])[::-1],
        text.map(written).map(backwards),
    ),
    Law(c.caesar, moved, shifted),
    Law(c.caesar_back, lambda x, k: moved(x, -k), shifted),
    Law(c.rot13, lambda x: moved(x, 13), mixed),
    Law(
        c.mirrored_alphabet,
        lambda x: "".join(moved(y, 25 - 2 * (ord(y.lower()) - 97)) for y in x),
        mixed,
    ),
    Law(c.from_roman, ROMANS.index, st.sampled_from(ROMANS)),
    Law(c.to_roman, roman, st.integers(-1, 4001)),
    Law(c.sum_of_decimals, lambda x, y: f"{int(x) + int(y)}", st.tuples(digits, digits)),
    Law(c.product_of_decimals, lambda x, y: f"{int(x) * int(y)}", st.tuples(digits, digits)),
    Law(
        c.sum_of_binaries,
        lambda x, y: bin(int(x, 2) + int(y, 2))[2:],
        st.tuples(binary, binary),
    ),
    Law(
        c.xor_of_binaries,
        lambda x, y: "".join("01"[a != b] for a, b in zip(x, y, strict=True)),
        two_binaries,
    ),
    Law(c.zigzag_rows, zigzag, st.tuples(st.text("abcdef", max_size=14), st.integers(0, 5))),
    Law(c.passes_luhn, luhn, st.text("0123456789", max_size=5)),
    Law(c.compared_versions, compared, st.tuples(version, version)),
    Law(c.is_ipv4, ipv4, address.map(".".join)),
    Law(b.is_balanced, balanced, kinds),
    Law(b.has_balanced_brackets, lambda x: balanced(x.replace("a", "")), kinds | with_letters),
    Law(
        b.has_balanced_round_brackets,
        lambda x: balanced(re.sub(r"[^()]", "", x)),
        kinds | with_letters | nested,
    ),
    Law(b.is_balanced_with_stars, with_stars, st.text("()*", max_size=6)),
    Law(b.greatest_depth, depth, round_ | with_letters | nested),
    Law(
        b.depth_of_each_group,
        lambda x: [depth(g) for g in x.split()],
        st.lists(nested, max_size=3).map(" ".join),
    ),
    Law(b.outermost_groups, groups, nested | st.lists(nested, max_size=3).map(" ".join)),
    Law(b.without_outermost, lambda x: "".join(g[1:-1] for g in groups(x)), nested),
    Law(b.longest_balanced, lambda x: max(len(p) for p in parts(x) if balanced(p)), round_),
    Law(b.brackets_to_add, lambda x: len(vanished(x)), round_),
    Law(b.brackets_to_turn, turns, round_),
    Law(b.bracket_score, score, nested),
    Law(b.value_of_postfix, postfix, expression),
    Law(b.value_of_infix, infix, flat),
    Law(b.value_of_sums, lambda x: eval(re.sub(r"\b0+(?=\d)", "", x)), summed),
    Law(b.repeated_parts, unfold, folded),
    Law(b.plain_path, plain, path),
    Law(b.is_stack_order, stack_order, pushes),
    Law(
        b.typed_the_same,
        lambda x, y: typed(x) == typed(y),
        st.tuples(*[st.text("ab#", max_size=4)] * 2),
    ),
]


@pytest.mark.parametrize("law", by_name(LAWS))
@given(data=st.data())
@settings(max_examples=40)
def test_agrees_with_its_oracle(law: Law, data: st.DataObject) -> None:
    check(law, data)


def test_every_archetype_has_a_law() -> None:
    assert without_law(c, LAWS) | without_law(b, LAWS) == set()
