"""Values that functions of this package are given, where the engine does not look at them itself."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardwright import _engine
from cardwright._engine import Duel, Level

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Protocol, TypeAlias

    class Policy(Protocol):
        """An object that answers for a seat."""

        def choose(self, duel: Duel, /) -> int:
            """The place of an option."""

    Who: TypeAlias = str | Level | Policy | Callable[[Duel], int]

__all__ = ["asked", "is_path", "of_type", "path", "plan_of", "whole"]

PLAYER = "a player: the name of a level, a cardwright.Level, a function of a duel, or an object with `choose`"


def whole(name: str, value: Any, least: int, most: int = 2**32 - 1) -> int:
    """A whole number that was given under a name."""
    return _engine._whole(name, value, least, most)


def path(name: str, value: Any) -> Path:
    """A path that was given under a name."""
    return Path(_engine._path(name, value))


def is_path(value: object) -> bool:
    """Whether a value may be a path."""
    return isinstance(value, (str, PathLike))


def of_type(name: str, wanted: str, value: Any, *kinds: type) -> Any:
    """A value that is of one of these types; the words say what it is to be."""
    if not isinstance(value, kinds):
        raise _engine._wrong(name, wanted, value)
    return value


def plan_of(game: Any, plan: Any, executor: Any, shares: Any, progress: Any) -> None:
    """Looks at what a plan is played with, before anything is written."""
    of_type("game", "a cardwright.Game", game, _engine.Game)
    of_type("plan", "a cardwright.Plan", plan, _engine.Plan)
    if executor is not None and not any(hasattr(executor, name) for name in ("submit", "get_executor")):
        raise _engine._wrong("executor", "an object with `submit`, or a client of Dask", executor)
    if shares is not None:
        whole("shares", shares, 1)
    if progress is not None and not callable(progress):
        raise _engine._wrong("progress", "a function", progress)


def asked(name: str, player: Who) -> Level | Callable[[Duel], int]:
    """A level, or the function that answers for a seat."""
    if isinstance(player, str):
        return Level(player)
    if isinstance(player, Level):
        return player
    choose: Any = getattr(player, "choose", None)
    if not callable(choose):
        choose = player
    if isinstance(player, type) or not callable(choose):
        raise _engine._wrong(name, PLAYER, player)
    found: Callable[[Duel], int] = choose
    return found
