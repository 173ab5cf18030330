"""Checks solver.py against blind search over the functions of state_counts.py.

    python3 -m unittest discover -s tools/oracle
"""

import contextlib
import io
import os
import random
import tempfile
import unittest

import solver
import state_counts


def blind(rows, moves, limit=30000):
    """Fewest moves or pushes by breadth-first search; None if unsolvable, -1 if too large."""
    floor, player, boxes = state_counts.read(rows)
    goals = {(r, c) for r, row in enumerate(rows) for c, glyph in enumerate(row) if glyph in "+*."}
    start, following, place = ((player, boxes), state_counts.moves_next, 1)
    if not moves:
        start, following = (state_counts.region(floor, player, boxes), boxes), state_counts.pushes_next
    seen, layer, depth = {start}, {start}, 0
    while layer:
        if any(state[place] == goals for state in layer):
            return depth
        layer = {after for state in layer for after in following(floor, state)} - seen
        seen |= layer
        depth += 1
        if len(seen) > limit:
            return -1
    return None


def random_board(dice):
    """A closed room of 5 to 7 by 5 to 8 squares with some walls and 1 to 3 boxes; any quality."""
    height, width = dice.randint(5, 7), dice.randint(5, 8)
    cells = [(r, c) for r in range(1, height - 1) for c in range(1, width - 1)]
    dice.shuffle(cells)
    board = [["#"] * width for _ in range(height)]
    for r, c in cells[len(cells) // 6:]:
        board[r][c] = " "
    free, boxes = cells[len(cells) // 6:], dice.randint(1, 3)
    things = "@" + "$" * boxes + "." * boxes
    for (r, c), glyph in zip(free, things):
        board[r][c] = glyph
    if dice.random() < 0.3 and len(free) > len(things) + 1:
        r, c = free[len(things)]
        board[r][c] = "*"
    return ["".join(row) for row in board]


def table():
    """The boards of the table of state counts, as lists of rows."""
    here = os.path.dirname(os.path.abspath(__file__))
    path = os.path.join(here, "..", "..", "crates", "puzzleyard-sokoban", "tests", "data",
                        "state_counts.txt")
    rows = []
    with open(path, encoding="utf-8") as source:
        for line in source.read().splitlines() + [""]:
            if line.startswith("|"):
                rows.append(line[1:].rstrip("|"))
            elif rows:
                yield rows
                rows = []


class Optimality(unittest.TestCase):
    """The solver's counts are the least there are."""

    def check(self, rows):
        """Returns 1 if `rows` is a playable level, after comparing both objectives."""
        try:
            solver.Level(rows)
        except solver.BadLevel:
            return 0
        for moves in (False, True):
            least = blind(rows, moves)
            if least == -1:
                continue
            answer, _, proved = solver.solve(rows, moves)
            self.assertTrue(proved)
            if answer is None:
                self.assertIsNone(least, rows)
                continue
            solved, pushes = solver.replay(rows, answer)
            self.assertTrue(solved, rows)
            self.assertEqual(len(answer) if moves else pushes, least, rows)
        return 1

    def test_table(self):
        """All playable levels of the table of state counts."""
        self.assertGreater(sum(self.check(rows) for rows in table()), 20)

    def test_random(self):
        """Random rooms, solvable or not."""
        dice = random.Random(20)
        self.assertGreater(sum(self.check(random_board(dice)) for _ in range(400)), 100)


class CommandLine(unittest.TestCase):
    """Exit codes and what is printed."""

    def run_on(self, text, *options):
        """Runs the program on a file of `text`; returns (exit code, output, errors)."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "level.xsb")
            with open(path, "w", encoding="utf-8") as target:
                target.write(text)
            out, err = io.StringIO(), io.StringIO()
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                code = solver.main([path] + list(options))
        return code, out.getvalue(), err.getvalue()

    def test_solved(self):
        """`-` and `_` are floor; titles and comments are passed over; boards are counted."""
        text = "Title: one\n#####\n#@$.#\n#####\n\n; two\n#######\n#-@_$.#\n#######\n"
        self.assertEqual(self.run_on(text)[:2],
                         (0, "R\n# moves=1 pushes=1 nodes=1\n# fewest pushes: proved\n"))
        self.assertEqual(self.run_on(text, "--index", "2", "--moves")[1].split("\n")[0], "RR")

    def test_failures(self):
        """Unsolvable, bad and missing levels."""
        self.assertEqual(self.run_on("######\n#@ .##\n#  $ #\n######\n")[0], 1)
        for text, say in (
            ("#####\n#@x.#\n#####\n", "line 2, column 3: found 'x'"),
            ("#####\n#@$ #\n#####\n", "1 boxes and 0 goals"),
            ("#####\n#@$. \n#####\n", "row 2, column 5: the player can leave"),
            ("#####\n# $.#\n#####\n", "0 players"),
            ("nothing\n", "no board number 1"),
        ):
            code, _, errors = self.run_on(text)
            self.assertEqual(code, 2, text)
            self.assertIn(say, errors)

    def test_gave_up(self):
        """No time at all ends with code 3."""
        self.assertEqual(self.run_on("#####\n#@$.#\n#####\n", "--time", "0")[0], 3)


if __name__ == "__main__":
    unittest.main()
