"""Texts that stand for something else: run lengths, ciphers, Roman and column numbers.

Not here: digits and bases of numbers (`digits`), brackets (`brackets`).
"""

import re
from functools import partial
from itertools import groupby

from operators.known_functions.archetype import archetype

code = partial(
    archetype,
    family="codes",
    complexity="O(n)",
    source="str.join over runs",
    takes=("str",),
    gives="str",
)
runs = partial(code, imports=("from itertools import groupby",))
cipher = partial(code, source="one table for str.translate")


@runs()
def letter_then_length(text):
    """Return each run of equal characters as character and length: aab is a2b1."""
    return "".join([f"{letter}{len(list(run))}" for letter, run in groupby(text)])


@runs()
def length_then_letter(text):
    """Return each run of equal characters as length and character: aab is 2a1b."""
    return "".join([f"{len(list(run))}{letter}" for letter, run in groupby(text)])


@runs()
def letter_then_length_above_one(text):
    """Return each run as character and length, which is left out when it is 1: aab is a2b."""
    parts = []
    for letter, run in groupby(text):
        length = len(list(run))
        parts.append(f"{letter}{length}" if length > 1 else letter)
    return "".join(parts)


@runs()
def length_above_one_then_letter(text):
    """Return each run as length, which is left out when it is 1, and character: aab is 2ab."""
    parts = []
    for letter, run in groupby(text):
        length = len(list(run))
        parts.append(f"{length}{letter}" if length > 1 else letter)
    return "".join(parts)


@runs()
def shorter_of_text_and_runs(text):
    """Return the text as characters and run lengths, or itself where that is no longer."""
    parts = "".join([f"{letter}{len(list(run))}" for letter, run in groupby(text)])
    return parts if len(parts) < len(text) else text


@runs(gives="pairs")
def letter_length_pairs(text):
    """Return pairs of character and length, one a run."""
    return [(letter, len(list(run))) for letter, run in groupby(text)]


@code(
    source="one regular expression",
    imports=("import re",),
    limits="a length behind each letter",
)
def from_letter_then_length(text):
    """Return the text whose runs are written as character and length: a2b1 is aab."""
    if not re.fullmatch(r"(\D\d+)*", text):
        raise ValueError("not made of characters with lengths")
    return "".join([letter * int(length) for letter, length in re.findall(r"(\D)(\d+)", text)])


@code(
    source="one regular expression",
    imports=("import re",),
    limits="lengths in front; 1 may lack",
)
def from_length_then_letter(text):
    """Return the text whose runs are written as length and character: 2ab is aab."""
    if not re.fullmatch(r"(\d*\D)*", text):
        raise ValueError("a length without a character")
    return "".join([letter * int(size or 1) for size, letter in re.findall(r"(\d*)(\D)", text)])


@cipher(takes=("str", "int"), limits="the English alphabet, both cases; all else stays")
def caesar(text, shift):
    """Return the text with each letter moved along the alphabet, which is a circle."""
    lower, upper = "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    k = shift % 26
    moved = lower[k:] + lower[:k] + upper[k:] + upper[:k]
    return text.translate(str.maketrans(lower + upper, moved))


@cipher(takes=("str", "int"), limits="the English alphabet, both cases; all else stays")
def caesar_back(text, shift):
    """Return the text with each letter moved back along the alphabet."""
    lower, upper = "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    k = -shift % 26
    moved = lower[k:] + lower[:k] + upper[k:] + upper[:k]
    return text.translate(str.maketrans(lower + upper, moved))


@cipher(limits="the English alphabet, both cases; all else stays")
def rot13(text):
    """Return the text with each letter moved by half of the alphabet."""
    lower, upper = "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    moved = lower[13:] + lower[:13] + upper[13:] + upper[:13]
    return text.translate(str.maketrans(lower + upper, moved))


@cipher(limits="the English alphabet, both cases; all else stays")
def mirrored_alphabet(text):
    """Return the text with a and z, b and y, and so on, exchanged."""
    lower, upper = "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    return text.translate(str.maketrans(lower + upper, lower[::-1] + upper[::-1]))


