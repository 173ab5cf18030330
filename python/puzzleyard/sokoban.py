"""Sokoban. A level is a string in XSB; a task is a level, or a dict that an example carries."""

from puzzleyard._puzzleyard import SOKOBAN_PARTS
from puzzleyard._puzzleyard import SokobanEpisode as Episode
from puzzleyard._puzzleyard import sokoban_examples as examples
from puzzleyard._puzzleyard import sokoban_judge as judge
from puzzleyard._puzzleyard import sokoban_judge_transcript as judge_transcript
from puzzleyard._puzzleyard import sokoban_score as score
from puzzleyard._puzzleyard import sokoban_solve as solve

PARTS = tuple(SOKOBAN_PARTS)
"""The parts of a score, in their order; `total` is their sum."""

__all__ = ["PARTS", "Episode", "examples", "judge", "judge_transcript", "score", "solve"]
