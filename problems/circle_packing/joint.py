"""Centres and radii moved together by a local optimiser, from a square grid."""

import math
import random

import numpy as np
from scipy.optimize import minimize

SEED = 3  # tune: int 0..1000
JITTER = 0.02  # tune: 0.0..0.1
ROUNDS = 60  # tune: int 20..200


def start(n: int) -> np.ndarray:  # answer: start
    """Cells of the smallest square grid, slightly disturbed; what is too much is left out."""
    rng = random.Random(SEED)
    side = math.ceil(math.sqrt(n))
    cells = [((i + 0.5) / side, (j + 0.5) / side) for i in range(side) for j in range(side)]
    rng.shuffle(cells)
    centres = [
        (x + rng.uniform(-JITTER, JITTER), y + rng.uniform(-JITTER, JITTER)) for x, y in cells[:n]
    ]
    return np.array([(x, y, 0.3 / side) for x, y in centres]).ravel()


def gaps(flat: np.ndarray, first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """What must not be negative: distance to the four walls, and between the circles."""
    x, y, r = flat.reshape(-1, 3).T
    apart = np.hypot(x[first] - x[second], y[first] - y[second])
    return np.concatenate([x - r, y - r, 1 - x - r, 1 - y - r, apart - r[first] - r[second]])


def slopes(flat: np.ndarray, first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Derivatives of the gaps, shape (gaps, 3 n)."""
    n, pairs = len(flat) // 3, len(first)
    x, y, _ = flat.reshape(-1, 3).T
    result = np.zeros((4 * n + pairs, n, 3))
    every = np.arange(n)
    for wall, (axis, sign) in enumerate([(0, 1), (1, 1), (0, -1), (1, -1)]):
        result[wall * n + every, every, axis] = sign
        result[wall * n + every, every, 2] = -1
    row = 4 * n + np.arange(pairs)
    dx, dy = x[first] - x[second], y[first] - y[second]
    apart = np.maximum(np.hypot(dx, dy), 1e-12)
    for circle, sign in ((first, 1), (second, -1)):
        result[row, circle, 0] = sign * dx / apart
        result[row, circle, 1] = sign * dy / apart
        result[row, circle, 2] = -1
    return result.reshape(4 * n + pairs, 3 * n)


def feasible(flat: np.ndarray) -> list[tuple[float, float, float]]:
    """Shrink all radii until every constraint holds with room to spare."""
    circles = [(float(x), float(y), max(float(r), 0.0)) for x, y, r in flat.reshape(-1, 3)]
    circles = [(x, y, min(r, x, y, 1 - x, 1 - y)) for x, y, r in circles]
    factor = 1.0
    for i, (x, y, r) in enumerate(circles):
        for a, b, s in circles[:i]:
            if r + s > 0:
                factor = min(factor, math.hypot(x - a, y - b) / (r + s))
    factor *= 1 - 1e-12
    return [(x, y, r * factor) for x, y, r in circles]


def total(circles: list[tuple[float, float, float]]) -> float:  # answer: objective
    return sum(r for _, _, r in circles)


def pack(n: int) -> list[tuple[float, float, float]]:
    first, second = np.triu_indices(n, 1)
    down = np.zeros((n, 3))
    down[:, 2] = -1
    found = minimize(
        lambda flat: -flat[2::3].sum(),
        start(n),
        jac=lambda flat: down.ravel(),
        constraints={"type": "ineq", "fun": gaps, "jac": slopes, "args": (first, second)},
        method="SLSQP",
        options={"maxiter": ROUNDS, "ftol": 1e-9},
    )
    return feasible(np.clip(found.x, 0, 1))
