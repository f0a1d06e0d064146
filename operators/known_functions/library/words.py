"""Words of a text, and lists of words: counted, grouped, turned round, picked.

Not here: single letters (`characters`) and orders by length (`sorting`).
"""

from collections import Counter
from functools import partial
from itertools import groupby

from operators.known_functions.archetype import archetype

of_text = partial(
    archetype,
    family="words",
    complexity="O(n)",
    source="str.split and str.join",
    takes=("str",),
    gives="str",
)
counted = partial(of_text, source="counts", imports=("from collections import Counter",))
of_list = partial(of_text, takes=("list[str]",), gives="list", source="one pass")


@of_text(gives="int")
def count_words(text):
    """Count the words, which any white space parts."""
    return len(text.split())


@of_text()
def words_reversed(text):
    """Return the words in reverse order, parted by single blanks."""
    return " ".join(text.split()[::-1])


@of_text(limits="blanks part words, also empty ones")
def each_word_reversed(text):
    """Return the text with every word backwards, all blanks where they were."""
    return " ".join([word[::-1] for word in text.split(" ")])


@of_text(limits="blanks part words, also empty ones")
def each_word_sorted(text):
    """Return the text with the characters of each word ascending, blanks where they were."""
    return " ".join(["".join(sorted(word)) for word in text.split(" ")])


@of_text()
def words_capitalised(text):
    """Return the words, each with its first letter upper and the rest lower case."""
    return " ".join(map(str.capitalize, text.split()))


@of_text()
def words_sorted(text):
    """Return the words in ascending order, parted by single blanks."""
    return " ".join(sorted(text.split()))


@of_text()
def words_by_length(text):
    """Return the words from short to long, equally long ones in their order."""
    return " ".join(sorted(text.split(), key=len))


@of_text()
def distinct_words(text):
    """Return the words without repetitions, parted by single blanks."""
    return " ".join(dict.fromkeys(text.split()))


@of_text(limits="refused where there is none")
def longest_word(text):
    """Return the longest word, of ties the first."""
    return max(text.split(), key=len)


@of_text(limits="refused where there is none")
def shortest_word(text):
    """Return the shortest word, of ties the first."""
    return min(text.split(), key=len)


@of_text(gives="int", limits="0 where there is none")
def length_of_last_word(text):
    """Return the length of the last word."""
    return len(text.split()[-1]) if text.strip() else 0


@of_text(gives="list[int]")
def word_lengths(text):
    """Return the lengths of the words."""
    return list(map(len, text.split()))


@of_text(limits="words as parted by white space")
def initials(text):
    """Return the first letters of the words in upper case."""
    return "".join([word[0] for word in text.split()]).upper()


@of_text(takes=("str", "int"), gives="list[str]")
def words_longer_than(text, length):
    """Return the words of more characters than the length."""
    return [word for word in text.split() if len(word) > length]


@counted(gives="dict")
def word_counts(text):
    """Return the number of each word, by first appearance."""
    return dict(Counter(text.split()))


@counted(gives="dict")
def word_counts_ignoring_case(text):
    """Return the number of each word in lower case, by first appearance."""
    return dict(Counter(text.lower().split()))


@counted(limits="refused where there is none")
def most_frequent_word(text):
    """Return the most frequent word, of ties the first to appear."""
    return Counter(text.split()).most_common(1)[0][0]


@counted(limits="refused where there is none")
def most_frequent_smallest_word(text):
    """Return the most frequent word, of ties the smallest."""
    counts = Counter(text.split())
    return max(sorted(counts), key=counts.__getitem__)


@of_text(gives="list[str]", source="words seen so far")
def repeated_words(text):
    """Return the words that appear more than once, by first appearance."""
    words = text.split()
    counts = {}
    for word in words:
        counts[word] = counts.get(word, 0) + 1
    return [word for word, count in counts.items() if count > 1]


@of_list(source="sorted letters as key of a hash table")
def anagram_groups(words):
    """Return the words in lists of anagrams, both in the order of first appearance."""
    groups = {}
    for word in words:
        groups.setdefault("".join(sorted(word)), []).append(word)
    return list(groups.values())


@of_list(source="sorted letters as key of a hash table", gives="int")
def count_anagram_groups(words):
    """Count the classes of words that are anagrams of each other."""
    return len({"".join(sorted(word)) for word in words})


