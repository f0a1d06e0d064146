"""Fast programs for the shipped functions, written apart from them from the statements."""

from __future__ import annotations

import bisect
import heapq
import itertools
import math
import re
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

Order = tuple[int, int, int]
Job = tuple[int, int, int]
Link = tuple[int, int]
Window = tuple[int, int]


def order_report(
    orders: list[Order], customers: list[tuple[int, str]], blocked: list[int], page: list[Any]
) -> str:
    barred = frozenset(blocked)
    kept = [order for order in orders if order[0] not in barred]
    names: dict[int, list[str]] = defaultdict(list)
    for number, name in customers:
        names[number].append(name)
    lines = [f"{name}: {o[2]} x sku {o[1]}" for o in kept for name in names.get(o[0], ())]
    sold = Counter(order[1] for order in kept)
    lines += [f"sku {sku}: {n * 1000 // len(kept)} permille" for sku, n in sold.items()]
    lots: dict[str, int] = Counter(repr(lot) for lot in page)
    lines += [f"lot {lot}: {n}" for lot, n in lots.items()]
    digits = 1
    for sku, n in sold.items():
        digits = digits * pow(pow(sku + 7, 6 * sku + 40, 99991), n, 99991) % 99991
    return "".join(line + "\n" for line in [*lines, f"shelf: {digits}"])


def digest(lines: list[str], stopwords: list[str], top: int) -> tuple[object, ...]:
    split = [line.split(" ", 3) for line in lines]
    users = Counter(row[1] for row in split)
    texts: dict[str, str] = {}
    for _, user, _, text in split:
        texts.setdefault(user, text)
    kept = [
        "".join(c for c in text.lower() if c == " " or (c.isascii() and c.isalnum()))
        for text in texts.values()
    ]
    stop = frozenset(stopwords)
    words = Counter(word for text in kept for word in text.split() if word not in stop)
    took = [float(row[2]) if "." in row[2] else int(row[2]) for row in split]
    slowest = sorted(took, key=lambda duration: -duration)[:top]
    return "".join(t + "\n" for t in kept), list(users.items()), list(words.items()), slowest


def tariff(
    zones: list[list[int]], fares: list[int], old: str, new: str, line: list[Any]
) -> tuple[object, ...]:
    *coins, fare = fares
    ways = [1] + [0] * fare
    for coin in coins:
        for amount in range(coin, fare + 1):
            ways[amount] += ways[amount - coin]
    row = list(range(len(new) + 1))
    for i, a in enumerate(old, 1):
        above, row = row, [i]
        for j, b in enumerate(new, 1):
            row.append(min(above[j] + 1, row[-1] + 1, above[j - 1] + (a != b)))
    costs: list[float] = [0, *[math.inf] * (len(zones[0]) - 1)]
    for cells in zones:
        for column, cell in enumerate(cells):
            left = costs[column - 1] if column else math.inf
            costs[column] = cell + min(costs[column], left)
    down, right = len(zones) - 1, len(zones[0]) - 1
    length = down + right
    texts = (
        "".join("D" if place in places else "R" for place in range(length))
        for places in itertools.combinations(range(length), down)
    )
    receipt = "".join(f"{coin} x {fare // coin}\n" for coin in coins if coin <= fare)
    routes = list(itertools.islice(texts, 25))
    stops = sum(map(int, re.findall("[0-9]+", repr(line))))
    return ways[fare], row[-1], int(costs[-1]), routes, receipt, stops


def census(numbers: list[int], marked: list[int], modulus: int) -> dict[str, object]:
    @cache
    def least(n: int) -> int:
        return next((d for d in range(2, math.isqrt(n) + 1) if n % d == 0), n)

    tally = {n: k for n, k in Counter(numbers).items() if n > 1 and least(n) == n}
    proof = 1
    for n in numbers:
        proof = proof * pow(n, n + 5, modulus) % modulus
    hits = frozenset(marked)
    return {
        "primes": list(tally),
        "tally": list(tally.items()),
        "divisors": [[d for d in range(2, n + 1) if n % d == 0] for n in numbers[:10]],
        "least": [least(n) for n in numbers if n > 1],
        "proof": proof,
        "scale": [10**e % 7 for e in range(-2, 4)],
        "hits": sum(n in hits for n in numbers),
    }


