"""All circles in one ring, equal in size: simple, and far from the best."""

import math


def pack(n: int) -> list[tuple[float, float, float]]:
    if n == 1:
        return [(0.5, 0.5, 0.5)]
    # Neighbours touch when r = R sin(pi / n); the ring touches the border when R + r = 1/2.
    sine = math.sin(math.pi / n)
    radius = 0.5 * sine / (1 + sine) * (1 - 1e-9)
    distance = 0.5 - radius - 1e-12
    circles = []
    for k in range(n):
        angle = 2 * math.pi * k / n
        x = 0.5 + distance * math.cos(angle)
        y = 0.5 + distance * math.sin(angle)
        circles.append((x, y, radius))
    return circles
