"""Count the palindromic stretches and return the longest."""


def spans(text):
    count = 0
    longest = ""
    for start in range(len(text)):
        for end in range(start + 1, len(text) + 1):
            part = text[start:end]
            backwards = ""
            for letter in part:
                backwards = letter + backwards
            if part == backwards:
                count = count + 1
                if len(part) > len(longest):
                    longest = part
    return count, longest
