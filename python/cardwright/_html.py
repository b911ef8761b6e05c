"""How objects are shown where there is HTML, as in notebooks; every text of a game is escaped."""

from __future__ import annotations

from collections import Counter
from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cardwright._engine import Card, Character, Duel, Game, Model, Player, View

__all__ = ["Deck", "short", "table"]

LONGEST = 200
"""No ``repr`` is longer."""
ROWS = 200
"""No table has more."""


def short(text: str) -> str:
    """The text, cut off where it would be longer than a ``repr`` may be."""
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 2]}…>"


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table; what is beyond 200 rows is counted."""
    rows = list(rows)
    lines = ["".join(f"<td>{_cell(cell)}</td>" for cell in row) for row in rows[:ROWS]]
    if len(rows) > ROWS:
        lines.append(f'<td colspan="{len(head)}">and {len(rows) - ROWS} more</td>')
    names = "".join(f"<th>{escape(name)}</th>" for name in head)
    return f"<table><tr>{names}</tr>" + "".join(f"<tr>{line}</tr>" for line in lines) + "</table>"


def _cell(value: object) -> str:
    if value is None:
        return ""
    return f"{value:.3f}" if isinstance(value, float) else escape(str(value))


class Deck(list["Model"]):
    """The cards of a deck: a list that is shown by its cards' names."""

    def counted(self) -> Counter[Model]:
        """How many copies there are of each card."""
        return Counter(self)

    def __repr__(self) -> str:
        names = ", ".join(f"{number} {model.name}" for model, number in self.counted().items())
        return short(f"<Deck of {len(self)} cards: {names}>")

    def _repr_html_(self) -> str:
        rows = [(number, *_of_model(model)) for model, number in self.counted().items()]
        return table(["", *_MODEL], rows)


_MODEL = ("Card", "Type", "Subtype", "BP", "SP", "Ability", "Text")


def _of_model(model: Model) -> tuple[object, ...]:
    ability = " ".join(model.ability) if model.ability else None
    return model.name, model.kind, model.subtype, model.bp, model.sp, ability, model.text


def of_model(model: Model) -> str:
    """A card as it is printed."""
    return table(_MODEL, [_of_model(model)])


def of_card(card: Card) -> str:
    """A card, if it is known."""
    return "<i>unknown card</i>" if card.model is None else of_model(card.model)


def of_character(one: Character) -> str:
    """A character in a ring."""
    return table(_CHARACTER, [_of_character("", one)])


_CHARACTER = ("", "Character", "BP", "Marks", "Keywords", "Back-ups")
_MARKS = ("fresh", "frozen", "activated", "attacks", "follows", "blocks")


def _of_character(whose: str, one: Character) -> tuple[object, ...]:
    marks = ", ".join(mark for mark in _MARKS if getattr(one, mark))
    return whose, one.model.name, one.bp, marks, ", ".join(one.keywords), len(one.backups)


def _of_players(players: Iterable[tuple[str, Player]]) -> str:
    players = list(players)
    piles = ("hp", "sp", "hand", "deck", "discards", "removed")
    rows = [
        (name, *(len(pile) if isinstance(pile := getattr(player, what), list) else pile for what in piles))
        for name, player in players
    ]
    rings = [_of_character(name, one) for name, player in players for one in player.ring if one is not None]
    return table(["", "HP", "SP", "Hand", "Deck", "Discards", "Removed"], rows) + table(_CHARACTER, rings)


def of_view(view: View) -> str:
    """What a seat sees."""
    hand = ", ".join("?" if card.model is None else card.model.name for card in view.me.hand)
    about = f"Turn {view.turn}, {view.phase}, seen by seat {view.seat}"
    players = _of_players([("me", view.me), ("other", view.other)])
    return f"<p>{escape(about)}</p>{players}<p>Hand: {escape(hand)}</p>"


def of_duel(duel: Duel) -> str:
    """What both seats see of a duel, and the question that waits without its options: hands stay closed."""
    decision = duel.pending
    end = "over, " + ("drawn" if not duel.winner else f"won by seat {duel.winner}")
    state = end if decision is None else f"seat {decision.seat} is asked"
    about = f"{duel.game.name}, turn {duel.turn}, {duel.phase}: {state}"
    return f"<p>{escape(about)}</p>" + _of_players((f"seat {seat}", duel.view(seat).me) for seat in (1, 2))


def of_game(game: Game) -> str:
    """A game's decks."""
    rows = [(name, len(game.deck(name))) for name in game.decks]
    return f"<p>{escape(game.name)}: {len(game.models)} cards</p>" + table(["Deck", "Cards"], rows)


def of_rows(rows: Sequence[dict[str, Any]]) -> str:
    """Rows of a report: what they have of numbers and texts."""
    names = [name for name, value in (rows[0] if rows else {}).items() if isinstance(value, (str, int, float))]
    return table(names, [[row.get(name) for name in names] for row in rows])
