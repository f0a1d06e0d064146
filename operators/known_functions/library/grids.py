"""Grids of cells with neighbours: islands, floods, mazes, distances.

Not here: tables of numbers without neighbours (`matrices`), paths that only go right and down.
"""

from collections import Counter
from functools import partial
from heapq import heappop, heappush
from itertools import chain

from operators.known_functions.archetype import archetype

grid_of_land = partial(
    archetype,
    family="grids",
    complexity="O(cells)",
    source="flood fill over a set of numbered cells",
    limits="a rectangle; land is 1 or '1'",
    takes=("list[list]",),
    gives="int",
)
maze = partial(
    grid_of_land,
    source="breadth first over numbered cells",
    limits="a rectangle; 0 is free, all else a wall",
    takes=("list[list[int]]",),
)


@grid_of_land()
def count_islands(grid):
    """Count the areas of land that sides connect."""
    width = len(grid[0]) + 1 if grid else 1
    land = {
        i * width + j for i, row in enumerate(grid) for j, x in enumerate(row) if x in (1, "1")
    }
    count = 0
    while land:
        count += 1
        stack = [land.pop()]
        while stack:
            at = stack.pop()
            for near in (at - 1, at + 1, at - width, at + width):
                if near in land:
                    land.remove(near)
                    stack.append(near)
    return count


@grid_of_land()
def count_islands_with_corners(grid):
    """Count the areas of land that sides or corners connect."""
    width = len(grid[0]) + 1 if grid else 1
    land = {
        i * width + j for i, row in enumerate(grid) for j, x in enumerate(row) if x in (1, "1")
    }
    ways, count = (1, width - 1, width, width + 1), 0
    while land:
        count += 1
        stack = [land.pop()]
        while stack:
            at = stack.pop()
            for way in ways:
                for near in (at - way, at + way):
                    if near in land:
                        land.remove(near)
                        stack.append(near)
    return count


@grid_of_land()
def largest_island(grid):
    """Return the number of cells of the largest area of land that sides connect, or 0."""
    width = len(grid[0]) + 1 if grid else 1
    land = {
        i * width + j for i, row in enumerate(grid) for j, x in enumerate(row) if x in (1, "1")
    }
    best = 0
    while land:
        stack, size = [land.pop()], 0
        while stack:
            at = stack.pop()
            size += 1
            for near in (at - 1, at + 1, at - width, at + width):
                if near in land:
                    land.remove(near)
                    stack.append(near)
        best = max(best, size)
    return best


@grid_of_land()
def count_land_off_the_edge(grid):
    """Count the cells of land from which sides lead over land to no edge of the grid."""
    width = len(grid[0]) + 1 if grid else 1
    land = {
        i * width + j for i, row in enumerate(grid) for j, x in enumerate(row) if x in (1, "1")
    }
    last = (len(grid) - 1) * width
    edge = [at for at in land if at < width or at >= last or at % width in (0, width - 2)]
    land.difference_update(edge)
    while edge:
        at = edge.pop()
        for near in (at - 1, at + 1, at - width, at + width):
            if near in land:
                land.remove(near)
                edge.append(near)
    return len(land)


@maze(
    takes=("list[list[int]]", "int", "int", "int"),
    gives="list[list[int]]",
    source="flood fill",
    limits="a rectangle, and a cell in it",
)
def flooded(image, row, column, colour):
    """Return the image with the area of one colour around a cell in a new colour."""
    if not (0 <= row < len(image) and 0 <= column < len(image[0])):
        raise ValueError("the cell is outside")
    result, old = [list(line) for line in image], image[row][column]
    stack = [(row, column)] if old != colour else []
    while stack:
        i, j = stack.pop()
        if 0 <= i < len(result) and 0 <= j < len(result[i]) and result[i][j] == old:
            result[i][j] = colour
            stack += [(i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1)]
    return result


@maze()
def maze_steps(grid):
    """Return the fewest steps by sides from the first to the last cell, or -1."""
    width = len(grid[0]) + 1 if grid and grid[0] else 1
    free = {i * width + j for i, row in enumerate(grid) for j, x in enumerate(row) if x == 0}
    end = len(grid) * width - 2
    layer, steps = [0] if 0 in free else [], 0
    free.discard(0)
    while layer:
        if end in layer:
            return steps
        following = []
        for at in layer:
            for near in (at - 1, at + 1, at - width, at + width):
                if near in free:
                    free.remove(near)
                    following.append(near)
        layer, steps = following, steps + 1
    return -1


