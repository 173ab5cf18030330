"""The contract's command lines, as written, played to the end against scripted models."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import scripted
from evals import KEY, ROOT, results, run
from puzzleyard import sudoku as game

# Name: the command line, and who plays if it names no model.
FORMS = {
    "default settings": ("uv run vf-eval sudoku", "perfect"),
    "model and sampling": (
        "uv run vf-eval sudoku -m gpt-4o-mini -n 20 -r 3 -t 1024 -T 0.7 "
        """-a '{"max_examples": 50, "use_think": true, "max_turns": 30}'""",
        "",
    ),
    "direct reasoning": ("""uv run vf-eval sudoku -a '{"use_think": false}'""", "perfect"),
    "medium": ("""uv run vf-eval sudoku -a '{"difficulty": "medium"}'""", "perfect"),
    "hard with more turns": (
        """uv run vf-eval sudoku -a '{"difficulty": "hard", "max_turns": 75}'""",
        "perfect",
    ),
    "another seed": ("""uv run vf-eval sudoku -a '{"seed": 123}'""", "perfect"),
}
OTHERS = {
    "sloppy": (
        """uv run vf-eval sudoku -a '{"difficulty": "hard", "max_turns": "auto"}'
        -C board,turn,done,end,invalid_reason,score,history""",
        "sloppy",
    ),
    "hostile": ("""uv run vf-eval sudoku -a '{"max_turns": 12}'""", "hostile"),
    "silent": ("""uv run vf-eval sudoku -a '{"max_turns": 12}'""", "silent"),
    "sokoban": ("uv run vf-eval sokoban", "perfect"),
}
Rows = list[dict[str, Any]]
Played = Callable[[str], tuple[str, Rows]]


@pytest.fixture(scope="module")
def played(address: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    """Run all command lines, two at a time; give what each printed and saved."""

    def play(form: str, model: str, out: Path) -> tuple[str, Rows]:
        words = shlex.split(form)
        name = words[3]
        if model:
            words += ["-m", model, "-n", "2", "-r", "1"]
        words += ["-b", address, "-k", KEY, "-s", "-o", str(out)]
        printed = run(words, ROOT / "environments" / name)
        return printed, results(out)

    with ThreadPoolExecutor(2) as pool:
        runs: dict[str, Future[tuple[str, Rows]]] = {
            name: pool.submit(play, form, model, tmp_path_factory.mktemp("run"))
            for name, (form, model) in (FORMS | OTHERS).items()
        }
        yield lambda name: runs[name].result()
        for one in runs.values():
            one.cancel()


def puzzle_of(row: dict[str, Any]) -> str:
    """Return the puzzle that the model saw."""
    board = scripted.sudoku_board(scripted.text(row["prompt"][-1]))
    assert board
    return board


def said(row: dict[str, Any]) -> list[str]:
    """Return what the model said."""
    return [scripted.text(one) for one in row["completion"] if one["role"] == "assistant"]


def expected_of_perfect(puzzle: str, max_turns: int) -> dict[str, float]:
    """What the contract's table gives for right moves only, as many as there are turns."""
    empty = puzzle.count(".")
    made = min(empty, max_turns)
    solved = made == empty
    return {
        "valid_moves": 0.1 * made,
        "backtracks": 0.0,
        "invalid_moves": 0.0,
        "solved": 5.0 if solved else 0.0,
        "efficiency": 1.0 - made / max_turns if solved else 0.0,
        "complete": 1.0 if solved else 0.0,
        "partial": 2.0 * made / empty,
        "violations": 0.0,
    }


