"""Numeric kernel: how many primes lie below a limit."""


def slow(limit: int) -> int:
    """Ask each number about all smaller ones: the square of the limit."""
    count = 0
    for number in range(2, limit):
        prime = True
        for divisor in range(2, number):
            if number % divisor == 0:
                prime = False
                break
        count += prime
    return count


def fast(limit: int) -> int:
    """Strike out the multiples of each prime, from its square on."""
    if limit < 3:
        return 0
    marks = bytearray([1]) * limit
    marks[:2] = bytes(2)
    number = 2
    while number * number < limit:
        if marks[number]:
            multiples = range(number * number, limit, number)
            marks[number * number :: number] = bytes(len(multiples))
        number += 1
    return sum(marks)
