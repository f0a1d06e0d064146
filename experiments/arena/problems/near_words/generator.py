"""Inputs that grow with the size."""


def generate(rng, size):
    letters = "abcdefghi"
    words = []
    for _ in range(size):
        if words and rng.random() < 0.6:
            word = list(rng.choice(words))
            word[rng.randrange(len(word))] = rng.choice(letters)
            words.append("".join(word))
        else:
            words.append("".join(rng.choice(letters) for _ in range(rng.randrange(3, 9))))
    return (words,)
