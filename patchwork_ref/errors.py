"""Every public exception, by the phase that failed.

    reading a rulebook      RulebookError    the files are not a rulebook; carries all diagnostics
    choosing rules          ChoiceError      no such ruleset, ambiguity or reading; readings that contradict
    laying out a game       SetupError       a set-up that this Machine cannot start
    playing                 IllegalAction    an action against the rules; carries the rule and the code
    reading other input     InputError       a file, a board or an option that cannot be used

What an engine under test does wrong is a result value and never one of these.
"""

from __future__ import annotations

from collections.abc import Sequence

from patchwork_ref.diagnostics import Diagnostic


class PatchworkRefError(Exception):
    """The base of all; ``str()`` is one line that says what is wrong and what to do."""


class RulebookError(PatchworkRefError):
    """The rulebook has defects; ``diagnostics`` lists all that were found."""

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__("\n".join(str(d) for d in self.diagnostics))


class ChoiceError(PatchworkRefError):
    """A ruleset, an ambiguity or a reading that the rulebook does not have."""


class SetupError(PatchworkRefError):
    """A set-up that cannot be started under this Machine."""


class IllegalAction(PatchworkRefError):
    """An action that the rules refuse.

    ``rule`` is the refusing rule's permanent name, ``code`` the protocol's reject code, ``detail`` one sentence.
    """

    def __init__(self, rule: str, code: str, detail: str) -> None:
        self.rule, self.code, self.detail = rule, code, detail
        super().__init__(f"{code} ({rule}): {detail}")


class InputError(PatchworkRefError):
    """A file, board, option or value given from outside that cannot be used."""
