"""The board of prices that hangs in the hall."""


def medians(prices: list[int]) -> list[int]:
    """The upper median of the prices up to each tick."""
    ordered = []
    result = []
    for price in prices:
        ordered.append(price)
        ordered.sort()
        result.append(ordered[len(ordered) // 2])
    return result


def tick_lines(ticks: list[tuple[str, int]], watched: list[str]) -> str:
    text = ""
    middle = medians([price for _, price in ticks])
    for place, (name, price) in enumerate(ticks):
        if name in watched:
            text += "%s %d median %d\n" % (name, price, middle[place])
    return text


def distinct_names(ticks: list[tuple[str, int]]) -> list[str]:
    names = []
    for name, _ in ticks:
        if name not in names:
            names.append(name)
    return names


def ranked(ticks: list[tuple[str, int]], name: str) -> list[int]:
    """The distinct prices of a name, the lowest first."""
    prices = []
    for other, price in ticks:
        if other == name and price not in prices:
            place = 0
            while place < len(prices) and prices[place] < price:
                place += 1
            prices.insert(place, price)
    return prices


def bonus(tier: int) -> int:
    """Each tier earns what the two below earn together, and one more."""
    if tier < 2:
        return tier + 1
    return bonus(tier - 1) + bonus(tier - 2) + 1


def count_marks(marks: list[list[int]]) -> int:
    seen = []
    for mark in marks:
        if mark not in seen:
            seen.append(mark)
    return len(seen)


def last_ticks(ticks: list[tuple[str, int]]) -> str:
    """The latest ticks, newest first; only ten fit on the board."""
    latest = []
    for tick in ticks:
        latest.insert(0, tick)
    lines = ""
    for name, price in latest[:10]:
        lines += "last %s %d\n" % (name, price)
    return lines


def price_board(
    ticks: list[tuple[str, int]],
    watched: list[str],
    tiers: list[int],
    marks: list[list[int]],
) -> str:
    text = tick_lines(ticks, watched)
    for name in distinct_names(ticks):
        text += name + ": " + ", ".join(str(price) for price in ranked(ticks, name)) + "\n"
    for tier in tiers:
        text += "tier %d bonus %d\n" % (tier, bonus(tier))
    text += "marks %d\n" % count_marks(marks)
    return text + last_ticks(ticks)
