"""How often each word occurs in the text, and where first."""


def occurrences(text, words):
    counts = []
    firsts = []
    for word in words:
        places = []
        for start in range(len(text)):
            same = True
            for i in range(len(word)):
                if start + i >= len(text) or text[start + i] != word[i]:
                    same = False
            if same:
                places = places + [start]
        counts.append(len(places))
        if places:
            firsts.append(places[0])
        else:
            firsts.append(-1)
    return counts, firsts
