"""How many later starters finished earlier: in all, and for each runner."""


def overtakes(times):
    result = []
    for i in range(len(times)):
        count = 0
        for j in range(len(times)):
            if j > i and times[j] < times[i]:
                count = count + 1
        result.append(count)
    total = 0
    for count in result:
        total = total + count
    return total, result
