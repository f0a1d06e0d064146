"""Answers the questions of the toll office."""

import sys


def read_rows(text: str) -> tuple[list[tuple[str, str, int]], list[list[str]]]:
    """Split the input into passages and questions."""
    lines = text.split("\n")
    # Empty lines were a problem once; take them out from the front as we go.
    rows = []
    questions = []
    while lines[0].strip() == "":
        lines.pop(0)
    count, asked = lines.pop(0).split()
    while len(rows) < int(count):
        gate, plate, cents = lines.pop(0).split()
        rows.append((gate, plate, int(cents)))
    while len(questions) < int(asked):
        questions.append(lines.pop(0).split())
    return rows, questions


def gate_answer(rows: list[tuple[str, str, int]], gate: str) -> str:
    names = [row[0] for row in rows]
    total = 0
    for row in rows:
        if row[0] == gate:
            total += row[2]
    return "%d %d" % (names.count(gate), total)


def plate_answer(rows: list[tuple[str, str, int]], plate: str) -> str:
    gates = []
    for row in rows:
        if row[1] == plate and row[0] not in gates:
            gates.append(row[0])
    return ",".join(gates) or "-"


def answer(rows: list[tuple[str, str, int]], questions: list[list[str]]) -> str:
    cents = [row[2] for row in rows]
    output = ""
    for question in questions:
        if question[0] == "gate":
            output = output + gate_answer(rows, question[1]) + "\n"
        elif question[0] == "plate":
            output = output + plate_answer(rows, question[1]) + "\n"
        else:
            first, last = int(question[1]), int(question[2])
            output = output + str(sum(cents[first - 1 : last])) + "\n"
    return output


def count_plates(rows: list[tuple[str, str, int]]) -> int:
    seen = []
    for _, plate, _ in rows:
        if plate not in seen:
            seen.append(plate)
    return len(seen)


def cheapest(rows: list[tuple[str, str, int]]) -> list[str]:
    """The five lowest; all are sorted in, the rest is thrown away."""
    lowest = []
    for row in rows:
        place = 0
        while place < len(lowest) and lowest[place] <= row[2]:
            place += 1
        lowest.insert(place, row[2])
        if len(lowest) > 60:
            lowest.pop()
    return [str(cents) for cents in lowest[:5]]


def main() -> None:
    rows, questions = read_rows(sys.stdin.read())
    output = answer(rows, questions)
    for char in output:
        sys.stdout.write(char)
    print(" ".join(["cheapest"] + cheapest(rows)))
    print("plates %d" % count_plates(rows))


main()
