"""How many pairs differ in one letter, and the word with the most such partners."""


def neighbours(words):
    different = []
    for word in words:
        if word not in different:
            different.append(word)
    pairs = 0
    best = ""
    most = -1
    for word in different:
        count = 0
        for other in different:
            if len(word) == len(other):
                unlike = 0
                for i in range(len(word)):
                    if word[i] != other[i]:
                        unlike = unlike + 1
                if unlike == 1:
                    count = count + 1
        pairs = pairs + count
        if count > most or (count == most and word < best):
            most = count
            best = word
    return pairs // 2, best
