"""Two sequences side by side: common parts, edit distances, patterns, cuts into words.

Not here: one sequence (`subsequences`, `palindromes`).
"""

from functools import partial

from operators.known_functions.archetype import archetype

bits = partial(
    archetype,
    family="alignment",
    complexity="O(n m / word)",
    source="bit vectors in large integers, by Hyyrö after Allison and Dix",
    limits="hashable elements",
    takes=("list | str", "list | str"),
    gives="int",
)
rows = partial(
    bits, complexity="O(n m)", source="dynamic programming, one row at a time", limits=""
)
pattern = partial(rows, takes=("str", "str"), gives="bool")


@bits()
def common_subsequence_length(first, second):
    """Return the length of the longest common subsequence."""
    places = {}
    for i, x in enumerate(first):
        places[x] = places.get(x, 0) | 1 << i
    full = (1 << len(first)) - 1
    row = full
    for x in second:
        match = row & places.get(x, 0)
        row = ((row + match) | (row - match)) & full
    return len(first) - row.bit_count()


@bits(uses=("common_subsequence_length",))
def indel_distance(first, second):
    """Return how many elements must be struck out or inserted to turn one into the other."""
    return len(first) + len(second) - 2 * common_subsequence_length(first, second)


@bits(uses=("common_subsequence_length",))
def common_supersequence_length(first, second):
    """Return the length of the shortest sequence of which both are subsequences."""
    return len(first) + len(second) - common_subsequence_length(first, second)


@rows(gives="str", takes=("str", "str"), limits="going back, up before left on ties")
def common_subsequence(first, second):
    """Return a longest common subsequence: read from the ends, the first text gives way."""
    table = [[0] * (len(second) + 1)]
    for x in first:
        above, row = table[-1], [0]
        for j, y in enumerate(second):
            row.append(above[j] + 1 if x == y else max(above[j + 1], row[j]))
        table.append(row)
    i, j, result = len(first), len(second), []
    while i and j:
        if first[i - 1] == second[j - 1]:
            i, j = i - 1, j - 1
            result.append(first[i])
        elif table[i - 1][j] >= table[i][j - 1]:
            i -= 1
        else:
            j -= 1
    return "".join(result[::-1])


@bits(source="bit vectors in large integers, by Hyyrö after Myers")
def edit_distance(first, second):
    """Return how many insertions, deletions and replacements turn one into the other."""
    if not first:
        return len(second)
    places = {}
    for i, x in enumerate(first):
        places[x] = places.get(x, 0) | 1 << i
    full, last = (1 << len(first)) - 1, 1 << (len(first) - 1)
    up, down, distance = full, 0, len(first)
    for x in second:
        match = places.get(x, 0)
        diagonal = (((match & up) + up) ^ up) | match | down
        rise = down | (full & ~(diagonal | up))
        fall = diagonal & up
        distance += bool(rise & last) - bool(fall & last)
        rise = rise << 1 | 1
        up = (fall << 1 | ~(diagonal | rise)) & full
        down = rise & diagonal & full
    return distance


@rows(limits="a pair may be swapped once and not edited again")
def edit_distance_with_swaps(first, second):
    """Return the number of edits where swapping two neighbours is one edit."""
    before, above = [], list(range(len(second) + 1))
    for i, x in enumerate(first):
        row = [i + 1]
        for j, y in enumerate(second):
            best = min(above[j] + (x != y), above[j + 1] + 1, row[j] + 1)
            if i and j and x == second[j - 1] and first[i - 1] == y:
                best = min(best, before[j - 1] + 1)
            row.append(best)
        before, above = above, row
    return above[-1]


@rows(takes=("list | str", "list | str"), gives="bool", complexity="O(n)", source="common ends")
def is_one_edit_away(first, second):
    """Whether exactly one insertion, deletion or replacement turns one into the other."""
    if len(first) < len(second):
        first, second = second, first
    if len(first) - len(second) > 1 or first == second:
        return False
    pairs = enumerate(zip(first, second, strict=False))
    at = next((i for i, (x, y) in pairs if x != y), len(second))
    return first[at + 1 :] == second[at + (len(first) == len(second)) :]


@rows(takes=("list[number]", "list[number]"), gives="number", limits="neither list is empty")
def largest_aligned_product(xs, ys):
    """Return the largest dot product of two equally long subsequences that are not empty."""
    best = None
    above = [None] * (len(ys) + 1)
    for x in xs:
        row = [None]
        for j, y in enumerate(ys):
            found = x * y + max(above[j] or 0, 0)
            row.append(max([v for v in (found, above[j + 1], row[j]) if v is not None]))
        above, best = row, row[-1]
    if best is None:
        raise ValueError("a list is empty")
    return best


