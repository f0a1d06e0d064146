"""Catalogues of a small library: titles are made of syllables."""

SYLLABLES = ["ba", "dor", "el", "fi", "gan", "ho", "lin", "mer", "nu", "os", "ri", "ta"]
STOP = ["a", "and", "in", "of", "the", "The", "On"]


def generate(rng, size):
    words = [
        "".join(rng.choice(SYLLABLES) for _ in range(rng.randrange(1, 4))) for _ in range(2 * size)
    ]
    lines = []
    for _ in range(size):
        title = [rng.choice(words) for _ in range(rng.randrange(1, 6))]
        title.insert(rng.randrange(len(title) + 1), rng.choice(STOP))
        if rng.random() < 0.3:
            title[0] = title[0].capitalize()
        lines.append("S%d|%s" % (rng.randrange(2 + size // 20), " ".join(title)))
        if rng.random() < 0.05:
            lines.append("")
    return "\n".join(lines) + "\n"