@code(gives="int", source="a letter before a larger one is subtracted")
def from_roman(text):
    """Return the value of a Roman number; 0 for the empty text."""
    values = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
    total = last = 0
    for letter in reversed(text):
        value = values[letter]
        total += value if value >= last else -value
        last = value
    return total


@code(takes=("int",), source="one table a decimal place", limits="0 to 3999")
def to_roman(number):
    """Return a number as a Roman one; nothing for 0."""
    if not 0 <= number < 4000:
        raise ValueError("not from 0 to 3999")
    ones = ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX")
    tens = ("", "X", "XX", "XXX", "XL", "L", "LX", "LXX", "LXXX", "XC")
    hundreds = ("", "C", "CC", "CCC", "CD", "D", "DC", "DCC", "DCCC", "CM")
    return (
        "M" * (number // 1000)
        + hundreds[number // 100 % 10]
        + tens[number // 10 % 10]
        + ones[number % 10]
    )


@code(takes=("str", "str"), source="integers of any size", limits="decimal digits")
def sum_of_decimals(first, second):
    """Return the sum of two numbers that are written in digits."""
    return str(int(first) + int(second))


@code(
    takes=("str", "str"),
    source="integers of any size",
    complexity="O(n^1.6)",
    limits="decimal digits",
)
def product_of_decimals(first, second):
    """Return the product of two numbers that are written in digits."""
    return str(int(first) * int(second))


@code(takes=("str", "str"), source="integers of any size", limits="the digits 0 and 1")
def sum_of_binaries(first, second):
    """Return the sum of two numbers that are written in zeros and ones."""
    return f"{int(first, 2) + int(second, 2):b}"


@code(takes=("str", "str"), source="integers of any size", limits="equal lengths of 0 and 1")
def xor_of_binaries(first, second):
    """Return the exclusive or of two texts of zeros and ones of equal length."""
    if len(first) != len(second):
        raise ValueError("the lengths differ")
    return f"{int(first, 2) ^ int(second, 2):0{len(first)}b}" if first else ""


@code(takes=("str", "int"), source="slices", limits="rows from 1")
def zigzag_rows(text, rows):
    """Return the text written down and up over rows, read row by row."""
    if rows < 1:
        raise ValueError("no row to write on")
    if rows == 1 or rows >= len(text):
        return text
    cycle = 2 * rows - 2
    parts = [text[::cycle]]
    for row in range(1, rows - 1):
        down, up = text[row::cycle], text[cycle - row :: cycle]
        parts.append(
            "".join([a + b for a, b in zip(down, up + " ", strict=False)])[
                : len(down) + len(up)
            ]
        )
    parts.append(text[rows - 1 :: cycle])
    return "".join(parts)


@code(gives="bool", source="doubled digits by a table", limits="decimal digits")
def passes_luhn(number):
    """Whether the check digit of a number is right by the rule of Luhn."""
    doubled = (0, 2, 4, 6, 8, 1, 3, 5, 7, 9)
    ones = sum(map(int, number[::-2]))
    return bool(number) and (ones + sum([doubled[int(d)] for d in number[-2::-2]])) % 10 == 0


@code(takes=("str", "str"), gives="int", source="str.split", limits="numbers and dots")
def compared_versions(first, second):
    """Return 1, 0 or -1 as the first dotted version is newer, the same or older."""
    one, other = [list(map(int, text.split("."))) for text in (first, second)]
    size = max(len(one), len(other))
    one += [0] * (size - len(one))
    other += [0] * (size - len(other))
    return (one > other) - (one < other)


@code(gives="bool", source="str.split")
def is_ipv4(text):
    """Whether the text is four numbers from 0 to 255 with dots between, no leading zeros."""
    parts = text.split(".")
    return len(parts) == 4 and all(
        part.isdecimal() and part.isascii() and str(int(part)) == part and int(part) < 256
        for part in parts
    )
