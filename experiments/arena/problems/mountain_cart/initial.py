"""Least cost of a way through the grid, and how many cells are within half of it."""


def effort(rows):
    height = len(rows)
    width = len(rows[0])
    cost = {}
    for y in range(height):
        for x in range(width):
            cost[(y, x)] = 10 * height * width + 10
    cost[(0, 0)] = rows[0][0]
    changed = True
    while changed:
        changed = False
        before = dict(cost)
        for y in range(height):
            for x in range(width):
                for step in [(0, 1), (1, 0), (0, -1), (-1, 0)]:
                    other = (y + step[0], x + step[1])
                    if other in before:
                        new = before[other] + rows[y][x]
                        if new < cost[(y, x)]:
                            cost[(y, x)] = new
                            changed = True
    least = cost[(height - 1, width - 1)]
    near = 0
    for place in cost:
        if cost[place] <= least // 2:
            near = near + 1
    return least, near
