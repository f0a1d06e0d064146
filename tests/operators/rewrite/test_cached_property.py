"""Properties are worked out once for each object, where nobody can tell the difference."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.rewrite.cached_property import CachedProperty
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import assert_equivalent, dedented, rewritten

SLOW = """
class Shelf:
    def __init__(self, books):
        self._books = list(books)
        self.owner = None

    @property
    def by_title(self):  # a look-up
        return {title: pages for title, pages in self._books}

    @property
    def size(self):
        return sum(self.by_title.values())

    def pages(self, title):
        return self.by_title.get(title, 0)

def solve(books, titles):
    shelf = Shelf(books)
    return [shelf.pages(title) for title in titles], shelf.size
"""
TREE = """
class Folder:
    def __init__(self, name, parent=None):
        self.name = name
        self.parent = parent
        self.children = []
        if parent is not None:
            parent.children.append(self)

    @property
    def path(self):
        if self.parent is None:
            return []
        return self.parent.path + [self.parent.name]

    @property
    def height(self):
        return 1 + max([child.height for child in self.children], default=0)

    @property
    def below(self):
        found = []
        for child in self.children:
            found.append(child)
            found += child.below
        return found

def made(parents):
    folders = [Folder("root")]
    for i, parent in enumerate(parents):
        folders.append(Folder(str(i), folders[parent % len(folders)]))
    return folders

def solve(parents):
    report = []
    for folder in made(parents):
        report.append((folder.name, "/".join(folder.path), folder.height, len(folder.below)))
    return report
