#!/usr/bin/env python3
"""Counts the solutions of Sudokus of any size, straight from the rules.

    python3 sudoku.py TABLE            prints TABLE with all counts made anew
    python3 sudoku.py --check TABLE    exit code 1 if a count in TABLE differs

A row of a table is `ROWSxCOLUMNS LIMIT COUNT PUZZLE`: the rows and columns of a box, the
number at which counting stops, the count, and the cells row by row (`.` empty, 1-9, then A =
10 to Z = 35, then @ = 36). Lines that begin with `;` are comments.

The puzzle is an exact cover: every cell, and every digit in every row, column and box, is to
be covered once. Algorithm X (Knuth, Dancing Links, 2000) on dictionaries of sets: cover what
has the fewest ways left. No part of this program is taken from a solver.
"""

import sys

SYMBOLS = ".123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ@"


def read(text):
    """The digits of a line of cells."""
    return [SYMBOLS.index(symbol) for symbol in text]


def constraints(box_rows, box_cols, cell, digit):
    """What is covered by putting `digit` into `cell`."""
    size = box_rows * box_cols
    row, col = divmod(cell, size)
    box = (row // box_rows, col // box_cols)
    return (("cell", cell), ("row", row, digit), ("col", col, digit), ("box", box, digit))


def solutions(box_rows, box_cols, digits):
    """Yields every solution as a list of digits."""
    size = box_rows * box_cols
    if len(digits) != size * size or any(digit > size for digit in digits):
        raise ValueError("not a board of that size")
    covers = {
        (cell, digit): constraints(box_rows, box_cols, cell, digit)
        for cell in range(size * size)
        for digit in range(1, size + 1)
    }
    open_ways = {}
    for way, wants in covers.items():
        for want in wants:
            open_ways.setdefault(want, set()).add(way)
    for cell, digit in enumerate(digits):
        if digit:
            if any(want not in open_ways for want in covers[cell, digit]):
                return
            choose(open_ways, covers, (cell, digit))
    board = list(digits)
    yield from search(open_ways, covers, board)


def search(open_ways, covers, board):
    """Algorithm X."""
    if not open_ways:
        yield list(board)
        return
    want = min(open_ways, key=lambda want: (len(open_ways[want]), str(want)))
    for way in sorted(open_ways[want]):
        taken = choose(open_ways, covers, way)
        before, board[way[0]] = board[way[0]], way[1]
        yield from search(open_ways, covers, board)
        board[way[0]] = before
        undo(open_ways, covers, way, taken)


def choose(open_ways, covers, way):
    """Covers what `way` covers and removes all ways that clash with it."""
    taken = []
    for want in covers[way]:
        for other in open_ways[want]:
            for third in covers[other]:
                if third != want and third in open_ways:
                    open_ways[third].discard(other)
        taken.append(open_ways.pop(want))
    return taken


def undo(open_ways, covers, way, taken):
    """Takes `choose` back."""
    for want in reversed(covers[way]):
        open_ways[want] = taken.pop()
        for other in open_ways[want]:
            for third in covers[other]:
                if third != want and third in open_ways:
                    open_ways[third].add(other)


def count(box_rows, box_cols, digits, limit):
    """Counts solutions up to `limit`."""
    found = 0
    ways = solutions(box_rows, box_cols, digits)
    while found < limit and next(ways, None) is not None:
        found += 1
    return found


def recount(text):
    """The table with all counts made anew."""
    lines = []
    for line in text.splitlines():
        if line.strip() and not line.startswith(";"):
            shape, limit, _, puzzle = line.split()
            rows, cols = (int(number) for number in shape.split("x"))
            line = f"{shape} {limit} {count(rows, cols, read(puzzle), int(limit))} {puzzle}"
        lines.append(line)
    return "\n".join(lines) + "\n"


def main(arguments):
    """Prints or checks a table."""
    check = arguments[:1] == ["--check"]
    if len(arguments) != 1 + check:
        sys.stderr.write(__doc__)
        return 2
    with open(arguments[-1], encoding="utf-8") as file:
        text = file.read()
    again = recount(text)
    if check:
        return 0 if again == text else 1
    sys.stdout.write(again)
    return 0


if __name__ == "__main__":
    sys.setrecursionlimit(10000)
    sys.exit(main(sys.argv[1:]))
