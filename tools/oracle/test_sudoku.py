"""Checks sudoku.py against plain trial of every digit in every cell, and published counts.

    python3 -m unittest discover -s tools/oracle
"""

import os
import random
import unittest

import sudoku

TABLE = "../../crates/puzzleyard-sudoku/tests/data/formats/counts.txt"


def clashes(box_rows, box_cols, board, cell, digit):
    """Whether another cell of the row, column or box holds the digit."""
    size = box_rows * box_cols
    for other, held in enumerate(board):
        if other == cell or held != digit:
            continue
        same_row = other // size == cell // size
        same_col = other % size == cell % size
        same_box = (
            other // size // box_rows == cell // size // box_rows
            and other % size // box_cols == cell % size // box_cols
        )
        if same_row or same_col or same_box:
            return True
    return False


def blind(box_rows, box_cols, board, limit, cell=0):
    """Counts by trying every digit in every empty cell, first cell first."""
    if limit <= 0:
        return 0
    if cell == len(board):
        return 1
    if board[cell]:
        if clashes(box_rows, box_cols, board, cell, board[cell]):
            return 0
        return blind(box_rows, box_cols, board, limit, cell + 1)
    found = 0
    for digit in range(1, box_rows * box_cols + 1):
        if not clashes(box_rows, box_cols, board, cell, digit):
            board[cell] = digit
            found += blind(box_rows, box_cols, board, limit - found, cell + 1)
            board[cell] = 0
    return found


class Counts(unittest.TestCase):
    def test_all_grids_of_four(self):
        self.assertEqual(sudoku.count(2, 2, [0] * 16, 1000), 288)

    def test_against_blind_trial(self):
        dice = random.Random(5)
        for _ in range(60):
            rows, cols = dice.choice([(2, 2), (2, 3), (3, 2), (1, 4)])
            size = rows * cols
            board = [dice.randint(1, size) if dice.random() < 0.25 else 0 for _ in range(size * size)]
            with self.subTest(rows=rows, cols=cols, board=board):
                expected = blind(rows, cols, list(board), 30)
                self.assertEqual(sudoku.count(rows, cols, board, 30), expected)

    def test_solutions_keep_the_clues(self):
        board = sudoku.read("1.." + "." * 33)
        first = next(sudoku.solutions(2, 3, board))
        self.assertEqual(first[0], 1)
        self.assertEqual(blind(2, 3, list(first), 2), 1)

    def test_the_table(self):
        path = os.path.join(os.path.dirname(os.path.abspath(__file__)), TABLE)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        self.assertEqual(sudoku.recount(text), text)


if __name__ == "__main__":
    unittest.main()
