"""Sokoban as a taskset of `verifiers` 0.4: one level, some steps a turn.

`puzzleyard` decides everything; this module hands messages over. The environment is the user of
the conversation: each assistant message is a move, each reply the next user message.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import puzzleyard
import verifiers.v1 as vf

# What comes in is JSON that Rust checks: `Any`.
game: Any = puzzleyard.sokoban

__all__ = ["SokobanEnv", "SokobanTaskset"]


class SokobanConfig(vf.TasksetConfig):
    """The arguments of the older interface, under `--env.taskset.*`."""

    max_examples: int = 100
    use_think: bool = True
    max_turns: int | Literal["auto"] = 50
    seed: int = 42
    difficulty: str | None = "easy"
    steps_per_turn: int = 20
    view: str = "xsb"
    tell_deadlock: bool = False
    case_matters: bool = False
    levels: str | None = None
    nodes: int = 200_000


class SokobanData(vf.TaskData):
    """A level and the settings it is played under."""

    info: dict[str, Any]


class SokobanTask(vf.Task[SokobanData, vf.State, vf.TaskConfig]):
    """One level."""


class SokobanEnvConfig(vf.EnvConfig):
    """One seat: a plain chat, run on this machine."""

    player: vf.AgentConfig = vf.AgentConfig(harness={"id": "null"}, runtime={"type": "subprocess"})


class SokobanEnv(vf.Env[SokobanEnvConfig]):
    """Plays an episode and records what the judge recomputes from the messages."""

    async def run(self, task: Any, agents: Any) -> None:
        """Play until the episode is over."""
        level, settings = task.data.info["task"], task.data.info["settings"]
        episode = game.Episode(level, **settings)
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
        score = game.score(level, said, **settings)
        trace.record_reward("sokoban_reward", score["total"], 1.0)
        trace.record_metrics({name: score[name] for name in game.PARTS})
        trace.info["game"] = episode.state()


class SokobanTaskset(vf.Taskset[SokobanTask, SokobanConfig]):
    """The project's levels, or those of a text."""

    def load(self) -> Iterator[SokobanTask]:
        """Make the tasks."""
        config = self.config
        names = ("use_think", "steps_per_turn", "view", "tell_deadlock", "case_matters")
        settings = {name: getattr(config, name) for name in names}
        examples = game.examples(
            config.difficulty,
            config.max_examples,
            config.seed,
            levels=config.levels,
            nodes=config.nodes,
            max_turns=config.max_turns,
            **settings,
        )
        told = ("id", "task", "difficulty", "boxes", "solvable_within_turns")
        for example in examples:
            turns = {"max_turns": example["max_turns"]}
            data = SokobanData(
                id=example["id"],
                prompt=example["prompt"],
                system_prompt=example["system_prompt"],
                info={name: example[name] for name in told} | {"settings": settings | turns},
            )
            yield SokobanTask(data, config.task)
