"""What leaves a trace, and what a loop may change by way of what it calls."""

from __future__ import annotations

import libcst as cst
import pytest

from operators.rewrite.effects import altered
from operators.rewrite.program import Program
from operators.rewrite.purity import computes, only_tells
from tests.operators.rewrite.cases import dedented


def loop_of(text: str) -> tuple[Program, cst.For]:
    """Return a program and its first loop."""
    program = Program(cst.parse_module(dedented(text)))
    return program, next(node for node in program.nodes if isinstance(node, cst.For))


class TestComputes:
    @pytest.mark.parametrize(
        "body",
        [
            pytest.param("row.sort()", id="element-sorted"),
            pytest.param("row[0] = 1", id="element-written"),
            pytest.param("first = rows[0]\n    first.append(1)", id="other-name"),
            pytest.param("a, b = rows\n    a.append(b)", id="taken-apart"),
            pytest.param("copied = rows[:]\n    copied[0].append(1)", id="below-a-copy"),
            pytest.param(
                "copied = list(rows)\n    copied[0][0] = 1", id="written-below-a-copy"
            ),
            pytest.param("found = rows.get(0)\n    found.append(1)", id="looked-up"),
            pytest.param("kept = [row]\n    kept[0].append(1)", id="within-a-new-list"),
            pytest.param("n = first(rows)", id="in-a-function"),
            pytest.param("n = list(map(first, rows))", id="mapped"),
            pytest.param("n = list(filter(rows.append, row))", id="filtered"),
            pytest.param("n = sorted(rows, key=first)", id="sorted-by"),
            pytest.param("n = max(row, key=print)", id="largest-by"),
            pytest.param("n = sorted(rows, key=lambda r: first(rows))", id="lambda"),
            pytest.param("f = first\n    n = list(map(f, rows))", id="another-name"),
        ],
    )
    def test_a_change_of_what_is_older_is_a_trace(self, body: str) -> None:
        program, loop = loop_of(f"""
            def first(rows):
                row = rows[0]
                row.append(1)
                return len(row)
            for row in rows:
                {body.replace("    ", " " * 16)}
            """)
        assert not computes(program, loop)

    @pytest.mark.parametrize(
        "body",
        [
            pytest.param("made = []\n    made.append(row)", id="list"),
            pytest.param("made = [[0] * 3 for _ in row]\n    made[0][0] = 1", id="table"),
            pytest.param("made = row[:]\n    made.sort()", id="copy"),
            pytest.param("a, b = [0], {}\n    a, b = b, a\n    a[0] = b", id="exchanged"),
            pytest.param("made = [[0]] * 2\n    for x in made:\n        x[0] = 1", id="walked"),
            pytest.param("made = row and row[:]\n    row = 1", id="not-changed"),
            pytest.param("made = list(map(size, filter(None, row)))", id="mapped"),
            pytest.param("made = sorted(map(str, row), key=size)", id="sorted-by"),
            pytest.param("made = max(row, key=str.lower)", id="by-a-method"),
            pytest.param("made = min(row, key=lambda x: size(x))", id="lambda"),
            pytest.param("made = sum(map(mul, row, row))", id="operator"),
            pytest.param("made = sorted(row, key=itemgetter(1))", id="getter"),
            pytest.param("made = max(row, key=row.__getitem__)", id="subscript"),
            pytest.param("made = dict(key=row), sorted(row, key=None)", id="other-keys"),
        ],
    )
    def test_a_change_of_what_is_new_is_none(self, body: str) -> None:
        program, loop = loop_of(f"""
            from operator import itemgetter, mul
            def size(x):
                return len(str(x))
            for row in rows:
                {body.replace("    ", " " * 16)}
            """)
        assert computes(program, loop)


class TestOnlyTells:
    TEXT = """
        import re
        SIGN = re.compile("[+-]")
        class Line:
            def parts(self, text):
                for match in SIGN.findall(text):
                    BODY
                    yield match.group(0), self.width(text)
            def width(self, text):
                return len(text) + self.margin
        """

    @pytest.mark.parametrize(
        ("body", "quiet"),
        [
            pytest.param("pass", True, id="nothing"),
            pytest.param("found = SIGN.search(text, 1)", True, id="a-pattern"),
            pytest.param("found = [m for m in SIGN.finditer(text)]", True, id="its-matches"),
            pytest.param("found = SIGN.finditer(text)", False, id="matches-for-later"),
            pytest.param("text = SIGN.sub('', text)", True, id="a-pattern-that-writes-a-text"),
            pytest.param("text = SIGN.sub(self.noted, text)", False, id="calls-somebody"),
            pytest.param("self.margin = 1", False, id="sets-an-attribute"),
            pytest.param("self.note(text)", False, id="asks-a-method-of-others"),
            pytest.param("text.group(0).append(1)", False, id="a-part"),
            pytest.param("return (yield)", True, id="is-told-something"),
        ],
    )
    def test_of_a_method_and_a_generator(self, body: str, quiet: bool) -> None:
        program = Program(cst.parse_module(dedented(self.TEXT.replace("BODY", body))))
        (parts,), (width,) = program.functions["parts"], program.functions["width"]
        assert only_tells(program, parts) == quiet
        assert only_tells(program, width)
        assert not computes(program, parts.body), "what yields is not worked out at once"

    def test_who_walks_over_a_generator_computes(self) -> None:
        program, _ = loop_of("""
            def halves(xs):
                for x in xs:
                    yield x / 2
            for row in rows:
                total = [half for half in halves(row)]
            for row in rows:
                later = halves(row)
            """)
        _, walked, kept = (n for n in program.nodes if isinstance(n, cst.For))
        assert computes(program, walked)
        assert not computes(program, kept)


