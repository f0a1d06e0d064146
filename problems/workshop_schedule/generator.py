"""Jobs of a workshop: few different durations, so that ties are common."""


def generate(rng, size):
    numbers = list(range(1, size + 1))
    rng.shuffle(numbers)
    jobs = [(rng.randrange(size), number, rng.randrange(5, 30)) for number in numbers]
    urgent = [rng.randrange(1, 3 * size) for _ in range(size)]
    people = ["anna", "bert", "carl", "dora", "emil", "fay"]
    duty = " and ".join(rng.sample(["Anna", "BERT", "Carla", "Emil-K", "Fay"], 3))
    return jobs, 2 + size // 5, urgent, 6 * size, people, duty


def valid(arguments):
    jobs, machines, urgent, day, people, duty = arguments
    numbers = [number for _, number, _ in jobs]
    return (
        machines >= 1
        and day >= 0
        and len(set(numbers)) == len(numbers)
        and all(minutes >= 1 for _, _, minutes in jobs)
        and all(name == name.lower() for name in people)
    )
