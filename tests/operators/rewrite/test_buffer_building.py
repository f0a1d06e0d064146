"""Bytes and tuples grow as a bytearray and a list, where the loop only adds to them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.rewrite.buffer_building import BufferBuilding
from operators.rewrite.string_building import StringBuilding
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import assert_equivalent, dedented, rewritten

BYTES = """
def solve(frames):
    out = b""
    for frame in frames:
        for byte in frame:
            if byte == 192:
                out += b"\\xdb\\xdc"
            else:
                out += bytes([byte])  # as it is
        if frame == b"end":
            return out
    return out
"""
BYTEARRAY = """
def solve(frames):
    out = bytearray()
    for frame in frames:
        for byte in frame:
            if byte == 192:
                out += b"\\xdb\\xdc"
            else:
                out.append(byte)  # as it is
        if frame == b"end":
            return bytes(out)
    return bytes(out)
"""
TUPLE = """
class Trail:
    def back(self, parents, node):
        trail = (node,)
        while node in parents and len(trail) < 9:
            node = parents[node]
            trail = trail + (node, trail_mark)
        return trail, 1

trail_mark = -1

def solve(parents):
    return Trail().back(parents, 0)
"""


class TestContract(RuleContract):
    rule = BufferBuilding
    slow = BYTES
    others = (TUPLE,)


def test_bytes_grow_as_a_bytearray() -> None:
    assert rewritten(BufferBuilding(), BYTES) == [dedented(BYTEARRAY)]


def test_a_tuple_grows_as_a_list_in_a_method() -> None:
    (text,) = rewritten(BufferBuilding(), TUPLE)
    assert "        trail = list(trail)\n        while" in text
    assert "            trail.append(node)\n            trail.append(trail_mark)\n" in text
    assert "        trail = tuple(trail)\n        return trail, 1\n" in text


@pytest.mark.parametrize(
    ("last", "end"),
    [
        pytest.param(
            "return str(out, 'latin-1')", "return str(bytes(out), 'latin-1')", id="once"
        ),
        pytest.param("return [str(out) for _ in frames]", "out = bytes(out)", id="in-a-loop"),
        pytest.param("return (out, len(out))", "out = bytes(out)", id="twice"),
        pytest.param("return out.hex()", "out = bytes(out)", id="asked"),
    ],
)
def test_what_is_handed_on_is_turned_back_there(last: str, end: str) -> None:
    text = BYTES.replace("            return out\n", "            break\n")
    text = text.replace("    return out\n", f"    {last}\n")
    (new,) = rewritten(BufferBuilding(), text)
    assert "    out = bytearray()\n" in new
    assert f"    {end}\n" in new
    assert_equivalent(BufferBuilding(), text, [b"\xc0ab", b"end", b"c"])


def test_a_generator_lets_them_grow_too() -> None:
    loop = "    for x in xs:\n        b += x\n        yield x\n"
    text = f"def solve(xs):\n    b = b''\n{loop}    yield b\n"
    (new,) = rewritten(BufferBuilding(), text)
    assert "    b = bytes(b)\n    yield b\n" in new


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("b += x\nprint(b)", id="shown"),
        pytest.param("b += x\nout.append(b)", id="kept"),
        pytest.param("b += b[:1]", id="of-itself"),
        pytest.param("b += x\nif b[1:] == x: pass", id="sliced"),
        pytest.param("b += x\nb = 0", id="set-to-something-else"),
        pytest.param("b += x\nif b == x: pass", id="compared"),
        pytest.param("yield b\nb += x", id="yielded"),
        pytest.param("b = x + b\nif len(b) > 9: break", id="in-front-and-asked"),
        pytest.param("b = x + b\nb += x", id="at-both-ends"),
        pytest.param("b = [x, *b]", id="a-list-of-it"),
    ],
)
def test_must_not_fire(body: str) -> None:
    inner = "\n".join(f"        {line}" for line in body.splitlines())
    text = f"def f(xs, out):\n    b = b''\n    for x in xs:\n{inner}\n    return b\n"
    assert rewritten(BufferBuilding(), text) == []


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("def f(b, xs):\n    for x in xs:\n        b += x\n", id="not-made-here"),
        pytest.param(
            "def f(xs):\n    b = 0\n    for x in xs:\n        b += x\n", id="a-number"
        ),
        pytest.param("def f(x):\n    b = b''\n    b += x\n    return b\n", id="no-loop"),
        pytest.param(
            "def f(xs):\n    b = b''\n    def g():\n        return b\n"
            "    for x in xs:\n        b += x\n        g()\n    return b\n",
            id="read-by-a-function",
        ),
        pytest.param(
            "def f(xs):\n    b = b''\n    try:\n        for x in xs:\n            b += x\n"
            "    except ValueError:\n        pass\n    return b\n",
            id="read-after-an-error",
        ),
        pytest.param(
            "def f(xs):\n    b = b''\n    try:\n        for x in xs:\n            b += x\n"
            "    finally:\n        print(b)\n",
            id="read-however-it-ends",
        ),
        pytest.param(
            "def f(xs):\n    b = b''\n    with suppress(KeyError):\n        for x in xs:\n"
            "            b += x\n    return b\n",
            id="goes-on-after-an-error",
        ),
        pytest.param(
            "def f(xs):\n    global b\n    b = b''\n    for x in xs:\n        b += x\n",
            id="of-the-module",
        ),
        pytest.param(
            "def f(xs):\n    b = ()\n    for x in xs:\n        b += (x,)\n        b[0] = 1\n",
            id="an-element-is-set",
        ),
    ],
)
def test_must_not_fire_elsewhere(text: str) -> None:
    assert rewritten(BufferBuilding(), text) == []


def test_bytes_of_a_text_with_a_name_of_its_code() -> None:
    text = "def f(xs):\n    b = b''\n    for x in xs:\n        b += bytes(x, 'utf8')\n"
    (new,) = rewritten(BufferBuilding(), text)
    assert "        b += bytes(x, 'utf8')\n" in new


def test_bytes_are_no_text() -> None:
    assert rewritten(StringBuilding(), BYTES) == []


@given(st.lists(st.binary(max_size=4) | st.just(b"end") | st.just(b"\xc0"), max_size=6))
def test_same_answers_for_bytes(frames: list[bytes]) -> None:
    assert_equivalent(BufferBuilding(), BYTES, frames)


@given(st.dictionaries(st.integers(0, 4), st.integers(0, 4)))
def test_same_answers_for_tuples(parents: dict[int, int]) -> None:
    assert_equivalent(BufferBuilding(), TUPLE, parents)


@pytest.mark.parametrize(
    ("head", "line"),
    [
        pytest.param("rows, given", "found, n = given, 1", id="one-of-several-values"),
        pytest.param("rows, found", "pass", id="a-parameter"),
    ],
)
def test_what_others_made_is_left_alone(head: str, line: str) -> None:
    text = f"""
        def solve({head}):
            if not rows:
                found = ()
            else:
                {line}
            for row in rows:
                found += (row,)
            return found
        """
    assert rewritten(BufferBuilding(), text) == []


SEVERAL = """
def solve(xs):
    out = b""
    for x in xs:
        out = out + bytes([x]) + b"-"
    return out
