"""What a function came to is remembered, where nobody can tell but by the time it takes."""

from __future__ import annotations

import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.rewrite.cached_function import CachedFunction
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import assert_equivalent, dedented, rewritten

TEXTS = """
import re

WIDTHS = {"a": 2}
MARK = re.compile("[.]")

def key(version: str):
    \"\"\"What a version is sorted by.\"\"\"
    parts = MARK.split(version)
    return tuple(WIDTHS.get(part, 1) if part.isalpha() else int(part) for part in parts)

def solve(versions):
    return sorted(versions, key=lambda version: key(version))
"""
LISTS = """
def digits(number, base=10):
    \"\"\"The digits, the last one first.\"\"\"
    found = []
    while number:
        number, digit = divmod(number, base)
        found.append(digit)
    return found

def solve(numbers):
    result = []
    for number in numbers:
        mine = digits(number)
        mine.reverse()
        result.append(mine)
    return result
"""
ASKED = """
from functools import lru_cache


@lru_cache(maxsize=1024, typed=True)
def _digits_once(number, base=10):
    found = []
    while number:
        number, digit = divmod(number, base)
        found.append(digit)
    return found
def digits(number, base=10):
    \"\"\"The digits, the last one first.\"\"\"
    return list(_digits_once(number, base))
"""
CLASSES = """
import dataclasses
from typing import NamedTuple, get_type_hints

class Known(NamedTuple):
    name: str
    hint: object

def is_needed(field):
    return field.default is dataclasses.MISSING

def known(cls: type):
    hints = get_type_hints(cls)
    return [Known(f.name, hints[f.name]) for f in dataclasses.fields(cls) if is_needed(f)]

@dataclasses.dataclass
class Point:
    x: int
    y: int = 0

def solve(points):
    return [[each.name for each in known(type(Point(*point)))] for point in points]
"""
METHODS = """
import re

ENDINGS = ["ings", "ing", "s"]

class Index:
    def __init__(self):
        self.found = {}

    def stem(self, word):
        \"\"\"A word without its endings.\"\"\"
        changed = True
        while changed:
            changed = False
            for ending in ENDINGS:
                if word.endswith(ending) and len(word) > len(ending):
                    word = word[: -len(ending)]
                    changed = True
        return word

    def add(self, word):
        self.found.setdefault(self.stem(word), []).append(word)

def solve(words):
    index = Index()
    for word in words:
        index.add(word)
    return index.found
"""


class TestContract(RuleContract):
    rule = CachedFunction
    slow = TEXTS
    others = (LISTS, CLASSES, METHODS)


def test_a_function_of_texts_is_decorated() -> None:
    (text,) = rewritten(CachedFunction(), TEXTS)
    assert "@lru_cache(maxsize=1024)\ndef key(version: str):\n" in text
    assert text.replace("@lru_cache(maxsize=1024)\n", "").replace(
        "from functools import lru_cache\n", ""
    ) == dedented(TEXTS)


def test_a_list_is_copied_for_each_who_asks() -> None:
    (text,) = rewritten(CachedFunction(), LISTS)
    assert text.startswith(dedented(ASKED))
    assert_equivalent(CachedFunction(), LISTS, [12, 12, 340, 12])


def test_what_tells_about_classes_is_asked_once() -> None:
    (text,) = rewritten(CachedFunction(), CLASSES)
    assert "return list(_known_once(cls))\n" in text
    assert_equivalent(CachedFunction(), CLASSES, [(1,), (2, 3)])


@given(st.lists(st.sampled_from(["1.a", "1.2", "10.b.3", "2"]), max_size=8))
def test_answers_stay(versions: list[str]) -> None:
    assert_equivalent(CachedFunction(), TEXTS, versions)


