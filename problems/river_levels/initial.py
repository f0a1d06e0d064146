"""Yearly report on the levels of a river."""


def window_totals(levels: list[int], windows: list[tuple[int, int]]) -> list[int]:
    totals = []
    for start, stop in windows:
        totals.append(sum(levels[start:stop]))
    return totals


def window_rain(rain: list[float], windows: list[tuple[int, int]]) -> list[float]:
    """Like the totals; rain comes in tenths, so these are floats."""
    totals = []
    for start, stop in windows:
        totals.append(sum(rain[start:stop]))
    return totals


def highest_stretch(levels: list[int], days: int) -> tuple[int, int]:
    """Start and sum of the highest stretch of so many days."""
    days = min(days, len(levels))
    best = None
    for start in range(len(levels) - days + 1):
        total = sum(levels[start : start + days])
        if best is None or total > best[1]:
            best = (start, total)
    return best


def calm_days(count: int, alarms: list[int]) -> list[int]:
    calm = []
    for day in range(count):
        if day not in alarms:
            calm.append(day)
    return calm


def common_levels(levels: list[int]) -> list[tuple[int, int]]:
    """How many days each level was seen."""
    seen = []
    common = []
    for level in levels:
        if level not in seen:
            seen.append(level)
            common.append((level, levels.count(level)))
    return common


def ranked(values: list[float]) -> list[float]:
    """Sort by insertion, each value before the ones that are equal to it."""
    result = []
    for value in values:
        place = 0
        while place < len(result) and result[place] < value:
            place += 1
        result.insert(place, value)
    return result


def levels_report(
    levels: list[int], rain: list[float], windows: list[tuple[int, int]], alarms: list[int]
) -> dict:
    return {
        "totals": window_totals(levels, windows),
        "wettest": window_rain(rain, windows[:60]),
        "stretches": [highest_stretch(levels, days) for days in (7, 30, 90, 180, 365)],
        "calm": calm_days(len(levels), alarms),
        "common": common_levels(levels),
        "ranks": ranked(rain[-200:]),
    }