@maze()
def maze_cells_with_corners(grid):
    """Return the fewest cells of a way by sides or corners from first to last cell, or -1."""
    width = len(grid[0]) + 1 if grid and grid[0] else 1
    free = {i * width + j for i, row in enumerate(grid) for j, x in enumerate(row) if x == 0}
    end, ways = len(grid) * width - 2, (1, width - 1, width, width + 1)
    layer, cells = [0] if 0 in free else [], 1
    free.discard(0)
    while layer:
        if end in layer:
            return cells
        following = []
        for at in layer:
            for way in ways:
                for near in (at - way, at + way):
                    if near in free:
                        free.remove(near)
                        following.append(near)
        layer, cells = following, cells + 1
    return -1


@maze(takes=("list[list[int]]", "list | tuple", "list | tuple"))
def steps_between_cells(grid, start, end):
    """Return the fewest steps by sides between two cells, each row and column, or -1."""
    width = len(grid[0]) + 1
    free = {i * width + j for i, row in enumerate(grid) for j, x in enumerate(row) if x == 0}
    here, goal = start[0] * width + start[1], end[0] * width + end[1]
    layer, steps = [here] if here in free else [], 0
    free.discard(here)
    while layer:
        if goal in layer:
            return steps
        following = []
        for at in layer:
            for near in (at - 1, at + 1, at - width, at + width):
                if near in free:
                    free.remove(near)
                    following.append(near)
        layer, steps = following, steps + 1
    return -1


@maze(limits="0 is empty, 1 fresh, 2 rotten; -1 where some stay fresh")
def minutes_until_all_rot(grid):
    """Return how many steps by sides spread 2 to every 1, or -1."""
    width = len(grid[0]) + 1 if grid else 1
    fresh = {i * width + j for i, row in enumerate(grid) for j, x in enumerate(row) if x == 1}
    layer = [i * width + j for i, row in enumerate(grid) for j, x in enumerate(row) if x == 2]
    minutes = 0
    while fresh and layer:
        following = []
        for at in layer:
            for near in (at - 1, at + 1, at - width, at + width):
                if near in fresh:
                    fresh.remove(near)
                    following.append(near)
        layer, minutes = following, minutes + 1
    return -1 if fresh else minutes


@maze(gives="list[list[int]]", limits="a rectangle with a 0", source="two sweeps")
def steps_to_nearest_zero(grid):
    """Return for each cell how many steps by sides the nearest 0 is away."""
    far = len(grid) + len(grid[0])
    best = [[far if x else 0 for x in row] for row in grid]
    for _ in range(2):
        above = [far] * len(best[0])
        for row in best:
            left = far
            for j, x in enumerate(row):
                left = row[j] = min(x, left + 1, above[j] + 1)
            above = row
        best = [row[::-1] for row in best[::-1]]
    if best[0][0] >= far:
        raise ValueError("there is no 0")
    return best


@maze(
    complexity="O(cells log cells)",
    source="Dijkstra's algorithm over the largest step",
    imports=("from heapq import heappop, heappush",),
    limits="a rectangle of heights",
)
def smallest_largest_climb(heights):
    """Return the smallest height difference that a way by sides between corners must take."""
    end = len(heights) - 1, len(heights[0]) - 1
    best, heap = {(0, 0): 0}, [(0, 0, 0)]
    while heap:
        climb, i, j = heappop(heap)
        if (i, j) == end:
            break
        for a, b in ((i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1)):
            if 0 <= a <= end[0] and 0 <= b <= end[1]:
                more = max(climb, abs(heights[a][b] - heights[i][j]))
                if more < best.get((a, b), more + 1):
                    best[a, b] = more
                    heappush(heap, (more, a, b))
    return best[end]


@grid_of_land(
    takes=("list[list[str]]", "str"),
    gives="bool",
    complexity="O(cells 3^n) at worst",
    source="depth first, from the rarer end, after a count of letters",
    limits="a rectangle of letters; the word is not empty",
    imports=("from collections import Counter", "from itertools import chain"),
)
def spells_word(board, word):
    """Whether cells connected by sides, each used once, spell a word."""
    letters = Counter(chain.from_iterable(board))
    if not word or not Counter(word) <= letters:
        return False
    if letters[word[0]] > letters[word[-1]]:
        word = word[::-1]
    left = {(i, j): x for i, row in enumerate(board) for j, x in enumerate(row)}

    def follow(i, j, at):
        if left.get((i, j)) != word[at]:
            return False
        if at == len(word) - 1:
            return True
        del left[i, j]
        ways = ((i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1))
        found = any(follow(a, b, at + 1) for a, b in ways)
        left[i, j] = word[at]
        return found

    return any(follow(i, j, 0) for i, j in list(left))
