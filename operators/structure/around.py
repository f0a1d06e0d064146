"""A search around a solver that can be told where to start. This text goes into programs.

The solver is called again and again: from fresh starts, or from the accepted answer with some
elements moved into the largest holes, or all of them moved a little. An answer is accepted
unless it is too much worse. A line of answers that gets no better for a while is given up for a
fresh start; the best of all is returned. Nothing here knows what the elements are.

Same settings, same answer: the rounds are counted. The limit of CPU time is a fence beyond
them; where it is met, the number of rounds depends on the machine.
"""


def search_around(solve, worth, like, space, settings):
    """Return the best answer that was found.

    Args:
        solve: Gives an answer, from a start, or from the solver's own start without one.
        worth: How good an answer is; larger is better.
        like: A start of the solver's own; others are given the same form.
        space: Numbers of an element, and the axes of its position with low and high end.
        settings: Seed, rounds, CPU seconds, and what a round does.
    """
    import random
    import time

    rng, began = random.Random(settings["seed"]), time.process_time()
    size, axes = space
    best = solve(None)
    first, current = elements_of(like, size), elements_of(best, size)
    value = line = most = worth(best)
    stale = 0
    for done in range(1, settings["rounds"] + 1):
        spent = time.process_time() - began
        if spent * (done + 1) > settings["seconds"] * done:
            break  # another round of this length would be too much
        anew = stale >= settings["patience"] or rng.random() < settings["fresh"]
        moved = scattered(rng, first, axes) if anew else shaken(rng, current, axes, settings)
        try:
            found = solve(in_form_of(like, moved))
            reached = worth(found)
        except (ArithmeticError, ValueError):
            continue  # not every start is one for this solver
        if anew or reached > value - rng.random() * settings["slack"] * abs(most):
            current, value = elements_of(found, size), reached
        stale += 1
        if anew or reached > line:
            line, stale = reached, 0
        if reached > most:
            best, most = found, reached
    return best


def scattered(rng, elements, axes):
    """Return elements of a first start at random positions."""
    made = [list(element) for element in elements]
    for element in made:
        for axis, low, high in axes:
            element[axis] = rng.uniform(low, high)
    return made


def shaken(rng, elements, axes, settings):
    """Return elements of an answer, some of them in holes, or all moved a little."""
    moved, step = [list(element) for element in elements], settings["step"]
    if rng.random() < settings["relocate"]:
        step *= 0.1
        count = min(rng.randint(1, settings["moved"]), len(moved))
        for number in rng.sample(range(len(moved)), count):
            into_a_hole(rng, moved, number, axes, settings["holes"])
    for element in moved:
        for axis, low, high in axes:
            place = element[axis] + rng.gauss(0, step * (high - low))
            element[axis] = min(max(place, low), high)
    return moved


def into_a_hole(rng, elements, number, axes, tries):
    """Move an element to where the others are farthest, of some random places.

    What it has besides a position becomes half of the least that any element has.
    """

    def distance(place):
        return min(
            sum(
                ((at - other[axis]) / (high - low)) ** 2
                for at, (axis, low, high) in zip(place, axes)
            )
            for other in others
        )

    others = [other for other in elements if other is not elements[number]]
    if not others:
        return
    places = [[rng.uniform(low, high) for _, low, high in axes] for _ in range(tries)]
    moved = [min(values) / 2 for values in zip(*elements)]
    for at, (axis, _, _) in zip(max(places, key=distance), axes):
        moved[axis] = at
    elements[number] = moved


def elements_of(values, size):
    """Return a flat or nested answer as lists of `size` numbers."""
    flat = []
    for value in values:
        flat += [float(x) for x in value] if hasattr(value, "__len__") else [float(value)]
    return [flat[first : first + size] for first in range(0, len(flat), size)]


def in_form_of(like, elements):
    """Return elements as an array, a flat list or a list of tuples, as `like` is one."""
    flat = [value for element in elements for value in element]
    if hasattr(like, "reshape"):
        made = like.copy()
        made.reshape(-1)[:] = flat
        return made
    if len(like) and hasattr(like[0], "__len__"):
        return [type(like[0])(element) for element in elements]
    return flat
