"""How many totals up to the limit there are, the largest, and the first gap."""


def totals(weights, limit):
    known = [0]
    for weight, count in weights:
        for piece in range(count):
            new = []
            for total in known:
                if total + weight <= limit:
                    if total + weight not in known and total + weight not in new:
                        new.append(total + weight)
            known = known + new
    gap = -1
    for total in range(limit + 1):
        if total not in known:
            gap = total
            break
    return len(known), max(known), gap
