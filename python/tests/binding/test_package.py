"""The package as a whole: stubs, exceptions, threads, interrupts, hostile text."""

from __future__ import annotations

import os
import pickle
import random
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import puzzleyard
import pytest
from puzzleyard import sokoban, sudoku

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
LONG = """
##########
#        #
# $$$$$$ #
#        #
#   @    #
#        #
# ...... #
#        #
##########
"""


def test_the_stubs_are_those_of_the_built_module(tmp_path: Path) -> None:
    """Let `mypy.stubtest` compare names, parameters and defaults."""
    words = [sys.executable, "-m", "mypy.stubtest", "puzzleyard._puzzleyard"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_package_is_typed() -> None:
    """Look for the marker of PEP 561."""
    assert puzzleyard.__file__
    assert (Path(puzzleyard.__file__).parent / "py.typed").is_file()


def test_every_exception_is_a_value_error_and_survives_pickling() -> None:
    """Send one through."""
    for name in ("FormatError", "PuzzleError", "Refused", "SettingError"):
        assert issubclass(getattr(puzzleyard, name), puzzleyard.PuzzleyardError)
    assert issubclass(puzzleyard.PuzzleyardError, ValueError)
    again = pickle.loads(pickle.dumps(puzzleyard.Refused("turn 3: no", 3)))
    assert (str(again), again.turn) == ("turn 3: no", 3)


def test_the_examples_of_the_documents_run() -> None:
    """Run every block of Python in the package's README and at the head of the crate."""
    root = Path(__file__).parents[3]
    crate = (root / "crates/puzzleyard-py/src/lib.rs").read_text()
    texts = [(root / "python/README.md").read_text(), re.sub(r"^//! ?", "", crate, flags=re.M)]
    for text in texts:
        blocks = re.findall(r"```python\n(.*?)```", text, flags=re.S)
        assert blocks
        for block in blocks:
            exec(block, {})


def test_other_threads_run_while_a_search_runs() -> None:
    """Wake up while the search is on: with the lock held, that would be after its end."""
    ended = threading.Event()

    def search() -> None:
        sokoban.solve(LONG, "moves", nodes=300_000)
        ended.set()

    thread = threading.Thread(target=search)
    thread.start()
    time.sleep(0.01)
    running = not ended.is_set()
    thread.join()
    assert running


def test_an_interrupt_ends_a_search() -> None:
    """Send the signal of Ctrl-C to a search without end."""
    words = "from puzzleyard import sokoban\nprint('on', flush=True)\n"
    words += f"sokoban.solve({LONG!r}, 'moves', nodes=10**12)\n"
    child = subprocess.Popen(
        [sys.executable, "-P", "-c", words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert child.stdout and child.stdout.readline() == "on\n"
    time.sleep(0.2)
    os.kill(child.pid, signal.SIGINT)
    _, errors = child.communicate(timeout=60)
    assert "KeyboardInterrupt" in errors


def test_threads_may_share_an_episode() -> None:
    """Play from four threads; the judge accepts what came of it."""
    episode = sudoku.Episode(PUZZLE, use_think=False, max_turns=10_000)

    def play(seed: int) -> None:
        dice = random.Random(seed)
        for _ in range(200):
            episode.turn(f"<move>{dice.choice('ABCDEFGHI')}{dice.randint(1, 9)}=0</move>")
            episode.state()
            episode.score()

    threads = [threading.Thread(target=play, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert episode.turns_used == 800
    assert sudoku.judge_transcript(episode.transcript()) == episode.score()


def test_hostile_text_raises_value_errors_only() -> None:
    """Feed junk to everything that reads."""
    readers = [
        sudoku.solve,
        sudoku.read,
        lambda text: sudoku.read(text, "json"),
        lambda text: sudoku.judge(text, text),
        sudoku.judge_transcript,
        sudoku.canonical,
        sudoku.diagnose,
        sokoban.solve,
        lambda text: sokoban.judge(text, text),
        sokoban.Episode,
        sokoban.judge_transcript,
        lambda text: sokoban.examples(levels=text, count=2),
    ]
    words = ["<move>", "</move>", "A1=5", "</think>", "\0", "é", "\ud800", "=", "9", ".", "#"]
    words += ["$", "@", "\n", "{", "[", "1e999", '"', ","]
    dice = random.Random(1)
    refused = 0
    for _ in range(500):
        text = "".join(dice.choice(words) for _ in range(dice.randrange(40)))
        for reader in readers:
            try:
                reader(text)  # type: ignore[operator]
            except ValueError:
                refused += 1
    assert refused > 4000


@pytest.mark.parametrize("size", [1 << 20, 20 << 20])
def test_long_text_is_bounded(size: int) -> None:
    """Send megabytes where 81 characters are wanted."""
    for reader in (sudoku.solve, sudoku.read, sokoban.solve, sokoban.Episode):
        with pytest.raises(ValueError) as caught:
            reader("1" * size)
        assert len(str(caught.value)) < 300
    episode = sudoku.Episode(PUZZLE)
    assert episode.turn("1" * (size + 1))["invalid_reason"] == "too_long"
