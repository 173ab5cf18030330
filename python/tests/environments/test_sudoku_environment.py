"""What the contract says of arguments, metrics and packaging, one test a sentence."""

from __future__ import annotations

import inspect
import random
import tomllib
import warnings
from importlib import metadata
from typing import Any

import pytest
import scripted
import sudoku
import verifiers as vf
from evals import ROOT
from puzzleyard import PuzzleyardError
from puzzleyard import sudoku as game

FOLDER = ROOT / "environments/sudoku"
ARGUMENTS = {
    "max_examples": 100,
    "use_think": True,
    "max_turns": 50,
    "seed": 42,
    "difficulty": "easy",
}
CLUES = {"easy": (36, 46), "medium": (28, 35), "hard": (22, 27)}


def load(**arguments: Any) -> Any:
    """Load the environment without the word about turns."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return sudoku.load_environment(**arguments)


def puzzles(env: Any) -> list[str]:
    """Return the puzzles of a data set."""
    return [row["info"]["puzzle"] for row in env.get_dataset()]


def test_environment_arguments_and_their_defaults() -> None:
    """Names, order and defaults are those of the table."""
    parameters = inspect.signature(sudoku.load_environment).parameters
    given = {name: one.default for name, one in parameters.items() if name != "kwargs"}
    assert given == ARGUMENTS
    assert list(given) == list(ARGUMENTS)


def test_number_of_sudoku_puzzles_to_include_in_dataset() -> None:
    """`max_examples`, 100 by default; the first ones stay the same."""
    assert len(load().get_dataset()) == 100
    assert puzzles(load(max_examples=7)) == puzzles(load())[:7]


def test_think_parser_or_parser() -> None:
    """`use_think` chooses the parser and what the model is told."""
    think, direct = load(max_examples=1), load(max_examples=1, use_think=False)
    assert isinstance(think.parser, vf.ThinkParser)
    assert type(direct.parser) is vf.Parser
    assert "</think>" in think.get_dataset()[0]["prompt"][0]["content"]
    assert "think>" not in direct.get_dataset()[0]["prompt"][0]["content"]


def test_parser_extracts_moves() -> None:
    """The parser gives the move of the last message, after thinking if there is any."""
    said = "<think><move>A1=1</move></think> I play <move>B2=3</move>."
    completion = [{"role": "assistant", "content": said}]
    assert load(max_examples=1).parser.parse_answer(completion) == "B2=3"
    assert load(max_examples=1, use_think=False).parser.parse_answer(completion) == "B2=3"


def test_maximum_number_of_moves_allowed_per_puzzle() -> None:
    """`max_turns` is a number or `auto`, which gives two turns for each empty cell."""
    assert load(max_examples=1, max_turns=30).max_turns == 30
    for row in load(max_examples=5, max_turns="auto").get_dataset():
        assert row["info"]["max_turns"] == 2 * row["info"]["puzzle"].count(".")
        assert row["info"]["solvable_within_turns"]


def test_random_seed_for_reproducible_puzzle_selection() -> None:
    """The same seed gives the same puzzles, another seed others."""
    assert puzzles(load(seed=123)) == puzzles(load(seed=123))
    assert not set(puzzles(load(seed=123))) & set(puzzles(load(seed=124)))


@pytest.mark.parametrize("difficulty", CLUES)
def test_puzzle_difficulty_level(difficulty: str) -> None:
    """Each difficulty keeps its clue counts, and puzzles have one solution."""
    few, many = CLUES[difficulty]
    found = puzzles(load(difficulty=difficulty, max_examples=20))
    assert len(set(found)) == 20
    for puzzle in found:
        assert few <= 81 - puzzle.count(".") <= many
        assert game.count(puzzle) == 1
        assert game.solve(puzzle) == scripted.sudoku_solution(puzzle)


def test_load_says_how_many_puzzles_cannot_be_finished() -> None:
    """Fifty turns are enough for easy puzzles and never for hard ones."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sudoku.load_environment()
    with pytest.warns(UserWarning, match="9 of 9 puzzles have more than 50 empty cells"):
        sudoku.load_environment(difficulty="hard", max_examples=9)


@pytest.mark.parametrize(
    "wrong",
    [
        {"difficulty": "Easy"},
        {"difficulty": "expert"},
        {"max_turns": 0},
        {"max_turns": "many"},
        {"max_turns": 10_001},
        {"max_examples": 0},
        {"max_examples": -1},
        {"max_examples": 10**9},
        {"seed": -1},
        {"seed": 2**64},
    ],
)
def test_arguments_out_of_range_are_refused(wrong: dict[str, Any]) -> None:
    """A wrong value is named, never replaced."""
    with pytest.raises(PuzzleyardError, match=r"wanted|expected"):
        load(**wrong)


