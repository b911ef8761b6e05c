"""What goes wrong, in the program's own words."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from cardwright._html import short


@dataclass(frozen=True, repr=False)
class Finding:
    """Something that is wrong with a package or a rule, with its place."""

    code: str
    severity: str
    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    message: str
    help: str | None
    fix: str | None
    """What ``cardwright check --fix`` would do about it."""

    def __repr__(self) -> str:
        return short(f"<Finding {self}>")

    def __str__(self) -> str:
        """The finding in one line."""
        return f"{self.file}:{self.line}:{self.column}: {self.severity}[{self.code}]: {self.message}"


def findings_of(text: str) -> tuple[Finding, ...]:
    """Reads findings as the engine writes them."""
    if not text:
        return ()
    return tuple(_finding(one) for one in json.loads(text)["findings"])


def _finding(one: dict[str, Any]) -> Finding:
    start, end, fix = one["start"], one["end"], one.get("fix")
    return Finding(
        code=one["code"],
        severity=one["severity"],
        file=one["file"],
        line=start["line"],
        column=start["column"],
        end_line=end["line"],
        end_column=end["column"],
        message=one["message"],
        help=one.get("help"),
        fix=fix["title"] if fix else None,
    )


class CardwrightError(Exception):
    """Whatever this package refuses."""

    def __repr__(self) -> str:
        return short(f"<{type(self).__name__}: {self}>")


class ArgumentError(CardwrightError, TypeError):
    """A value has another type than it is to have; the message names the argument, what it is to be, and what came."""


class GameError(CardwrightError):
    """A game, a deck or a pack cannot be used."""

    def __init__(self, message: str = "", findings: str = "") -> None:
        super().__init__(message)
        self.findings = findings_of(findings)
        """What is wrong, with places, where there are such."""


class ChoiceError(CardwrightError, ValueError):
    """An answer that is not offered; the duel is as before."""


class ReplayError(CardwrightError):
    """A record cannot be played again."""


class PlanError(CardwrightError):
    """A plan cannot be played here, or parts of it do not fit."""


class EvalError(CardwrightError):
    """An expression has no value."""

    def __init__(self, name: str = "", message: str = "") -> None:
        super().__init__(f"{name}: {message}" if message else name)
        self.name = name
        """The name of the exception of Python 2.7, or ``LimitExceeded``."""


class MissingPairs(PlanError):
    """Shares of a plan could not be played; the rest is summed up."""

    def __init__(self, message: str, result: Any = None) -> None:
        super().__init__(message)
        self.result = result
        """What is there: a `Result`."""
