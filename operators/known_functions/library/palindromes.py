"""Palindromes in a text: longest, counted, cut into, made by insertion.

Not here: whether a whole text is one (`characters`).
"""

from collections import Counter
from functools import partial

from operators.known_functions.archetype import archetype

centred = partial(
    archetype,
    family="palindromes",
    complexity="O(n)",
    source="Manacher's algorithm",
    takes=("str",),
    gives="int",
)
table = partial(
    centred, complexity="O(n^2)", source="lengths by dynamic programming, row by row"
)


@centred(gives="list[int]")
def palindrome_widths(text):
    """Return the length of the longest palindrome around each character and each gap."""
    result, centre, right = [0] * (2 * len(text) + 1), 0, 0
    for i in range(len(result)):
        width = min(result[2 * centre - i], right - i) if i < right else i % 2
        width = max(width - (width - i) % 2, i % 2)
        low, high = (i - width) // 2 - 1, (i + width) // 2
        while low >= 0 and high < len(text) and text[low] == text[high]:
            low, high, width = low - 1, high + 1, width + 2
        result[i] = width
        if i + width > right:
            centre, right = i, i + width
    return result


@centred(uses=("palindrome_widths",))
def longest_palindrome_length(text):
    """Return the length of the longest part that reads the same both ways."""
    return max(palindrome_widths(text))


@centred(gives="str", uses=("palindrome_widths",))
def longest_palindrome(text):
    """Return the longest part that reads the same both ways, of ties the first."""
    widths = palindrome_widths(text)
    width = max(widths)
    start = (widths.index(width) - width) // 2
    return text[start : start + width]


@centred(gives="str", uses=("palindrome_widths",))
def last_longest_palindrome(text):
    """Return the longest part that reads the same both ways, of ties the last."""
    widths = palindrome_widths(text)
    width = max(widths)
    end = (len(widths) - 1 - widths[::-1].index(width) + width) // 2
    return text[end - width : end]


@centred(uses=("palindrome_widths",))
def count_palindromic_parts(text):
    """Count the parts, by place, that are not empty and read the same both ways."""
    return sum([(width + 1) // 2 for width in palindrome_widths(text)])


@table(complexity="O(n^2) expected", source="expansion around centres, parts in a hash table")
def count_distinct_palindromes(text):
    """Count the distinct parts that are not empty and read the same both ways."""
    found, size = set(), len(text)
    for centre in range(2 * size - 1):
        low, high = centre // 2, (centre + 1) // 2
        while low >= 0 and high < size and text[low] == text[high]:
            found.add(text[low : high + 1])
            low, high = low - 1, high + 1
    return len(found)


@table()
def longest_palindromic_subsequence(text):
    """Return the length of the longest palindrome left when characters are struck out."""
    row = []
    for i, letter in enumerate(text):
        corner, row = 0, [*row, 1]
        for j in range(i - 1, -1, -1):
            here = row[j]
            row[j] = corner + 2 if text[j] == letter else max(here, row[j + 1])
            corner = here
    return row[0] if row else 0


@table(uses=("longest_palindromic_subsequence",))
def insertions_to_palindrome(text):
    """Return how many characters must be inserted, or struck out, to make a palindrome."""
    return len(text) - longest_palindromic_subsequence(text)


@table(source="numbers by dynamic programming over inner texts")
def count_palindromic_subsequences(text):
    """Count the choices of places, not empty, whose characters read the same both ways."""
    size = len(text)
    table = [[0] * (size + 1) for _ in range(size + 2)]
    for i in range(size - 1, -1, -1):
        inner, row = table[i + 1], table[i]
        for j in range(i, size):
            row[j + 1] = inner[j + 1] + row[j]
            row[j + 1] += 1 if text[i] == text[j] else -inner[j]
    return table[0][size]


@table(source="fewest cuts up to each end, palindromes grown around centres")
def fewest_palindromic_cuts(text):
    """Return how many cuts part the text into palindromes at least; 0 for the empty one."""
    size = len(text)
    cuts = list(range(-1, size))
    for centre in range(size):
        for odd in (0, 1):
            low, high = centre - odd, centre
            while low >= 0 and high < size and text[low] == text[high]:
                if cuts[low] + 1 < cuts[high + 1]:
                    cuts[high + 1] = cuts[low] + 1
                low, high = low - 1, high + 1
    return max(cuts[size], 0)


@table(
    gives="list[list[str]]",
    complexity="O(n times the result)",
    source="the shortest first part first",
)
def palindromic_partitions(text):
    """Return all ways to cut the text into palindromes, short first parts first."""
    ways = {len(text): [[]]}
    for start in range(len(text) - 1, -1, -1):
        ways[start] = []
        for end in range(start + 1, len(text) + 1):
            head = text[start:end]
            if head == head[::-1]:
                ways[start] += [[head, *rest] for rest in ways[end]]
    return ways[0]


@centred(gives="str", source="failure function of Knuth, Morris and Pratt")
def shortest_palindrome_by_prefix(text):
    """Return the shortest palindrome that characters put in front of the text make."""
    both = [*text, None, *text[::-1]]
    border, size = [0] * len(both), 0
    for i in range(1, len(both)):
        while size and both[i] != both[size]:
            size = border[size - 1]
        size += both[i] == both[size]
        border[i] = size
    return text[size:][::-1] + text


@centred(source="counts of letters", imports=("from collections import Counter",))
def longest_palindrome_of_letters(text):
    """Return the length of the longest palindrome that some of the characters can make."""
    pairs = sum([count // 2 for count in Counter(text).values()])
    return min(2 * pairs + 1, len(text))


@centred(source="two ends that meet", gives="bool")
def is_palindrome_without_one(text):
    """Whether striking out at most one character leaves a palindrome."""
    turned = text[::-1]
    at = next((i for i, letter in enumerate(text) if letter != turned[i]), None)
    if at is None:
        return True
    one, other = text[at + 1 : len(text) - at], text[at : len(text) - at - 1]
    return one == one[::-1] or other == other[::-1]
