"""Functions of published packages, taken at random: how many get a proven gain?

The packages are named in the script, with their versions, and were chosen by name alone. Their
order and the functions of each are drawn by a fixed seed, before anything is looked at. Inputs
are the calls that the package's own tests make, of those files that pass as they are; these
tests are the gate, too. A function that cannot be measured is counted by its reason and the
next is drawn, until 40 were measured, those to which no rule has a change among them; a
package that was begun is finished. Where there is something to try the search is made with
three seeds. Fifty packages gave 36 functions once, with an earlier
search: twenty more were named then, likewise by name alone, and are drawn after them. Nothing
of a package is kept but names, versions, figures. pip fetches one package at a time when the
figure is made: SE_AGENT_PACKAGES says how many at most; without it the figure is left out.
"""

from __future__ import annotations

import os
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path

from experiments.figures.published import Published, UnfitError, fetched
from experiments.figures.rows import (
    Row,
    figures,
    fill,
    kept,
    past,
    se_agent,
    seeds,
    share,
    surely_past,
)
from se_agent.values.randomness import Purpose, rng_at

SEED = 1
MEASURED = 40
"""Functions after which no more are drawn."""

EACH = 16
"""Functions that are drawn of one package at most, lest a large one be all of the sample."""

EVALUATIONS = 40
SETTINGS = {"seed": SEED, "each": EACH, "evaluations": EVALUATIONS}

PACKAGES = (
    "base58==2.1.1",
    "bidict==0.23.1",
    "boltons==24.0.0",
    "chardet==5.2.0",
    "colour==0.1.5",
    "commonmark==0.9.1",
    "cssselect==1.2.0",
    "dpath==2.2.0",
    "emoji==2.11.0",
    "flatten-dict==0.4.2",
    "funcy==2.0",
    "geographiclib==2.0",
    "humanize==4.9.0",
    "idna==3.7",
    "inflection==0.5.1",
    "intervaltree==3.1.0",
    "isodate==0.6.1",
    "jmespath==1.0.1",
    "jsonpointer==2.4",
    "latexcodec==3.0.0",
    "markdown==3.6",
    "mistune==3.0.2",
    "more-itertools==10.2.0",
    "mpmath==1.3.0",
    "nameparser==1.1.3",
    "natsort==8.4.0",
    "num2words==0.5.13",
    "packaging==24.0",
    "parse==1.20.1",
    "polyline==2.0.2",
    "portion==2.4.2",
    "prettytable==3.10.0",
    "pyphen==0.15.0",
    "python-slugify==8.0.4",
    "python-stdnum==1.20",
    "semver==3.0.2",
    "simpleeval==0.9.13",
    "snowballstemmer==2.2.0",
    "sortedcontainers==2.4.0",
    "sqlparse==0.5.0",
    "strsimpy==0.2.1",
    "tabulate==0.9.0",
    "textdistance==4.6.2",
    "titlecase==2.4.1",
    "toolz==0.12.1",
    "wcwidth==0.2.13",
    "webcolors==1.13",
    "wordsegment==1.3.1",
    "xmltodict==0.13.0",
    "zxcvbn==4.4.28",
)

FURTHER = (
    "astor==0.8.1",
    "bitstring==4.1.4",
    "bleach==6.1.0",
    "boolean.py==4.0",
    "cachetools==5.3.3",
    "fuzzywuzzy==0.18.0",
    "html5lib==1.1",
    "hyperlink==21.0.0",
    "lark==1.1.9",
    "markdown2==2.4.13",
    "ply==3.11",
    "pyasn1==0.6.0",
    "pycodestyle==2.11.1",
    "pyparsing==3.1.2",
    "roman==4.2",
    "tinycss2==1.2.1",
    "tomlkit==0.12.4",
    "unidecode==1.3.8",
    "url-normalize==1.4.3",
    "validators==0.28.0",
)
"""Drawn after all of the others, in which 36 functions could be measured, and 40 are sought."""

_ALL = (*PACKAGES, *FURTHER)

_REASONS = {
    "its result: unsupported value": "an answer that is no plain data",
    "no tests were found": "no tests that pytest finds",
    "they never call": "never called by the tests",
    "there are no inputs": "no call with plain data",
    "unsupported value": "no call with plain data",
    "are too small to measure": "too small to measure",
    "the tests do not pass": "its tests do not pass in the jail",
    "is a generator": "a generator",
    "is non-deterministic": "not the same answer twice",
    "on every input": "it raises on every call",
}
"""Words of an error, and what they mean here."""

_NOTHING = "would have nothing to try"
"""Words of the error that a function can be measured, and no rule has a change to propose."""

_OTHER = "other"


def drawn(names: Sequence[str], address: int) -> list[str]:
    """Return names in an order that the seed gives; `address` tells draws apart."""
    order = rng_at(SEED, address, Purpose.BOOTSTRAP).permutation(len(names))
    return [names[i] for i in order]


def order() -> list[str]:
    """Return all packages in the order in which they are taken."""
    return [*drawn(PACKAGES, 0), *drawn(FURTHER, 1 + len(_ALL))]


def rows() -> dict[str, Row]:
    """Take packages in turn until enough functions were measured."""
    most = int(os.environ.get("SE_AGENT_PACKAGES", "0"))
    for requirement in order()[:most]:
        known = _kept()
        if requirement in known or len(_measured(known, seed=0)) < MEASURED:
            _package(requirement, known)
    return _kept()