def test_unknown_arguments_are_refused() -> None:
    """`verifiers` would store a misspelt argument without a word."""
    with pytest.raises(TypeError, match="dificulty"):
        load(dificulty="hard")


def test_metrics() -> None:
    """`sudoku_reward` is the reward; its parts are metrics without weight."""
    env = load(max_examples=1)
    names, weights = env.rubric._get_reward_func_names(), env.rubric._get_reward_weights()
    weight = dict(zip(names, weights, strict=True))
    assert weight.pop("sudoku_reward") == 1.0
    assert set(game.PARTS) <= set(weight)
    assert set(weight.values()) == {0.0}


def test_parts_add_up_to_the_reward() -> None:
    """A random player's parts sum to its total."""
    info = load(max_examples=1, use_think=False).get_dataset()[0]["info"]
    dice = random.Random(1)
    for _ in range(20):
        said = [
            f"<move>{dice.choice('ABCDEFGHI')}{dice.randint(1, 9)}={dice.randint(0, 9)}</move>"
            for _ in range(dice.randint(0, 60))
        ]
        completion = [{"role": "assistant", "content": one} for one in said]
        parts = [sudoku.part(name)(completion, info) for name in game.PARTS]
        assert sum(parts) == pytest.approx(sudoku.sudoku_reward(completion, info), abs=1e-9)


@pytest.mark.parametrize(
    "content",
    [
        "<think>x</think><move>{move}</move>",
        [
            {"type": "text", "text": "<think>x</think>"},
            {"type": "text", "text": "<move>{move}</move>"},
        ],
    ],
)
def test_messages_may_come_in_parts(content: Any) -> None:
    """A message of text parts counts like one string."""
    info = load(max_examples=1).get_dataset()[0]["info"]
    right = scripted.sudoku_move(info["puzzle"], info["puzzle"])
    if isinstance(content, str):
        content = content.replace("{move}", right)
    else:
        content = [part | {"text": part["text"].replace("{move}", right)} for part in content]
    completion = [{"role": "assistant", "content": content}, {"role": "user", "content": "x"}]
    assert sudoku.part("valid_moves")(completion, info) == pytest.approx(0.1)


@pytest.mark.parametrize("completion", [[], None, [{"role": "assistant", "content": None}]])
def test_nothing_said_earns_nothing(completion: Any) -> None:
    """An error before the first message leaves an empty completion."""
    info = load(max_examples=1).get_dataset()[0]["info"]
    assert sudoku.sudoku_reward(completion, info) <= 0


def test_package_is_what_the_hub_expects() -> None:
    """Name, tags, dependencies and evaluation defaults stand in pyproject.toml."""
    project = tomllib.loads((FOLDER / "pyproject.toml").read_text())
    assert project["project"]["name"] == "sudoku"
    assert project["project"]["tags"] == [
        "multi-turn",
        "reasoning",
        "constraints",
        "logic",
        "train",
        "eval",
        "think",
    ]
    assert "verifiers>=0.1.14,<0.4" in project["project"]["dependencies"]
    assert project["tool"]["verifiers"]["eval"] == {"num_examples": 5, "rollouts_per_example": 3}
    assert metadata.metadata("sudoku")["Name"] == "sudoku"
    files = [str(file) for file in metadata.files("sudoku") or []]
    assert "sudoku.py" in files and "pyproject.toml" in files


def test_readme_lists_every_argument_and_metric() -> None:
    """The hub shows the README."""
    readme = (FOLDER / "README.md").read_text()
    for name in [*ARGUMENTS, "sudoku_reward", *game.PARTS]:
        assert f"`{name}`" in readme, name


def test_published_example_is_played_as_printed() -> None:
    """The README's interaction is what the episode says, byte for byte."""
    readme = (FOLDER / "README.md").read_text()
    start = readme.index("```\nSudoku Puzzle:") + 4
    prompt = readme[start : readme.index("\n```", start)]
    board = scripted.sudoku_board(prompt)
    assert board
    episode = game.Episode(board)
    assert episode.prompt == prompt
    start = readme.index("```\n✅") + 4
    reply = readme[start : readme.index("\n```", start)]
    assert episode.turn("<think>x</think>\n\n<move>A3=4</move>")["text"] == reply
