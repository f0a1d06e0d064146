"""Texts taken letter by letter: tests, counts, what is kept, dropped or swapped.

Not here: parts of a text (`substrings`), words (`words`), codes (`codes`).
"""

from collections import Counter
from functools import partial
from itertools import groupby
from operator import ne

from operators.known_functions.archetype import archetype

per_letter = partial(
    archetype,
    family="characters",
    complexity="O(n)",
    source="methods of str, which run in C",
    takes=("str",),
    gives="str",
)
test = partial(per_letter, gives="bool")
number = partial(per_letter, gives="int")
struck = partial(
    number, source="bytes without some of them, struck out in C; letter by letter beyond ASCII"
)
counted = partial(
    per_letter, source="counts in one pass", imports=("from collections import Counter",)
)


@per_letter()
def backwards(text):
    """Return the text from end to start."""
    return text[::-1]


@test()
def is_palindrome(text):
    """Whether the text reads the same both ways; so does the empty one."""
    half = len(text) // 2
    return text[:half] == text[: -half - 1 : -1]


@test()
def is_palindrome_of_letters(text):
    """Whether letters and digits alone, without regard to case, read the same both ways."""
    kept = "".join(filter(str.isalnum, text.lower()))
    return kept == kept[::-1]


@test()
def is_palindrome_ignoring_case(text):
    """Whether the text without regard to case reads the same both ways."""
    lower = text.lower()
    return lower == lower[::-1]


@test(takes=("str", "str"), imports=("from collections import Counter",))
def are_anagrams(first, second):
    """Whether two texts have the same characters equally often."""
    return len(first) == len(second) and Counter(first) == Counter(second)


@test(takes=("str", "str"), imports=("from collections import Counter",))
def are_anagrams_of_letters(first, second):
    """Whether two texts have the same letters equally often, without case and blanks."""
    one, other = first.replace(" ", "").lower(), second.replace(" ", "").lower()
    return len(one) == len(other) and Counter(one) == Counter(other)


@test(takes=("str", "str"), source="search in the text written twice")
def are_rotations(first, second):
    """Whether the second text is the first with some of its start moved to the end."""
    return len(first) == len(second) and second in first + first


@test(takes=("str", "str"), source="as many pairs as letters on both sides")
def are_isomorphic(first, second):
    """Whether a one-to-one change of characters turns the first text into the second."""
    if len(first) != len(second):
        return False
    return len(set(zip(first, second, strict=True))) == len(set(first)) == len(set(second))


@test(takes=("list", "list"), source="as many pairs as values on both sides", limits="hashable")
def follow_the_same_pattern(xs, ys):
    """Whether a one-to-one change of values turns the first list into the second."""
    if len(xs) != len(ys):
        return False
    return len(set(zip(xs, ys, strict=True))) == len(set(xs)) == len(set(ys))


@test(takes=("str", "str"), source="an iterator that is consumed")
def is_text_subsequence(part, text):
    """Whether the first text is left when some characters of the second are struck out."""
    at = 0
    for letter in part:
        at = text.find(letter, at) + 1
        if not at:
            return False
    return True


@test(limits="the 26 letters of the English alphabet")
def is_pangram(text):
    """Whether every letter from a to z is in the text, in either case."""
    return set(text.lower()).issuperset("abcdefghijklmnopqrstuvwxyz")


@test()
def has_distinct_letters(text):
    """Whether no character appears twice."""
    return len(set(text)) == len(text)


@test(takes=("str", "str"), imports=("from collections import Counter",), source="counts")
def can_be_spelled(word, letters):
    """Whether the word can be made of the letters, each used once."""
    return Counter(word) <= Counter(letters)


@test(imports=("from collections import Counter",), source="counts")
def can_become_palindrome(text):
    """Whether some order of the characters reads the same both ways."""
    return sum([count % 2 for count in Counter(text).values()]) < 2


@counted(limits="refused where there is none")
def first_unique_letter(text):
    """Return the first character that appears once."""
    once = [letter for letter, count in Counter(text).items() if count == 1]
    return once[0]


@counted(gives="int", limits="-1 where there is none")
def first_unique_place(text):
    """Return the index of the first character that appears once, or -1."""
    for letter, count in Counter(text).items():
        if count == 1:
            return text.index(letter)
    return -1


@per_letter(source="letters seen so far", limits="refused where there is none")
def first_repeated_letter(text):
    """Return the first character that has appeared before."""
    seen = set()
    for letter in text:
        if letter in seen:
            return letter
        seen.add(letter)
    raise ValueError("all characters are distinct")


@counted(limits="an empty text is refused")
def most_frequent_letter(text):
    """Return the most frequent character, of ties the first to appear."""
    return Counter(text).most_common(1)[0][0]


@counted(limits="an empty text is refused")
def most_frequent_smallest_letter(text):
    """Return the most frequent character, of ties the smallest."""
    counts = Counter(text)
    return max(sorted(counts), key=counts.__getitem__)


@counted(gives="dict")
def letter_counts(text):
    """Return the number of each character, by first appearance."""
    return dict(Counter(text))


@counted()
def letters_by_frequency(text):
    """Return the characters in groups, frequent ones first, ties ascending."""
    counts = Counter(text)
    ordered = sorted(sorted(counts), key=counts.__getitem__, reverse=True)
    return "".join([letter * counts[letter] for letter in ordered])


@counted()
def letters_by_frequency_then_place(text):
    """Return the characters in groups, frequent ones first, ties by first appearance."""
    return "".join([letter * count for letter, count in Counter(text).most_common()])


