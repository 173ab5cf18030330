"""The dicts that `_puzzleyard` returns."""

from typing import Literal, TypedDict

Difficulty = Literal["easy", "medium", "hard"]
"""Sudoku: 36 to 46, 28 to 35, 22 to 27 clues. Sokoban: up to 4, 5 or 6, 7 boxes or more."""

Kind = Literal["line", "grid", "sdk", "sdm", "ss", "csv", "json"]
"""A kind of puzzle file."""

Symmetry = Literal[
    "none",
    "rotation-180",
    "rotation-90",
    "horizontal",
    "vertical",
    "diagonal",
    "anti-diagonal",
    "both-lines",
    "both-diagonals",
    "full",
]
"""Under which turns and reflections the pattern of clues stays the same."""


class SudokuScore(TypedDict):
    """What an episode is worth: parts, and `total`, which is the reward."""

    valid_moves: float
    backtracks: float
    invalid_moves: float
    solved: float
    efficiency: float
    complete: float
    partial: float
    violations: float
    solved_floor: float
    total: float


class SudokuReply(TypedDict):
    """What a turn came to."""

    text: str
    done: bool
    reward: float
    invalid_reason: str | None


class SudokuPast(TypedDict):
    """A turn of the past."""

    turn: int
    move: str | None
    reward: float
    invalid_reason: str | None


class SudokuState(TypedDict):
    """Where an episode stands."""

    puzzle: str
    board: str
    turn: int
    max_turns: int
    filled: int
    empty_cells: int
    done: bool
    end: Literal["solved", "complete_but_wrong", "out_of_turns"] | None
    invalid_reason: str | None
    score: SudokuScore
    history: list[SudokuPast]


class SudokuExample(TypedDict):
    """A puzzle to play, with what the player sees first."""

    id: str
    puzzle: str
    difficulty: str
    clues: int
    empty_cells: int
    solvable_within_turns: bool
    max_turns: int
    system_prompt: str
    prompt: str


class SudokuEntry(TypedDict):
    """A puzzle of a file. `puzzle` and `solution` are `None` for sizes other than 9."""

    size: int
    digits: list[int]
    puzzle: str | None
    solution: str | None
    title: str | None
    line: int


class SudokuPair(TypedDict):
    """A puzzle and its one solution."""

    puzzle: str
    solution: str


class SudokuStep(TypedDict):
    """A step that a person could take: `A1=5` to place, `A1!=5` to remove."""

    technique: str
    score: float
    assumes_unique: bool
    place: str | None
    remove: list[str]
    cells: list[str]
    candidates: list[str]
    reason: str


class SudokuRating(TypedDict):
    """How hard a puzzle is for people, in tenths of a point: 12 is 1.2."""

    score: int
    pearl: int
    diamond: int
    hardest: str | None
    path: list[SudokuStep]


class SudokuConflict(TypedDict):
    """A digit that stands more than once in a unit."""

    unit: str
    digit: int
    cells: list[str]


class Conflicts(TypedDict):
    """Rules are broken already."""

    kind: Literal["conflicts"]
    conflicts: list[SudokuConflict]


class NoSolution(TypedDict):
    """These clues contradict one another."""

    kind: Literal["no_solution"]
    clues: list[str]
    minimal: bool


class Unique(TypedDict):
    """There is one solution."""

    kind: Literal["unique"]
    solution: str


class Several(TypedDict):
    """Two of the solutions, and the cells in which they differ."""

    kind: Literal["several"]
    first: str
    second: str
    differ: list[str]


class GaveUp(TypedDict):
    """A limit was reached before anything was known."""

    kind: Literal["gave_up"]
    limit: str


SudokuDiagnosis = Conflicts | NoSolution | Unique | Several | GaveUp
"""What is wrong with a puzzle, if anything; `kind` says which."""


class Optimum(TypedDict):
    """An answer with the proven fewest pushes."""

    pushes: int
    moves: int


class SokobanTask(TypedDict):
    """A level in XSB, and what is known of its best answer."""

    level: str
    optimum: Optimum | None


class SokobanSettings(TypedDict, total=False):
    """How a level is played; what is left out has its default."""

    use_think: bool
    max_turns: int | Literal["auto"]
    steps_per_turn: int
    view: Literal["xsb", "coordinates"]
    tell_deadlock: bool
    case_matters: bool


class SokobanScore(TypedDict):
    """What an episode is worth: parts, and `total`, which is the reward."""

    invalid_moves: float
    boxes: float
    solved: float
    efficiency: float
    length: float
    solved_floor: float
    total: float


class SokobanReply(TypedDict):
    """What a turn came to."""

    text: str
    done: bool
    reward: float
    steps: int
    invalid_reason: str | None
    invalid_step: int | None


class SokobanPast(TypedDict):
    """A turn of the past."""

    turn: int
    move: str | None
    made: str
    reward: float
    invalid_reason: str | None
    invalid_step: int | None


class SokobanState(TypedDict):
    """Where an episode stands."""

    level: str
    board: str
    turn: int
    max_turns: int
    moves: int
    pushes: int
    boxes: int
    on_goals: int
    done: bool
    end: Literal["solved", "out_of_turns"] | None
    invalid_reason: str | None
    invalid_step: int | None
    score: SokobanScore
    history: list[SokobanPast]


class SokobanExample(TypedDict):
    """A level to play, with what the player sees first."""

    id: str
    task: SokobanTask
    difficulty: str
    boxes: int
    solvable_within_turns: bool | None
    max_turns: int
    system_prompt: str
    prompt: str


class SokobanAnswer(TypedDict):
    """What a search found."""

    verdict: Literal["solved", "unsolvable", "gave_up"]
    answer: str | None
    moves: int | None
    pushes: int | None
    optimal: bool
    lower_bound: int | None
    limit: str | None
    expanded: int


class SokobanRuling(TypedDict):
    """What the judge says of an answer."""

    solved: bool
    moves: int | None
    pushes: int | None
    ruling: str
