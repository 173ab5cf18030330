#!/usr/bin/env python3
"""A reference solver for Sokoban that needs nothing but Python's standard library.

    python3 solver.py LEVEL [--index N] [--moves] [--time SECONDS]

reads a level in XSB (`#` wall, `@` player, `$` box, `.` goal, `*` box on goal, `+` player on
goal; space, `-` or `_` floor) and prints

    line 1   the answer, only the letters L, U, R, D
    line 2   # moves=N pushes=M nodes=K
    line 3   # whether the answer is proved to be the shortest, and in which unit

Exit codes: 0 solved; 1 proved to have no solution; 2 the level is bad; 3 gave up.

How it works
------------
*State.* Walking is free and reversible, only pushes change the puzzle. So a node of the
search is the set of box squares together with the part of the board in which the player can
walk about; the part is named by its first square (the "normalised" player). This merges all
positions that differ by walking alone and makes the search many times smaller. With `--moves`
walking does count, so there the player's own square is kept.

*Boards are integers.* Square (row, col) is bit `row * width + col`. A set of squares is one
Python integer, a step of a whole set is a shift, and the walk of the player, or all pushes in
one direction, take a few operations on long integers instead of loops over squares.

*Dead squares.* Pulling a box backwards from each goal gives its push distance to that goal
from every square. A square from which no goal can be reached is dead: no box may enter.

*Frozen boxes.* A box that can move along neither axis, because of walls, dead squares or
other such boxes, stays for ever. If one of them is off its goal the position is lost.

*Lower bound.* Every box needs a goal of its own, so the cheapest perfect matching of boxes
to goals over push distances never overestimates (Kuhn's Hungarian method). Where no matching
exists the position is lost too. One push changes the bound by at most one: it is consistent.

*Search.* A* (Hart, Nilsson, Raphael 1968). With a consistent bound the first solution that it
takes from the queue has the fewest pushes (or moves). Sokoban suits this: solutions are long
and branching is wide, so that blind search drowns, yet the matching bound is often exact or
close, and most wrong pushes are caught at once as dead or frozen.

*Fallback.* When half of the time is spent without an answer, a second search weighs the bound
five times heavier than the pushes already made. It dives at a solution; the answer is no
longer proved to be shortest.

Before printing, the answer is replayed step by step on the level's own characters, by code
that shares nothing with the search.
"""

import argparse
import heapq
import itertools
import sys
import time

SOLVED, UNSOLVABLE, BAD_LEVEL, GAVE_UP = 0, 1, 2, 3
GLYPHS = set("#@+$*. -_")
WALKS = {"U": (-1, 0), "D": (1, 0), "L": (0, -1), "R": (0, 1)}
NEVER = 10**6
MOST_NODES = 4_000_000


class BadLevel(Exception):
    """The text is not a level that can be played; says where and why."""


class GaveUp(Exception):
    """Time or nodes ran out."""


def read_board(text, index=1):
    """The rows of the `index`-th board (from 1) in `text`, which may hold titles and comments."""
    boards, rows = [], []
    for number, line in enumerate(text.lstrip("\ufeff").splitlines() + [""], 1):
        line = line.rstrip("\r\n")
        if "#" in line and set(line) <= GLYPHS:
            rows.append(line)
            continue
        if line.lstrip(" \t-_").startswith("#"):
            column, glyph = next((i, c) for i, c in enumerate(line, 1) if c not in GLYPHS)
            raise BadLevel("line %d, column %d: found %r, expected one of # @ + $ * . - _ or space"
                           % (number, column, glyph))
        if rows:
            boards.append(rows)
            rows = []
    if not 1 <= index <= len(boards):
        raise BadLevel("no board number %d, found %d" % (index, len(boards)))
    return boards[index - 1]


def bits(squares):
    """The members of a set of squares, each as a set of one, lowest first."""
    while squares:
        low = squares & -squares
        yield low
        squares ^= low


def shift(squares, by):
    """All of `squares` moved by `by` places; a negative number moves towards the first."""
    return squares << by if by > 0 else squares >> -by


