"""A small package with slow methods, generators, async functions and objects, and its use."""

from __future__ import annotations

from pathlib import Path

from tests.cli.calls import Called, call

BOOKS = '''\
"""Books."""
from __future__ import annotations


class Book:
    def __init__(self, title, tags):
        self.title = title
        self.tags = tags


class Shelf:
    def __init__(self, books):
        self.books = books

    def unread(self, read):
        """Titles that are not among those read."""
        titles = [title for title in read]
        return [book.title for book in self.books if book.title not in titles]

    def size(self):
        return len(self.books)


def fresh(books, read):
    """Give the books that were not read, one by one."""
    titles = [title for title in read]
    for book in books:
        if book.title not in titles:
            yield book


async def asked(books, read):
    titles = [title for title in read]
    return [book.title for book in books if book.title not in titles]


def tagged(shelf, read):
    """Take an object."""
    titles = [title for title in read]
    return {book.title: book.tags for book in shelf.books if book.title not in titles}


def never():
    return 1
'''
USE = '''\
"""How a program uses the package."""

SIZES = [100, 200, 400]


def generate(rng, size):
    pick = lambda: [str(rng.randrange(2 * size)) for _ in range(size)]
    return pick(), pick()


def _books(titles):
    from shelf import Book

    return [Book(title, [len(title)]) for title in titles]


def method(titles, read):
    from shelf import Shelf

    return Shelf(_books(titles)).unread(read)


def generator(titles, read):
    from shelf import fresh

    return [book.title for book in fresh(_books(titles), read)]


def coroutine(titles, read):
    import asyncio

    from shelf import asked

    running = asked(_books(titles), read)
    try:
        running.send(None)
    except StopIteration as end:
        return end.value


def taking(titles, read):
    from shelf import Shelf, tagged

    return tagged(Shelf(_books(titles)), read)
'''
TESTS = """\
from shelf import Book, Shelf


def test_unread():
    assert Shelf([Book("a", []), Book("b", [])]).unread(["a"]) == ["b"]
"""
QUICK = tuple(
    part
    for setting in (
        "operators=set_membership",
        "budget.evaluations=2",
        "measure.self_test_blocks=3",
        "measure.fast_seconds=0.003",
        "measure.slow_seconds=0.02",
        "judge.pairs=4",
        "judge.counterexample_seconds=2",
    )
    for part in ("--set", setting)
)
QUICKEST = tuple(
    part
    for setting in (
        "budget.evaluations=1",
        "judge.min_blocks=1",
        "judge.counterexample_seconds=0",
    )
    for part in ("--set", setting)
)
"""Further ones, for a gain that is found and proven, with a doubt: nothing refuted it."""


def shelf_in(folder: Path) -> Path:
    """Write the project and return its module."""
    (folder / "shelf").mkdir()
    (folder / "tests").mkdir()
    names = "Book, Shelf, asked, fresh, tagged"
    for path, text in {
        "shelf/__init__.py": f"from .books import {names}\n",
        "shelf/books.py": BOOKS,
        "use.py": USE,
        "tests/test_shelf.py": TESTS,
    }.items():
        (folder / path).write_text(text, encoding="utf-8")
    return folder / "shelf" / "books.py"


def optimize(target: str, workload: str, *options: str) -> Called:
    """Run `optimize` of something in the module with a function of the file that uses it."""
    what = f"shelf/books.py:{target}" if target else "shelf/books.py"
    return call("optimize", what, "--workload", f"use.py:{workload}", *QUICK, *options)
