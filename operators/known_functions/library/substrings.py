"""Parts of a text: found, counted, longest without repeats, palindromes, periods.

Not here: parts that may skip letters (`alignment`) and parts of lists (`stretches`).
"""

from collections import Counter
from functools import partial

from operators.known_functions.archetype import archetype

part = partial(
    archetype,
    family="substrings",
    complexity="O(n)",
    source="two ends that only move forward",
    takes=("str",),
    gives="int",
)
search = partial(
    part, source="str.find, a search in C", takes=("str", "str"), limits="the part is not empty"
)
palindromic = partial(part, source="Manacher's algorithm")


@search(gives="list[int]")
def places_of_part(text, part):
    """Return all places, also overlapping ones, where a text holds a part."""
    if not part:
        raise ValueError("an empty part is everywhere")
    result, at = [], text.find(part)
    while at >= 0:
        result.append(at)
        at = text.find(part, at + 1)
    return result


@search()
def count_overlapping(text, part):
    """Count the places, also overlapping ones, where a text holds a part."""
    if not part:
        raise ValueError("an empty part is everywhere")
    count, at = 0, text.find(part)
    while at >= 0:
        count += 1
        at = text.find(part, at + 1)
    return count


@search()
def count_apart(text, part):
    """Count the places that do not overlap, from the left, where a text holds a part."""
    if not part:
        raise ValueError("an empty part is everywhere")
    return text.count(part)


@search(limits="")
def place_of_part(text, part):
    """Return the first place where a text holds a part, or -1."""
    return text.find(part)


@search(limits="")
def last_place_of_part(text, part):
    """Return the last place where a text holds a part, or -1."""
    return text.rfind(part)


@search(gives="bool", limits="")
def holds_part(text, part):
    """Whether the text holds the part."""
    return part in text


@part()
def longest_without_repeats(text):
    """Return the length of the longest part without equal characters."""
    last, start, best = {}, 0, 0
    for i, letter in enumerate(text):
        if last.get(letter, -1) >= start:
            start = last[letter] + 1
        elif i - start >= best:
            best = i - start + 1
        last[letter] = i
    return best


@part(gives="str")
def longest_part_without_repeats(text):
    """Return the longest part without equal characters, of ties the first."""
    last, start, best = {}, 0, ""
    for i, letter in enumerate(text):
        begin = last.get(letter, -1) + 1
        if begin > start:
            start = begin
        last[letter] = i
        if i - start >= len(best):
            best = text[start : i + 1]
    return best


@part(takes=("str", "int"))
def longest_with_distinct_letters(text, k):
    """Return the length of the longest part with at most k distinct characters."""
    counts, start = {}, 0
    for letter in text:
        counts[letter] = counts.get(letter, 0) + 1
        if len(counts) > k:
            gone = text[start]
            counts[gone] -= 1
            if not counts[gone]:
                del counts[gone]
            start += 1
    return len(text) - start


@part(takes=("str", "int"))
def longest_after_changes(text, k):
    """Return the length of the longest run of one character after k changes at most."""
    if k < 0:
        raise ValueError("a negative number of changes")
    counts, start, top = {}, 0, 0
    for i, letter in enumerate(text):
        counts[letter] = counts.get(letter, 0) + 1
        if counts[letter] > top:
            top = counts[letter]
        if i - start + 1 - top > k:
            counts[text[start]] -= 1
            start += 1
    return len(text) - start


@part(
    takes=("str", "str"), gives="str", complexity="O(n + m)", limits="empty where there is none"
)
def smallest_covering_part(text, needed):
    """Return the shortest part with all letters of the second; of ties the first."""
    if not needed:
        return ""
    missing = {}
    for letter in needed:
        missing[letter] = missing.get(letter, 0) + 1
    left, start, best = len(needed), 0, None
    for end, letter in enumerate(text, 1):
        left -= missing.get(letter, 0) > 0
        missing[letter] = missing.get(letter, 0) - 1
        if left:
            continue
        while missing[text[start]] < 0:
            missing[text[start]] += 1
            start += 1
        if best is None or end - start < best[1] - best[0]:
            best = start, end
    return text[best[0] : best[1]] if best else ""


@part(takes=("str", "str"), gives="list[int]", source="counts that follow a window")
def places_of_anagrams(text, word):
    """Return the places where the text holds an anagram of a word that is not empty."""
    if not word:
        raise ValueError("an empty word is everywhere")
    size, excess, wrong = len(word), {}, 0
    for letter in word:
        excess[letter] = excess.get(letter, 0) - 1
    wrong, result = len(excess), []
    for i, letter in enumerate(text):
        excess[letter] = excess.get(letter, 0) + 1
        wrong += {0: -1, 1: 1}.get(excess[letter], 0)
        if i >= size:
            gone = text[i - size]
            excess[gone] -= 1
            wrong += {0: -1, -1: 1}.get(excess[gone], 0)
        if not wrong:
            result.append(i - size + 1)
    return result


