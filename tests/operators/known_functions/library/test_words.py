"""Letters and words against loops over single characters."""

from __future__ import annotations

from itertools import combinations, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.known_functions.library import characters as c
from operators.known_functions.library import words as w

from .agreement import Law, by_name, check, without_law
from .drawn import few, ints, some_words, words

VOWELS = "aeiou"


def turned(text: str) -> str:
    result = ""
    for letter in text:
        result = letter + result
    return result


def kept(text: str) -> str:
    return "".join(x.lower() for x in text if x.isalpha() or x.isdigit())


def once(text: str) -> list[str]:
    return [x for x in text if text.count(x) == 1]


def again(text: str) -> list[str]:
    return [x for i, x in enumerate(text) if x in text[:i]]


def most(items: list[str]) -> list[str]:
    return [x for x in items if items.count(x) == max(map(items.count, items))]


def grouped(text: str, *, by_value: bool) -> str:
    return "".join(
        sorted(text, key=lambda x: (-text.count(x), x if by_value else text.index(x)))
    )


def vanish(text: str) -> str:
    for i in range(len(text) - 1):
        if text[i] == text[i + 1]:
            return vanish(text[:i] + text[i + 2 :])
    return text


def matched(xs: list[int], ys: list[int]) -> bool:
    n = len(xs)
    return len(ys) == n and all(
        (xs[i] == xs[j]) == (ys[i] == ys[j]) for i in range(n) for j in range(n)
    )


def struck(part: str, text: str) -> bool:
    return part in {"".join(x) for x in combinations(text, len(part))}


def turned_in_place(text: str, moves: str) -> str:
    places = [i for i, x in enumerate(text) if x in moves]
    result = list(text)
    for i, j in zip(places, places[::-1], strict=True):
        result[i] = text[j]
    return "".join(result)


def taken(first: str, second: str) -> list[str]:
    left = list(second)
    rest = []
    for x in first:
        if x in left:
            left.remove(x)
        else:
            rest.append(x)
    return rest


def different(a: str, b: str) -> int:
    if len(a) != len(b):
        raise ValueError
    return sum(a[i] != b[i] for i in range(len(a)))


def in_turn(a: str, b: str) -> str:
    return a + b if not a or not b else a[0] + b[0] + in_turn(a[1:], b[1:])


def starts(words: list[str]) -> str:
    if not words:
        return ""
    word = words[0]
    sizes = [n for n in range(len(word) + 1) if all(x[:n] == word[:n] for x in words)]
    return word[: max(sizes)]


def anagram(a: str, b: str) -> bool:
    return sorted(a) == sorted(b)


def classes(words: list[str]) -> list[list[str]]:
    groups: list[list[str]] = []
    for word in words:
        for group in groups:
            if anagram(group[0], word):
                group.append(word)
                break
        else:
            groups.append([word])
    return groups


def by(words: list[str], size: int | None) -> dict[object, list[str]]:
    keys = [len(x) if size is None else x[0] for x in words]
    return {k: [x for x, y in zip(words, keys, strict=True) if y == k] for k in keys}


def covers(word: str, demand: str) -> bool:
    return not taken(demand, word)


def runs(text: str) -> list[str]:
    result: list[str] = []
    for x in text:
        if result and result[-1][0] == x:
            result[-1] += x
        else:
            result.append(x)
    return result


def snake(name: str) -> str:
    result = ""
    for x in name:
        result += ("_" if x.isupper() and result else "") + x.lower()
    return result


def camel(name: str) -> str:
    result = ""
    for i, x in enumerate(name):
        if x != "_":
            result += x.upper() if i and name[i - 1] == "_" else x
    return result


