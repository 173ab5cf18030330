"""Puzzle worlds in which an agent's result can be trusted.

`sudoku` and `sokoban` hold the two games. Everything is decided by the Rust module
`_puzzleyard`; the Python here gives it names and types.
"""

from puzzleyard import sokoban, sudoku
from puzzleyard.errors import FormatError, PuzzleError, PuzzleyardError, Refused, SettingError

__all__ = [
    "FormatError",
    "PuzzleError",
    "PuzzleyardError",
    "Refused",
    "SettingError",
    "sokoban",
    "sudoku",
]
