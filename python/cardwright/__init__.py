"""Cardwright: card games as values that can be copied, played, sampled and counted.

Three lines play a duel::

    import cardwright as cw
    duel = cw.Game().duel(seed=7)
    print(cw.play(duel, "easy", "novice").winner)
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from cardwright import _engine, _given
from cardwright._engine import (
    ENCODING,
    Card,
    Character,
    Choice,
    Decision,
    Duel,
    Game,
    Level,
    Model,
    Plan,
    Player,
    Replay,
    VecDuels,
    View,
    encoding,
    engine,
    eval,
    levels,
    observe,
)
from cardwright._errors import (
    ArgumentError,
    CardwrightError,
    ChoiceError,
    EvalError,
    Finding,
    GameError,
    MissingPairs,
    PlanError,
    ReplayError,
    findings_of,
)
from cardwright._html import Deck, table
from cardwright._lab import Match, Report, Result, arena, balance, simulate
from cardwright._numbers import Keyword, OptionKind, Phase, QuestionKind

if TYPE_CHECKING:
    from os import PathLike

    from cardwright._given import Who

__version__: str = engine()[0]

__all__ = [
    "ENCODING",
    "ArgumentError",
    "Card",
    "CardwrightError",
    "Character",
    "Choice",
    "ChoiceError",
    "Decision",
    "Deck",
    "Duel",
    "EvalError",
    "Finding",
    "Game",
    "GameError",
    "Keyword",
    "Level",
    "Match",
    "MissingPairs",
    "Model",
    "Odds",
    "OptionKind",
    "Pack",
    "Phase",
    "Plan",
    "PlanError",
    "Player",
    "QuestionKind",
    "Replay",
    "ReplayError",
    "Report",
    "Result",
    "VecDuels",
    "View",
    "arena",
    "balance",
    "cards",
    "check",
    "encoding",
    "engine",
    "eval",
    "levels",
    "observe",
    "packs",
    "play",
    "simulate",
]


def check(game: Game | str | PathLike[str] | None = None) -> list[Finding]:
    """Finds everything that is wrong with a package, whether it can be played or not."""
    if isinstance(game, Game):
        return list(findings_of(game._check()))
    if game is not None and not _given.is_path(game):
        raise _engine._wrong("game", "a cardwright.Game or a path", game)
    return list(findings_of(_engine.check(game)))


def play(
    duel: Duel,
    one: Who,
    two: Who,
    *,
    seed: int | None = None,
) -> Duel:
    """Plays a duel to its end, and returns it.

    Who plays is a level, by name or as an object, a function that is given the duel and returns the place of an option,
    or an object with such a method `choose`. Here a function is trusted: it is handed the true duel, so let it look at
    `Duel.view` only; `arena` and `simulate` hand it one that its seat cannot tell from the true one. The chance of
    levels is made of the duel's seed, so that the result is that of ``cardwright play --seed``; with a `seed` of its
    own it is made of that.
    """
    _given.of_type("duel", "a cardwright.Duel", duel, Duel)
    players = [_given.asked("one", one), _given.asked("two", two)]
    if seed is not None:
        seed = _given.whole("seed", seed, 0)
    number = 0
    while (seat := duel.asked) is not None:
        player = players[seat - 1]
        if isinstance(player, Level):
            duel.answer(player.choose(duel, seed=None if seed is None else (seed << 20) + number))
        else:
            duel.answer(player(duel))
        number += 1
    return duel


class Odds:
    """How likely each number of copies is in a pack, exactly."""

    def __init__(self, chances: list[str]) -> None:
        wanted = "a list of fractions, the chances of 0, 1, 2 … copies"
        _given.of_type("chances", wanted, chances, list, tuple)
        for chance in chances:
            _given.of_type("chances", wanted, chance, str, int, float, Fraction)
        self.chances: list[Fraction] = [Fraction(chance) for chance in chances]
        """Of 0, 1, 2 … copies."""

    @property
    def expected(self) -> Fraction:
        """Copies in a pack, on average."""
        return sum((number * chance for number, chance in enumerate(self.chances)), Fraction(0))

    def at_least(self, copies: int = 1, *, packs: int = 1) -> Fraction:
        """The chance of so many copies in so many packs together."""
        copies, packs = _given.whole("copies", copies, 0, 10_000), _given.whole("packs", packs, 0, 10_000)
        together = [Fraction(1)]
        for _ in range(packs):
            together = _both(together, self.chances, copies)
        return 1 - sum(together[:copies], Fraction(0))

    def __repr__(self) -> str:
        return f"<Odds: {float(self.expected):.4f} expected>"

    def _repr_html_(self) -> str:
        return table(["Copies", "Chance"], [(copies, float(chance)) for copies, chance in enumerate(self.chances)])


def _both(one: list[Fraction], two: list[Fraction], enough: int) -> list[Fraction]:
    """The chances of sums below `enough`."""
    sums = [Fraction(0)] * max(enough, 1)
    for a, chance in enumerate(one):
        for b, other in enumerate(two):
            if a + b < enough:
                sums[a + b] += chance * other
    return sums


class Pack(_engine.Pack):
    """A booster pack: opened from a seed, or studied exactly."""

    def odds(self) -> dict[str, Odds]:
        """The odds of each card, by its name; of cards that share a name, the id is added."""
        found: dict[str, Odds] = {}
        for name, card, chances in self._odds():
            found[name if name not in found else f"{name} ({card})"] = Odds(chances)
        return found

    def odds_of(self, query: str) -> Odds:
        """The odds of the cards that a search finds, together."""
        return Odds(self._of(query))

    def size(self) -> Odds:
        """The odds of each number of cards."""
        return Odds(self._size())


def packs(game: Game) -> list[str]:
    """The names of a game's packs."""
    return _engine.packs(game)


def cards(game: Game, query: str = "") -> list[dict[str, Any]]:
    """The cards that a search finds, in the order of the search, each with its properties."""
    return _engine.cards(game, query)