"""


def test_several_pieces_are_added_one_by_one() -> None:
    (new,) = rewritten(BufferBuilding(), SEVERAL)
    assert '        out.append(x)\n        out += b"-"\n' in new
    assert_equivalent(BufferBuilding(), SEVERAL, [1, 2, 255])


FRONT = """
def trail(parents, node):
    path = ()
    while node in parents and len(parents) > node:
        path = (node, len(parents)) + path
        node = parents[node]
    return path


def solve(parents):
    path = (0,)
    code = b"."
    for node in parents:
        code = bytes([node]) + b"-" + code
        path = (*trail(parents, node), *path)
        if node == 4:
            return code
    return code, path
"""


def test_what_comes_in_front_is_turned_round_once() -> None:
    path, code, whole = rewritten(BufferBuilding(), FRONT)
    assert "    path = []\n" in path
    assert "        path.append(len(parents))\n        path.append(node)\n" in path
    assert "    return tuple(path[::-1])\n" in path
    assert '        code_front.append(bytes([node]) + b"-")\n' in code
    assert '            return b"".join(code_front[::-1]) + code\n' in code
    assert "        path_front.extend((*trail(parents, node),)[::-1])\n" in whole


@given(st.dictionaries(st.integers(0, 5), st.integers(0, 5)))
def test_same_answers_in_front(parents: dict[int, int]) -> None:
    for each in parents:
        parents[each] = max(each + 1, parents[each])
    assert_equivalent(BufferBuilding(), FRONT, parents)