class Level:
    """The fixed parts of a level as sets of squares, and what follows from them alone."""

    def __init__(self, rows):
        """Raises `BadLevel` unless there is one player, an enclosed board, and a goal a box."""
        self.rows = rows
        self.width = max(map(len, rows))
        # The four steps as shifts of bits. Walls all round keep sets from wrapping at an edge.
        self.steps = {"U": -self.width, "D": self.width, "L": -1, "R": 1}
        marks = dict.fromkeys("#@$.", 0)
        kinds = {"+": "@.", "*": "$.", "#": "#", "@": "@", "$": "$", ".": "."}
        for row, line in enumerate(rows):
            for col, glyph in enumerate(line):
                for kind in kinds.get(glyph, ""):
                    marks[kind] |= 1 << row * self.width + col
        players = bin(marks["@"]).count("1")
        if players != 1:
            raise BadLevel("found %d players, expected one" % players)
        self.player = marks["@"]
        self.floor = self._inside(marks["#"])
        # Beyond the player's reach all is decoration, but a lone box or goal is a mistake.
        if (marks["$"] ^ marks["."]) & ~self.floor:
            raise BadLevel("a box or goal is beyond the player's reach")
        self.boxes, self.goals = marks["$"] & self.floor, marks["."] & self.floor
        counts = [bin(squares).count("1") for squares in (self.boxes, self.goals)]
        if counts[0] != counts[1]:
            raise BadLevel("found %d boxes and %d goals, expected as many of each" % tuple(counts))
        self.distances = [self._pulls(goal) for goal in bits(self.goals)]
        self.live = 0
        for distances in self.distances:
            for square in distances:
                self.live |= square

    def _inside(self, walls):
        """The squares in which the player could walk if there were no boxes."""
        height, seen, todo = len(self.rows), 0, [self.player]
        while todo:
            square = todo.pop()
            if square & (walls | seen):
                continue
            row, col = divmod(square.bit_length() - 1, self.width)
            if row in (0, height - 1) or col in (0, self.width - 1):
                raise BadLevel("row %d, column %d: the player can leave the board here, "
                               "expected walls all round" % (row + 1, col + 1))
            seen |= square
            todo += [shift(square, by) for by in self.steps.values()]
        return seen

    def _pulls(self, goal):
        """{square: pushes that bring a lone box from there to `goal`}, by pulling backwards.

        To be pulled a step the box needs two free squares in a row: one for itself and one
        for the player who draws it.
        """
        distances, frontier = {goal: 0}, [goal]
        for pulls in itertools.count(1):
            reached = []
            for square in frontier:
                for by in self.steps.values():
                    drawn = shift(square, by)
                    if (drawn & self.floor and shift(drawn, by) & self.floor
                            and drawn not in distances):
                        distances[drawn] = pulls
                        reached.append(drawn)
            if not reached:
                return distances
            frontier = reached

    def walk(self, player, free):
        """All squares of `free` that the player can walk to."""
        width, region, last = self.width, player, 0
        while region != last:
            last = region
            region |= (region << 1 | region >> 1 | region << width | region >> width) & free
        return region

    def blocked(self, box, boxes, axis, fixed):
        """Whether `box` can never move along `axis` (a shift), taking `fixed` as walls."""
        one, two = box << axis, box >> axis
        if (one | two) & (~self.floor | fixed) or not (one | two) & self.live:
            return True
        other = self.width + 1 - axis
        return any(side & boxes and self.blocked(side, boxes, other, fixed | box)
                   for side in (one, two))

    def frozen(self, pushed, boxes):
        """Whether the box just pushed, or one it touches, is stuck off its goal for ever."""
        width = self.width
        touching = (pushed | pushed << 1 | pushed >> 1 | pushed << width | pushed >> width) & boxes
        return any(self.blocked(box, boxes, 1, 0) and self.blocked(box, boxes, width, 0)
                   for box in bits(touching & ~self.goals))


