"""The Sudoku functions against a slow second opinion."""

from __future__ import annotations

import json
import random

import pytest
from plain import solutions, turned
from puzzleyard import FormatError, PuzzleError, Refused, SettingError, sudoku

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


def test_solutions_and_counts_are_those_of_a_plain_search() -> None:
    """Compare on a unique puzzle, on ones with several solutions, and on one with none."""
    (only,) = solutions(PUZZLE, 2)
    assert sudoku.solve(PUZZLE) == only
    assert sudoku.is_unique(PUZZLE)
    dice = random.Random(5)
    for _ in range(10):
        kept = set(dice.sample(range(81), 36))
        puzzle = "".join(sign if at in kept else "." for at, sign in enumerate(only))
        wanted = sorted(solutions(puzzle, 50))
        assert sudoku.count(puzzle, 50) == len(wanted)
        if len(wanted) < 50:
            assert sorted(sudoku.solutions(puzzle, 50)) == wanted
        assert sudoku.is_unique(puzzle) == (len(wanted) == 1)
    none = "12345678." + "........9" + "." * 63
    assert sudoku.solve(none) is None
    assert sudoku.count(none) == 0
    assert sudoku.solutions("." * 81, 0) == []


def test_the_judge_accepts_the_solution_and_nothing_else() -> None:
    """Change every cell of the solution once."""
    only = sudoku.solve(PUZZLE)
    assert only
    sudoku.judge(PUZZLE, only)
    for at in range(81):
        wrong = only[:at] + str(int(only[at]) % 9 + 1) + only[at + 1 :]
        with pytest.raises(Refused):
            sudoku.judge(PUZZLE, wrong)


@pytest.mark.parametrize(
    ("difficulty", "fewest", "most"), [("easy", 36, 46), ("medium", 28, 35), ("hard", 22, 27)]
)
def test_made_puzzles_have_one_solution_and_the_clues_of_their_level(
    difficulty: str, fewest: int, most: int
) -> None:
    """Search each plainly; ask for them one by one and together."""
    many = sudoku.generate_many(difficulty, 5, 7, 3)  # type: ignore[arg-type]
    for at, pair in enumerate(many):
        assert pair == sudoku.generate(difficulty, 7, 3 + at)  # type: ignore[arg-type]
        assert fewest <= 81 - pair["puzzle"].count(".") <= most
        assert solutions(pair["puzzle"], 2) == [pair["solution"]]
    assert len({pair["puzzle"] for pair in many}) == 5


def test_made_to_order() -> None:
    """Look at the pattern, the number and the need of each clue."""
    puzzle = sudoku.generate(clues=(24, 26), minimal=True, symmetry="rotation-180")["puzzle"]
    assert [sign == "." for sign in puzzle] == [sign == "." for sign in reversed(puzzle)]
    assert 24 <= 81 - puzzle.count(".") <= 26
    for at, sign in enumerate(puzzle):
        if sign != ".":
            assert len(solutions(puzzle[:at] + "." + puzzle[at + 1 :], 2)) == 2


def test_canonical_forms_tell_the_same_from_the_different() -> None:
    """Transform in Python."""
    other = turned(PUZZLE)
    assert other != PUZZLE
    assert sudoku.canonical(other) == sudoku.canonical(PUZZLE)
    assert sudoku.canonical(PUZZLE[:-1] + ".") != sudoku.canonical(PUZZLE)


def test_rating_and_hint_lead_to_the_solution() -> None:
    """Place the digits of the path on the puzzle."""
    only = sudoku.solve(PUZZLE)
    rating = sudoku.rate(PUZZLE)
    board = list(PUZZLE)
    for step in rating["path"]:
        if step["place"]:
            cell, digit = step["place"].split("=")
            board["ABCDEFGHI".index(cell[0]) * 9 + int(cell[1]) - 1] = digit
    assert "".join(board) == only
    assert rating["score"] == max(round(step["score"] * 10) for step in rating["path"])
    assert sudoku.hint(PUZZLE) == rating["path"][0]
    assert sudoku.hint(str(only)) is None


def test_a_diagnosis_says_what_is_wrong() -> None:
    """Meet each kind."""
    unique = sudoku.diagnose(PUZZLE)
    assert unique["kind"] == "unique" and unique["solution"] == sudoku.solve(PUZZLE)
    twice = sudoku.diagnose("55" + "." * 79)
    assert twice["kind"] == "conflicts"
    assert [one["unit"] for one in twice["conflicts"]] == ["row A", "box 1"]
    several = sudoku.diagnose("." * 81)
    assert several["kind"] == "several"
    pairs = zip(several["first"], several["second"], strict=True)
    names = [f"{'ABCDEFGHI'[at // 9]}{at % 9 + 1}" for at, (x, y) in enumerate(pairs) if x != y]
    assert several["differ"] == names
    none = sudoku.diagnose("12345678." + "........9" + "." * 63)
    assert none["kind"] == "no_solution" and none["minimal"]
    assert set(none["clues"]) <= {f"A{col}" for col in range(1, 9)} | {"B9"}