"""


def cached(text: str, *names: str) -> str:
    """Return the text with these properties remembered, and the import."""
    for name in names:
        one = f"    @property\n    def {name}(self):"
        text = text.replace(one, one.replace("@", "@cached_"))
    return "from functools import cached_property\n\n" + dedented(text)


class TestContract(RuleContract):
    rule = CachedProperty
    slow = dedented(SLOW)
    others = (dedented(TREE),)


def test_each_property_is_remembered_alone_and_all_of_a_class_together() -> None:
    ways = [["by_title"], ["by_title", "size"], ["size"]]
    assert rewritten(CachedProperty(), SLOW) == [cached(SLOW, *names) for names in ways]
    edits = [c.edit.parameters for c in CachedProperty().candidates(dedented(SLOW))]
    assert edits == [(), (("properties", "all"),), ()]


def test_recursive_properties_of_a_tree_are_remembered() -> None:
    ways = [["path"], ["path", "height", "below"], ["height"], ["below"]]
    assert rewritten(CachedProperty(), TREE) == [cached(TREE, *names) for names in ways]


@given(st.lists(st.tuples(st.text("ab", max_size=2), st.integers(0, 9)), max_size=5))
def test_same_answers_of_a_shelf(books: list[tuple[str, int]]) -> None:
    assert_equivalent(CachedProperty(), SLOW, books, ["a", "b", "ab"])


@given(st.lists(st.integers(0, 9), max_size=8))
def test_same_answers_of_a_tree(parents: list[int]) -> None:
    assert_equivalent(CachedProperty(), TREE, parents)


def fires(text: str, *names: str) -> bool:
    """Whether one of these properties would be remembered."""
    found = rewritten(CachedProperty(), text)
    return any(f"cached_property\n    def {name}(self)" in t for t in found for name in names)


MADE = "return {title: pages for title, pages in self._books}"
PAGES = "    def pages(self, title):"
SOLVE = "def solve"
LOG = "        self.log.append(n)"
ASK = "    return [shelf"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("list(books)", "books"),
        ("return sum", "more = 0\n        more += 1\n        return more + sum"),
        (ASK, f"    seen = []\n    seen.append(1)\n{ASK}"),
        (MADE, "new = {}\n        for t, n in self._books: new[t] = n\n        return new"),
        (PAGES, f"    def __iter__(self):\n        return iter(self._books)\n\n{PAGES}"),
        (PAGES, f"    def lend(self, name):\n        self.owner = name\n\n{PAGES}"),
        ("self.by_title.get(title, 0)", "self.by_title[title]"),
        # What the file does otherwise
        ("class Shelf:", "class Shelf(object):"),
        ("list(books)", "tuple(books)"),
        (PAGES, f"    def note(self, n):\n        self.owner += n\n\n{PAGES}"),
        ("self.owner = None", f"self.log = []\n\n    def note(self, n):\n{LOG}"),
        (PAGES, f"    def filter(self, copy, id): return copy, id\n\n{PAGES}"),
        (PAGES, f"    def __repr__(self): return f'{{type(self).__name__}}'\n\n{PAGES}"),
        (PAGES, f"    def __call__(self): self.owner = 1\n\n{PAGES}"),
        (PAGES, f"    def __lt__(self, other): return self.owner < other.owner\n\n{PAGES}"),
        (SOLVE, f"def best():\n    h = []\n    heappush(h, 1)\n    return h\n\n{SOLVE}"),
        ("size", "total"),
    ],
)  # fmt: skip
def test_these_variants_are_remembered(old: str, new: str) -> None:
    assert old in SLOW
    assert fires(SLOW.replace(old, new), "by_title")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        # The class
        ("class Shelf:", "class Shelf:\n    __slots__ = ()"),
        ("class Shelf:", "@register\nclass Shelf:"),
        ("class Shelf:", "class Shelf(Base):"),
        ("class Shelf:", "class Shelf(metaclass=Meta):"),
        (SOLVE, f"class Other(Shelf):\n    pass\n\n{SOLVE}"),
        (SOLVE, f"class Other:\n    @property\n    def by_title(self): return 1\n\n{SOLVE}"),
        (PAGES, f"    def __getattr__(self, name):\n        return 1\n\n{PAGES}"),
        (PAGES, f"    @by_title.setter\n    def by_title(self, new):\n        pass\n\n{PAGES}"),
        (PAGES, f"    other = by_title\n\n{PAGES}"),
        (ASK, f"    vars(shelf).clear()\n{ASK}"),
        (ASK, f"    print(Shelf.by_title)\n{ASK}"),
        (ASK, f"    kind = Shelf\n    print(kind.by_title)\n{ASK}"),
        (ASK, f"    print(type(shelf).by_title, shelf.__class__.by_title)\n{ASK}"),
        (SOLVE, f"def property(f):\n    return f\n\n{SOLVE}"),
        ("class Shelf:", "from lib import *\nclass Shelf:"),
        # The getter
        (MADE, "print(1)\n        return {t: p for t, p in self._books}"),
        (MADE, "self.n = 1\n        return {t: p for t, p in self._books}"),
        (MADE, "return {t: now() for t, p in self._books}"),
        (MADE, "return {t: self.pick() for t, p in self._books}"),
        (MADE, "return ((t, p) for t, p in self._books)"),
        (MADE, "return zip(self._books, self._books)"),
        (MADE, "return {t: [p] for t, p in self._books}"),
        (MADE, "return dict(a=[t for t, p in self._books])"),
        (MADE, "found = self._books\n        found += [(1, 2)]\n        return dict(found)"),
        (MADE, "return {t: RATE for t, p in self._books}"),
        ("    def by_title(self):", "    async def by_title(self):"),
        # What it reads
        (ASK, f"    shelf._books = []\n{ASK}"),
        (ASK, f"    shelf._books.append(('a', 1))\n{ASK}"),
        (ASK, f"    shelf._books[0] = 1\n{ASK}"),
        (ASK, f"    known = shelf._books\n    known.append(('a', 1))\n{ASK}"),
        (ASK, f"    known = shelf._books\n    known *= 2\n{ASK}"),
        (ASK, f"    for book in shelf._books:\n        book[1] = 3\n{ASK}"),
        (ASK, f"    fill(shelf._books)\n{ASK}\n\ndef fill(xs):\n    xs.append(1)"),
        (ASK, f"    shelf._books.reload()\n{ASK}"),
        (ASK, f"    shelf.__init__([])\n{ASK}"),
        ("self.owner = None", "self.owner = lambda book: self._books.append(book)"),
        ("list(books)", "open(books)"),
        ("list(books)", "(book for book in books)"),
        ("def __init__(self, books):", "def load(self, books):"),
        (ASK, f"    type(shelf).__init__(shelf, [])\n{ASK}"),
        (ASK, f"    again = shelf.__init__\n    again([])\n{ASK}"),
        (ASK, f"    shelf.__class__ = Shelf\n{ASK}"),
        (ASK, f"    heappop(shelf._books)\n{ASK}"),
        (ASK, f"    add = books.append\n    add(('a', 1))\n{ASK}"),
        (
            "    shelf =",
            "    found = []\n    books.extend = found.append\n    found += books\n    shelf =",
        ),
        ("= None", "= self._log = []\n\n    def note(self, n):\n        self._log.append(n)\n"),
        (
            "None",
            f"self._books\n\n    def note(self, n):\n        self.owner.append(n)\n{PAGES}0",
        ),
        (ASK, f"    books.append(('a', 1))\n{ASK}"),
        ("        self.owner = None", "        self.owner = self.pages('a')"),
        ("        self.owner = None", "        self.owner = len(self.by_title)"),
        (PAGES, f"    def __len__(self):\n        return len(self.by_title)\n\n{PAGES}"),
        ("    def __init__(self, b", "    _books = Field()\n\n    def __init__(self, b"),
        # Who asks
        ("return self.by_title.get(title, 0)", "return self.by_title"),
        ("return self.by_title.get(title, 0)", "self.kept = self.by_title"),
        ("return self.by_title.get(title, 0)", "return self.by_title is title"),
        ("return self.by_title.get(title, 0)", "return self.by_title.pop(title)"),
        ("return self.by_title.get(title, 0)", "return self.by_title.setdefault(title, 0)"),
        ("return self.by_title.get(title, 0)", "return keep(self.by_title)"),
        ("return self.by_title.get(title, 0)", "return id(self.by_title)"),
        (ASK, f"    known = shelf.by_title\n    known['a'] = 1\n{ASK}"),
        (ASK, f"    known = shelf.by_title\n    return known\n{ASK}"),
        (ASK, f"    shelf.by_title = {{}}\n{ASK}"),
        (ASK, f"    del shelf.by_title\n{ASK}"),
        (ASK, f"    getattr(shelf, 'by_title').clear()\n{ASK}"),
    ],
)
def test_what_may_differ_is_left(old: str, new: str) -> None:
    assert old in SLOW
    assert not fires(SLOW.replace(old, new), "by_title")


@pytest.mark.parametrize("given", ["iter(books)", "mine", "each()", "(b for b in books)"])
def test_what_can_be_read_but_once_is_left(given: str) -> None:
    text = SLOW.replace("list(books)", "books")
    more = "\ndef each(): yield 1\n\ndef other(mine): mine = zip(mine, mine)\n"
    assert fires(text + more, "by_title")
    assert not fires(text.replace("Shelf(books)", f"Shelf({given})") + more, "by_title")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("len(folder.below)))", "len(folder.below)))\n        Folder('x', folder)"),
        ("    return report", "    made(parents)\n    return report"),
        ("    return folders", "    return [(f.path, f.height, f.below) for f in folders]"),
        ("    return folders", "    yield folders"),
        ("def solve", "ROOT = Folder('root')\n\ndef solve"),
        ("def made", "    def grow(self): return Folder('x', self)\n\ndef made"),
    ],
)
def test_a_tree_that_may_grow_once_it_was_asked_is_left(old: str, new: str) -> None:
    assert old in TREE
    assert not fires(TREE.replace(old, new), "path", "height", "below")
