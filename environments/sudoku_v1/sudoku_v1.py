"""Sudoku as a taskset of `verifiers` 0.4: one puzzle, one move a turn.

`puzzleyard` decides everything; this module hands messages over. The environment is the user of
the conversation: each assistant message is a move, each reply the next user message.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import puzzleyard
import verifiers.v1 as vf

# What comes in is JSON that Rust checks: `Any`.
game: Any = puzzleyard.sudoku

__all__ = ["SudokuEnv", "SudokuTaskset"]


class SudokuConfig(vf.TasksetConfig):
    """The arguments of the older interface, under `--env.taskset.*`."""

    max_examples: int = 100
    use_think: bool = True
    max_turns: int | Literal["auto"] = 50
    seed: int = 42
    difficulty: str = "easy"


class SudokuData(vf.TaskData):
    """A puzzle and the settings it is played under."""

    info: dict[str, Any]


class SudokuTask(vf.Task[SudokuData, vf.State, vf.TaskConfig]):
    """One puzzle."""


class SudokuEnvConfig(vf.EnvConfig):
    """One seat: a plain chat, run on this machine."""

    player: vf.AgentConfig = vf.AgentConfig(harness={"id": "null"}, runtime={"type": "subprocess"})


class SudokuEnv(vf.Env[SudokuEnvConfig]):
    """Plays an episode and records what the judge recomputes from the messages."""

    async def run(self, task: Any, agents: Any) -> None:
        """Play until the episode is over."""
        puzzle = task.data.info["puzzle"]
        settings = {name: task.data.info[name] for name in ("use_think", "max_turns")}
        episode = game.Episode(puzzle, **settings)
        said: list[str] = []
        async with agents.player.interaction(task) as interaction:
            segment = await interaction.turn()
            while not segment.terminated:
                said.append(segment.last_reply)
                reply = episode.turn(segment.last_reply)
                if reply["done"]:
                    break
                segment = await interaction.turn(reply["text"])
        trace = interaction.trace
        score = game.score(puzzle, said, **settings)
        trace.record_reward("sudoku_reward", score["total"], 1.0)
        trace.record_metrics({name: score[name] for name in game.PARTS})
        trace.info["game"] = episode.state()


class SudokuTaskset(vf.Taskset[SudokuTask, SudokuConfig]):
    """Puzzles made by Puzzleyard's generator."""

    def load(self) -> Iterator[SudokuTask]:
        """Make the puzzles."""
        config = self.config
        examples = game.examples(
            config.difficulty,
            config.max_examples,
            config.seed,
            use_think=config.use_think,
            max_turns=config.max_turns,
        )
        told = ("id", "puzzle", "difficulty", "clues", "empty_cells", "solvable_within_turns")
        for example in examples:
            settings = {"use_think": config.use_think, "max_turns": example["max_turns"]}
            data = SudokuData(
                id=example["id"],
                prompt=example["prompt"],
                system_prompt=example["system_prompt"],
                info={name: example[name] for name in told} | settings,
            )
            yield SudokuTask(data, config.task)