@rows(
    takes=("str", "str"),
    complexity="O((n + m) log k) slices, k the answer",
    source="doubling, then bisection of the length, parts in a hash table",
)
def longest_common_part_length(first, second):
    """Return the length of the longest text that is a part of both."""

    def common(size):
        parts = {first[i : i + size] for i in range(len(first) - size + 1)}
        return any(second[i : i + size] in parts for i in range(len(second) - size + 1))

    low, high, limit = 0, 1, min(len(first), len(second)) + 1
    while high < limit and common(high):
        low, high = high, 2 * high
    high = min(high, limit)
    while high - low > 1:
        size = (low + high) // 2
        low, high = (size, high) if common(size) else (low, size)
    return low


@rows(
    takes=("str", "str"),
    gives="str",
    complexity="O((n + m) log k) slices, k the answer",
    source="doubling, then bisection of the length, parts in a hash table",
    uses=("longest_common_part_length",),
)
def longest_common_part(first, second):
    """Return the longest text that is a part of both, the first in the first text."""
    size = longest_common_part_length(first, second)
    places = range(len(first) - size + 1)
    return next(first[i : i + size] for i in places if first[i : i + size] in second)


@rows(takes=("list", "list"))
def longest_common_stretch(xs, ys):
    """Return the length of the longest stretch that two lists have in common."""
    best, places, lengths = 0, {}, {}
    for j, y in enumerate(ys):
        places.setdefault(y, []).append(j)
    for x in xs:
        lengths = {j: lengths.get(j - 1, 0) + 1 for j in places.get(x, ())}
        best = max(best, max(lengths.values(), default=0))
    return best


@rows(takes=("str", "str"))
def count_subsequence_places(text, part):
    """Count the choices of places in a text whose characters spell the part."""
    ways, places = [1] + [0] * len(part), {}
    for j in range(len(part) - 1, -1, -1):
        places.setdefault(part[j], []).append(j)
    for letter in text:
        for j in places.get(letter, ()):
            ways[j + 1] += ways[j]
    return ways[-1]


@pattern(source="the last star remembered", limits="? is one character, * any number")
def matches_wildcards(text, wild):
    """Whether the whole text fits a pattern in which ? is one character and * any number."""
    i = j = 0
    star, kept = -1, 0
    while i < len(text):
        if j < len(wild) and wild[j] == "*":
            star, kept = j, i
            j += 1
        elif j < len(wild) and wild[j] in ("?", text[i]):
            i, j = i + 1, j + 1
        elif star >= 0:
            kept += 1
            i, j = kept, star + 1
        else:
            return False
    return not wild[j:].strip("*")


@pattern(
    source="sets of places in the pattern", limits=". is one character, x* any number of x"
)
def matches_dots_and_stars(text, regular):
    """Whether the whole text fits a pattern in which . is one character and x* repeats x."""
    steps = []
    for letter in regular:
        if letter == "*":
            steps[-1] = steps[-1][0], True
        else:
            steps.append((letter, False))

    def closed(places):
        for place in range(len(steps)):
            if place in places and steps[place][1]:
                places.add(place + 1)
        return places

    here = closed({0})
    for letter in text:
        fits = [p for p in here if p < len(steps) and steps[p][0] in (".", letter)]
        here = closed({p if steps[p][1] else p + 1 for p in fits})
        if not here:
            return False
    return len(steps) in here


@pattern(takes=("str", "list[str]"), source="ends that words reach", complexity="O(n lengths)")
def can_be_cut_into_words(text, words):
    """Whether the text is made of the words, each used any number of times."""
    known = set(words)
    sizes = sorted(set(map(len, known)))
    reached = [True] + [False] * len(text)
    for end in range(1, len(text) + 1):
        reached[end] = any(
            size <= end and reached[end - size] and text[end - size : end] in known
            for size in sizes
        )
    return reached[-1]


@pattern(
    takes=("str", "list[str]"),
    gives="int",
    source="ways to reach each end",
    complexity="O(n lengths)",
    limits="no empty word",
)
def count_cuts_into_words(text, words):
    """Count the ways to make the text of the words, each used any number of times."""
    known = set(words)
    if "" in known:
        raise ValueError("an empty word fits everywhere")
    sizes, ways = sorted(set(map(len, known))), [1]
    for end in range(1, len(text) + 1):
        fits = [size for size in sizes if size <= end and text[end - size : end] in known]
        ways.append(sum([ways[end - size] for size in fits]))
    return ways[-1]


@pattern(takes=("str", "str", "str"), source="places reached in the first text")
def is_interleaving(first, second, text):
    """Whether the text can be parted into two subsequences that are the two others."""
    if len(first) + len(second) != len(text):
        return False
    reached = {0}
    for at, letter in enumerate(text):
        taken = {i + 1 for i in reached if i < len(first) and first[i] == letter}
        rest = {i for i in reached if at - i < len(second) and second[at - i] == letter}
        reached = taken | rest
        if not reached:
            return False
    return True
