"""A day at the toll gates, and questions of all three sorts."""


def generate(rng, size):
    gates = ["G%d" % n for n in range(3 + size // 100)]
    plates = ["P%d" % n for n in range(2 + size // 4)]
    rows = [
        "%s %s %d" % (rng.choice(gates), rng.choice(plates), rng.randrange(50, 2000))
        for _ in range(size)
    ]
    questions = []
    for _ in range(size // 5):
        first = rng.randrange(1, size + 1)
        questions.append(
            rng.choice(
                [
                    "gate " + rng.choice(gates + ["G-x"]),
                    "plate " + rng.choice(plates + ["P-x"]),
                    "span %d %d" % (first, rng.randrange(first, size + 1)),
                ]
            )
        )
    head = "%d %d" % (len(rows), len(questions))
    return "\n".join([head, *rows, *questions]) + "\n"
