"""Rates a packing: sum of the radii, after an exact test of every constraint.

A float is a rational number, so `Fraction` loses nothing: there is no tolerance to live on.
"""

import math
from fractions import Fraction


def score(args, output):
    (count,) = args
    if not isinstance(output, (list, tuple)) or len(output) != count:
        raise ValueError(f"the answer is not a list of {count} circles")
    circles = [exact(number, circle) for number, circle in enumerate(output)]
    for number, (x, y, r) in enumerate(circles):
        if r < 0:
            raise ValueError(f"circle {number} has a negative radius")
        if x < r or y < r or x + r > 1 or y + r > 1:
            raise ValueError(f"circle {number} is not inside the unit square")
        for other in range(number):
            a, b, s = circles[other]
            if (x - a) ** 2 + (y - b) ** 2 < (r + s) ** 2:
                raise ValueError(f"circles {other} and {number} overlap")
    return math.fsum(float(r) for _, _, r in circles)


def exact(number, circle):
    if not isinstance(circle, (list, tuple)) or len(circle) != 3:
        raise ValueError(f"circle {number} is not three numbers (x, y, r)")
    for value in circle:
        if type(value) not in (int, float) or not -1e9 < value < 1e9:
            raise ValueError(f"circle {number} has a value that is not a finite number")
    return tuple(Fraction(value) for value in circle)
