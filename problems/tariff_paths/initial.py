"""Arithmetic of a ticket machine: coins, names, zones, routes."""


def ways_to_pay(amount: int, coins: tuple[int, ...], first: int) -> int:
    """Ways to pay with coins[first:]."""
    if amount == 0:
        return 1
    if amount < 0 or first == len(coins):
        return 0
    used = ways_to_pay(amount - coins[first], coins, first)
    return used + ways_to_pay(amount, coins, first + 1)


def distance(old: str, new: str) -> int:
    """Edits between two names."""
    if not old or not new:
        return len(old) + len(new)
    if old[0] == new[0]:
        return distance(old[1:], new[1:])
    replaced = distance(old[1:], new[1:])
    deleted = distance(old[1:], new)
    inserted = distance(old, new[1:])
    return 1 + min(replaced, deleted, inserted)


def cheapest(zones: list[list[int]]) -> int:
    """Cheapest way from the first to the last cell."""

    def walk(row: int, column: int) -> int:
        cell = zones[row][column]
        if row == 0 and column == 0:
            return cell
        if row == 0:
            return cell + walk(row, column - 1)
        if column == 0:
            return cell + walk(row - 1, column)
        return cell + min(walk(row - 1, column), walk(row, column - 1))

    return walk(len(zones) - 1, len(zones[0]) - 1)


def routes(down: int, right: int, limit: int) -> list[str]:
    """The first routes in alphabetical order; `path` is what was walked so far."""
    found = []
    path = []

    def go(down: int, right: int) -> int:
        # Returns how many cells were visited, for the log.
        if len(found) >= limit:
            return 0
        if down == 0 and right == 0:
            text = ""
            for step in path:
                text += step
            found.append(text)
            return 1
        cells = 1
        if down:
            path.append("D")
            cells += go(down - 1, right)
            path.pop()
        if right:
            path.append("R")
            cells += go(down, right - 1)
            path.pop()
        return cells

    go(down, right)
    return found


def receipt(coins: tuple[int, ...], fare: int) -> str:
    small = [coin for coin in coins if coin <= fare]
    text = ""
    for coin in coins:
        if coin in small:
            text += "%d x %d\n" % (coin, fare // coin)
    return text


def stops(line: list) -> int:
    """Stops of a line: its own number, and those of its branches, which are lines again."""
    total = line[0]
    for branch in line[1:]:
        total += stops(branch)
    return total


def tariff(zones: list[list[int]], fares: list[int], old: str, new: str, line: list) -> tuple:
    coins, fare = tuple(fares[:-1]), fares[-1]
    return (
        ways_to_pay(fare, coins, 0),
        distance(old, new),
        cheapest(zones),
        routes(len(zones) - 1, len(zones[0]) - 1, 25),
        receipt(coins, fare),
        stops(line),
    )
