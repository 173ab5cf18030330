"""The tasksets of `verifiers` 0.4, played to the end of their turns against scripted models."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest
from evals import KEY, ROOT, run

FORM = """uv run vf-eval {name} -m perfect -n 2 --no-push --no-rich
    --env.taskset.max-turns {turns} --env.taskset.use-think False"""


def evaluate(name: str, turns: int, address: str, out: Path) -> list[dict[str, Any]]:
    """Run a taskset and return the trace of each episode."""
    words = shlex.split(FORM.format(name=name, turns=turns))
    words += ["--client.base-url", address, "--client.api-key-var", KEY, "-o", str(out)]
    run(words, ROOT / "environments" / name.replace("-", "_"))
    (file,) = out.rglob("traces.jsonl")
    episodes = [json.loads(line) for line in file.read_text().splitlines()]
    return [trace for episode in episodes for trace in episode["traces"]]


def test_sudoku_pays_as_the_contracts_table_says(address: str, tmp_path: Path) -> None:
    """Three right moves, of which the last is in the last turn."""
    traces = evaluate("sudoku-v1", 3, address, tmp_path)
    assert len(traces) == 2
    for trace in traces:
        info = trace["task"]["data"]["info"]
        empty = info["puzzle"].count(".")
        assert trace["errors"] == []
        assert trace["info"]["game"]["end"] == "out_of_turns"
        assert trace["metrics"]["valid_moves"] == pytest.approx(0.3)
        assert trace["metrics"]["partial"] == pytest.approx(2 * 3 / empty, abs=1e-5)
        total = trace["rewards"]["sudoku_reward"]
        assert total["weight"] == 1.0
        assert total["score"] == pytest.approx(0.3 + 6 / empty, abs=1e-5)


def test_sokoban_is_solved_and_paid(address: str, tmp_path: Path) -> None:
    """The level's best answer needs a few turns of ten steps."""
    traces = evaluate("sokoban-v1", 12, address, tmp_path)
    for trace in traces:
        used = trace["info"]["game"]["turn"]
        assert trace["errors"] == []
        assert trace["metrics"]["solved"] == 5.0
        assert 1 <= used <= 12
        assert trace["metrics"]["efficiency"] == pytest.approx(1 - used / 12, abs=1e-5)
        assert trace["rewards"]["sokoban_reward"]["score"] >= 7
