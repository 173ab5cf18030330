"""A slow second opinion on Sudoku: plain search, rules from the definition."""

from __future__ import annotations

UNITS = (
    [[row * 9 + col for col in range(9)] for row in range(9)]
    + [[row * 9 + col for row in range(9)] for col in range(9)]
    + [[(box // 3 * 3 + at // 3) * 9 + box % 3 * 3 + at % 3 for at in range(9)] for box in range(9)]
)
PEERS = [{peer for unit in UNITS if cell in unit for peer in unit} - {cell} for cell in range(81)]


def solutions(puzzle: str, most: int) -> list[str]:
    """Return solutions in no particular order, at most so many."""
    found: list[str] = []
    board = [0 if sign in ".0" else int(sign) for sign in puzzle]

    def search() -> None:
        best: tuple[int, list[int]] | None = None
        for cell in range(81):
            if board[cell] == 0:
                taken = {board[peer] for peer in PEERS[cell]}
                left = [digit for digit in range(1, 10) if digit not in taken]
                if best is None or len(left) < len(best[1]):
                    best = (cell, left)
        if best is None:
            found.append("".join(map(str, board)))
            return
        for digit in best[1]:
            if len(found) < most:
                board[best[0]] = digit
                search()
                board[best[0]] = 0

    if all(
        board[cell] == 0 or board[cell] not in {board[p] for p in PEERS[cell]} for cell in range(81)
    ):
        search()
    return found


def turned(puzzle: str) -> str:
    """Return the puzzle with rows and columns swapped, two rows swapped, and digits renamed."""
    swapped = [puzzle[col * 9 + row] for row in range(9) for col in range(9)]
    rows = [swapped[row * 9 : row * 9 + 9] for row in (1, 0, 2, 6, 7, 8, 3, 4, 5)]
    return "".join("".join(row) for row in rows).translate(str.maketrans("123456789", "912345678"))