class Bound:
    """Lower bound on the pushes still to make: the cheapest matching of boxes to goals."""

    def __init__(self, level):
        self.level = level
        self.known = {}   # box set -> bound
        self.costs = {}   # box square -> (cost to each goal, nearest goal)

    def __call__(self, boxes):
        """The bound for this box set; `NEVER` or more if some box has no goal left for it."""
        bound = self.known.get(boxes)
        if bound is None:
            bound = self.known[boxes] = self._match([self._row(box) for box in bits(boxes)])
        return bound

    def _row(self, box):
        row = self.costs.get(box)
        if row is None:
            costs = [distances.get(box, NEVER) for distances in self.level.distances]
            row = self.costs[box] = (costs, min(costs), costs.index(min(costs)))
        return row

    @staticmethod
    def _match(rows):
        """Kuhn's method with row and column prices, adding one row at a time, O(n^3)."""
        count = len(rows)
        if len({nearest for _, _, nearest in rows}) == count:
            return sum(least for _, least, _ in rows)   # no two boxes want the same goal
        row_price, col_price = [0] * (count + 1), [0] * (count + 1)
        taker, before = [0] * (count + 1), [0] * (count + 1)
        for row in range(1, count + 1):
            taker[0], at = row, 0
            slack, done = [3 * NEVER * count] * (count + 1), [False] * (count + 1)
            while taker[at]:   # until a column that nobody holds is reached
                done[at] = True
                least, nearest, holder = 3 * NEVER * count, 0, taker[at]
                costs, price = rows[holder - 1][0], row_price[holder]
                for col in range(1, count + 1):
                    if not done[col]:
                        reduced = costs[col - 1] - price - col_price[col]
                        if reduced < slack[col]:
                            slack[col], before[col] = reduced, at
                        if slack[col] < least:
                            least, nearest = slack[col], col
                for col in range(count + 1):
                    if done[col]:
                        row_price[taker[col]] += least
                        col_price[col] -= least
                    else:
                        slack[col] -= least
                at = nearest
            while at:   # hand the columns on along the path that was found
                taker[at] = taker[before[at]]
                at = before[at]
        return -col_price[0]


def pushes_anywhere(level, player, boxes):
    """Yields (steps to walk before, box, direction) for each push; walking costs nothing."""
    region = level.walk(player, level.floor & ~boxes)
    enter = level.live & ~boxes
    for way, by in level.steps.items():
        for box in bits(boxes & shift(region, by) & shift(enter, -by)):
            yield 0, box, way


def pushes_by_distance(level, player, boxes):
    """The same with the steps counted: the walk grows outwards one step at a time."""
    free, enter = level.floor & ~boxes, level.live & ~boxes
    steps, width, region, ring = 0, level.width, player, player
    while ring:
        for way, by in level.steps.items():
            for box in bits(boxes & shift(ring, by) & shift(enter, -by)):
                yield steps, box, way
        grown = ring << 1 | ring >> 1 | ring << width | ring >> width
        ring = grown & free & ~region
        region |= ring
        steps += 1


def search(level, moves=False, weight=1, deadline=None):
    """Best-first search. Returns (pushes as (box, direction) or None if there are none, nodes).

    The queue is ordered by cost so far plus `weight` times the bound; with weight 1 the answer
    is shortest, in moves if `moves`, else in pushes. Among equals comes first what is nearest
    to the end, then what keeps pushing the same box (it saves walking), then the newest.
    Raises `GaveUp` at the deadline.
    """
    bound = Bound(level)
    expand = pushes_by_distance if moves else pushes_anywhere
    start = bound(level.boxes)
    serial = itertools.count(0, -1)
    queue = [(weight * start, start, False, next(serial), 0, level.player, level.boxes, None, None)]
    best, closed = {}, set()
    while queue and start < NEVER:
        node = heapq.heappop(queue)
        _, left, _, _, cost, player, boxes, _, last = node
        if left == 0:
            return path(node), len(closed)
        same = last and shift(last[0], level.steps[last[1]])
        if not moves:
            player = level.walk(player, level.floor & ~boxes)
            player &= -player
        if (player, boxes) in closed:
            continue
        closed.add((player, boxes))
        if len(closed) >= MOST_NODES or deadline is not None and time.monotonic() > deadline:
            raise GaveUp("%d nodes expanded" % len(closed))
        for steps, box, way in expand(level, player, boxes):
            landed = shift(box, level.steps[way])
            after = boxes ^ box ^ landed
            total = cost + steps + 1
            if best.get((box, after), NEVER) <= total:
                continue   # the pushed box's old square is where the player stands now
            best[box, after] = total
            left = bound(after)
            if left >= NEVER or level.frozen(landed, after):
                continue
            heapq.heappush(queue, (total + weight * left, left, box != same, next(serial), total,
                                   box, after, node, (box, way)))
    return None, len(closed)


