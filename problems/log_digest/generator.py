"""Lines of a service log; durations are sometimes written with a point."""

import re

SYLLABLES = ["ka", "lo", "mi", "ru", "ten", "sa", "vor", "el", "ix", "po", "qui", "zan"]


def word(rng, syllables):
    return "".join(rng.choice(SYLLABLES) for _ in range(syllables))


def generate(rng, size):
    users = [word(rng, 2) + str(n) for n in range(1 + size * 2 // 3)]
    vocabulary = [word(rng, rng.randrange(2, 5)) for _ in range(2 * size)]
    stopwords = [word(rng, 2) for _ in range(size // 2)] + rng.sample(vocabulary, size // 3)
    lines = []
    for _ in range(size):
        took = rng.choice(["%d", "%d", "%d.0", "%d.5"]) % rng.randrange(1, 8 + 2 * size)
        said = " ".join(rng.choice(vocabulary) for _ in range(rng.randrange(4, 9)))
        mark = rng.choice([": ", " - ", " (#7) ", " => "])
        text = rng.choice(["Retry", "Error", "Done", "WAIT"]) + mark + said + rng.choice("!?.;")
        lines.append("host%d %s %s %s" % (rng.randrange(9), rng.choice(users), took, text))
    return lines, stopwords, min(size, 20 + size // 2)


def valid(arguments):
    lines, stopwords, top = arguments
    parts = [line.split(" ", 3) for line in lines]
    return top >= 0 and all(
        len(row) == 4 and re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,3})?", row[2]) for row in parts
    )