class TestAltered:
    @pytest.mark.parametrize(
        "made",
        [
            pytest.param("def note(x):\n    seen.append(x)", id="function"),
            pytest.param("def note(x):\n    put(x)\ndef put(x):\n    seen[x] = 1", id="two"),
            pytest.param("def note(x):\n    global seen\n    seen = [x]", id="bound-anew"),
            pytest.param("note = seen.append", id="method"),
            pytest.param("note = lambda x: seen.append(x)", id="lambda"),
        ],
    )
    @pytest.mark.parametrize("call", ["note(x)", "list(map(note, [x]))"])
    def test_what_a_loop_calls_changes_things(self, made: str, call: str) -> None:
        program, loop = loop_of(f"{made}\nfor x in xs:\n    {call}\n")
        assert "seen" in altered(program, loop)

    @pytest.mark.parametrize(
        "call",
        [
            "list(map(seen.append, [x]))",
            "max([x], key=seen.append)",
            "xs.sort(key=seen.append)",
        ],
    )
    def test_a_method_that_is_handed_on_is_called(self, call: str) -> None:
        program, loop = loop_of(f"for x in xs:\n    {call}\n")
        assert "seen" in altered(program, loop)

    @pytest.mark.parametrize("body", ["yield x", "await x", "async for y in x:\n            y"])
    def test_others_may_change_what_was_given_meanwhile(self, body: str) -> None:
        text = (
            "async def f(xs, seen):\n    own = []\n    for x in xs:\n        x in seen, own\n"
        )
        text += f"        {body}\n"
        program, loop = loop_of(text)
        assert "seen" in altered(program, loop)
        assert "own" not in altered(program, loop)

    @pytest.mark.parametrize(
        "made",
        [
            pytest.param("def note(x):\n    return x in seen", id="asked"),
            pytest.param("def note(x):\n    seen = []\n    seen.append(x)", id="its-own"),
            pytest.param("def note(seen):\n    seen.append(1)", id="its-argument"),
            pytest.param("note = seen.index", id="method-that-asks"),
            pytest.param("def other(x):\n    seen.append(x)", id="not-called"),
        ],
    )
    def test_what_it_only_asks_for_stays(self, made: str) -> None:
        program, loop = loop_of(f"{made}\nfor x in xs:\n    note(x)\n")
        assert "seen" not in altered(program, loop)


@pytest.mark.parametrize(
    ("call", "changed"),
    [
        pytest.param("self.fill(xs, 1)", True, id="a-method-of-the-file"),
        pytest.param("other.fill(xs, 1)", True, id="of-another-object"),
        pytest.param("self.look(xs)", False, id="one-that-only-looks"),
        pytest.param("list.append(xs, 1)", True, id="of-a-class"),
        pytest.param("Shop.fill(None, xs, 1)", True, id="of-a-class-of-the-file"),
        pytest.param("super().add(xs)", True, id="of-a-class-above"),
        pytest.param("out.append(xs)", False, id="stored"),
    ],
)
def test_a_method_may_change_what_it_is_handed(call: str, changed: bool) -> None:
    program, loop = loop_of(f"""
        class Shop:
            def fill(self, row, x):
                row.append(x)
            def look(self, row):
                return len(row)
        for x in ys:
            {call}
        """)
    assert ("xs" in altered(program, loop)) == changed


@pytest.mark.parametrize(
    ("line", "given", "tells"),
    [
        pytest.param("match.end()", "re.match('a', word)", True, id="of-a-match"),
        pytest.param("match.start()", "re.search('a', word)", True, id="of-a-search"),
        pytest.param("match.start()", "threads[0]", False, id="of-another"),
        pytest.param("match.end()", "re.match('a', word); match = word", False, id="of-both"),
        pytest.param("word.start()", "re.match('a', word)", False, id="of-a-parameter"),
    ],
)
def test_where_a_match_lies_is_told_by_matches_alone(
    line: str, given: str, tells: bool
) -> None:
    text = f"import re\ndef f(word, threads):\n    match = {given}\n    return {line}\n"
    program = Program(cst.parse_module(text))
    (function,) = program.functions["f"]
    assert computes(program, function.body) is tells


@pytest.mark.parametrize(
    ("line", "tells"),
    [
        ("given += [1]", False),
        ("given += other", False),
        ("given += 'x'", True),
        ("n += given", True),
    ],
)
def test_what_is_added_in_place_to_what_was_handed_in_is_a_trace(
    line: str, tells: bool
) -> None:
    text = f"def f(given, other):\n    n = 0\n    {line}\n    return given, n\n"
    program = Program(cst.parse_module(text))
    (function,) = program.functions["f"]
    assert only_tells(program, function) is tells
