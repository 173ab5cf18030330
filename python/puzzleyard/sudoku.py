"""Sudoku. A puzzle is a string of 81 characters row by row, `.` or `0` for an empty cell."""

from puzzleyard._puzzleyard import SUDOKU_PARTS
from puzzleyard._puzzleyard import SudokuEpisode as Episode
from puzzleyard._puzzleyard import sudoku_canonical as canonical
from puzzleyard._puzzleyard import sudoku_count as count
from puzzleyard._puzzleyard import sudoku_diagnose as diagnose
from puzzleyard._puzzleyard import sudoku_examples as examples
from puzzleyard._puzzleyard import sudoku_generate as generate
from puzzleyard._puzzleyard import sudoku_generate_many as generate_many
from puzzleyard._puzzleyard import sudoku_hint as hint
from puzzleyard._puzzleyard import sudoku_is_unique as is_unique
from puzzleyard._puzzleyard import sudoku_judge as judge
from puzzleyard._puzzleyard import sudoku_judge_transcript as judge_transcript
from puzzleyard._puzzleyard import sudoku_rate as rate
from puzzleyard._puzzleyard import sudoku_read as read
from puzzleyard._puzzleyard import sudoku_score as score
from puzzleyard._puzzleyard import sudoku_solutions as solutions
from puzzleyard._puzzleyard import sudoku_solve as solve

PARTS = tuple(SUDOKU_PARTS)
"""The parts of a score, in their order; `total` is their sum."""

__all__ = [
    "PARTS",
    "Episode",
    "canonical",
    "count",
    "diagnose",
    "examples",
    "generate",
    "generate_many",
    "hint",
    "is_unique",
    "judge",
    "judge_transcript",
    "rate",
    "read",
    "score",
    "solutions",
    "solve",
]
