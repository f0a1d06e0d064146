"""Make the missing rows of the made-up worlds, and print what they say."""

from experiments.worlds import arms

if __name__ == "__main__":
    print(arms.table(arms.rows()))
