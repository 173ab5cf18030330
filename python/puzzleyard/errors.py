"""What goes wrong. Every exception of this package is a `PuzzleyardError`, a `ValueError`."""


class PuzzleyardError(ValueError):
    """Something is wrong with what was given."""


class FormatError(PuzzleyardError):
    """Text that cannot be read; the message says where and what would be right."""


class PuzzleError(PuzzleyardError):
    """A puzzle that can be read and cannot be played, rated or made."""


class SettingError(PuzzleyardError):
    """An argument out of its range."""


class Refused(PuzzleyardError):
    """The judge refuses an answer or a transcript.

    `turn` is the first turn that differs, 0 if something before the first does, `None` if no
    turn does.
    """

    def __init__(self, message: str, turn: int | None = None) -> None:
        """Keep the turn beside the message."""
        super().__init__(message)
        self.turn = turn
