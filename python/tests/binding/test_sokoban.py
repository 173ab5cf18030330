"""The Sokoban functions."""

from __future__ import annotations

import json
from typing import Any

import pytest
from puzzleyard import FormatError, PuzzleError, Refused, SettingError, sokoban

LEVEL = "#######\n#@ $ .#\n#     #\n#######"


def test_answers_are_best_and_accepted_by_the_judge() -> None:
    """Count by hand: the box is two squares from the goal, the player one from the box."""
    found = sokoban.solve(LEVEL)
    assert (found["verdict"], found["optimal"]) == ("solved", True)
    assert (found["pushes"], found["moves"], found["answer"]) == (2, 3, "rRR")
    assert sokoban.judge(LEVEL, "rRR", case_matters=True)["solved"]
    assert not sokoban.judge(LEVEL, "RRR", case_matters=True)["solved"]
    assert sokoban.judge(LEVEL, "r") == sokoban.judge(LEVEL, "R")
    assert sokoban.solve("#####\n#@  #\n#  $#\n#. ##\n#####")["verdict"] == "unsolvable"
    found = sokoban.solve(LEVEL, "moves", nodes=0)
    assert (found["verdict"], found["limit"]) == ("gave_up", "node limit")


def test_an_episode_is_judged_from_its_transcript() -> None:
    """Judge a record, as a dict and as JSON, and one that was tampered with."""
    episode = sokoban.Episode(LEVEL, use_think=False, max_turns=4)
    assert episode.turn("<move>d\ud800</move>")["invalid_reason"] == "malformed"
    reply = episode.turn("<move>rrr</move>")
    assert (reply["done"], reply["steps"]) == (True, 3)
    assert (episode.done, episode.answer.lower(), episode.turns_used) == (True, "rrr", 2)
    score = episode.score()
    assert score["total"] == pytest.approx(sum(score[part] for part in sokoban.PARTS))  # type: ignore[literal-required]
    record = episode.transcript()
    assert sokoban.judge_transcript(json.dumps(record)) == score
    messages = ["<move>d\udfff</move>", "<move>rrr</move>"]
    assert sokoban.score(LEVEL, messages, use_think=False, max_turns=4) == score
    record["messages"][1] = "<move>rr</move>"
    with pytest.raises(Refused) as caught:
        sokoban.judge_transcript(record)
    assert caught.value.turn == 2


def test_examples_of_own_and_of_given_levels() -> None:
    """Check that the optimum is one, and that the example is playable as it stands."""
    for one in sokoban.examples("easy", 3, max_turns="auto"):
        best = one["task"]["optimum"]
        assert best
        found = sokoban.solve(one["task"]["level"])
        assert (found["pushes"], found["optimal"]) == (best["pushes"], True)
        episode = sokoban.Episode(one["task"], max_turns="auto")
        assert (episode.prompt, episode.max_turns) == (one["prompt"], one["max_turns"])
        assert one["boxes"] <= 4
    (given,) = sokoban.examples(count=1, levels=LEVEL)
    assert given["task"]["optimum"] == {"pushes": 2, "moves": 3}


@pytest.mark.parametrize(
    ("settings", "kind"),
    [
        ({"view": "ascii"}, SettingError),
        ({"max_turns": True}, SettingError),
        ({"max_turns": 0}, SettingError),
        ({"steps_per_turn": 10**30}, SettingError),
        ({"use_think": "yes"}, SettingError),
        ({"steps": 3}, SettingError),
        ({"view": object()}, TypeError),
        ({"steps_per_turn": 1001}, PuzzleError),
    ],
)
def test_settings_out_of_range_are_refused(settings: dict[str, Any], kind: type[Exception]) -> None:
    """Meet each."""
    with pytest.raises(kind):
        sokoban.Episode(LEVEL, **settings)


def test_levels_that_are_none_are_refused() -> None:
    """Meet each."""
    with pytest.raises(FormatError, match="found no board"):
        sokoban.solve("zzz")
    with pytest.raises(PuzzleError):
        sokoban.solve("####\n#@.#\n####")
    with pytest.raises(FormatError, match="missing field `level`"):
        sokoban.Episode({})  # type: ignore[arg-type]
    with pytest.raises(PuzzleError, match="no level"):
        sokoban.examples("hard", levels=LEVEL)
