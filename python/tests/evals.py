"""Runs of `vf-eval` against the scripted server."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
KEY = "PUZZLEYARD_TEST_KEY"


def uv() -> str:
    """Return the program `uv`: beside this interpreter's, on the path, or as the variable says."""
    found = os.environ.get("PUZZLEYARD_UV") or shutil.which("uv")
    assert found, "uv is missing: set PUZZLEYARD_UV"
    return found


def run(words: list[str], folder: Path) -> str:
    """Run a command line that begins with `uv run`, in this interpreter's environment."""
    assert words[:2] == ["uv", "run"]
    env = os.environ | {
        KEY: "any",
        "UV_PROJECT_ENVIRONMENT": sys.prefix,
        "UV_NO_SYNC": "1",
        "HF_HUB_OFFLINE": "1",
        "COLUMNS": "200",
        "NO_COLOR": "1",
    }
    env.pop("VIRTUAL_ENV", None)
    env["PATH"] = f"{Path(uv()).parent}{os.pathsep}{env['PATH']}"
    done = subprocess.run(
        [uv(), *words[1:]],
        cwd=folder,
        env=env,
        text=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=600,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


def results(folder: Path) -> list[dict[str, Any]]:
    """Return the results that a run has left below a folder."""
    (file,) = folder.rglob("results.jsonl")
    return [json.loads(line) for line in file.read_text().splitlines()]
