"""Each pass makes new lines plainer, and leaves what the author wrote as it is."""

from __future__ import annotations

import ast
from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from se_agent.program.style.passes import PASSES, restyled_files

HEAD = "def f(a, b):\n"


def _made(name: str, old: str, new: str) -> str:
    return PASSES[name](dedent(old), dedent(new))


@pytest.mark.parametrize(
    ("new", "plain"),
    [
        pytest.param("return (a + b)", "return a + b", id="a whole value"),
        pytest.param("return pow((a + 7), (b), 3)", "return pow(a + 7, b, 3)", id="arguments"),
        pytest.param("return (a and b) or a", "return (a and b) or a", id="tells a reader"),
        pytest.param("return not (a in b)", "return a not in b", id="a denial"),
        pytest.param(
            "return not (a in b) == a", "return not (a in b) == a", id="binds tighter"
        ),
        pytest.param("return (a, b)", "return (a, b)", id="a tuple"),
        pytest.param("return (a + b) * a", "return (a + b) * a", id="needed"),
        pytest.param("return a.x(b)", "return a.x(b)", id="a call"),
    ],
)
def test_parentheses(new: str, plain: str) -> None:
    found = _made("parentheses", f"{HEAD}    return 0\n", f"{HEAD}    {new}\n")
    assert found == f"{HEAD}    {plain}\n"


def test_parentheses_of_the_author_stay() -> None:
    old = f"{HEAD}    x = (a + 1)\n    return x\n"
    new = f"{HEAD}    x = (a + 1)\n    return x * 2\n"
    assert _made("parentheses", old, new) == new


def test_they_stay_though_a_name_within_is_another() -> None:
    old = "def solve(g, u, w):\n    return (len(g[u]) - 1) + (len(g[w]) - 1)\n"
    new = "def solve(g, u, w):\n    return (len(kept[u]) - 1) + ((len(kept[w])) - 1)\n"
    plain = "def solve(g, u, w):\n    return (len(kept[u]) - 1) + (len(kept[w]) - 1)\n"
    assert _made("parentheses", old, new) == plain


NAMES = [
    pytest.param(
        "def f(a):\n    return a\n\n\ndef g(a):\n    x = 1\n    return x\n",
        "def f(a):\n    x_2 = a\n    return x_2\n\n\ndef g(a):\n    x = 1\n    return x\n",
        "def f(a):\n    x = a\n    return x\n\n\ndef g(a):\n    x = 1\n    return x\n",
        id="free in its function",
    ),
    pytest.param(
        "def f(a):\n    x = a\n    return x\n",
        "def f(a):\n    x = a\n    x_2 = x + 1\n    return x + x_2\n",
        "def f(a):\n    x = a\n    x_2 = x + 1\n    return x + x_2\n",
        id="the plain one is needed",
    ),
    pytest.param(
        "def f(a):\n    return a\n",
        "def f(a):\n    y = [a]\n    b = len(y)\n    y_2 = [b]\n    return y_2\n",
        "def f(a):\n    y = [a]\n    b = len(y)\n    y = [b]\n    return y\n",
        id="the plain one is over",
    ),
    pytest.param(
        "K = [1]\n\n\ndef f(a):\n    return a in K\n",
        "K = [1]\n\n\ndef f(a):\n    K_set = set(K)\n    return a in K_set\n",
        "K = [1]\n\n\ndef f(a):\n    k_set = set(K)\n    return a in k_set\n",
        id="small letters",
    ),
    pytest.param(
        "def f(a):\n    return re.match('x', a)\n",
        "pattern = re.compile('x')\n\n\ndef f(a):\n    return pattern.match(a)\n",
        "PATTERN = re.compile('x')\n\n\ndef f(a):\n    return PATTERN.match(a)\n",
        id="a constant of the module",
    ),
    pytest.param(
        "def f(aList, bList):\n    cList = aList\n    return cList\n",
        "def f(aList, bList):\n    new_set = set(aList)\n    return new_set\n",
        "def f(aList, bList):\n    newSet = set(aList)\n    return newSet\n",
        id="inThisCase",
    ),
    pytest.param(
        "def f(a):\n    return a\n",
        "def f(a):\n    é = a; x_2 = é\n    return g(x_2=x_2)\n",
        "def f(a):\n    é = a; x = é\n    return g(x_2=x)\n",
        id="columns are bytes, keywords are no variables",
    ),
]


@pytest.mark.parametrize(("old", "new", "plain"), NAMES)
def test_names(old: str, new: str, plain: str) -> None:
    assert _made("names", old, new) == plain


