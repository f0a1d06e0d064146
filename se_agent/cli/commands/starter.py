"""The files that `new` writes: for each kind a small problem that works."""

from __future__ import annotations

from collections.abc import Mapping

from se_agent.cli.commands.starter_programs import PROGRAMS
from se_agent.program.language import Language

_RUN = """\
# A run file: any key of docs/cli.md, "The run file". se-agent run FOLDER/run.toml
problem = "."                  # this folder

[budget]
evaluations = 20               # distinct candidates that are tried

# [models.main]                # a language model that writes candidates, too: docs/models.md
# name = "MODEL"
"""

_FUNCTION = {
    "problem.toml": """\
# What is asked of a program. problems/README.md has all keys.
kind = "function"
entry_point = "repeated"       # the function of initial.py that is called and timed

[inputs]                       # made by generate(rng, size) in generator.py
sizes = [10, 100, 2000, 4000]  # growing; the tests are made of the two smallest
final = 2000                   # proves the gain: let it take 20 to 200 ms
""",
    "initial.py": '''\
def repeated(names, banned):
    """Names that occur more than once and are not banned, in order of appearance.

    A program is right if it answers as this one does. Put your own function here.
    """
    found = []
    for name in names:
        if name not in banned and name not in found and names.count(name) > 1:
            found.append(name)
    return found
''',
    "generator.py": '''\
def generate(rng, size):
    """Return the arguments of one call, as a tuple. Draw from `rng` and from nothing else.

    Let it make the awkward inputs, too: a fault on inputs that never occur stays unseen.
    """
    names = [f"name-{rng.randrange(size)}" for _ in range(size)]
    banned = [f"name-{rng.randrange(size)}" for _ in range(size // 4)]
    return names, banned
''',
    "cases.toml": """\
# Tests by hand, besides the generated ones. Without `expected` the initial program says it.
[[case]]
name = "nothing"
args = "([], [])"
expected = "[]"

[[case]]
name = "three times is once"
args = "(['a', 'b', 'a', 'a'], ['b'])"
expected = "['a']"
""",
    "run.toml": _RUN,
}

_UNNAMED = '# language = "cpp"             # or c, rust, go, java, javascript'

_STDIO = {
    "problem.toml": f"""\
# What is asked of a program. problems/README.md has all keys.
kind = "stdio"                 # it reads standard input and prints
{_UNNAMED}

[inputs]                       # made by generate(rng, size) in generator.py
sizes = [10, 100, 2000, 4000]  # growing; the tests are made of the two smallest
final = 2000                   # proves the gain: let it take 20 to 200 ms
""",
    "initial.py": '''\
"""How many words of the second line stand in the first one.

A program is right if it prints what this one prints. Put your own program here.
"""

import sys


def main():
    first, second = sys.stdin.read().split("\\n")[:2]
    known = first.split()
    print(sum(1 for word in second.split() if word in known))


main()
''',
    "generator.py": '''\
def generate(rng, size):
    """Return the text of standard input. Draw from `rng` and from nothing else."""
    lines = [[f"w{rng.randrange(2 * size)}" for _ in range(size)] for _ in range(2)]
    return "\\n".join(" ".join(words) for words in lines) + "\\n"
''',
    "cases.toml": '''\
# Tests by hand, besides the generated ones. Without `stdout` the initial program says it.
[[case]]
name = "one of three"
stdin = """
a b
c b d
"""
stdout = """
1
"""
''',
    "run.toml": _RUN,
}

_SCORE = {
    "problem.toml": """\
# What is asked of a program. problems/README.md has all keys.
kind = "score"                 # an answer is rated, and not timed
entry_point = "pick"           # the function of initial.py that answers

[inputs]                       # made by generate(rng, size) in generator.py
sizes = [50, 300]              # growing; the last one is for the end
visible = 0

[score]                        # score(args, output) in scorer.py
direction = "maximize"
""",
    "initial.py": '''\
POWER = 0.0  # tune: 0.0..3.0


def pick(items, room):
    """Indices of items, each (value, weight), that fit into the room together.

    Numbers that are marked like POWER are tuned. Put your own program here.
    """
    order = sorted(
        range(len(items)), key=lambda i: items[i][0] / items[i][1] ** POWER, reverse=True
    )
    chosen = []
    for index in order:
        if items[index][1] <= room:
            room -= items[index][1]
            chosen.append(index)
    return chosen
''',
    "generator.py": '''\
def generate(rng, size):
    """Return the arguments of one call, as a tuple. Draw from `rng` and from nothing else."""
    items = [(rng.randint(1, 100), rng.randint(1, 60)) for _ in range(size)]
    return items, 8 * size
''',
    "scorer.py": '''\
def score(args, output):
    """Return how good an answer is. One that breaks a rule is a ValueError, with the reason."""
    items, room = args
    if len(set(output)) != len(output) or not all(0 <= i < len(items) for i in output):
        raise ValueError("not distinct indices of items")
    if sum(items[i][1] for i in output) > room:
        raise ValueError("too heavy")
    return sum(items[i][0] for i in output)
''',
    "run.toml": _RUN,
}

_WORKLOAD = {
    "problem.toml": """\
# What is asked of a program. problems/README.md has all keys.
kind = "workload"              # a package is made faster, as a function of yours uses it

[workload]                     # workload(...) in workload.py calls the package, and is timed
targets = ["shelf/books.py:Shelf.unread"]  # what may change: functions, methods, classes, files
# tests = "tests"              # tests of yours that each candidate has to pass, run by pytest

[inputs]                       # made by generate(rng, size)
generator = "workload.py"
sizes = [10, 100, 400, 800]    # growing; the tests are made of the two smallest
final = 800                    # proves the gain: let it take 20 to 200 ms
""",
    "workload.py": '''\
def generate(rng, size):
    """Return the arguments of one call, as a tuple. Draw from `rng` and from nothing else."""
    titles, read = ([str(rng.randrange(2 * size)) for _ in range(size)] for _ in range(2))
    return titles, read


def workload(titles, read):
    """Use the package as your program does: plain data in, plain data out.

    What it returns is what candidates are held to.
    """
    from shelf.books import Book, Shelf

    return Shelf([Book(title) for title in titles]).unread(read)
''',
    "shelf/__init__.py": "",
    "shelf/books.py": '''\
class Book:
    def __init__(self, title):
        self.title = title


class Shelf:
    """Put your own package beside this one, and name what is slow in problem.toml."""

    def __init__(self, books):
        self.books = books

    def unread(self, read):
        """Titles that are not among those read."""
        titles = [title for title in read]
        return [book.title for book in self.books if book.title not in titles]
''',
    "run.toml": _RUN,
}

STARTERS: Mapping[str, Mapping[str, str]] = {
    "function": _FUNCTION,
    "stdio": _STDIO,
    "score": _SCORE,
    "workload": _WORKLOAD,
}
"""Texts by file name, by kind of problem, in Python."""


def starter(kind: str, language: Language) -> Mapping[str, str]:
    """Return the texts by file name of a problem of some kind, in some language.

    Args:
        kind: A key of `STARTERS`.
        language: Other than Python for `stdio` only.
    """
    texts = dict(STARTERS[kind])
    if language is not Language.PYTHON:
        named = f'language = "{language}"'
        texts["problem.toml"] = texts["problem.toml"].replace(_UNNAMED, named)
        del texts["initial.py"]
        texts[f"initial{language.suffix}"] = PROGRAMS[language]
    return texts
