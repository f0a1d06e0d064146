"""In how many ways the frog comes to each stone, modulo 1000000007."""


def ways(stones, low, high):
    result = []
    for goal in range(len(stones)):
        count = 0
        if goal == 0:
            count = 1
        elif stones[goal] == "o":
            for start in range(goal):
                jump = goal - start
                if jump in list(range(low, high + 1)):
                    count = count + result[start]
        result.append(count % 1000000007)
    return result
