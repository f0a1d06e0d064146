"""Prints the index of a library: words, and the books they stand in."""

import sys

STOP = ["a", "an", "and", "in", "of", "on", "the", "to"]


def read_books() -> list[tuple[str, list[str]]]:
    """Shelf and words of every book."""
    books = []
    for line in sys.stdin.read().split("\n"):
        if line == "":
            continue
        shelf, title = line.split("|")
        books.append((shelf, title.lower().split()))
    return books


def all_words(books: list[tuple[str, list[str]]]) -> list[str]:
    """Every word once, in the order of first appearance."""
    words = []
    for _, title in books:
        for word in title:
            if word in STOP:
                continue
            if word not in words:
                words.append(word)
    return words


def in_order(words: list[str]) -> list[str]:
    """Alphabetical order; the smallest is taken out until none is left."""
    rest = list(words)
    ordered = []
    while rest:
        smallest = min(rest)
        rest.remove(smallest)
        ordered.append(smallest)
    return ordered


def numbers_of(word: str, books: list[tuple[str, list[str]]]) -> list[int]:
    numbers = []
    for number, (_, title) in enumerate(books, 1):
        if word in title:
            numbers.append(number)
    return numbers


def count_pairs(books: list[tuple[str, list[str]]]) -> int:
    """Books that stand on the same shelf and start with the same word."""
    pairs = 0
    for i in range(len(books)):
        for j in range(i + 1, len(books)):
            if books[i][0] == books[j][0] and books[i][1][:1] == books[j][1][:1]:
                pairs += 1
    return pairs


def main() -> None:
    books = read_books()
    shelves = []
    for shelf, _ in books:
        if shelf not in shelves:
            shelves.append(shelf)
    text = "books %d shelves %d\n" % (len(books), len(shelves))
    words = all_words(books)
    for word in in_order(words):
        line = ""
        for number in numbers_of(word, books):
            line += " %d" % number
        text += word + ":" + line + "\n"
    text += "pairs %d\n" % count_pairs(books)
    text += "rare"
    used = []
    for _, title in books:
        # A title that says a word twice counts once.
        used.extend(dict.fromkeys(title))
    for word in words:
        if used.count(word) == 1:
            text += " " + word
    print(text)


main()
