"""Levels of a river that wanders, rain in tenths, windows of all lengths."""


def generate(rng, size):
    level, levels = 300, []
    for _ in range(size):
        level = max(0, level + rng.randrange(-9, 10))
        levels.append(level)
    # The automatic gauge writes 2.0, the keeper of the lock writes 2.
    rain = [rng.choice([0.1, 0.2, 1.0, 1.0]) * rng.randrange(1, 60) for _ in range(size)]
    rain = [int(r) if r == int(r) and rng.random() < 0.5 else r for r in rain]
    windows = []
    for _ in range(size):
        start = rng.randrange(size)
        windows.append((start, rng.randrange(start, size) + 1))
    alarms = [rng.randrange(size) for _ in range(size)]
    return levels, rain, windows, alarms


def valid(arguments):
    levels, rain, windows, alarms = arguments
    days = len(levels)
    return (
        len(rain) == days
        and all(level >= 0 for level in levels)
        and all(0 <= r < 1e6 for r in rain)
        and all(0 <= start < stop <= days for start, stop in windows)
    )
