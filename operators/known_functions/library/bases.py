"""Numbers written in other bases, as text or as lists of digits.

Not here: decimal digits (`digits`) and single bits (`bits`).
"""

from operators.known_functions.archetype import archetype


@archetype(
    family="bases",
    complexity="O(d), d digits",
    source="format in C",
    takes=("int",),
    gives="str",
    tried_below=10**30,
)
def to_binary(n):
    """The binary digits of n as text; a minus sign for negative numbers."""
    return f"{n:b}"


@archetype(
    family="bases",
    complexity="O(d), d digits",
    source="format in C",
    takes=("int",),
    gives="str",
    tried_below=10**30,
)
def to_binary_with_prefix(n):
    """The binary digits of n as text behind 0b."""
    return bin(n)


@archetype(
    family="bases",
    complexity="O(d), d digits",
    source="format in C",
    takes=("int", "int"),
    gives="str",
    tried_below=10**18,
)
def to_binary_padded(n, width):
    """The binary digits of n as text, with zeros in front up to a width."""
    if not 0 <= width < 100000 or n < 0:
        raise ValueError("negative, or too wide")
    return f"{n:0{width}b}"


@archetype(
    family="bases",
    complexity="O(d), d digits",
    source="format in C",
    takes=("int",),
    gives="str",
    tried_below=10**30,
)
def to_octal(n):
    """The octal digits of n as text."""
    return f"{n:o}"


@archetype(
    family="bases",
    complexity="O(d), d digits",
    source="format in C",
    takes=("int",),
    gives="str",
    tried_below=10**30,
)
def to_hexadecimal(n):
    """The hexadecimal digits of n as text, in small letters."""
    return f"{n:x}"


@archetype(
    family="bases",
    complexity="O(d), d digits",
    source="format in C",
    takes=("int",),
    gives="str",
    tried_below=10**30,
)
def to_upper_hexadecimal(n):
    """The hexadecimal digits of n as text, in capital letters."""
    return f"{n:X}"


@archetype(
    family="bases",
    complexity="O(d^2), d digits; O(d) in bases 2, 8, 10 and 16",
    source="format in C, else repeated division by a power of the base",
    limits="numbers from 0 on, bases 2 to 36",
    takes=("int", "int"),
    gives="str",
    tried_below=10**30,
)
def to_base(n, base):
    """The digits of n in a base as text, small letters above 9; 0 is "0"."""
    if n < 0 or not 2 <= base <= 36:
        raise ValueError("n < 0, or no such base")
    if base in (2, 8, 10, 16):
        return format(n, {2: "b", 8: "o", 10: "d", 16: "x"}[base])
    digits = []
    while n >= base:
        n, digit = divmod(n, base)
        digits.append("0123456789abcdefghijklmnopqrstuvwxyz"[digit])
    digits.append("0123456789abcdefghijklmnopqrstuvwxyz"[n])
    return "".join(reversed(digits))


@archetype(
    family="bases",
    complexity="O(d^2), d digits; O(d) in bases 2, 8, 10 and 16",
    source="format in C, else repeated division",
    limits="numbers from 0 on, bases 2 to 36",
    takes=("int", "int"),
    gives="str",
    uses=("to_base",),
    tried_below=10**30,
)
def to_base_in_capitals(n, base):
    """The digits of n in a base as text, capital letters above 9; 0 is "0"."""
    return to_base(n, base).upper()


@archetype(
    family="bases",
    complexity="O(d), d digits",
    source="read in C",
    limits="bases 2 to 36",
    takes=("str", "int"),
    gives="int",
)
def from_base(text, base):
    """The number that a text of digits in a base means."""
    return int(text, base)


@archetype(
    family="bases",
    complexity="O(d), d digits",
    source="read in C",
    takes=("str",),
    gives="int",
)
def from_binary(text):
    """The number that a text of binary digits means."""
    return int(text, 2)


