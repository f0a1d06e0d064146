"""How many houses each sees to the east, and which house ends the view."""


def views(heights):
    counts = []
    ends = []
    for i in range(len(heights)):
        seen = []
        for j in range(i + 1, len(heights)):
            seen = seen + [j]
            if heights[j] >= heights[i]:
                break
        counts.append(len(seen))
        if len(seen) > 0 and heights[seen[-1]] >= heights[i]:
            ends.append(seen[-1])
        else:
            ends.append(-1)
    return counts, ends
