"""After each opened line: number of connected groups, size of the largest."""


def groups(count, lines):
    result = []
    opened = []
    for line in lines:
        opened.append(line)
        seen = []
        number = 0
        largest = 0
        for island in range(count):
            if island not in seen:
                number = number + 1
                group = [island]
                for place in group:
                    for a, b in opened:
                        if a == place and b not in group:
                            group.append(b)
                        if b == place and a not in group:
                            group.append(a)
                seen = seen + group
                if len(group) > largest:
                    largest = len(group)
        result.append((number, largest))
    return result