def path(node):
    """The pushes that lead to `node`, first to last."""
    pushes = []
    while node[-1] is not None:
        pushes.append(node[-1])
        node = node[-2]
    return pushes[::-1]


def route(level, player, boxes, target):
    """A shortest walk from `player` to `target` as letters."""
    came, frontier = {player: ""}, [player]
    while target not in came:
        reached = []
        for square in frontier:
            for way, by in level.steps.items():
                step = shift(square, by)
                if step & level.floor & ~boxes and step not in came:
                    came[step] = came[square] + way
                    reached.append(step)
        frontier = reached
    return came[target]


def letters(level, pushes):
    """Pushes with the walks between them, as one string of L, U, R, D."""
    player, boxes, answer = level.player, level.boxes, ""
    for box, way in pushes:
        by = level.steps[way]
        answer += route(level, player, boxes, shift(box, -by)) + way
        player, boxes = box, boxes ^ box ^ shift(box, by)
    return answer


def replay(rows, answer):
    """Plays `answer` on the characters of the board. Returns (solved, pushes)."""
    place = {(r, c): glyph for r, line in enumerate(rows) for c, glyph in enumerate(line)}
    goals = {at for at, glyph in place.items() if glyph in "+*."}
    boxes = {at for at, glyph in place.items() if glyph in "$*"}
    player = next(at for at, glyph in place.items() if glyph in "@+")
    pushes = 0
    for way in answer:
        down, right = WALKS[way]
        ahead = player[0] + down, player[1] + right
        if ahead in boxes:
            beyond = ahead[0] + down, ahead[1] + right
            if beyond in boxes or place.get(beyond, "#") == "#":
                return False, pushes
            boxes.remove(ahead)
            boxes.add(beyond)
            pushes += 1
        elif place.get(ahead, "#") == "#":
            return False, pushes
        player = ahead
    return boxes == goals, pushes


def solve(rows, moves=False, seconds=60.0):
    """Returns (answer or None, nodes expanded, whether the answer is proved shortest).

    None means proved unsolvable. Raises `BadLevel` or `GaveUp`.
    """
    level, now = Level(rows), time.monotonic()
    try:
        pushes, nodes = search(level, moves, 1, now + seconds / 2)
        proved = True
    except GaveUp:
        pushes, nodes = search(level, False, 5, now + seconds)
        proved = False
    return (None if pushes is None else letters(level, pushes)), nodes, proved


def main(arguments=None):
    """The command line; returns the exit code."""
    parser = argparse.ArgumentParser(description="Solves a Sokoban level.",
                                     epilog="exit codes: 0 solved, 1 unsolvable, 2 bad level, 3 gave up")
    parser.add_argument("level", metavar="LEVEL", help="a file in XSB")
    parser.add_argument("--index", type=int, default=1, help="which board of the file, from 1")
    parser.add_argument("--moves", action="store_true", help="fewest moves instead of pushes")
    parser.add_argument("--time", type=float, default=60, metavar="SECONDS", help="default 60")
    options = parser.parse_args(arguments)
    try:
        with open(options.level, encoding="utf-8", errors="replace") as source:
            rows = read_board(source.read(), options.index)
        answer, nodes, proved = solve(rows, options.moves, options.time)
    except (OSError, BadLevel) as error:
        print("bad level: %s" % error, file=sys.stderr)
        return BAD_LEVEL
    except GaveUp as error:
        print("gave up: %s" % error, file=sys.stderr)
        return GAVE_UP
    if answer is None:
        print("unsolvable: all %d positions searched" % nodes, file=sys.stderr)
        return UNSOLVABLE
    solved, pushes = replay(rows, answer)
    assert solved, "the replay refuses the answer: a fault of this program"
    print(answer)
    print("# moves=%d pushes=%d nodes=%d" % (len(answer), pushes, nodes))
    unit = "moves" if options.moves else "pushes"
    print("# fewest %s: %s" % (unit, "proved" if proved else "not proved"))
    return SOLVED


if __name__ == "__main__":
    sys.exit(main())
