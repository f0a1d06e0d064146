"""Words that a program is searched by: what it is built of, not what its names happen to be.

An item's triggers are the words of the program it was learned from, made by the same function;
so a lesson meets programs that cost for the same reason. Pure.
Not here: the constructs themselves (`se_agent.program.constructs.finder`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from se_agent.program.clike.tokens import TokenKind, source
from se_agent.program.constructs.finder import constructs
from se_agent.program.error_template import error_template
from se_agent.program.features import features
from se_agent.program.language import Language
from se_agent.program.shape import shape
from se_agent.values.evaluation import Evaluation, Status
from se_agent.values.observation import Observation
from se_agent.values.solution import Solution

MOST_WORDS = 96
"""Words of a program at most; the first ones say most."""

_HOT = 0.1  # share of the cost from which on a line is hot
_QUADRATIC, _CUBIC = 1.6, 2.6  # measured exponents
_CALLED = 40  # names of a program that is no Python, the frequent ones first


def words_of(
    program: Solution,
    language: str,
    observed: Observation = Observation(),  # noqa: B008 - it is frozen
    failed: Evaluation | None = None,
) -> tuple[str, ...]:
    """Return the words of a program, each once; those that its hot lines show come first.

    Args:
        program: Its text.
        language: What it is written in.
        observed: What was measured of it.
        failed: How it failed; None: it is right.
    """
    found = [*_of_failure(failed)]
    for text in program.files.values():
        found += text_words(text, language, observed)
    found += _of_scaling(observed)
    return tuple(dict.fromkeys(found))[:MOST_WORDS]


def text_words(
    text: str,
    language: str,
    observed: Observation = Observation(),  # noqa: B008 - it is frozen
) -> tuple[str, ...]:
    """Return the words of one text, each once; see `words_of`."""
    is_python = language == Language.PYTHON
    found = _of_python(text, observed) if is_python else _of_tokens(text, language)
    return tuple(dict.fromkeys(found))[:MOST_WORDS]


def plain_words(word: str) -> tuple[str, ...]:
    """Return the words in which people speak of a construct; none where it has no others."""
    return _PLAIN.get(word, ())


def _of_failure(failed: Evaluation | None) -> Iterator[str]:
    """Yield the status of a failed program, its exception, and the words of its template."""
    if failed is None or failed.status is Status.AC:
        return
    yield f"status_{failed.status.lower()}"
    yield from _STATUS.get(failed.status, ())
    template = error_template(failed.feedback)
    if template.words:
        yield f"error_{template.key}"
        yield from (word for word in _letters(template.words) if len(word) > 2)


def _of_scaling(observed: Observation) -> Iterator[str]:
    if observed.scaling is not None:
        exponent = observed.scaling.exponent
        if exponent >= _CUBIC:
            yield "cubic"
        elif exponent >= _QUADRATIC:
            yield "quadratic"


def _of_python(text: str, observed: Observation) -> Iterator[str]:
    found = constructs(text)
    hot = {line.line for line in observed.hot if line.share >= _HOT}
    ordered = sorted(found, key=lambda one: one.line not in hot)
    words = list(dict.fromkeys(one.word for one in ordered))
    yield from words
    for word in words:
        yield from plain_words(word)
    counts = features(text)
    yield from (f"import_{name}" for name in counts.imports)
    if counts.loop_depth:
        yield f"depth_{min(counts.loop_depth, 3)}"
    for phrase in shape(text):
        yield phrase.replace(" ", "_")


def _of_tokens(text: str, language: str) -> Iterator[str]:
    """Yield what a program of another language calls and names, most frequent first."""
    read = source(text, Language(language)) if language in _TOKENS else None
    if read is None:
        return
    names = Counter(token.text for token in read.tokens if token.kind is TokenKind.NAME)
    for name, _ in names.most_common(_CALLED):
        if len(name) > 2:
            yield name.lower()


def _letters(text: str) -> Iterable[str]:
    return "".join(one if one.isalnum() else " " for one in text).split()


_TOKENS = frozenset(map(str, Language)) - {Language.PYTHON}
_STATUS: Mapping[Status, tuple[str, ...]] = {
    Status.TLE: ("slow", "time"),
    Status.MLE: ("memory",),
    Status.WA: ("wrong", "answer", "equal"),
    Status.RE: ("error",),
    Status.CE: ("compile",),
}

_PLAIN: Mapping[str, tuple[str, ...]] = {
    "membership_in_loop": ("membership", "test", "set"),
    "membership_of_grown_list": ("seen", "visited", "set", "duplicates"),
    "membership_of_literal": ("constant", "set"),
    "count_in_loop": ("count", "counter"),
    "later_indices": ("pairs", "partner"),
    "later_elements": ("pairs", "partner"),
    "pairs_of_one_sequence": ("pairs", "compared"),
    "sum_of_slice": ("sum", "slice", "running", "window", "prefix"),
    "range_sum": ("sum", "range", "prefix"),
    "range_update": ("range", "update", "difference"),
    "pop_from_front": ("front", "deque", "queue"),
    "min_in_loop": ("smallest", "heap"),
    "insert_in_loop": ("sorted", "place", "bisection"),
    "scan_for_place": ("sorted", "place", "bisection"),
    "scan_while_equal": ("characters", "search", "compare"),
    "pairs_searched_by_key": ("scanning", "edges", "neighbours", "dictionary"),
    "inner_search": ("first", "next", "searched"),
    "chain_of_constants": ("chain", "table", "look", "map"),
    "beginning_compared": ("prefix", "query"),
    "replace_in_loop": ("replace", "character", "table"),
    "flag_without_exit": ("leave", "answer", "flag", "early"),
    "invariant_call": ("once", "before", "change"),
    "loop_builds_list": ("comprehension", "append", "list"),
    "sorted_in_loop": ("sort", "once", "round"),
    "sort_in_loop": ("sort", "once", "round"),
    "swap": ("sort", "library", "swapping"),
    "call_cmp_to_key": ("sort", "key", "compare"),
    "index_in_loop": ("index", "position", "table"),
    "slice_handed_down": ("recursion", "copy", "index"),
    "text_grows": ("text", "join", "pieces"),
    "ord_in_loop": ("character", "table", "translate"),
    "replace_again_and_again": ("replace", "text"),
    "match_in_loop": ("pattern", "compile"),
    "sub_in_loop": ("pattern", "compile"),
    "findall_in_loop": ("pattern", "compile"),
    "compared_with_reverse": ("reverse", "palindrome", "centre"),
    "sorted_of_both_compared": ("sorted", "letters", "key", "group"),
    "startswith_in_loop": ("prefix", "query"),
    "branching_recursion": ("recursion", "results", "remember", "table"),
    "recursion_on_smaller_number": ("recursion", "results", "remember"),
    "recursion_in_loop": ("recursion", "search"),
    "recursion": ("recursion", "depth"),
    "earlier_indices": ("earlier", "table"),
    "table_of_rows": ("table", "row"),
    "table_cell_set": ("table", "row"),
    "call_permutations": ("permutations", "orders", "subsets"),
    "running_max": ("best", "maximum"),
    "running_min": ("lowest", "minimum"),
    "difference_of_elements": ("subtraction", "minimum", "purchase"),
    "call_deepcopy": ("copy", "state", "undo"),
    "work_list": ("nodes", "walk", "waiting"),
    "until_nothing_changes": ("round", "pass", "again"),
    "remainder_tested_in_loop": ("divisor", "divide", "multiples", "prime"),
    "product_modulo": ("modulo", "power", "product"),
    "power_modulo": ("modulo", "power"),
    "product_in_loop": ("product", "factorial"),
    "recurrence_step": ("recurrence", "index"),
    "float_equality": ("float", "tolerance", "decimals"),
    "factorial_in_loop": ("factorial", "table"),
    "loops_nested_3": ("nested", "loops", "matrix"),
    "loops_nested_2": ("nested", "loop"),
    "sum_of_numbers": ("closed", "form", "sum"),
    "call_input": ("input", "read"),
    "print_in_loop": ("print", "write", "output"),
    "whole_file": ("file", "lines", "memory"),
    "call_open": ("file",),
    "elements_compared_equal": ("characters", "comparing", "search"),
    "remove_in_loop": ("remove",),
}
"""How people speak of constructs: lessons have these words in titles and bodies."""
