"""Which ports a ship can reach, and how the queue before the harbour moves."""


def neighbours(links: list[tuple[int, int]]) -> dict[int, list[int]]:
    """The ports that links join to each port, in the order of the links."""
    result: dict[int, list[int]] = {}
    for a, b in links:
        result.setdefault(a, []).append(b)
        result.setdefault(b, []).append(a)
    return result


def reach(links: list[tuple[int, int]], closed: list[int]) -> list[tuple[int, int]]:
    """Breadth-first search from port 0: pairs of port and distance, in the order found."""
    joined = neighbours(links)
    queue = [(0, 0)]
    seen = [0]
    found = []
    while queue:
        port, distance = queue.pop(0)
        found.append((port, distance))
        for other in joined.get(port, []):
            if other in closed:
                continue
            if other not in seen:
                seen.append(other)
                queue.append((other, distance + 1))
    return found


def degrees(count: int, links: list[tuple[int, int]]) -> list[int]:
    """Number of link ends at every port."""
    ends = []
    for a, b in links:
        ends.append(a)
        ends.append(b)
    result = []
    for port in range(count):
        result.append(ends.count(port))
    return result


def distances(count: int, found: list[tuple[int, int]]) -> list[int]:
    """Distance of every port; -1 when the search did not find it."""
    reached = [port for port, _ in found]
    result = []
    for port in range(count):
        if port in reached:
            result.append(found[reached.index(port)][1])
        else:
            result.append(-1)
    return result


def serve(arrivals: list[int]) -> list[tuple[int, int]]:
    """Let the ships in one by one; before each, the pilot looks at the middle of the queue."""
    queue = list(arrivals)
    served = []
    while queue:
        largest = 0
        middle = len(queue) // 2
        for place in range(max(0, middle - 15), min(len(queue), middle + 15)):
            if queue[place] > largest:
                largest = queue[place]
        served.append((queue.pop(0), largest))
    return served


def patterns(hatches: list[list[int]]) -> list[list[int]]:
    """The distinct hatch plans."""
    seen = []
    for plan in hatches:
        if plan not in seen:
            seen.append(plan)
    return seen


def harbour(
    count: int,
    links: list[tuple[int, int]],
    closed: list[int],
    arrivals: list[int],
    hatches: list[list[int]],
) -> tuple:
    found = reach(links, closed)
    order = [port for port, _ in found]
    ends = degrees(count, links)
    return distances(count, found), order, ends, serve(arrivals), patterns(hatches)
