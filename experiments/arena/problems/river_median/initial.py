"""Lower medians of all levels so far and of the last ones, day by day."""


def medians(levels, width):
    result = []
    for day in range(len(levels)):
        pair = []
        for start in [0, max(0, day + 1 - width)]:
            part = levels[start:day + 1]
            for i in range(len(part) - 1):
                least = i
                for j in range(i + 1, len(part)):
                    if part[j] < part[least]:
                        least = j
                part[i], part[least] = part[least], part[i]
            pair.append(part[(len(part) - 1) // 2])
        result.append((pair[0], pair[1]))
    return result