IMPORTS = [
    pytest.param(
        '"""Doc."""\n\nimport os\n\n\ndef f(a):\n    return a\n',
        '"""Doc."""\n\nimport os\n\n\ndef f(a):\n    import heapq\n    return heapq\n',
        '"""Doc."""\n\nimport heapq\nimport os\n\n\ndef f(a):\n    return heapq\n',
        id="from a function to the top",
    ),
    pytest.param(
        "from collections import deque\n\nx = 1\n",
        "from collections import Counter\nfrom collections import deque\n\nx = 1\n",
        "from collections import Counter, deque\n\nx = 1\n",
        id="into the line of its module",
    ),
    pytest.param(
        "import numpy as np\n\nx = 1\n",
        "from bisect import bisect\nimport numpy as np\n\nx = 1\n",
        "from bisect import bisect\n\nimport numpy as np\n\nx = 1\n",
        id="a section of its own",
    ),
    pytest.param(
        "import numpy as np\nfrom . import b\n\nx = 1\n",
        "import numpy as np\nfrom . import b\n\nx = 2\n",
        "import numpy as np\nfrom . import b\n\nx = 2\n",
        id="no new one",
    ),
    pytest.param(
        "def f(heapq):\n    return heapq\n",
        "def f(heapq):\n    return heapq\n\n\ndef g():\n    import heapq\n    return heapq\n",
        "def f(heapq):\n    return heapq\n\n\ndef g():\n    import heapq\n    return heapq\n",
        id="a name that means something else elsewhere",
    ),
    pytest.param(
        "import os\n# EVOLVE-BLOCK-START\nx = 1\n# EVOLVE-BLOCK-END\n",
        "import os\n# EVOLVE-BLOCK-START\nimport re\nx = 1\n# EVOLVE-BLOCK-END\n",
        "import os\n# EVOLVE-BLOCK-START\nimport re\nx = 1\n# EVOLVE-BLOCK-END\n",
        id="nothing moves across marks",
    ),
]


@pytest.mark.parametrize(("old", "new", "plain"), IMPORTS)
def test_imports(old: str, new: str, plain: str) -> None:
    assert _made("imports", old, new) == plain


COMMENTS = [
    pytest.param(
        "def f(a):\n    # all of them\n    b = sum(a)\n    return b\n",
        "def f(a):\n    # all of them\n    return b\n",
        "def f(a):\n    return b\n",
        id="what it was about is gone",
    ),
    pytest.param(
        "def f(a):\n    # min() is the first\n    b = min(a)\n    # see min()\n    return b\n",
        "def f(a):\n    # min() is the first\n    b = max(a)\n    # see min()\n    return b\n",
        "def f(a):\n    b = max(a)\n    return b\n",
        id="it names what is not called any more",
    ),
    pytest.param(
        "def f(a):\n    # the largest\n    b = 0\n    return b\n",
        "def f(a):\n    # the largest\n    b = 1\n    return b\n",
        "def f(a):\n    # the largest\n    b = 1\n    return b\n",
        id="still true, as far as one sees",
    ),
    pytest.param(
        "def f(a):\n    b = sum(a)  # noqa: F841\n    return a\n",
        "def f(a):\n    c = len(a)  # noqa: F841\n    return a\n",
        "def f(a):\n    c = len(a)  # noqa: F841\n    return a\n",
        id="for a tool",
    ),
]


@pytest.mark.parametrize(("old", "new", "plain"), COMMENTS)
def test_comments(old: str, new: str, plain: str) -> None:
    assert _made("comments", old, new) == plain


SHORTER = [
    pytest.param(
        "x = g(a)\nreturn x",
        "return g(a)",
        id="returned at once",
    ),
    pytest.param(
        "x = []\nx.extend(dict.fromkeys(a))\nreturn x",
        "return list(dict.fromkeys(a))",
        id="begins full",
    ),
    pytest.param(
        'x = ""\nx += "".join(a)\nx += b\nreturn x',
        'x = "".join(a)\nx += b\nreturn x',
        id="a text that begins full",
    ),
    pytest.param(
        'x = ""\np = [x]\nfor c in a:\n    p.append(c)\nx = "".join(p)\nreturn x',
        'p = []\nfor c in a:\n    p.append(c)\nreturn "".join(p)',
        id="parts of a text that is empty",
    ),
    pytest.param(
        'x = ""\np = [x]\nfor c in a:\n    p.append(c)\nx = "".join(p)\n'
        'q = [x]\nfor c in b:\n    q.append(c)\nx = "".join(q)\nx += "\\n"\nreturn x',
        "p = []\nfor c in a:\n    p.append(c)\nfor c in b:\n    p.append(c)\n"
        'p.append("\\n")\nreturn "".join(p)',
        id="one list of parts for all loops",
    ),
    pytest.param(
        "x = 0\nx = bisect_left(a, b, x)\na.insert(x, b)",
        "x = bisect_left(a, b)\na.insert(x, b)",
        id="a search from the beginning",
    ),
    pytest.param(
        "x = []\nx_front = []\nfor c in a:\n    x_front.append(c)\nx[:0] = x_front[::-1]\ng(x)",
        "x = []\nfor c in a:\n    x.append(c)\nx.reverse()\ng(x)",
        id="filled from the front",
    ),
    pytest.param(
        "x = []\nx_front = []\nfor c in a:\n    x_front.append(len(x))\n"
        "x[:0] = x_front[::-1]\ng(x)",
        "x = []\nx_front = []\nfor c in a:\n    x_front.append(len(x))\n"
        "x[:0] = x_front[::-1]\ng(x)",
        id="filled from the front, and asked meanwhile",
    ),
    pytest.param("a = a\ng(a)", "g(a)", id="a guard was there"),
    pytest.param("if b:\n    a = a\ng(a)", "if b:\n    a = a\ng(a)", id="nothing else there"),
    pytest.param(
        "try:\n    x = g(a)\n    return x\nexcept KeyError:\n    return x",
        "try:\n    x = g(a)\n    return x\nexcept KeyError:\n    return x",
        id="a handler may read it",
    ),
    pytest.param(
        "x = g(a)\nh = lambda: x\nx = h\nreturn x",
        "x = g(a)\nh = lambda: x\nx = h\nreturn x",
        id="a function within may read it",
    ),
]