@pytest.mark.parametrize("name", FORMS)
def test_form_of_the_contract_runs_and_pays_as_its_table_says(name: str, played: Played) -> None:
    """Every total of a perfect player is what the contract's table adds up to.

    Where there are fewer turns than empty cells, the move in the last turn is among those paid.
    """
    form, model = FORMS[name]
    arguments = json.loads(shlex.split(form)[-1]) if "-a" in form else {}
    max_turns = arguments.get("max_turns", 50)
    printed, rows = played(name)
    assert "sudoku_reward" in printed
    assert len(rows) == (2 if model else 60)
    for row in rows:
        assert row.get("error") is None
        puzzle = puzzle_of(row)
        assert row["num_turns"] == min(puzzle.count("."), max_turns)
        parts = expected_of_perfect(puzzle, max_turns)
        for part, points in parts.items():
            assert row[part] == pytest.approx(points, abs=1e-5), part
        total = sum(parts.values())
        floor = max(0.0, 9.2 - total) if parts["solved"] else 0.0
        assert row["solved_floor"] == pytest.approx(floor, abs=1e-5)
        assert row["reward"] == pytest.approx(total + floor, abs=1e-5)
        assert row["sudoku_reward"] == row["reward"]


def test_form_with_and_without_thinking(played: Played) -> None:
    """The model is told of the tags only where they are wanted."""
    assert all("</think>" in one for row in played("default settings")[1] for one in said(row))
    assert not any("think>" in one for row in played("direct reasoning")[1] for one in said(row))


def test_progress_and_turns_are_told(played: Played) -> None:
    """The replies of the environment stand in the conversation, the last one too."""
    for row in played("default settings")[1]:
        replies = [scripted.text(one) for one in row["completion"] if one["role"] == "user"]
        assert len(replies) == len(said(row))
        for turn, reply in enumerate(replies, 1):
            assert reply.startswith("✅ Valid move!")
            assert f"Turn: {turn}/50" in reply
        assert "🎉 Puzzle solved" in replies[-1]


def test_sloppy_player_solves_and_pays_for_each_slip(played: Played) -> None:
    """Half of its turns are slips; `auto` gives the turns for that."""
    for row in played("sloppy")[1]:
        slips = sum("A1 = 5" in one or "I do not know" in one for one in said(row))
        empty = puzzle_of(row).count(".")
        assert slips >= empty - 1
        assert row["invalid_moves"] == pytest.approx(-0.2 * slips)
        assert row["solved"] == 5
        assert row["reward"] == pytest.approx(row["score"]["total"])
        assert row["end"] == "solved" and row["done"] is True
        assert row["board"] == scripted.sudoku_solution(puzzle_of(row))
        reasons = [past["invalid_reason"] for past in row["history"]]
        assert reasons[:4] == [None, "malformed", None, "no_move"]
        assert row["turn"] == len(reasons) == row["num_turns"]


def test_hostile_model_ends_without_an_error(played: Played) -> None:
    """Every message is a turn; a stop comes after the last."""
    for row in played("hostile")[1]:
        assert row.get("error") is None
        assert row["num_turns"] == 12
        assert row["reward"] < 0
        assert row["solved"] == 0
        again = game.score(puzzle_of(row), said(row), max_turns=12)
        assert row["reward"] == pytest.approx(again["total"], abs=1e-9)


def test_silent_model_earns_nothing(played: Played) -> None:
    """`verifiers` takes an empty message for an error of the model and stops there."""
    for row in played("silent")[1]:
        assert row["error"]["error"] == "EmptyModelResponseError"
        assert row["reward"] <= 0


def test_sokoban_is_solved_and_paid(played: Played) -> None:
    """The perfect player pushes fewest times, ten steps a turn."""
    for row in played("sokoban")[1]:
        assert row.get("error") is None
        assert row["solved"] == 5.0
        assert row["length"] == 1.0
        assert row["boxes"] == 2.0
        assert row["efficiency"] == pytest.approx(1 - row["num_turns"] / 50, abs=1e-5)
        parts = ("invalid_moves", "boxes", "solved", "efficiency", "length", "solved_floor")
        assert row["reward"] == pytest.approx(sum(row[part] for part in parts), abs=1e-5)
