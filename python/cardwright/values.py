"""A value model in a small file, and the bot that plays by it.

A model tells from what a seat sees how likely it is to win: a logistic regression on numbers of both sides, by whose
turn it is, and on single cards in the rings and in the hand. `examples/train.py` learns one. The bot tries each option
on guesses at what it cannot see, and takes the one after which it likes what it sees best::

    cardwright play --seat2 "cmd:python -m cardwright.values model.json"
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from functools import cached_property
from math import exp
from operator import mul
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Model", "features", "fit", "names"]

Numbers = NDArray[np.float64]
View = dict[str, Any]

SIDE = (
    "hp", "hp to 1500", "hp to 700", "hp to 300", "sp to 5", "sp to 12", "sp", "hand", "no hand", "characters",
    "no characters", "bp", "strongest", "bp not frozen", "not frozen", "reach", "reach at once", "attacking",
    "blocking", "back-ups",
)  # fmt: skip
HABIT = {"attack": 4, "join": 4, "play": 3, "yes": 3, "pass": 2}
"""What pays later than at once goes before passing, and passing before what has no effect."""
TAKES_BACK = {"decline", "cancel-attack", "cancel-block"}
"""Whoever takes back what has begun may begin it again, for ever."""
QUIET = {"main", "attack", "counter-attack"}
"""Questions in the middle of nothing."""


def names(cards: list[str]) -> list[str]:
    """What the numbers of `features` are, for a game with these cards."""
    sides = [
        f"{turn}, {whose}: {name}" for turn in ("my turn", "their turn") for whose in ("my", "their") for name in SIDE
    ]
    phases = ["my turn"]
    return [*sides, *phases, *(f"ring: {card}" for card in cards), *(f"hand: {card}" for card in cards)]


def _side(player: View, other: View, active: bool) -> list[float]:
    ring = [one for one in player["ring"] if one]
    bps = [max(one["bp"], 0) for one in ring]
    ready = [max(one["bp"], 0) for one in ring if not one["frozen"]]
    hp, sp, against = max(player["hp"], 0), player["sp"], max(other["hp"], 1)
    return [
        hp / 1000, min(hp, 1500) / 1000, min(hp, 700) / 1000, min(hp, 300) / 1000,
        min(sp, 5) / 5, min(sp, 12) / 12, sp / 25, len(player["hand"]) / 5, float(not player["hand"]), len(ring) / 4,
        float(not ring), sum(bps) / 1000, max(bps, default=0) / 1000, sum(ready) / 1000, len(ready) / 4,
        min(sum(bps) / against, 1.0), min(sum(ready) / against, 1.0) * active,
        sum(one["bp"] for one in ring if one["attacks"] or one["follows"]) / against,
        sum(one["bp"] for one in ring if one["blocks"]) / 1000,
        sum(len(one["backups"]) for one in ring) / 4,
    ]  # fmt: skip


def _scalars(view: View) -> tuple[int, list[float]]:
    """The numbers that are not 0 by themselves, and where they stand among all: it depends on whose turn it is."""
    me = view["seat"] - 1
    mine, other = view["players"][me], view["players"][1 - me]
    active = view["active"] - 1 == me
    both = _side(mine, other, active) + _side(other, mine, not active)
    return 0 if active else len(both), both


def _cards(view: View, places: dict[str, int]) -> list[tuple[int, float]]:
    """The cards in the rings and in the own hand, by their places."""
    me = view["seat"] - 1
    found = []
    for player, sign in ((view["players"][me], 1.0), (view["players"][1 - me], -1.0)):
        found += [(places[one["ability"]], sign) for one in player["ring"] if one and one["ability"] in places]
    hand = view["players"][me]["hand"]
    return found + [(len(places) + places[card], 1.0) for card in hand if card in places]


def _turn(view: View) -> list[float]:
    active = view["active"] == view["seat"]
    return [float(active)]


def features(view: View, places: dict[str, int]) -> Numbers:
    """What a seat sees, as numbers; `places` numbers the cards."""
    numbers = np.zeros(4 * len(SIDE) + 1 + 2 * len(places))
    at, both = _scalars(view)
    numbers[at : at + len(both)] = both
    numbers[4 * len(SIDE) : 4 * len(SIDE) + 1] = _turn(view)
    for place, sign in _cards(view, places):
        numbers[4 * len(SIDE) + 1 + place] += sign
    return numbers


def fit(rows: Numbers, won: Numbers, *, shrink: float = 30.0, rounds: int = 12) -> Numbers:
    """Logistic regression by Newton's method; the last weight is the constant. The same rows give the same weights."""
    rows = np.hstack([rows, np.ones((len(rows), 1))])
    weights = np.zeros(rows.shape[1])
    ridge = np.full(rows.shape[1], shrink)
    ridge[-1] = 1e-6
    for _ in range(rounds):
        chance = 1 / (1 + np.exp(-rows @ weights))
        slope = rows.T @ (won - chance) - ridge * weights
        curve = (rows * (chance * (1 - chance))[:, None]).T @ rows + np.diag(ridge)
        step = np.linalg.solve(curve, slope)
        weights += step
        if np.abs(step).max() < 1e-6:
            break
    return weights


