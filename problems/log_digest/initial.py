"""Digest of a service log, for the morning mail."""

KEPT = list("abcdefghijklmnopqrstuvwxyz0123456789 ")


def clean(text: str) -> str:
    """Lower case, only letters, digits and blanks."""
    result = ""
    for char in text.lower():
        if char in KEPT:
            result += char
    return result


def number(text: str) -> int | float:
    return float(text) if "." in text else int(text)


def first_texts(records: list[tuple]) -> list[str]:
    """The cleaned text of the first line of every user."""
    seen = []
    texts = []
    for user, _, text in records:
        if user in seen:
            continue
        seen.append(user)
        texts.append(clean(text))
    return texts


def count_users(records: list[tuple]) -> list[tuple[str, int]]:
    users = [record[0] for record in records]
    counts = []
    done = []
    for user in users:
        if user not in done:
            done.append(user)
            counts.append((user, users.count(user)))
    return counts


def count_words(text: str, stopwords: list[str]) -> list[tuple[str, int]]:
    """How often each word stands in the text, without the stopwords."""
    words = []
    for word in text.split():
        if word not in stopwords:
            words.append(word)
    # dict.fromkeys keeps the order of first appearance
    return [(word, words.count(word)) for word in dict.fromkeys(words)]


def slowest_first(durations: list, top: int) -> list:
    """Take the largest `top` times; the sign turns the smallest into the largest."""
    waiting = [-duration for duration in durations]
    result = []
    while waiting and len(result) < top:
        smallest = min(waiting)
        waiting.remove(smallest)
        result.append(-smallest)
    # min() gives the first of equal ones, but remove() must take the same: it does
    return result


def digest(lines: list[str], stopwords: list[str], top: int) -> tuple:
    records = []
    for line in lines:
        _, user, took, text = line.split(" ", 3)
        records.append((user, number(took), text))
    text = ""
    for part in first_texts(records):
        text += part + "\n"
    slowest = slowest_first([record[1] for record in records], top)
    return text, count_users(records), count_words(text, stopwords), slowest