def _package(requirement: str, known: Mapping[str, Row]) -> None:
    """Make what is missing of a package: the row of its draw, then those of its functions."""
    if requirement in known and not _missing(requirement, known):
        return
    with tempfile.TemporaryDirectory(prefix="se-agent-package-") as folder:
        try:
            package = fetched(requirement, Path(folder))
        except UnfitError as err:
            unfit: Row = {"drawn": [], "unfit": err.why.value}
            _fill({requirement: lambda: unfit})
            return
        names = drawn(package.functions(), 1 + _ALL.index(requirement))[:EACH]
        known = _fill({requirement: lambda: {"drawn": names}})
        while missing := _missing(requirement, known):
            made = {key: partial(_row, package, *of) for key, of in missing.items()}
            known = _fill(made)


def _missing(requirement: str, known: Mapping[str, Row]) -> dict[str, tuple[str, int]]:
    """Return the rows that a package lacks by now: of which function, with which seed.

    Further seeds are of use where the first one found something to try.
    """
    wanted: dict[str, tuple[str, int]] = {}
    for name in known[requirement]["drawn"]:
        function = f"{requirement}/{name}"
        searched = _is_searched(known.get(function, {}))
        for seed in seeds() if searched else (0,):
            wanted[_key(function, seed)] = (name, seed)
    return {key: of for key, of in wanted.items() if key not in known}


def _key(function: str, seed: int) -> str:
    return f"{function}/{seed}" if seed else function


def _is_searched(row: Row) -> bool:
    return "evaluations" in row and row["status"] != "nothing_to_try"


def _measured(known: Mapping[str, Row], *, seed: int) -> dict[str, Row]:
    """Return the runs with a seed, by function; where nothing is to be tried all are alike."""
    first = {k: row for k, row in known.items() if "evaluations" in row and "seed" not in row}
    return {key: known.get(_key(key, seed), row) for key, row in first.items()}


def _kept() -> dict[str, Row]:
    return kept("packages", settings=SETTINGS)


def _fill(tasks: Mapping[str, Callable[[], Row]]) -> dict[str, Row]:
    return fill("packages", tasks, settings=SETTINGS)


def _row(package: Published, name: str, seed: int) -> Row:
    """Optimize one function, with the package's tests as inputs and as a gate."""
    with tempfile.TemporaryDirectory() as results:
        found = se_agent(
            "optimize",
            str(package.source / name),
            "--tests",
            str(package.tests),
            "--python",
            str(package.venv),
            "--set",
            f"results={results}",
            "--set",
            f"budget.evaluations={EVALUATIONS}",
            "--set",
            f"seed={seed}",
            "--set",
            "memory.prior=false",
        )
    if _NOTHING in found.get("error", ""):
        row: Row = {"status": "nothing_to_try", "evaluations": 0}
    elif "error" in found:
        row = {"status": "not_measured", "reason": reason(found["error"])}
    else:
        row = figures(found)
    return row | ({"seed": seed} if seed else {})


def reason(error: str) -> str:
    """Return why a function cannot be measured, in the words of the table."""
    return next((said for words, said in _REASONS.items() if words in error), _OTHER)


def table(found: dict[str, Row]) -> str:
    """Return the Markdown of the figure."""
    functions = {k: row for k, row in found.items() if "drawn" not in row and "seed" not in row}
    runs = [_measured(found, seed=seed) for seed in seeds()]
    unfit = Counter(row["unfit"] for row in found.values() if "unfit" in row)
    reasons = Counter(row["reason"] for row in functions.values() if "reason" in row)
    heads = [f"seed {seed}" for seed in seeds()]
    lines = [
        "| figure | value |",
        "|---|--:|",
        f"| packages fetched | {sum('drawn' in row for row in found.values())} |",
        *(f"| of these, {why} | {n} |" for why, n in sorted(unfit.items())),
        f"| functions drawn | {len(functions)} |",
        *(f"| of these, {why} | {n} |" for why, n in sorted(reasons.items())),
        f"| functions measured (of {MEASURED} sought) | {len(runs[0])} |",
        f"| of these, no rule had a change to propose | {_idle(runs[0].values())} |",
        "",
        _cells("functions measured with", heads),
        _cells("---", ["--:" for _ in heads]),
        *(
            _cells(
                f"proven gain of {x}x or more{how}",
                [share(count(each.values(), x), len(each)) for each in runs],
            )
            for x in (1.1, 1.5)
            for how, count in (("", past), (", its whole interval", surely_past))
        ),
        "",
        _cells("function", heads),
        _cells("---", ["---" for _ in heads]),
        *(_cells(key, [_told(each[key]) for each in runs]) for key in sorted(runs[0])),
    ]
    return "\n".join(lines)


def _cells(name: str, values: Iterable[str]) -> str:
    return f"| {' | '.join([name, *values])} |"


def _idle(runs: Iterable[Row]) -> int:
    return sum(row["status"] == "nothing_to_try" for row in runs)


def _told(row: Row) -> str:
    """Return how a search ended, with its gain and the interval (99 %) where one is proven."""
    if row["status"] != "proven":
        return str(row["status"]).replace("_", " ")
    return f"{row['gain']:.2f}x ({row['gain_low']:.2f} to {row['gain_high']:.2f})"