letters = st.text("abAB", max_size=7)
mixed = st.text("aEb1 .Z", max_size=9)
beyond = mixed | st.text("aEb1Z\u00c4\u00e9\u0663\u212a", max_size=9)
two = st.tuples(st.text("abc", max_size=5), st.text("abc", max_size=5))
shuffled = st.text("abA ", max_size=5).flatmap(
    lambda x: st.tuples(st.just(x), st.permutations(x).map("".join))
)
turned_pair = st.tuples(st.text("ab", max_size=5), st.integers(0, 5)).map(
    lambda p: (p[0], p[0][p[1] :] + p[0][: p[1]])
)
alphabet = st.sampled_from(["abcdefghijklmnopqrstuvwxyz", "ABCdefghijklm nopqrstuvwxyz", "abc"])
pattern = st.tuples(*[st.lists(st.integers(0, 2), min_size=3, max_size=4)] * 2)
line = st.text("abA ", max_size=12)
part = st.text("ab", max_size=2)
names = st.from_regex(r"[a-c]+(_[a-c0]+)*", fullmatch=True)
LAWS = [
    Law(c.backwards, turned, letters),
    Law(c.is_palindrome, lambda x: x == turned(x), letters),
    Law(c.is_palindrome_of_letters, lambda x: kept(x) == turned(kept(x)), mixed),
    Law(c.is_palindrome_ignoring_case, lambda x: x.lower() == turned(x).lower(), letters),
    Law(c.are_anagrams, anagram, two | shuffled),
    Law(
        c.are_anagrams_of_letters,
        lambda a, b: anagram(a.lower().replace(" ", ""), b.lower().replace(" ", "")),
        two | shuffled,
    ),
    Law(
        c.are_rotations,
        lambda a, b: b in {a[i:] + a[:i] for i in range(len(a) + 1)},
        two | turned_pair,
    ),
    Law(c.are_isomorphic, lambda a, b: matched([*map(ord, a)], [*map(ord, b)]), two),
    Law(c.follow_the_same_pattern, matched, pattern | st.tuples(ints, ints)),
    Law(c.is_text_subsequence, struck, two),
    Law(
        c.is_pangram,
        lambda x: all(chr(97 + i) in x.lower() for i in range(26)),
        alphabet | mixed,
    ),
    Law(c.has_distinct_letters, lambda x: not again(x), letters),
    Law(c.can_be_spelled, lambda a, b: covers(b, a), two),
    Law(
        c.can_become_palindrome,
        lambda x: any(p == p[::-1] for p in permutations(x)),
        st.text("abc", max_size=5),
    ),
    Law(c.first_unique_letter, lambda x: once(x)[0], letters),
    Law(c.first_unique_place, lambda x: x.index(once(x)[0]) if once(x) else -1, letters),
    Law(c.first_repeated_letter, lambda x: again(x)[0], letters),
    Law(c.most_frequent_letter, lambda x: most([*x])[0], letters),
    Law(c.most_frequent_smallest_letter, lambda x: min(most([*x])), letters),
    Law(c.letter_counts, lambda x: {y: x.count(y) for y in x}, letters),
    Law(c.letters_by_frequency, lambda x: grouped(x, by_value=True), letters),
    Law(c.letters_by_frequency_then_place, lambda x: grouped(x, by_value=False), letters),
    Law(c.letters_sorted, lambda x: min(map("".join, permutations(x))), part | two.map(max)),
    Law(
        c.distinct_letters,
        lambda x: "".join(y for i, y in enumerate(x) if y not in x[:i]),
        letters,
    ),
    Law(c.count_distinct_letters_ignoring_case, lambda x: len({*x.lower()}), mixed),
    Law(c.without_repeated_neighbours, lambda x: "".join(y[0] for y in runs(x)), letters),
    Law(c.without_annihilated_pairs, vanish, st.text("ab", max_size=9)),
    Law(c.without_letters, lambda x, y: "".join(z for z in x if z not in y), two),
    Law(c.without_vowels, lambda x: "".join(y for y in x if y.lower() not in VOWELS), mixed),
    Law(c.count_vowels, lambda x: sum(y in VOWELS for y in x.lower()), mixed),
    Law(c.count_lower_vowels, lambda x: sum(y in VOWELS for y in x), mixed),
    Law(
        c.count_consonants,
        lambda x: sum("a" <= y <= "z" and y not in VOWELS for y in x.lower()),
        beyond,
    ),
    Law(c.count_upper, lambda x: sum(y.isupper() for y in x), beyond),
    Law(c.count_lower, lambda x: sum(y.islower() for y in x), beyond),
    Law(c.count_digits_in_text, lambda x: sum(y.isdigit() for y in x), beyond),
    Law(c.digits_only, lambda x: "".join(y for y in x if y.isdigit()), beyond),
    Law(c.sum_of_codes, lambda x: sum(ord(y) for y in x), beyond),
    Law(c.sum_of_upper_codes, lambda x: sum(ord(y) for y in x if y.isupper()), beyond),
    Law(
        c.case_swapped,
        lambda x: "".join(y.lower() if y.isupper() else y.upper() for y in x),
        mixed,
    ),
    Law(
        c.titled,
        lambda x: "".join(
            y.lower() if i and x[i - 1].isalpha() else y.upper() for i, y in enumerate(x)
        ),
        mixed,
    ),
    Law(c.letters_reversed_in_place, lambda x: turned_in_place(x, "aEbZ"), mixed),
    Law(c.vowels_reversed_in_place, lambda x: turned_in_place(x, "aeiouAEIOU"), mixed),
    Law(c.count_different_letters, different, two),
    Law(c.letters_to_change_into_anagram, lambda a, b: len(taken(a, b)), two),
    Law(
        c.letters_to_delete_for_anagrams, lambda a, b: len(taken(a, b)) + len(taken(b, a)), two
    ),
    Law(c.letters_in_turn, in_turn, two),
    Law(w.count_words, lambda x: sum(map(bool, x.split(" "))), line),
    Law(w.words_reversed, lambda x: " ".join(reversed(x.split())), line),
    Law(w.each_word_reversed, lambda x: " ".join(map(turned, x.split(" "))), line),
    Law(w.each_word_sorted, lambda x: " ".join("".join(sorted(y)) for y in x.split(" ")), line),
    Law(
        w.words_capitalised,
        lambda x: " ".join(y[0].upper() + y[1:].lower() for y in x.split()),
        line,
    ),
    Law(w.words_sorted, lambda x: min(map(" ".join, permutations(x.split()))), line),
    Law(w.words_by_length, lambda x: " ".join(sorted(x.split(), key=len)), line),
    Law(
        w.distinct_words,
        lambda x: " ".join(y for i, y in enumerate(x.split()) if y not in x.split()[:i]),
        line,
    ),
    Law(
        w.longest_word,
        lambda x: [y for y in x.split() if all(len(y) >= len(z) for z in x.split())][0:1].pop(),
        line,
    ),
    Law(
        w.shortest_word,
        lambda x: [y for y in x.split() if all(len(y) <= len(z) for z in x.split())][0:1].pop(),
        line,
    ),
    Law(w.length_of_last_word, lambda x: len(["", *x.split()][-1]), line),
    Law(w.word_lengths, lambda x: [len(y) for y in x.split(" ") if y], line),
    Law(w.initials, lambda x: "".join(y[0].upper() for y in x.split(" ") if y), line),
    Law(
        w.words_longer_than,
        lambda x, k: [y for y in x.split(" ") if y and len(y) > k],
        st.tuples(line, few),
    ),
    Law(w.word_counts, lambda x: {y: x.split().count(y) for y in x.split()}, line),
    Law(
        w.word_counts_ignoring_case,
        lambda x: {y: x.lower().split().count(y) for y in x.lower().split()},
        line,
    ),
    Law(w.most_frequent_word, lambda x: most(x.split())[0], line),
    Law(w.most_frequent_smallest_word, lambda x: min(most(x.split())), line),
    Law(
        w.repeated_words,
        lambda x: list(dict.fromkeys(y for y in x.split() if x.split().count(y) > 1)),
        line,
    ),
    Law(w.anagram_groups, classes, words),
    Law(w.count_anagram_groups, lambda x: len(classes(x)), words),
    Law(
        w.count_anagram_pairs,
        lambda x: sum(anagram(a, b) for a, b in combinations(x, 2)),
        words | st.lists(part),
    ),
    Law(w.words_by_first_letter, lambda x: by(x, 1), words | some_words),
    Law(w.items_by_length, lambda x: by(x, None), words),
    Law(w.common_prefix, starts, words | st.lists(part, max_size=3)),
    Law(
        w.common_suffix,
        lambda x: turned(starts([*map(turned, x)])),
        words | st.lists(part, max_size=3),
    ),
    Law(w.containing, lambda x, y: [z for z in x if z.find(y) >= 0], st.tuples(words, part)),
    Law(
        w.starting_with, lambda x, y: [z for z in x if z[: len(y)] == y], st.tuples(words, part)
    ),
    Law(
        w.count_starting_with,
        lambda x, y: sum(z[: len(y)] == y for z in x),
        st.tuples(words, part),
    ),
    Law(w.any_contains, lambda x, y: any(z.find(y) >= 0 for z in x), st.tuples(words, part)),
    Law(
        w.longest_of,
        lambda x: [y for y in x if len(y) == max(map(len, x))][0:1].pop(),
        words,
    ),
    Law(w.total_length, lambda x: len("".join(x)), words),
    Law(w.joined, lambda x: "".join(z for y in x for z in y), words),
    Law(
        w.joined_by,
        lambda x, y: "".join(z + y for z in x[:-1]) + "".join(x[-1:]),
        st.tuples(words, part),
    ),
    Law(
        w.most_distinct_letters,
        lambda x: min(y for y in x if len({*y}) == max(len({*z}) for z in x)),
        words,
    ),
    Law(
        w.universal_words,
        lambda x, y: [z for z in x if all(covers(z, d) for d in y)],
        st.tuples(words, st.lists(part, max_size=3)),
    ),
    Law(
        w.count_spellable,
        lambda x, y: sum(covers(y, z) for z in x),
        st.tuples(words, st.text("abcA", max_size=6)),
    ),
    Law(w.letter_runs, runs, letters),
    Law(w.camel_to_snake, snake, st.from_regex(r"[a-cA-C]+", fullmatch=True)),
    Law(w.snake_to_camel, camel, names),
    Law(w.snake_to_pascal, lambda x: x[0].upper() + camel(x)[1:], names),
]


@pytest.mark.parametrize("law", by_name(LAWS))
@given(data=st.data())
@settings(max_examples=40)
def test_agrees_with_its_oracle(law: Law, data: st.DataObject) -> None:
    check(law, data)


def test_every_archetype_has_a_law() -> None:
    assert without_law(c, LAWS) | without_law(w, LAWS) == set()