@archetype(
    family="bases",
    complexity="O(d), d digits",
    source="read in C",
    takes=("str",),
    gives="int",
)
def from_hexadecimal(text):
    """The number that a text of hexadecimal digits means."""
    return int(text, 16)


@archetype(
    family="bases",
    complexity="O(d), d digits",
    source="read in C",
    takes=("str",),
    gives="int",
)
def from_octal(text):
    """The number that a text of octal digits means."""
    return int(text, 8)


@archetype(
    family="bases",
    complexity="O(d), d digits",
    source="format and read in C",
    limits="numbers from 0 on; 4300 digits",
    takes=("int",),
    gives="int",
    tried_below=10**30,
)
def binary_digits_as_decimal(n):
    """The number whose decimal digits are the binary digits of n: 5 gives 101."""
    if n < 0:
        raise ValueError("n < 0")
    return int(f"{n:b}")


@archetype(
    family="bases",
    complexity="O(d), d digits",
    source="format and read in C",
    limits="digits 0 and 1; 4300 digits",
    takes=("int",),
    gives="int",
    tried_below=10**30,
)
def decimal_digits_as_binary(n):
    """The number whose binary digits are the decimal digits of n: 101 gives 5."""
    if n < 0:
        raise ValueError("n < 0")
    return int(str(n), 2)


@archetype(
    family="bases",
    complexity="O(d), d digits",
    source="format and read in C",
    limits="numbers from 0 on; 4300 digits",
    takes=("int",),
    gives="int",
    tried_below=10**30,
)
def octal_digits_as_decimal(n):
    """The number whose decimal digits are the octal digits of n: 9 gives 11."""
    if n < 0:
        raise ValueError("n < 0")
    return int(f"{n:o}")


@archetype(
    family="bases",
    complexity="O(d^2), d digits",
    source="repeated division",
    limits="numbers from 0 on, bases from 2 on",
    takes=("int", "int"),
    gives="list[int]",
    tried_below=10**30,
)
def digits_in_base(n, base):
    """The digits of n in a base, the highest first; 0 is [0]."""
    if n < 0 or base < 2:
        raise ValueError("n < 0, or no such base")
    digits = []
    while n >= base:
        n, digit = divmod(n, base)
        digits.append(digit)
    digits.append(n)
    digits.reverse()
    return digits


@archetype(
    family="bases",
    complexity="O(d^2), d digits",
    source="repeated division",
    limits="numbers from 0 on, bases from 2 on",
    takes=("int", "int"),
    gives="int",
    uses=("digits_in_base",),
    tried_below=10**30,
)
def digit_sum_in_base(n, base):
    """The sum of the digits of n in a base."""
    return sum(digits_in_base(n, base))


@archetype(
    family="bases",
    complexity="O(d), d digits",
    source="format in C, backwards",
    takes=("int",),
    gives="bool",
    tried_below=10**30,
)
def is_binary_palindrome(n):
    """Whether the binary digits of n read the same backwards."""
    text = f"{n:b}"
    return text == text[::-1]


@archetype(
    family="bases",
    complexity="O(d), d letters",
    source="digits from 1 to 26",
    limits="numbers from 1 on",
    takes=("int",),
    gives="str",
    tried_below=10**30,
)
def column_title(n):
    """The title of column n of a sheet: A to Z, AA, AB and so on."""
    if n < 1:
        raise ValueError("n < 1")
    letters = []
    while n:
        n, letter = divmod(n - 1, 26)
        letters.append("ABCDEFGHIJKLMNOPQRSTUVWXYZ"[letter])
    return "".join(reversed(letters))


@archetype(
    family="bases",
    complexity="O(d), d letters",
    source="digits from 1 to 26",
    limits="capital letters",
    takes=("str",),
    gives="int",
)
def column_number(title):
    """The number of a column of a sheet: A is 1, AA is 27."""
    number = 0
    for letter in title:
        if not "A" <= letter <= "Z":
            raise ValueError("no capital letter")
        number = 26 * number + ord(letter) - 64
    return number
