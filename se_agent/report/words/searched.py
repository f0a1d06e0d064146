"""What rules look for, in a few plain lines: said where they found nothing, or nothing more.

Not here: what a single rule does, which `se-agent operators` tells.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from se_agent.program.slow_spots import slow_spots
from se_agent.wording import counted

_FAMILIES = {
    "a list that is searched or counted in a loop, where a set or a dictionary would do": (
        "bisect_insertion constant_set_literal counter dictionary_default distinct_map "
        "first_by_key join_dict position_table scan_back seen_keys seen_set "
        "attribute_set set_membership triangular_join"
    ),
    "work that is done again: in each pass of a loop, in a recursion, for a running total": (
        "cached_calls cached_function cached_property compiled_table constant_table "
        "fold_table handed_down inlined_return iteration_by_table loop_invariant "
        "memoize_recursion prefix_counts prefix_sums regex_hoist row_sets running_aggregate"
    ),
    "a text, list or dictionary that grows or shrinks in a loop and is copied for each step": (
        "attribute_buffer attribute_building bit_buffer buffer_building "
        "chained_sum cursor_removal front_offset list_building "
        "match_position path_in_place slice_recursion string_building update_in_place"
    ),
    "work that the answer does not need: passes after it is known, copies, whole lists": (
        "early_exit generator_instead_of_list guard_first islice_window lazy_log "
        "mirror_compare needless_copy scan_guard sorted_compare"
    ),
    "loops step by step, where one call in C does the same: sum, join, slice, translate": (
        "bulk_io character_table class_replace direct_callable inline_min_max "
        "nested_product numpy_product separated_join slice_assignment "
        "strided_slice string_translate sum_over_generator while_to_for"
    ),
    "sorting by hand, the smallest element searched for anew, the front of a list taken": (
        "counted_sort deque_popleft heap_min library_sort sorted_queue"
    ),
    "divisors, primes, powers, sums and products that arithmetic makes short": (
        "binomial closed_form_sum divisor_pairs modular_power primality_test "
        "product_tree trial_division_bound"
    ),
    "copies, containers, loops and output of C++ that cost more than they need to": (
        "append_in_place compiler_flags container_choice fast_io loop_interchange newline "
        "pass_by_reference reserve_space"
    ),
    "a known function that gives the same answers": "archetype",
    "a solver marked as one, to search around": "search_perturb search_relocate search_restart",
    "constants marked `# tune: LOW..HIGH`": "tune tune_cma tune_tpe",
    "constants that could be tuned": "tune_literals",
}
_OF_OTHERS = frozenset({"crossover", "mend", "polish"})
"""Operators that unite what others found, or mend it: they look for nothing of their own."""


def families(names: Collection[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield what these operators look for, with those of them that look for it.

    Args:
        names: Names of operators, in any order; those of other packages come last.
    """
    left = {name for name in names if name not in _OF_OTHERS}
    for what, known in _FAMILIES.items():
        if mine := sorted(left.intersection(known.split())):
            left.difference_update(mine)
            yield what, mine
    if left:
        yield f"what {', '.join(sorted(left))} would change", sorted(left)


def without_rule(text: str, function: str = "") -> Iterator[str]:
    """Yield a line for each slow spot of a program in Python that no rule changes.

    Args:
        text: The program.
        function: The only function to look at, with what it calls; empty for all.
    """
    if spots := slow_spots(text, function):
        yield "seen, and no rule is there for it:"
    for spot in spots:
        where = f"line {spot.line}: `{spot.code}` {spot.reason}"
        yield f"  - {where}; a model would be asked for {spot.wish}"


def nothing_found(names: Collection[str]) -> Iterator[str]:
    """Yield a line for each thing that was looked for and is not there."""
    yield "looked for, and not found:"
    for what, mine in families(names):
        yield f"  - {what} ({counted(len(mine), 'rule')})"