@dataclass(frozen=True)
class Model:
    """Weights, and the cards that they know."""

    cards: list[str]
    weights: Numbers
    game: str
    """The fingerprint of the game that it was learnt on; another one's cards are worth what the other numbers say."""

    def value(self, view: View) -> float:
        """How likely the seat is to win, from 0 to 1."""
        weights, places = self._known
        at, both = _scalars(view)
        first = 4 * len(SIDE)
        # The same as with `features`, without making all the zeros.
        total = weights[-1] + sum(map(mul, weights[at : at + len(both)], both))
        total += sum(map(mul, weights[first : first + 1], _turn(view)))
        total += sum(weights[first + 1 + place] * sign for place, sign in _cards(view, places))
        return 1 / (1 + exp(-total))

    @cached_property
    def _known(self) -> tuple[list[float], dict[str, int]]:
        """The weights as plain numbers, and the cards by their places."""
        return self.weights.tolist(), {card: at for at, card in enumerate(self.cards)}

    def save(self, path: str | Path) -> None:
        """Writes it as JSON: a few kilobytes."""
        rounded = [round(float(weight), 4) for weight in self.weights]
        content = {"cardwright_values": 1, "game": self.game, "cards": self.cards, "weights": rounded}
        Path(path).write_text(json.dumps(content) + "\n", encoding="utf-8")

    @staticmethod
    def load(path: str | Path) -> Model:
        """Reads it."""
        content = json.loads(Path(path).read_text(encoding="utf-8"))
        if content.get("cardwright_values") != 1:
            raise ValueError(f"“{path}” is no value model: examples/train.py makes one")
        return Model(content["cards"], np.array(content["weights"]), content["game"])


class Bot:
    """Plays by a model, in the protocol of bots."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.cards: dict[str, View] = {}

    def run(self) -> None:
        """Answers until it is told goodbye."""
        for line in sys.stdin:
            message = json.loads(line)
            if "cardwright" in message:
                self.cards = {card["name"]: card for card in message["cards"]}
                self.say({"ready": 1, "name": "values", "deterministic": True})
            elif "ask" in message:
                self.say({"answer": message["ask"], "option": self.choose(message)})
            elif "bye" in message:
                break

    def say(self, message: View) -> None:
        """Writes a line."""
        print(json.dumps(message), flush=True)

    def choose(self, ask: View) -> int:
        """The option after which it likes what it sees best."""
        return int(max(ask["decision"]["options"], key=lambda option: self.rank(ask, option))["id"])

    def rank(self, ask: View, option: View) -> tuple[float, int]:
        """How much it likes an option; where that makes no difference to speak of, it goes by habit."""
        kind = option["kind"]
        habit = HABIT.get(kind, 1)
        if kind in TAKES_BACK:
            return -1.0, habit
        if kind == "pass":
            # As things are: what comes of passing is the other's doing.
            return round(self.model.value(ask["view"]), 3), habit
        self.say({"try": ask["ask"], "option": option["id"], "guess": 0})
        tried = json.loads(sys.stdin.readline())
        view, then = tried["view"], tried["decision"]
        if view is None:
            return 0.0, habit
        if then is not None and then["question"] not in QUIET and ask["decision"]["question"] in QUIET:
            # It leads on to another question: a character is imagined in its ring, anything else is thought well of.
            card = self.cards.get(option["key"].partition(":")[2])
            if kind == "play" and card is not None and card["type"] == "Character":
                return round(self.model.value(entered(ask["view"], card)), 3), habit
            return round(self.model.value(ask["view"]), 3), HABIT["play"]
        return round(self.won(view, ask["seat"]), 3), habit

    def won(self, view: View, seat: int) -> float:
        """The value of a view; at the end it is known."""
        if view["over"]:
            return float(view["players"][seat - 1]["hp"] > 0) if view["players"][2 - seat]["hp"] <= 0 else 0.0
        return self.model.value(view)


def entered(view: View, card: View) -> View:
    """A view in which a character has been played: it stands in its ring, paid for."""
    me = view["seat"] - 1
    mine = dict(view["players"][me])
    mine["hand"] = list(mine["hand"])
    if card["name"] in mine["hand"]:
        mine["hand"].remove(card["name"])
    marks = dict.fromkeys(("frozen", "attacks", "follows", "blocks"), False)
    mine["ring"] = [*mine["ring"], {"bp": card["bp"], "ability": card["name"], "backups": [], **marks}]
    mine["sp"] += card["sp"]
    players = list(view["players"])
    players[me] = mine
    return {**view, "players": players}


if __name__ == "__main__":
    Bot(Model.load(sys.argv[1])).run()