@part(
    takes=("str", "str"),
    gives="bool",
    source="counts that follow a window",
    uses=("places_of_anagrams",),
)
def holds_anagram(text, word):
    """Whether the text holds an anagram of the word; of the empty one it does."""
    return not word or bool(places_of_anagrams(text, word))


@part(
    source="each letter once a start and once an end",
    imports=("from collections import Counter",),
)
def count_parts_with_equal_ends(text):
    """Count the parts, not empty, whose first and last character are equal."""
    return sum([count * (count + 1) // 2 for count in Counter(text).values()])


@part(source="lengths of runs")
def count_parts_of_one_letter(text):
    """Count the parts, not empty, of one character only."""
    total, length, last = 0, 0, None
    for letter in text:
        length = length + 1 if letter == last else 1
        total += length
        last = letter
    return total


@part(source="lengths of neighbouring runs", limits="two kinds of characters")
def count_balanced_halves(text):
    """Count the parts that are a run of one character and an equally long one of another."""
    total, before, length = 0, 0, 0
    for i, letter in enumerate(text):
        if i and letter != text[i - 1]:
            before, length = length, 0
        length += 1
        total += length <= before
    return total


@part(source="the last place of each letter", gives="list[int]")
def closed_part_lengths(text):
    """Return the lengths of the most parts that share no character."""
    last = {letter: i for i, letter in enumerate(text)}
    result, start, end = [], 0, 0
    for i, letter in enumerate(text):
        if last[letter] > end:
            end = last[letter]
        if i == end:
            result.append(end - start + 1)
            start = end + 1
    return result


@part(complexity="O(n^2), the size of the result", source="slices", gives="list[str]")
def all_parts(text):
    """Return all parts that are not empty, by start and then by end."""
    size = len(text)
    return [text[i:j] for i in range(size) for j in range(i + 1, size + 1)]


@part(
    source="a suffix automaton",
    limits="the empty part is not counted",
    complexity="O(n) expected",
)
def count_distinct_parts(text):
    """Count the distinct parts that are not empty."""
    moves, link, length, last = [{}], [-1], [0], 0
    for letter in text:
        state, at = len(moves), last
        moves.append({})
        length.append(length[last] + 1)
        link.append(0)
        while at >= 0 and letter not in moves[at]:
            moves[at][letter] = state
            at = link[at]
        if at >= 0:
            target = moves[at][letter]
            if length[target] != length[at] + 1:
                twin = len(moves)
                moves.append(dict(moves[target]))
                length.append(length[at] + 1)
                link.append(link[target])
                while at >= 0 and moves[at].get(letter) == target:
                    moves[at][letter] = twin
                    at = link[at]
                link[target] = target = twin
            link[state] = target
        last = state
    return sum([length[i] - length[link[i]] for i in range(1, len(moves))])


@part(
    complexity="O(n log k) slices, k the answer",
    source="doubling, then bisection of the length, parts in a hash table",
)
def longest_repeated_part(text):
    """Return the length of the longest part that appears twice, also overlapping."""

    def repeated(size):
        places = len(text) - size + 1
        return len({text[i : i + size] for i in range(places)}) < places

    low, high = 0, 1
    while high < len(text) and repeated(high):
        low, high = high, 2 * high
    high = min(high, len(text))
    while high - low > 1:
        size = (low + high) // 2
        low, high = (size, high) if repeated(size) else (low, size)
    return low


@part(source="failure function of Knuth, Morris and Pratt", gives="list[int]")
def border_lengths(text):
    """Return for each prefix the length of its longest proper prefix that is its suffix."""
    result, size = [0] * len(text), 0
    for i in range(1, len(text)):
        while size and text[i] != text[size]:
            size = result[size - 1]
        size += text[i] == text[size]
        result[i] = size
    return result


@part(source="Z algorithm", gives="list[int]")
def prefix_match_lengths(text):
    """Return for each place how much from there is a prefix of the text; all of it at 0."""
    size = len(text)
    result, left, right = [size] * min(size, 1) + [0] * (size - 1), 0, 0
    for i in range(1, size):
        match = min(result[i - left], right - i) if i < right else 0
        while i + match < size and text[match] == text[i + match]:
            match += 1
        result[i] = match
        if i + match > right:
            left, right = i, i + match
    return result


@part(source="search in the text written twice", limits="the length of an empty text is 0")
def smallest_period(text):
    """Return the length of the shortest text of which this one is a repetition."""
    return (text + text).find(text, 1) if text else 0


@part(source="search in the text written twice", gives="bool")
def is_repetition(text):
    """Whether the text is a shorter one written twice or more."""
    return bool(text) and text in (text + text)[1:-1]


@part(source="least rotation by Booth's comparison of two starts", gives="str")
def smallest_rotation(text):
    """Return the smallest of the texts that moving a start to the end gives."""
    size, first, second, same = len(text), 0, 1, 0
    while second < size and same < size:
        a, b = text[(first + same) % size], text[(second + same) % size]
        if a == b:
            same += 1
            continue
        if a > b:
            first = max(first + same + 1, second)
            second = first + 1
        else:
            second += same + 1
        same = 0
    return text[first:] + text[:first]