def _function(body: str) -> str:
    return HEAD + "".join(f"    {line}\n" for line in body.split("\n"))


@pytest.mark.parametrize(("new", "plain"), SHORTER)
def test_shorter(new: str, plain: str) -> None:
    assert _made("shorter", _function("pass"), _function(new)) == _function(plain)


def test_new_functions_stand_apart_as_those_of_their_file() -> None:
    made = "def helper():\n    return 1\n# why\n@cache\ndef other():\n    return 2\n"
    wide = "x = 1\n\n\ndef f(): ...\n\n\ndef g(): ...\n"
    for old in (wide, wide.replace("\n\n\n", "\n\n")):
        gap = "\n\n\n" if old is wide else "\n\n"
        new = old.replace("def g", f"{made}def g")
        apart = made.replace("# why", f"{gap[1:]}# why")
        assert _made("layout", old, new) == old.replace("def g", f"{apart}{gap[1:]}def g")


def test_brackets_within_brackets_are_broken_in_turn() -> None:
    clauses = "pair for least in range(1, 9) if n % least == 0 for pair in (least, n // least)"
    old = "def f(n):\n    pass\n"
    new = old.replace("pass", f"for d in sorted({{{clauses}}}):\n        print(d)")
    broken = clauses.replace(" for", "\n            for").replace(" if", "\n            if")
    loop = f"for d in sorted(\n        {{\n            {broken}\n        }}\n    ):"
    assert _made("layout", old, new) == old.replace("pass", f"{loop}\n        print(d)")


def test_rows_of_a_text_are_no_comment_above_a_function() -> None:
    old = "x = 1\n"
    new = 'TEXT = """a\n# b"""\ndef g(): ...\n'
    assert '"""a\n# b"""' in _made("layout", old, new)


LAYOUT = [
    pytest.param(
        "    return some_function(a_long_argument_number_1, a_long_argument_number_2, "
        "a_third_one_1)",
        "    return some_function(\n        a_long_argument_number_1, "
        "a_long_argument_number_2, a_third_one_1\n    )",
        id="within the brackets",
    ),
    pytest.param(
        "    if a_rather_long_condition_number_one and a_rather_long_condition_number_two "
        "and a_th:\n        pass",
        "    if (\n        a_rather_long_condition_number_one\n        and "
        "a_rather_long_condition_number_two\n        and a_th\n    ):\n        pass",
        id="a question in parentheses",
    ),
    pytest.param("    return g('x', '\\n')", '    return g("x", "\\n")', id="quotes"),
    pytest.param("    return g('\"')", "    return g('\"')", id="a text with the other quote"),
]


@pytest.mark.parametrize(("new", "plain"), LAYOUT)
def test_layout(new: str, plain: str) -> None:
    old = 'def f(a, b):\n    """Doc."""\n    return "a"\n'
    head = 'def f(a, b):\n    """Doc."""\n'
    assert _made("layout", old, f"{head}{new}\n") == f"{head}{plain}\n"


def test_a_function_within_another_has_a_blank_row_below_it() -> None:
    old = "def f(a):\n    return a\n"
    new = "def f(a):\n    def g(b):\n        return b\n    return g(a)\n"
    assert _made("layout", old, new) == new.replace("return b\n", "return b\n\n")


def test_indentation_is_that_of_the_file() -> None:
    old = "def f(a):\n  return a\n"
    new = "def g(a):\n    for b in a:\n        print(b)\n\n\ndef f(a):\n  return g(a)\n"
    assert _made("layout", old, new) == (
        "def g(a):\n  for b in a:\n    print(b)\n\n\ndef f(a):\n  return g(a)\n"
    )


TEXTS = st.sampled_from(
    [*(p.values[1] for p in (*NAMES, *IMPORTS, *COMMENTS)), "x = (1)\n", "("]
)


@given(old=TEXTS, new=TEXTS)
def test_all_passes_together_make_programs_of_programs(old: object, new: object) -> None:
    """And what they made they leave as it is."""
    first = restyled_files({"a.py": str(old)}, {"a.py": str(new)})
    if new != "(":
        ast.parse(first["a.py"])
    assert restyled_files({"a.py": str(old)}, first) == first


@pytest.mark.parametrize("name", PASSES)
def test_no_pass_touches_a_text_that_is_not_python(name: str) -> None:
    assert PASSES[name]("x = 1\n", "x = (\n") == "x = (\n"
    files = {"a.cpp": "int x = (1);"}
    assert restyled_files({"a.cpp": ""}, files, (name,)) == files
