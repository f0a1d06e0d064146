"""What it costs to pour the two least tanks together until one is left."""


def mixing(tanks):
    left = list(tanks)
    total = 0
    costs = []
    while len(left) > 1:
        first = min(left)
        rest = []
        taken = False
        for tank in left:
            if tank == first and not taken:
                taken = True
            else:
                rest = rest + [tank]
        left = rest
        second = min(left)
        left.remove(second)
        left.append(first + second)
        costs = costs + [first + second]
        total = sum(costs)
    return total, costs