def test_files_of_all_sizes_are_read() -> None:
    """Read a line, JSON and a board of four rows."""
    (entry,) = sudoku.read(f"# a remark\n{PUZZLE}\n")
    assert (entry["puzzle"], entry["size"], entry["line"]) == (PUZZLE, 9, 2)
    (entry,) = sudoku.read(json.dumps([PUZZLE]), "json")
    assert entry["puzzle"] == PUZZLE
    (entry,) = sudoku.read("1...\n..3.\n....\n...2\n", "grid")
    assert (entry["size"], entry["puzzle"], entry["digits"][6]) == (4, None, 3)
    with pytest.raises(FormatError, match="line 1, column 1: found `x`"):
        sudoku.read("x\n")


def test_an_episode_is_judged_from_its_transcript() -> None:
    """Judge a record, as a dict and as JSON, and one that was tampered with."""
    episode = sudoku.Episode(PUZZLE, use_think=False)
    assert episode.turn("<move>A3=4</move>")["text"].startswith("✅ Valid move! 50 cells")
    assert episode.turn("nothing")["invalid_reason"] == "no_move"
    record = episode.transcript()
    score = episode.score()
    assert score["total"] == pytest.approx(0.1 - 0.2 + 2 / 51, abs=1e-6)
    assert score["total"] == pytest.approx(sum(score[part] for part in sudoku.PARTS))  # type: ignore[literal-required]
    assert sudoku.judge_transcript(record) == score
    assert sudoku.judge_transcript(json.dumps(record)) == score
    assert sudoku.score(PUZZLE, record["messages"], use_think=False) == score
    record["replies"][1]["reward"] = 0.1
    with pytest.raises(Refused, match=r"turn 2: reward is 0\.1, wanted -0\.2") as caught:
        sudoku.judge_transcript(record)
    assert caught.value.turn == 2


def test_half_characters_in_a_message_are_read_as_replacement_characters() -> None:
    """Say what no encoder takes."""
    episode = sudoku.Episode(PUZZLE, use_think=False)
    assert episode.turn("\ud83d <move>A3=4</move> \udfff")["invalid_reason"] is None
    assert episode.transcript()["messages"] == [
        "\ufffd\ufffd\ufffd <move>A3=4</move> \ufffd\ufffd\ufffd"
    ]


def test_examples_are_the_same_for_the_same_seed() -> None:
    """Ask twice, for fewer, and with another seed."""
    some = sudoku.examples("medium", 4, 9, max_turns="auto")
    assert some == sudoku.examples("medium", 6, 9, max_turns="auto")[:4]
    assert some != sudoku.examples("medium", 4, 10, max_turns="auto")
    for one in some:
        assert one["empty_cells"] == one["puzzle"].count(".") == 81 - one["clues"]
        assert one["max_turns"] == 2 * one["empty_cells"]
        assert one["solvable_within_turns"]
    short = sudoku.examples("hard", 3, max_turns=53)
    assert not any(one["solvable_within_turns"] for one in short)


@pytest.mark.parametrize(
    ("call", "kind", "words"),
    [
        (lambda: sudoku.solve("x" * 81), FormatError, "character 'x' at position 1"),
        (lambda: sudoku.solve("." * 80), FormatError, "80 cells, wanted 81"),
        (lambda: sudoku.solve("\ud800"), ValueError, ""),
        (lambda: sudoku.rate("." * 81), PuzzleError, "more than one solution"),
        (lambda: sudoku.Episode("." * 81), PuzzleError, "wanted at least 17"),
        (lambda: sudoku.Episode(PUZZLE, max_turns=0), SettingError, "from 1 to 10000"),
        (lambda: sudoku.Episode(PUZZLE, max_turns=-1), SettingError, "found -1"),
        (lambda: sudoku.Episode(PUZZLE, max_turns="soon"), SettingError, '"auto"'),  # type: ignore[arg-type]
        (lambda: sudoku.Episode(PUZZLE, max_turns=True), TypeError, "found True"),
        (lambda: sudoku.examples("odd"), SettingError, "wanted easy, medium or hard"),  # type: ignore[arg-type]
        (lambda: sudoku.examples(count=1_000_001), SettingError, "from 0 to 1000000"),
        (lambda: sudoku.examples(seed=-1), SettingError, "found -1"),
        (lambda: sudoku.generate(clues=(30, 25)), PuzzleError, "30 to 25 clues"),
        (lambda: sudoku.generate(symmetry="odd"), SettingError, "symmetry"),  # type: ignore[arg-type]
        (lambda: sudoku.generate_many(start=2**64 - 2, count=5), SettingError, "no index"),
        (lambda: sudoku.read(PUZZLE, "odd"), SettingError, "wanted one of line"),  # type: ignore[arg-type]
        (lambda: sudoku.judge_transcript("{}"), FormatError, "missing field"),
        (lambda: sudoku.judge_transcript({"x": object()}), TypeError, "JSON"),
    ],
)
def test_errors_say_what_was_found_and_what_would_be_right(
    call: object, kind: type[Exception], words: str
) -> None:
    """Meet each."""
    assert callable(call)
    with pytest.raises(kind) as caught:
        call()
    assert words in str(caught.value)
    assert isinstance(caught.value, ValueError | TypeError)
