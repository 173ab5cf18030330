#!/usr/bin/env python3
"""Counts the states of small Sokoban levels, straight from the rules of the game.

    python3 state_counts.py TABLE            prints TABLE with all counts made anew
    python3 state_counts.py --check TABLE    exit code 1 if a count in TABLE differs

A table is text. A level is `level NAME`, `limit N` (optional), its rows between bars, and the
counts. Lines that begin with `;` are comments.

    level one push
    |#####|
    |#@$.#|
    |#####|
    moves 1 1
    pushes 1 1

`moves`: how many states (player's square, set of box squares) are first reached after 0, 1,
2 ... moves. `pushes`: how many pairs (set of box squares, set of squares that the player can
walk to) are first reached after 0, 1, 2 ... pushes. Play goes on through solved states. The
board is the rectangle of its longest row; short rows are filled up with floor, and beyond the
rectangle nothing can be entered. When a level has more than its limit of states, only the
depths that were finished before are counted, and `...` ends the line.

No part of this program is taken from a solver: states are tuples and sets of (row, col).
"""

import sys

WAYS = ((-1, 0), (1, 0), (0, -1), (0, 1))
LIMIT = 200000


def read(rows):
    """Returns (squares that can be entered, player, boxes)."""
    width = max(len(row) for row in rows)
    floor, boxes, player = set(), set(), None
    for r, row in enumerate(rows):
        for c, glyph in enumerate(row.ljust(width)):
            if glyph != "#":
                floor.add((r, c))
            if glyph in "$*":
                boxes.add((r, c))
            if glyph in "@+":
                player = (r, c)
    return floor, player, frozenset(boxes)


def step(floor, player, boxes, way):
    """The state after one step, or None where the rules forbid it."""
    ahead = (player[0] + way[0], player[1] + way[1])
    if ahead not in floor:
        return None
    if ahead in boxes:
        beyond = (ahead[0] + way[0], ahead[1] + way[1])
        if beyond not in floor or beyond in boxes:
            return None
        boxes = boxes - {ahead} | {beyond}
    return ahead, boxes


def region(floor, player, boxes):
    """All squares that the player can walk to without a push."""
    seen, todo = {player}, [player]
    while todo:
        at = todo.pop()
        for way in WAYS:
            ahead = (at[0] + way[0], at[1] + way[1])
            if ahead in floor and ahead not in boxes and ahead not in seen:
                seen.add(ahead)
                todo.append(ahead)
    return frozenset(seen)


def moves_next(floor, state):
    """The states one move further."""
    for way in WAYS:
        after = step(floor, state[0], state[1], way)
        if after is not None:
            yield after


def pushes_next(floor, state):
    """The states one push further."""
    walk, boxes = state
    for at in walk:
        for way in WAYS:
            after = step(floor, at, boxes, way)
            if after is not None and after[1] != boxes:
                yield region(floor, after[0], after[1]), after[1]


def count(floor, start, following, limit):
    """Sizes of the layers of a breadth-first search, and whether it came to its end."""
    seen, layer, sizes = {start}, {start}, []
    while layer:
        sizes.append(len(layer))
        layer = {after for state in layer for after in following(floor, state)} - seen
        seen |= layer
        if len(seen) > limit:
            return sizes, False
    return sizes, True


def counts(rows, limit):
    """The lines `moves ...` and `pushes ...` of a level."""
    floor, player, boxes = read(rows)
    for name, start, following in (
        ("moves", (player, boxes), moves_next),
        ("pushes", (region(floor, player, boxes), boxes), pushes_next),
    ):
        sizes, whole = count(floor, start, following, limit)
        yield " ".join([name] + [str(size) for size in sizes] + ([] if whole else ["..."]))


def remake(text):
    """`text` with all its counts made anew."""
    made, rows, limit = [], [], LIMIT
    for line in text.splitlines() + [""]:
        if line.startswith(("moves ", "pushes ")):
            continue
        if line.startswith("limit "):
            limit = int(line.split()[1])
        if line.startswith("|"):
            rows.append(line[1:].rstrip("|"))
        elif rows:
            made += counts(rows, limit)
            rows, limit = [], LIMIT
        made.append(line)
    return "\n".join(made)


def main():
    """The command line; returns the exit code."""
    with open(sys.argv[-1], encoding="utf-8") as source:
        text = source.read()
    if "--check" in sys.argv:
        return int(remake(text) != text)
    print(remake(text), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
