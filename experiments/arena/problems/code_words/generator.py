"""Inputs that grow with the size."""


def generate(rng, size):
    text = "".join(rng.choice("abc") for _ in range(size))
    words = []
    for _ in range(size // 6 + 2):
        if rng.random() < 0.7:
            start = rng.randrange(len(text))
            words.append(text[start:start + rng.randrange(1, 8)])
        else:
            words.append("".join(rng.choice("abc") for _ in range(rng.randrange(1, 6))))
    return text, words


def valid(arguments):
    text, words = arguments
    return all(words)
