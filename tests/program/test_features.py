"""Addresses of programs are sound and blind to layout; differences and features are right."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from se_agent.program import features

PROGRAM = '''
import math

def helper(values, *, scale=2):
    """Doc."""
    total = 0
    for item in values:  # a comment
        total += item * scale
    return total

def solve(xs, n):
    cache = {}
    best = None
    def go(i):
        nonlocal best
        if i in cache:
            return cache[i]
        found = [y for y in xs if y > i]
        cache[i] = len(found) + math.floor(n)
        best = i
        return cache[i]
    with open("x") as stream:
        pass
    out = {key: go(key) for key in range(n)}
    if (count := len(out)) > 3:
        out[count] = (lambda a: a + count)(best)
    try:
        del out[0]
    except KeyError as error:
        print(error)
    return helper(xs), out
'''
LOCALS = ["total", "item", "cache", "best", "found", "y", "stream", "out", "key", "count"]


def address(text: str) -> str:
    return features.content_address({"main.py": text})


def renamed(text: str, old: str, new: str) -> str:
    return re.sub(rf"\b{old}\b", new, text)


@given(st.sampled_from(LOCALS), st.from_regex(r"[a-z]{3}_[a-z]{3}", fullmatch=True))
def test_the_name_of_a_local_does_not_count(old: str, new: str) -> None:
    assert address(renamed(PROGRAM, old, new)) == address(PROGRAM)


@pytest.mark.parametrize(
    "name", ["helper", "values", "scale", "solve", "xs", "go", "math", "a"]
)
def test_what_can_be_seen_from_outside_counts(name: str) -> None:
    assert address(renamed(PROGRAM, name, "another")) != address(PROGRAM)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        pytest.param("x = 1\n", "x = (1)  # why\n\n", id="layout"),
        pytest.param(
            "def f():\n    return [i for i in r]",
            "def f():\n    return [j for j in r]",
            id="comprehension-variable",
        ),
        pytest.param(
            "class A:\n    b = [i for i in r]",
            "class A:\n    b = [j for j in r]",
            id="in-a-class",
        ),
    ],
)
def test_same(first: str, second: str) -> None:
    assert address(first) == address(second)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("x = 1", "x = 1.0"),
        ("x = 1", "x = True"),
        ("x = 'a'", "x = b'a'"),
        ("x = 1", "y = 1"),
        ("def f():\n    'doc'", "def f():\n    'other'"),
        ("def f():\n    a = b = 1\n    return a", "def f():\n    a = b = 1\n    return b"),
        ("def f():\n    a = 1\n    return b", "def f():\n    b = 1\n    return b"),
        ("def f(a):\n    b = 1\n    return a", "def f(a):\n    a = 1\n    return a"),
        ("def f():\n    global g\n    g = 1", "def f():\n    g = 1"),
        ("def f():\n    global g\n    g = 1", "def f():\n    global h\n    h = 1"),
        (
            "def f(x):\n    x = 1\n    def g():\n        nonlocal x\n        x = 2\n    g()",
            "def f(x):\n    x = 1\n    def g():\n        x = 2\n    g()",
        ),
        ("def f():\n    x = 1\n    locals()", "def f():\n    y = 1\n    locals()"),
        ("def f():\n    x = 1\n    eval('x')", "def f():\n    y = 1\n    eval('x')"),
        ("def f():\n    x = 1\n    g(f'{x=}')", "def f():\n    y = 1\n    g(f'{y=}')"),
        (
            "def f():\n    x = 1\n    class C:\n        x = 2\n        y = x\n    return C",
            "def f():\n    x = 1\n    class C:\n        z = 2\n        y = x\n    return C",
        ),
        ("def f():\n    i = [i for i in r]; i", "def f():\n    i = [j for i in r]; i"),
        ("def f():\n    [(y := i) for i in r]; y", "def f():\n    [(z := i) for i in r]; y"),
        ("f(*a)", "f(a)"),
        ("f(**a)", "f(*a)"),
        ("a = b, c", "a = b = c"),
        ("for x in y: pass\nelse: z", "for x in y: pass\nz"),
        ("not python (", "not python ["),
    ],
)  # fmt: skip
def test_different(first: str, second: str) -> None:
    assert address(first) != address(second)


def test_a_name_that_a_class_mangles_is_kept() -> None:
    mangled = (
        "def f():\n    __x = 1\n    class C:\n        def g(self): return __x\n    return C"
    )
    plain = mangled.replace("__x", "x")
    assert address(mangled) != address(plain)


@pytest.mark.parametrize(
    "swap",
    [("+=", "-="), ("> i", ">= i"), ("scale=2", "scale=3"), ("best = i", "cache = i"),
     ("xs if", "cache if"), ("range(n)", "range(3)"), ("print(error)", "print(count)")],
)  # fmt: skip
def test_a_change_of_meaning_counts(swap: tuple[str, str]) -> None:
    changed = PROGRAM.replace(*swap)
    assert changed != PROGRAM
    assert address(changed) != address(PROGRAM)


def test_files_and_their_paths_count() -> None:
    assert features.content_address({"a.py": "x"}) != features.content_address({"b.py": "x"})
    both = {"a.py": "x", "b.py": "y"}
    assert features.content_address(both) == features.content_address(
        dict(reversed(both.items()))
    )


def test_a_very_long_sum_has_an_address() -> None:
    assert address("x = " + " + ".join(["1"] * 900)) != address(
        "x = " + " + ".join(["1"] * 901)
    )


def test_node_hash_ignores_layout_and_keeps_names() -> None:
    assert features.node_hash("    if a:\n        b()  # c\n") == features.node_hash(
        "if a: b()"
    )
    assert features.node_hash("x in a") != features.node_hash("x in b")
    assert features.node_hash("elif  x:") == features.node_hash("elif x:")


def test_unified_and_summary() -> None:
    new = PROGRAM.replace("total = 0", "total = 0.0").replace("best = i", "best = i + 1")
    diff = features.unified_diff(PROGRAM, new, "main.py")
    assert diff.startswith("--- a/main.py\n+++ b/main.py\n")
    assert "-    total = 0\n+    total = 0.0\n" in diff
    change = features.summary(PROGRAM, new)
    assert (change.added, change.removed) == (2, 2)
    assert change.functions == ("helper", "solve.go")
    assert str(change) == "+2 -2 in `helper`, `solve.go`"


def test_a_text_without_a_last_newline() -> None:
    assert features.summary("x = 1", "x = 2") == features.ChangeSummary(added=1, removed=1)
    assert features.unified_diff("x = 1", "x = 1", "m") == ""


def test_functions() -> None:
    text = (
        "class V:\n    def add(self): ...\ndef solve():\n    def go(): ...\nasync def a(): ..."
    )
    assert features.functions(text) == ("V.add", "solve", "solve.go", "a")
    assert features.functions("def (") == ()


def test_features() -> None:
    text = (
        "import os.path\nfrom math import pi\n"
        "def f(n):\n    return f(n - 1) if n else 0\n"
        "def g(xs):\n    for x in xs:\n        while x in xs:\n            xs.pop(0)\n"
        "    return sum(len(a[1:]) for a in xs)\n"
    )
    found = features.features(text)
    assert (found.functions, found.loops, found.loop_depth, found.recursive) == (2, 2, 2, 1)
    assert (found.comprehensions, found.branches, found.memberships) == (1, 1, 1)
    assert (found.subscripts, found.slices, found.imports) == (1, 1, ("math", "os"))
    assert found.calls == ((".pop", 1), ("f", 1), ("len", 1), ("sum", 1))
    assert features.features("def (") == features.Features()


def test_evolve_lines() -> None:
    text = "a\n# EVOLVE-BLOCK-START\nb\nc\n#EVOLVE-BLOCK-END\nd\n"
    assert features.evolve_lines(text) == frozenset({3, 4})
    assert features.evolve_lines("a\n") is None


class TestChangedOutside:
    OLD = "import re\nLIMIT = 3\ndef f(x):\n    return x\ndef g(x):\n    return f(x)\n"

    @pytest.mark.parametrize(
        ("new", "outside"),
        [
            pytest.param(OLD, False, id="nothing"),
            pytest.param(OLD.replace("return x", "return [x][0]"), False, id="the-function"),
            pytest.param("from math import pi\n" + OLD, False, id="an-import"),
            pytest.param(OLD.replace("= 3", "= 4"), True, id="a-global"),
            pytest.param(OLD.replace("return f(x)", "return x"), True, id="another-function"),
            pytest.param(OLD + "TABLE = [0] * 9\n", True, id="work-on-loading"),
            pytest.param('P = re.compile("a")\n' + OLD, False, id="a-pattern"),
            pytest.param(
                "P = [re.compile(t) for t in T.values()]\n" + OLD, False, id="patterns"
            ),
            pytest.param("P = frozenset(['a', -1])\n" + OLD, False, id="a-set"),
            pytest.param('LIMIT = re.compile("a")\n' + OLD, True, id="a-known-name"),
            pytest.param("re = frozenset()\n" + OLD, True, id="the-name-of-an-import"),
            pytest.param("P = [f(t) for t in T]\n" + OLD, True, id="calls-on-loading"),
            pytest.param("P = [t for t in range(9)]\n" + OLD, True, id="a-table-on-loading"),
            pytest.param("P = box.set('a')\n" + OLD, True, id="a-method-that-sets"),
            pytest.param("__getattr__ = dict()\n" + OLD, True, id="what-python-asks-for"),
            pytest.param("P = Q = 1\n" + OLD, True, id="two-names"),
            pytest.param("P.size = 1\n" + OLD, True, id="an-attribute"),
            pytest.param("P = [q := 1]\n" + OLD, True, id="a-name-within"),
            pytest.param(OLD.replace("def f(x):", "def h(x):"), True, id="another-name"),
            pytest.param(OLD.replace("def f", "@cache\ndef f"), True, id="a-decorator"),
            pytest.param(OLD.replace("f(x):", "f(x, t=work()):", 1), True, id="a-default"),
            pytest.param(OLD.replace("f(x):", "f(x, *, t=[]):", 1), True, id="by-keyword"),
            pytest.param(OLD.replace("f(x):", "f(x, t=None):", 1), False, id="may-be-left-out"),
            pytest.param(OLD.replace("f(x):", "f(x, t=0):", 1), True, id="another-default"),
            pytest.param('P = {"a": (1, b"c"), "b": -1}\n' + OLD, False, id="a-dictionary"),
            pytest.param(
                OLD.replace("def f(x):\n    ", "class f:\n    x=1;", 1), True, id="a-class"
            ),
            pytest.param("def f(", False, id="no-python"),
        ],
    )
    def test_one_function_and_imports_may_differ(self, new: str, outside: bool) -> None:
        assert features.changed_outside(self.OLD, new, "f") is outside

    def test_what_may_be_left_out_stays_an_argument(self) -> None:
        old = self.OLD.replace("f(x):", "f(x, t=None):", 1)
        assert features.changed_outside(old, self.OLD, "f")
        assert features.changed_outside(old, old.replace("t=None", "t"), "f")
        assert not features.changed_outside(old, old.replace("t=None", "t=None, u=None"), "f")

    @pytest.mark.parametrize(
        ("decorator", "outside"),
        [
            pytest.param("@lru_cache(maxsize=64, typed=True)", False, id="a-cache"),
            pytest.param("@functools.cache", False, id="a-cache-by-its-module"),
            pytest.param("@lru_cache(maxsize=g())", True, id="an-argument-that-runs"),
            pytest.param("@other.cache", True, id="of-another-module"),
            pytest.param("@wraps(g)", True, id="another-decorator"),
        ],
    )
    def test_a_function_may_get_a_cache(self, decorator: str, outside: bool) -> None:
        imports = "import functools\nimport other\nfrom functools import lru_cache, wraps\n"
        new = imports + self.OLD.replace("def f", f"{decorator}\ndef f", 1)
        assert new.count(decorator) == 1
        assert features.changed_outside(self.OLD, new, "f") is outside
        assert features.changed_outside(self.OLD, new, "nothing")

    @pytest.mark.parametrize(
        "head",
        [
            "from functools import cache\ndef cache(f): return g\n",
            "from functools import cache\nfrom atexit import register as cache\n",
            "import functools\nimport atexit as functools\n",
            "from functools import cache\ncache = min\n",
            "from functools import cache\nclass C:\n    cache = min\n",
            "from functools import cache as min\nfrom mine import cache\n",
        ],
    )
    def test_a_cache_is_that_of_the_library(self, head: str) -> None:
        decorator = "@functools.cache" if "import functools" in head else "@cache"
        new = head + self.OLD.replace("def f", f"{decorator}\ndef f", 1)
        assert features.changed_outside(self.OLD, new, "f")

    def test_a_cache_stands_alone(self) -> None:
        old = self.OLD.replace("def f", "@noted\ndef f", 1)
        new = "from functools import cache\n" + old.replace("@noted", "@cache\n@noted")
        assert features.changed_outside(old, new, "f")

    @pytest.mark.parametrize(
        ("old", "new"),
        [("f(x)", "f(x: print(1))"), ("def f", "async def f"), ("f(x)", "f(x) -> T[0]")],
    )
    def test_what_runs_with_the_definition_stays(self, old: str, new: str) -> None:
        text = self.OLD.replace(f"{old}" if "def" in old else f"def {old}",
                                new if "def" in new else f"def {new}", 1)  # fmt: skip
        assert text != self.OLD
        assert features.changed_outside(self.OLD, text, "f")

    def test_a_default_is_no_decorator(self) -> None:
        old = self.OLD.replace("def f", "@g\ndef f", 1)
        assert features.changed_outside(old, self.OLD.replace("f(x)", "f(x, r=g)", 1), "f")

    @pytest.mark.parametrize(
        ("added", "outside"),
        [
            pytest.param("@cache\ndef _made(x, n=1):\n    return x\n", False, id="new"),
            pytest.param("def _m(x: list[int]) -> str:\n    pass\n", False, id="noted"),
            pytest.param("def made(x):\n    return x\n", True, id="a-public-one"),
            pytest.param("def _made(x, n=print()):\n    return x\n", True, id="a-default-runs"),
            pytest.param("def _made(x: print()):\n    return x\n", True, id="a-note-runs"),
            pytest.param("def _made(x: T[0]):\n    return x\n", True, id="a-note-asks"),
            pytest.param("def _made() -> f'{g()}':\n    pass\n", True, id="a-note-says"),
            pytest.param("@print\ndef _made(x):\n    return x\n", True, id="a-decorator-runs"),
            pytest.param("import os as g\n", True, id="an-import-in-its-place"),
            pytest.param("from os import system as LIMIT\n", True, id="one-for-a-constant"),
            pytest.param(
                "def attrgetter(x):\n    pass\n_T = attrgetter('a')\n", True, id="a-maker"
            ),
            pytest.param(
                "from os import system as compile\n_T = compile('a')\n", True, id="a-system"
            ),
            pytest.param("def __getattr__(x):\n    return x\n", True, id="python-asks-for-it"),
            pytest.param("def f(x):\n    return x\n", True, id="one-that-was-there"),
            pytest.param("class Helper:\n    pass\n", True, id="a-class"),
        ],
    )
    def test_functions_of_new_names_may_come(self, added: str, outside: bool) -> None:
        new = f"from functools import cache\n{added}{self.OLD}"
        assert features.changed_outside(self.OLD, new, "g") is outside

    def test_an_integer_of_ten_thousand_digits_is_compared(self) -> None:
        table = f"TABLE = 0x{'f' * 9000}\n"
        old, new = (f"{table}def f(x):\n    return {n}\n" for n in (1, 2))
        assert not features.changed_outside(old, new, "f")
        assert features.changed_outside(old, new.replace("0xf", "0xe"), "f")


def test_the_innermost_function_is_named() -> None:
    old = "def f():\n    def g():\n        a\n    b\ndef h():\n    c\nd\n"
    for letter, name in (("a", "f.g"), ("b", "f"), ("c", "h")):
        assert features.summary(old, old.replace(letter, "x")).functions == (name,)
    assert features.summary(old, f"{old}e\n").functions == ()


def test_many_new_functions_are_summed_up_in_a_moment() -> None:
    """One look at all functions for each line took minutes."""
    new = "".join(f"def f{n}():\n    pass\n" for n in range(6000))
    begin = time.process_time()
    assert len(features.summary("x = 1\n", new).functions) == 6000
    assert time.process_time() - begin < 20


class TestChangedOutsideOfMethods:
    OLD = (
        "class C(B):\n    size = 1\n\n    def f(self):\n        return 1\n\n"
        "    def g(self, n=1):\n        return 2\n\n\ndef h():\n    return C().f()\n"
    )

    @pytest.mark.parametrize(
        ("old", "new", "editable", "outside"),
        [
            pytest.param("return 1", "return 7", "C.f", False, id="the-method"),
            pytest.param("return 2", "return 7", "C.f", True, id="another-method"),
            pytest.param("size = 1", "size = 7", "C.f", True, id="the-class-around-it"),
            pytest.param("C(B)", "C(A)", "C.f", True, id="its-bases"),
            pytest.param("size = 1", "size = 7", "C", False, id="the-class"),
            pytest.param("C(B)", "C(A)", "C", True, id="bases-of-the-class"),
            pytest.param("n=1", "n=7", "C.g", True, id="a-default"),
            pytest.param("return 2", "return 7", "h C.g", False, id="one-of-several"),
            pytest.param("C().f()", "C().g()", "h C.g", False, id="the-other-of-several"),
        ],
    )
    def test_only_what_is_named_may_differ(
        self, old: str, new: str, editable: str, outside: bool
    ) -> None:
        text = self.OLD.replace(old, new)
        assert features.changed_outside(self.OLD, text, editable) is outside

    def test_a_function_of_another_name_in_its_place_is_outside(self) -> None:
        new = self.OLD.replace("def h", "def k")
        assert features.changed_outside(self.OLD, new, "h")


def test_a_function_of_the_module_makes_no_constant_whatever_its_name() -> None:
    old = "def values():\n    return [*range(9)]\n\n\ndef solve(x):\n    return x\n"
    assert features.changed_outside(old, f"{old}\n\nTABLE = values()\n", "solve")
    assert not features.changed_outside(old, f"{old}\n\nTABLE = frozenset([1])\n", "solve")