@given(st.lists(st.integers(0, 99) | st.booleans(), max_size=8))
def test_answers_stay_for_numbers_of_several_types(numbers: list[int]) -> None:
    assert_equivalent(CachedFunction(), LISTS, numbers)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("def key", "@property\ndef key", id="is-decorated"),
        pytest.param("def key", "async def key", id="is-asynchronous"),
        pytest.param("(version: str)", "(*version)", id="takes-any-arguments"),
        pytest.param("(version: str)", "(version: list)", id="takes-lists"),
        pytest.param("(version: str)", "(version, known=[])", id="has-a-list-as-default"),
        pytest.param("parts = MARK", "print(version); parts = MARK", id="leaves-a-trace"),
        pytest.param("parts = MARK", "parts = version.parts or MARK", id="reads-an-attribute"),
        pytest.param("split(version)", "split(key(version))", id="asks-itself"),
        pytest.param("return tuple", "yield tuple", id="is-a-generator"),
        pytest.param("return tuple(", "return iter(", id="gives-an-iterator"),
        pytest.param("WIDTHS", "widths", id="reads-what-other-files-may-fill"),
        pytest.param(
            "return sorted", "WIDTHS['b'] = 3; return sorted", id="reads-what-changes"
        ),
        pytest.param("MARK.split", "MARKS.split", id="reads-what-is-unknown"),
        pytest.param("MARK.split", "os.environ.get", id="reads-the-environment"),
        pytest.param('WIDTHS = {"a": 2}', "from .b import widths", id="reads-of-others"),
        pytest.param("\n\ndef solve", "\nkey = max\n\ndef solve", id="is-set-anew"),
    ],
)
def test_functions_that_stay(old: str, new: str) -> None:
    assert old in TEXTS
    text = f"import os\n{TEXTS}".replace(old, new)
    if "from .b" in new:
        text = text.replace("WIDTHS", "widths")
    assert rewritten(CachedFunction(), text) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("append(digit)", "append([digit])", id="holds-lists"),
        pytest.param("append(digit)", "append(Digit(digit))", id="holds-what-is-not-seen"),
        pytest.param("return found", "return found if base else ()", id="of-two-kinds"),
    ],
)
def test_lists_of_what_may_be_changed_are_not_lent(old: str, new: str) -> None:
    assert old in LISTS
    assert rewritten(CachedFunction(), LISTS.replace(old, new)) == []


