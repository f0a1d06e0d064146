"""The largest pay of offers that share no day."""


def income(offers):
    offers = sorted(offers, key=lambda offer: offer[1])
    best = []
    for i in range(len(offers)):
        first, last, pay = offers[i]
        before = 0
        for j in range(len(offers)):
            if offers[j][1] < first:
                chosen = max(best[: j + 1])
                if chosen > before:
                    before = chosen
        best.append(before + pay)
    return max(best) if best else 0
