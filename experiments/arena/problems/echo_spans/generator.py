"""Inputs that grow with the size."""


def generate(rng, size):
    text = ""
    while len(text) < size:
        piece = "".join(rng.choice("aab" if rng.random() < 0.5 else "abc") for _ in range(rng.randrange(1, 9)))
        text += piece + piece[::-1] if rng.random() < 0.5 else piece
    return (text[:size],)