SCALED = """
SCALES = {"a": 2, "b": 3}

def scale(letter):
    return SCALES.get(letter, 1)

def cost(text: str):
    return sum(scale(letter) for letter in text)

def solve(texts):
    return [cost(text) for text in texts]
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("\ndef solve", "\ndef put(k): SCALES[k] = 1\n\ndef solve", id="filled"),
        pytest.param("\ndef solve", "\ndef put(): return SCALES\n\ndef solve", id="lent"),
        pytest.param("\ndef solve", "\nSCALES['c'] = 1\n\ndef solve", id="filled-at-the-top"),
        pytest.param("\ndef solve", "\nscale = max\n\ndef solve", id="a-helper-set-anew"),
        pytest.param("\ndef solve", "\nglobals()['x'] = 1\n\ndef solve", id="set-by-name"),
        pytest.param('"b": 3', '"b": [3]', id="holds-a-list"),
        pytest.param("SCALES = {", "SCALES = count() or {", id="is-an-iterator"),
        pytest.param("text: str", "text: float", id="zero-and-minus-zero"),
        pytest.param("text: str", "text: Bag", id="an-object-of-the-file"),
        pytest.param("text: str", "text: Iterator[str]", id="an-iterator"),
        pytest.param("return sum(", "class A: pass\n    return sum(", id="a-class-for-each"),
        pytest.param("SCALES.get(", "json.loads(text, object_hook=", id="a-function-handed-on"),
    ],
)
def test_what_it_reads_stays_as_it_is(old: str, new: str) -> None:
    assert rewritten(CachedFunction(), SCALED)
    assert old in SCALED
    text = f"import json\n{SCALED.replace(old, new)}"
    assert rewritten(CachedFunction(), text) == []


def test_a_function_that_may_come_to_its_end_is_not_copied() -> None:
    text = LISTS.replace("    return found\n", "    if found:\n        return found\n")
    assert rewritten(CachedFunction(), text) == []


@pytest.mark.parametrize(
    ("note", "used", "fires"),
    [
        ("", "sum(n * n for n in given)", False),
        ("", "sum(given[i] for i in range(3))", False),
        ("", "sum(ord(c) for c in given.strip())", True),
        ("", "sum(n for n in range(given))", True),
        ("", "sum(len(re.findall('a', given[i:])) for i in range(3))", True),
        ("", "sum(len(other(given[i:])) for i in range(3))", False),
        (": str", "sum(ord(c) for c in given)", True),
        (": list[int]", "sum(n * n for n in given)", False),
    ],
)
def test_arguments_have_to_look_like_keys(note: str, used: str, fires: bool) -> None:
    text = f"def cost(given{note}):\n    return {used}\ndef solve(x):\n    return cost(x)\n"
    text = f"import re\ndef other(x):\n    return x\n{text}"
    assert bool(rewritten(CachedFunction(), text)) is fires


def test_a_cheap_function_is_no_work_for_a_table() -> None:
    text = "def twice(n):\n    return n * 2\ndef solve(v):\n    return [twice(n) for n in v]\n"
    assert rewritten(CachedFunction(), text) == []


def test_a_method_that_leaves_its_object_alone_asks_a_function_beside_its_class() -> None:
    (text,) = rewritten(CachedFunction(), METHODS)
    assert "@lru_cache(maxsize=1024, typed=True)\ndef _stem_once(word):\n" in text
    assert text.index("def _stem_once") < text.index("class Index")
    method = text[text.index("    def stem") : text.index("    def add")].splitlines()
    assert method[1:3] == [
        '        """A word without its endings."""',
        "        return _stem_once(word)",
    ]
    assert_equivalent(CachedFunction(), METHODS, ["sings", "songs", "s", "sings", ""])


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param(
            "changed = True\n        while", "self.n = 1\n        while", id="its-object"
        ),
        pytest.param("return word\n", "return Index.stem(None, word)\n", id="its-class"),
        pytest.param("return word\n", "return super().stem(word)\n", id="what-it-derives-from"),
        pytest.param("return word\n", "return __fold(word)\n", id="a-name-of-the-class"),
        pytest.param("stem(self, word)", "stem(self)", id="takes-nothing-else"),
        pytest.param("    def stem", "    @staticmethod\n    def stem", id="is-decorated"),
        pytest.param(
            "class Index:", "def put(n): ENDINGS.append(n)\nclass Index:", id="reads-what-grows"
        ),
        pytest.param("return word\n", "return [word]\n", id="gives-a-list"),
        pytest.param("return word\n", "return word.split()\n", id="gives-what-may-be-one"),
        pytest.param("class I", "class J:\n    def stem(self): ...\nclass I", id="of-two"),
    ],
)
def test_methods_that_stay(old: str, new: str) -> None:
    assert old in METHODS
    text = METHODS.replace(old, new)
    assert rewritten(CachedFunction(), text) == []


def test_a_method_of_a_class_in_a_branch_stays() -> None:
    head, _, rest = METHODS.partition("class Index:")
    body, _, end = rest.partition("def solve")
    branch = textwrap.indent(f"class Index:{body}", "    ")
    assert rewritten(CachedFunction(), f"{head}if re:\n{branch}\ndef solve{end}") == []


def test_texts_of_the_library_are_no_objects_to_be_changed() -> None:
    text = """
    import re

    def pattern(name):
        out = ""
        for part in name.split("*"):
            out += re.escape(part) + ".*"
        return out

    def solve(names):
        return [pattern(name) for name in names]
    """
    (new,) = rewritten(CachedFunction(), text)
    assert "_once" not in new
    assert rewritten(CachedFunction(), text.replace("re.escape", "re.findall")) == []


def test_a_function_whose_parts_wait_for_errors_is_worth_a_table() -> None:
    text = """
    def whole(cell):
        try:
            int(cell)
        except ValueError:
            return False
        return True

    def kind(cell):
        return "int" if whole(cell) else "text"

    def solve(cells):
        return [kind(cell) for cell in cells]
    """
    assert len(rewritten(CachedFunction(), text)) == 1
    assert_equivalent(CachedFunction(), text, ["1", "a", "1"])
    plain = text.replace("try:", "if cell:").replace("except ValueError:", "else:")
    assert rewritten(CachedFunction(), plain) == []


@pytest.mark.parametrize(
    ("found", "fires"), [("re.match('a', word)", True), ("tool", False)], ids=["match", "other"]
)
def test_groups_are_texts_where_a_match_gives_them(found: str, fires: bool) -> None:
    text = f"""
    import re

    def first(word, tool):
        match = {found}
        for _ in range(3):
            word = word.strip()
        return match.group(0)

    def solve(words, tool):
        return [first(word, tool) for word in words]
    """
    assert bool(rewritten(CachedFunction(), text)) is fires
