"""Sudoku for `verifiers` 0.1.14 to 0.3: one puzzle, one move a turn.

`puzzleyard` decides everything: what a message says, what a move does and what it earns. This
module hands messages over. The reward is recomputed from the completion alone, so that it can
be checked from saved results.
"""

from __future__ import annotations

import inspect
import re
import warnings
from collections.abc import Callable
from typing import Any

import puzzleyard
import verifiers as vf
from datasets import Dataset
from puzzleyard import SettingError

# What comes in is JSON that Rust checks: `Any`.
game: Any = puzzleyard.sudoku

MOVE = re.compile(r"<move>([A-I][1-9]=[0-9])</move>")


def move(text: str) -> str | None:
    """Return the last move in a text. For readers of results: the game reads by itself."""
    found = MOVE.findall(text)
    return found[-1] if found else None


def spoken(messages: Any) -> list[str]:
    """Return what the assistant said, message by message."""
    return [said(one["content"]) for one in messages or [] if one["role"] == "assistant"]


def said(content: Any) -> str:
    """Return the text of a message, which may come in parts."""
    if isinstance(content, str):
        return content
    return "".join(part["text"] for part in content or [] if part["type"] == "text")


class SudokuEnv(vf.MultiTurnEnv):
    """Plays each row's `info["puzzle"]` under the settings that the row carries."""

    async def setup_state(self, state: vf.State) -> vf.State:
        """Start the episode."""
        info = state["info"]
        state["episode"] = game.Episode(
            info["puzzle"], use_think=info["use_think"], max_turns=info["max_turns"]
        )
        state.update(state["episode"].state())
        return state

    async def add_trajectory_step(self, state: vf.State, trajectory_step: Any) -> None:
        """Play the model's move as soon as it is there, so that the last one counts too."""
        await super().add_trajectory_step(state, trajectory_step)
        episode = state["episode"]
        reply = episode.turn("".join(spoken(trajectory_step["completion"])))
        words = [vf.UserMessage(content=reply["text"])]
        state["reply"] = words
        if reply["done"]:
            state["final_env_response"] = words
        state["invalid_reason"] = reply["invalid_reason"]
        state["done"] = reply["done"]
        state["board"] = episode.board
        state["turn"] = episode.turns_used
        trajectory_step["extras"]["move_reward"] = reply["reward"]
        trajectory_step["extras"]["invalid_reason"] = reply["invalid_reason"]

    async def env_response(self, messages: Any, state: vf.State, **kwargs: Any) -> Any:
        """Return the reply to the move that was played."""
        return state["reply"]

    @vf.stop(priority=10)
    async def game_over(self, state: vf.State, **kwargs: Any) -> bool:
        """Stop when the puzzle is solved, the board full or the turns used up."""
        return bool(state.get("done"))

    @vf.cleanup
    async def keep_state(self, state: vf.State) -> None:
        """Leave score and history in the state for whoever looks at it."""
        if "episode" in state:
            state.update(state["episode"].state())


def judged(completion: Any, info: dict[str, Any]) -> dict[str, float]:
    """Play the assistant's messages again and have the judge recompute the score."""
    settings = {"use_think": info["use_think"], "max_turns": info["max_turns"]}
    return dict(game.score(info["puzzle"], spoken(completion), **settings))


def sudoku_reward(completion: Any, info: dict[str, Any]) -> float:
    """Cumulative reward based on moves and completion."""
    return judged(completion, info)["total"]


def part(name: str) -> Callable[[Any, dict[str, Any]], float]:
    """Return the metric of that part of the reward."""

    def metric(completion: Any, info: dict[str, Any]) -> float:
        return judged(completion, info)[name]

    metric.__name__ = name
    return metric


def rows(examples: list[Any], use_think: bool) -> list[dict[str, Any]]:
    """Return the examples as rows of a data set."""
    told = ("id", "puzzle", "difficulty", "clues", "empty_cells", "solvable_within_turns")
    return [
        {
            "prompt": [
                {"role": "system", "content": example["system_prompt"]},
                {"role": "user", "content": example["prompt"]},
            ],
            "answer": "",
            "info": {name: example[name] for name in told}
            | {"use_think": use_think, "max_turns": example["max_turns"]},
        }
        for example in examples
    ]


def warn_of_turns(examples: list[Any], max_turns: int | str) -> None:
    """Say how many puzzles cannot be finished in the turns given."""
    short = sum(not example["solvable_within_turns"] for example in examples)
    if short:
        warnings.warn(
            f"{short} of {len(examples)} puzzles have more than {max_turns} empty cells and "
            f'cannot be finished with max_turns={max_turns}; max_turns="auto" gives enough',
            stacklevel=3,
        )


def refuse_unknown(kwargs: dict[str, Any]) -> None:
    """Refuse arguments that `verifiers` would store without a word, such as misspelt ones."""
    known = {
        name
        for one in (vf.MultiTurnEnv, vf.Environment)
        for name in inspect.signature(one.__init__).parameters
    }
    unknown = sorted(set(kwargs) - known)
    if unknown:
        raise TypeError(f"unknown arguments: {', '.join(unknown)}")


def load_environment(
    max_examples: int = 100,
    use_think: bool = True,
    max_turns: int | str = 50,
    seed: int = 42,
    difficulty: str = "easy",
    **kwargs: Any,
) -> vf.Environment:
    """Load the environment.

    `max_turns` may be `"auto"`: two turns for each empty cell. What else is given goes to
    `vf.MultiTurnEnv`.
    """
    refuse_unknown(kwargs)
    examples = game.examples(
        difficulty, max_examples, seed, use_think=use_think, max_turns=max_turns
    )
    if not examples:
        raise SettingError("max_examples is 0, wanted at least 1")
    warn_of_turns(examples, max_turns)
    kind = vf.ThinkParser if use_think else vf.Parser
    parser = kind(extract_fn=move)
    parts = [part(name) for name in game.PARTS]
    rubric = vf.Rubric(
        funcs=[sudoku_reward, *parts], weights=[1.0] + [0.0] * len(parts), parser=parser
    )
    return SudokuEnv(
        dataset=Dataset.from_list(rows(examples, use_think)),
        parser=parser,
        rubric=rubric,
        max_turns=max_turns if isinstance(max_turns, int) else -1,
        **kwargs,
    )
