from collections.abc import Mapping, Sequence
from typing import Any, Literal, Unpack, final

from puzzleyard.records import (
    Difficulty,
    Kind,
    SokobanAnswer,
    SokobanExample,
    SokobanReply,
    SokobanRuling,
    SokobanScore,
    SokobanSettings,
    SokobanState,
    SokobanTask,
    SudokuDiagnosis,
    SudokuEntry,
    SudokuExample,
    SudokuPair,
    SudokuRating,
    SudokuReply,
    SudokuScore,
    SudokuState,
    SudokuStep,
    Symmetry,
)

__all__ = [
    "SOKOBAN_PARTS",
    "SUDOKU_PARTS",
    "SokobanEpisode",
    "SudokuEpisode",
    "sokoban_examples",
    "sokoban_judge",
    "sokoban_judge_transcript",
    "sokoban_score",
    "sokoban_solve",
    "sudoku_canonical",
    "sudoku_count",
    "sudoku_diagnose",
    "sudoku_examples",
    "sudoku_generate",
    "sudoku_generate_many",
    "sudoku_hint",
    "sudoku_is_unique",
    "sudoku_judge",
    "sudoku_judge_transcript",
    "sudoku_rate",
    "sudoku_read",
    "sudoku_score",
    "sudoku_solutions",
    "sudoku_solve",
]

SUDOKU_PARTS: list[str]
SOKOBAN_PARTS: list[str]

@final
class SudokuEpisode:
    def __new__(
        cls, puzzle: str, *, use_think: bool = True, max_turns: int | Literal["auto"] = 50
    ) -> SudokuEpisode: ...
    @property
    def system_prompt(self) -> str: ...
    @property
    def prompt(self) -> str: ...
    def turn(self, message: str) -> SudokuReply: ...
    def state(self) -> SudokuState: ...
    def score(self) -> SudokuScore: ...
    def transcript(self) -> dict[str, Any]: ...
    @property
    def board(self) -> str: ...
    @property
    def max_turns(self) -> int: ...
    @property
    def turns_used(self) -> int: ...
    @property
    def done(self) -> bool: ...

def sudoku_solve(puzzle: str) -> str | None: ...
def sudoku_count(puzzle: str, limit: int = 2) -> int: ...
def sudoku_is_unique(puzzle: str) -> bool: ...
def sudoku_solutions(puzzle: str, limit: int = 100) -> list[str]: ...
def sudoku_rate(puzzle: str) -> SudokuRating: ...
def sudoku_hint(puzzle: str) -> SudokuStep | None: ...
def sudoku_judge(puzzle: str, answer: str) -> None: ...
def sudoku_diagnose(puzzle: str, nodes: int = 1_000_000) -> SudokuDiagnosis: ...
def sudoku_read(text: str, kind: Kind | None = None) -> list[SudokuEntry]: ...
def sudoku_generate(
    difficulty: Difficulty = "easy",
    seed: int = 42,
    index: int = 0,
    *,
    clues: tuple[int, int] | None = None,
    minimal: bool = False,
    symmetry: Symmetry = "none",
    score: tuple[int, int] | None = None,
) -> SudokuPair: ...
def sudoku_generate_many(
    difficulty: Difficulty = "easy",
    count: int = 100,
    seed: int = 42,
    start: int = 0,
    *,
    clues: tuple[int, int] | None = None,
    minimal: bool = False,
    symmetry: Symmetry = "none",
    score: tuple[int, int] | None = None,
) -> list[SudokuPair]: ...
def sudoku_canonical(puzzle: str) -> str: ...
def sudoku_judge_transcript(transcript: Mapping[str, Any] | str) -> SudokuScore: ...
def sudoku_score(
    puzzle: str,
    messages: Sequence[str],
    *,
    use_think: bool = True,
    max_turns: int | Literal["auto"] = 50,
) -> SudokuScore: ...
def sudoku_examples(
    difficulty: Difficulty = "easy",
    count: int = 100,
    seed: int = 42,
    *,
    use_think: bool = True,
    max_turns: int | Literal["auto"] = 50,
) -> list[SudokuExample]: ...

@final
class SokobanEpisode:
    def __new__(
        cls, level: str | SokobanTask, **settings: Unpack[SokobanSettings]
    ) -> SokobanEpisode: ...
    @property
    def system_prompt(self) -> str: ...
    @property
    def prompt(self) -> str: ...
    def turn(self, message: str) -> SokobanReply: ...
    def state(self) -> SokobanState: ...
    def score(self) -> SokobanScore: ...
    def transcript(self) -> dict[str, Any]: ...
    @property
    def board(self) -> str: ...
    @property
    def answer(self) -> str: ...
    @property
    def max_turns(self) -> int: ...
    @property
    def turns_used(self) -> int: ...
    @property
    def done(self) -> bool: ...

def sokoban_solve(
    level: str,
    objective: Literal["any", "pushes", "moves"] = "pushes",
    *,
    nodes: int = 1_000_000,
    memory: int = 1073741824,
) -> SokobanAnswer: ...
def sokoban_judge(level: str, answer: str, *, case_matters: bool = False) -> SokobanRuling: ...
def sokoban_judge_transcript(transcript: Mapping[str, Any] | str) -> SokobanScore: ...
def sokoban_score(
    level: str | SokobanTask, messages: Sequence[str], **settings: Unpack[SokobanSettings]
) -> SokobanScore: ...
def sokoban_examples(
    difficulty: Difficulty | None = None,
    count: int = 100,
    seed: int = 42,
    *,
    levels: str | None = None,
    nodes: int = 200_000,
    **settings: Unpack[SokobanSettings],
) -> list[SokobanExample]: ...
