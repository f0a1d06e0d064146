"""Plans of a workshop: machines, due dates, visits."""


def finish_times(jobs: list[tuple[int, int, int]], machines: int) -> list[int]:
    """Each job goes to the machine that is free first."""
    free = [0] * machines
    finish = []
    for _, _, minutes in jobs:
        start = min(free)
        free.remove(start)
        free.append(start + minutes)
        finish.append(start + minutes)
    return finish


def due_order(jobs: list[tuple[int, int, int]]) -> list[int]:
    """Earliest due date first, among the jobs that are released."""
    waiting = []
    arrivals = list(jobs)
    order = []
    released = 0
    while arrivals or waiting:
        while arrivals and released // 2 <= len(order):
            waiting.append(arrivals.pop(0))
            released += 1
        job = min(waiting)
        waiting.remove(job)
        order.append(job[1])
    return order


def visits(jobs: list[tuple[int, int, int]]) -> list[int]:
    """Shortest visit first; who stands first in the list is served first."""
    waiting = [job for job in jobs if job[2] < 10]
    order = []
    while waiting:
        job = min(waiting, key=lambda job: job[2])
        waiting.remove(job)
        order.append(job[1])
    return order


def left_over(jobs: list[tuple[int, int, int]], day: int) -> list[int]:
    """What one machine does not get done in a day."""
    pile = [minutes for _, _, minutes in jobs]
    while pile:
        shortest = min(pile)
        if shortest > day:
            break
        day -= shortest
        pile.remove(shortest)
    return pile


def due_dates(jobs: list[tuple[int, int, int]]) -> list[int]:
    """All due dates, sorted."""
    dates = []
    for due, _, _ in jobs:
        place = 0
        while place < len(dates) and dates[place] <= due:
            place += 1
        dates.insert(place, due)
    return dates


def board(jobs: list[tuple[int, int, int]], urgent: list[int]) -> list[tuple[int, int]]:
    dates = due_dates(jobs)
    lines = []
    for due, number, _ in jobs:
        if number in urgent:
            lines.append((number, dates.index(due)))
    return lines


def tally(jobs: list[tuple[int, int, int]]) -> list[tuple[int, int]]:
    """How many jobs there are of each length."""
    lengths = [job[2] for job in jobs]
    seen = []
    for length in lengths:
        if length not in seen:
            seen.append(length)
    return [(length, lengths.count(length)) for length in seen]


def on_duty(people: list[str], duty: str) -> list[str]:
    """People who are named in the text of the duty roster."""
    roster = duty.lower()
    found = []
    for name in people:
        if name in roster:
            found.append(name)
    return found


def schedule(
    jobs: list[tuple[int, int, int]],
    machines: int,
    urgent: list[int],
    day: int,
    people: list[str],
    duty: str,
) -> tuple:
    return (
        finish_times(jobs, machines),
        due_order(jobs),
        visits(jobs),
        left_over(jobs, day),
        board(jobs, urgent),
        tally(jobs),
        on_duty(people, duty),
    )