@per_letter(source="Timsort, the built-in sort", complexity="O(n log n)")
def letters_sorted(text):
    """Return the characters in ascending order as one text."""
    return "".join(sorted(text))


@per_letter(source="an ordered hash table")
def distinct_letters(text):
    """Return the text without characters that have appeared before."""
    return "".join(dict.fromkeys(text))


@number()
def count_distinct_letters_ignoring_case(text):
    """Count the distinct characters without regard to case."""
    return len(set(text.lower()))


@per_letter(source="runs of equal letters", imports=("from itertools import groupby",))
def without_repeated_neighbours(text):
    """Return the text with each run of one character shortened to one."""
    return "".join([letter for letter, _ in groupby(text)])


@per_letter(source="a stack of letters that are left")
def without_annihilated_pairs(text):
    """Return what is left when equal neighbours vanish in pairs, again and again."""
    stack = []
    for letter in text:
        if stack and stack[-1] == letter:
            stack.pop()
        else:
            stack.append(letter)
    return "".join(stack)


@per_letter(takes=("str", "str"), source="one table for str.translate")
def without_letters(text, banned):
    """Return the text without any of the characters of the second."""
    return text.translate(dict.fromkeys(map(ord, banned)))


@per_letter(source="one table for str.translate", limits="English vowels")
def without_vowels(text):
    """Return the text without a, e, i, o, u in either case."""
    return text.translate(dict.fromkeys(b"aeiouAEIOU"))


@number(limits="English vowels, either case")
def count_vowels(text):
    """Count a, e, i, o, u in either case."""
    return sum(map(text.lower().count, "aeiou"))


@number(limits="English vowels, lower case only")
def count_lower_vowels(text):
    """Count a, e, i, o, u in lower case."""
    return sum(map(text.count, "aeiou"))


@struck(limits="the English alphabet, either case")
def count_consonants(text):
    """Count the letters from a to z, in either case, that are no vowels."""
    lower = text.lower()
    if not lower.isascii():
        return sum(map(lower.count, "bcdfghjklmnpqrstvwxyz"))
    return len(text) - len(lower.encode().translate(None, b"bcdfghjklmnpqrstvwxyz"))


@struck()
def count_upper(text):
    """Count the upper case characters."""
    if not text.isascii():
        return sum(map(str.isupper, text))
    return len(text) - len(text.encode().translate(None, b"ABCDEFGHIJKLMNOPQRSTUVWXYZ"))


@struck()
def count_lower(text):
    """Count the lower case characters."""
    if not text.isascii():
        return sum(map(str.islower, text))
    return len(text) - len(text.encode().translate(None, b"abcdefghijklmnopqrstuvwxyz"))


@struck()
def count_digits_in_text(text):
    """Count the digits."""
    if not text.isascii():
        return sum(map(str.isdigit, text))
    return len(text) - len(text.encode().translate(None, b"0123456789"))


@struck(gives="str")
def digits_only(text):
    """Return the digits of the text."""
    if not text.isascii():
        return "".join(filter(str.isdigit, text))
    return text.encode().translate(None, bytes([*range(48), *range(58, 128)])).decode()


@number()
def sum_of_codes(text):
    """Return the sum of the code points."""
    return sum(text.encode()) if text.isascii() else sum(map(ord, text))


@struck()
def sum_of_upper_codes(text):
    """Return the sum of the code points of the upper case characters."""
    if not text.isascii():
        return sum(map(ord, filter(str.isupper, text)))
    return sum(text.encode().translate(None, bytes([*range(65), *range(91, 128)])))


@per_letter()
def case_swapped(text):
    """Return the text with upper and lower case exchanged."""
    return text.swapcase()


@per_letter()
def titled(text):
    """Return the text with each letter upper case after a non-letter, else lower case."""
    return text.title()


@per_letter(source="slices of the letters")
def letters_reversed_in_place(text):
    """Return the text with its letters in reverse order, all else where it was."""
    letters = iter([letter for letter in text if letter.isalpha()][::-1])
    return "".join([next(letters) if letter.isalpha() else letter for letter in text])


@per_letter(source="slices of the vowels", limits="English vowels, either case")
def vowels_reversed_in_place(text):
    """Return the text with its vowels in reverse order, all else where it was."""
    vowels = [letter for letter in text if letter in "aeiouAEIOU"]
    return "".join([vowels.pop() if letter in "aeiouAEIOU" else letter for letter in text])


@number(takes=("str", "str"), imports=("from operator import ne",), limits="equal lengths")
def count_different_letters(first, second):
    """Count the places where two texts of equal length differ."""
    if len(first) != len(second):
        raise ValueError("the lengths differ")
    return sum(map(ne, first, second))


@number(takes=("str", "str"), imports=("from collections import Counter",), source="counts")
def letters_to_change_into_anagram(first, second):
    """Count the characters of the first text that the second lacks, with multiplicity."""
    return sum((Counter(first) - Counter(second)).values())


@number(takes=("str", "str"), imports=("from collections import Counter",), source="counts")
def letters_to_delete_for_anagrams(first, second):
    """Count the characters to delete from both texts so that anagrams are left."""
    one, other = Counter(first), Counter(second)
    return sum((one - other).values()) + sum((other - one).values())


@per_letter(takes=("str", "str"))
def letters_in_turn(first, second):
    """Return the characters of both texts in turn; the rest of the longer follows."""
    both = min(len(first), len(second))
    turn = "".join([a + b for a, b in zip(first, second, strict=False)])
    return turn + first[both:] + second[both:]