@of_list(
    source="sorted letters as key of a hash table",
    gives="int",
    imports=("from collections import Counter",),
)
def count_anagram_pairs(words):
    """Count the pairs of words that are anagrams."""
    counts = Counter(["".join(sorted(word)) for word in words])
    return sum([count * (count - 1) // 2 for count in counts.values()])


@of_list(gives="dict")
def words_by_first_letter(words):
    """Return the lists of words by first letter, both in order; no word may be empty."""
    groups = {}
    for word in words:
        groups.setdefault(word[0], []).append(word)
    return groups


@of_list(gives="dict")
def items_by_length(items):
    """Return the lists of items by length, both in the order of first appearance."""
    groups = {}
    for item in items:
        groups.setdefault(len(item), []).append(item)
    return groups


@of_list(
    gives="str",
    source="the extremes in order hold the common start",
    complexity="O(n) comparisons",
)
def common_prefix(words):
    """Return the longest text that all words start with; empty for no words."""
    if not words:
        return ""
    low, high = min(words), max(words)
    for i, letter in enumerate(low):
        if letter != high[i]:
            return low[:i]
    return low


@of_list(gives="str", source="the extremes in order hold the common start")
def common_suffix(words):
    """Return the longest text that all words end with; empty for no words."""
    if not words:
        return ""
    turned = [word[::-1] for word in words]
    low, high = min(turned), max(turned)
    size = next((i for i, letter in enumerate(low) if letter != high[i]), len(low))
    return low[:size][::-1]


@of_list(takes=("list[str]", "str"), source="search in C")
def containing(words, part):
    """Return the words that hold the part."""
    return [word for word in words if part in word]


@of_list(takes=("list[str]", "str"), source="search in C")
def starting_with(words, prefix):
    """Return the words that start with the prefix."""
    return [word for word in words if word.startswith(prefix)]


@of_list(takes=("list[str]", "str"), source="comparison in C", gives="int")
def count_starting_with(words, prefix):
    """Count the words that start with the prefix."""
    return sum([word.startswith(prefix) for word in words])


@of_list(takes=("list[str]", "str"), source="search in C", gives="bool")
def any_contains(words, part):
    """Whether any of the words holds the part."""
    return any(part in word for word in words)


@of_list(gives="str", limits="refused where there is none")
def longest_of(words):
    """Return the longest of the words, of ties the first."""
    return max(words, key=len)


@of_list(gives="int", source="str.join, which is faster than a sum of lengths")
def total_length(words):
    """Return the sum of the lengths."""
    return len("".join(words))


@of_list(gives="str", source="str.join")
def joined(words):
    """Return the words written one behind the other."""
    return "".join(words)


@of_list(takes=("list[str]", "str"), gives="str", source="str.join")
def joined_by(words, between):
    """Return the words with a text between each two."""
    return between.join(words)


@of_list(gives="str", source="sets of characters")
def most_distinct_letters(words):
    """Return the word with the most distinct characters, of ties the smallest."""
    return min(words, key=lambda word: (-len(set(word)), word))


@of_list(
    takes=("list[str]", "list[str]"),
    source="counts",
    imports=("from collections import Counter",),
)
def universal_words(words, demands):
    """Return the words that hold the letters of each demand, with multiplicity."""
    needed = Counter()
    for demand in set(demands):
        needed |= Counter(demand)
    return [word for word in words if needed <= Counter(word)]


@of_list(
    takes=("list[str]", "str"),
    gives="int",
    source="counts",
    imports=("from collections import Counter",),
)
def count_spellable(words, letters):
    """Count the words that can be made of the letters, each used once a word."""
    available = Counter(letters)
    return sum([Counter(word) <= available for word in words])


@of_text(
    source="runs of equal case", imports=("from itertools import groupby",), gives="list[str]"
)
def letter_runs(text):
    """Return the runs of equal characters as texts."""
    return ["".join(run) for _, run in groupby(text)]


@of_text(limits="letters and digits; each upper case letter starts a word")
def camel_to_snake(text):
    """Return a name with a low line before each upper case letter, all in lower case."""
    return "".join(["_" + c.lower() if c.isupper() else c for c in text]).lstrip("_")


@of_text(limits="low lines part the words")
def snake_to_camel(text):
    """Return a name without low lines, each word but the first with its first letter upper."""
    first, *rest = text.split("_")
    return first + "".join([word[:1].upper() + word[1:] for word in rest])


@of_text(limits="low lines part the words")
def snake_to_pascal(text):
    """Return a name without low lines, each word with its first letter upper."""
    return "".join([word[:1].upper() + word[1:] for word in text.split("_")])