def harbour(
    count: int, links: list[Link], closed: list[int], arrivals: list[int], hatches: list[Any]
) -> tuple[object, ...]:
    joined: dict[int, list[int]] = defaultdict(list)
    for a, b in links:
        joined[a].append(b)
        joined[b].append(a)
    barred, found, queue = frozenset(closed), {0: 0}, deque([0])
    while queue:
        port = queue.popleft()
        for other in joined[port]:
            if other not in barred and other not in found:
                found[other] = found[port] + 1
                queue.append(other)
    ships = len(arrivals)
    middles = [(first, first + (ships - first) // 2) for first in range(ships)]
    best = [max(arrivals[max(first, mid - 15) : mid + 15]) for first, mid in middles]
    plans = list(dict.fromkeys(tuple(plan) for plan in hatches))
    return (
        [found.get(port, -1) for port in range(count)],
        list(found),
        [len(joined[port]) for port in range(count)],
        list(zip(arrivals, best, strict=False)),
        [list(plan) for plan in plans],
    )


def levels_report(
    levels: list[int], rain: list[float], windows: list[Window], alarms: list[int]
) -> dict[str, object]:
    upto = [0, *itertools.accumulate(levels)]

    def stretch(days: int) -> tuple[int, int]:
        days = min(days, len(levels))
        totals = [upto[i + days] - upto[i] for i in range(len(levels) - days + 1)]
        start = max(range(len(totals)), key=totals.__getitem__)
        return start, totals[start]

    noted = frozenset(alarms)
    return {
        "totals": [upto[b] - upto[a] for a, b in windows],
        "wettest": [sum(rain[a:b]) for a, b in windows[:60]],
        "stretches": [stretch(days) for days in (7, 30, 90, 180, 365)],
        "calm": [day for day in range(len(levels)) if day not in noted],
        "common": list(Counter(levels).items()),
        "ranks": sorted(rain[:-201:-1]),
    }


def schedule(
    jobs: list[Job],
    machines: int,
    urgent: list[int],
    day: int,
    people: list[str],
    duty: str,
) -> tuple[list[Any], ...]:
    free, finish = [0] * machines, []
    for _, _, minutes in jobs:
        finish.append(free[0] + minutes)
        heapq.heapreplace(free, finish[-1])
    heap: list[Job] = []
    order: list[int] = []
    for number, job in enumerate(jobs):
        while number // 2 > len(order):
            order.append(heapq.heappop(heap)[1])
        heapq.heappush(heap, job)
        if number % 2:
            order.append(heapq.heappop(heap)[1])
    order += [job[1] for job in sorted(heap)]
    short = sorted((job for job in jobs if job[2] < 10), key=lambda job: job[2])
    minutes_left = [(minutes, place) for place, (_, _, minutes) in enumerate(jobs)]
    done = set()
    for minutes, place in sorted(minutes_left):
        if minutes > day:
            break
        day -= minutes
        done.add(place)
    dates = sorted(job[0] for job in jobs)
    rushed = frozenset(urgent)
    return (
        finish,
        order,
        [job[1] for job in short],
        [minutes for minutes, place in minutes_left if place not in done],
        [(n, bisect.bisect_left(dates, due)) for due, n, _ in jobs if n in rushed],
        list(Counter(job[2] for job in jobs).items()),
        [name for name in people if duty.lower().find(name) >= 0],
    )


def price_board(
    ticks: list[tuple[str, int]], watched: list[str], tiers: list[int], marks: list[list[int]]
) -> str:
    names, ordered, lines = frozenset(watched), list[int](), list[str]()
    ranked: dict[str, set[int]] = {}
    for name, price in ticks:
        bisect.insort(ordered, price)
        ranked.setdefault(name, set()).add(price)
        if name in names:
            lines.append(f"{name} {price} median {ordered[len(ordered) // 2]}")
    lines += [f"{name}: {', '.join(map(str, sorted(of)))}" for name, of in ranked.items()]
    bonus = [1, 2]
    while len(bonus) <= max(tiers, default=0):
        bonus.append(bonus[-1] + bonus[-2] + 1)
    lines += [f"tier {tier} bonus {bonus[tier]}" for tier in tiers]
    lines.append(f"marks {len({tuple(mark) for mark in marks})}")
    lines += [f"last {name} {price}" for name, price in ticks[:-11:-1]]
    return "".join(line + "\n" for line in lines)


REFERENCES: Mapping[str, Callable[..., object]] = {
    "order_report": order_report,
    "log_digest": digest,
    "tariff_paths": tariff,
    "number_census": census,
    "harbour_routes": harbour,
    "river_levels": levels_report,
    "workshop_schedule": schedule,
    "price_board": price_board,
}
