"""Duels as a game of OpenSpiel, under the name ``python_cardwright``.

Import this module, then ``pyspiel.load_game("python_cardwright")``, or make a `DuelGame` of a game of your own. The
first action is chance's, and is the seed; from there chance is inside the duel. An action is the place of an option,
as in `cardwright.pettingzoo`. `DuelState.resample_from_infostate` deals what a player cannot see anew, by the engine's
own sampler, so that OpenSpiel's searches for imperfect information (`open_spiel.python.algorithms.ismcts`) are honest.

Parameters: `path` of the game, `deck1` and `deck2` by name, `seeds` (how many chance may draw), and `takebacks`
(whether options that take something back are legal: nothing bounds how often they may be used). With decks of a few
cards and few seeds a game has so few states that what goes through all of them, as exploitability does, comes to an
end.
"""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
import pyspiel

from cardwright._engine import Duel, Game, Model, encoding, observe
from cardwright._errors import CardwrightError
from cardwright._given import whole

__all__ = ["DuelGame", "DuelState", "resample"]

ACTIONS, FEATURES = 128, 8
SEEDS = 1 << 16

_TYPE = pyspiel.GameType(
    short_name="python_cardwright",
    long_name="Cardwright",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={"path": "", "deck1": "", "deck2": "", "seeds": SEEDS, "takebacks": False},
)
DIGEST = 128
"""Bits of the digest of what a player has seen and done."""


def _info(seeds: int) -> Any:
    return pyspiel.GameInfo(
        num_distinct_actions=ACTIONS,
        max_chance_outcomes=seeds,
        num_players=2,
        min_utility=-1.0,
        max_utility=1.0,
        utility_sum=0.0,
        max_game_length=100_000,
    )


class DuelGame(pyspiel.Game):  # type: ignore[misc]
    """Duels between two decks, the first two of the game unless they are named, or given card by card."""

    def __init__(
        self,
        params: dict[str, Any] | None = None,
        *,
        game: Game | None = None,
        decks: tuple[str | list[Model], str | list[Model]] | None = None,
    ) -> None:
        params = params or {}
        self.seeds = whole("seeds", params.get("seeds", SEEDS), 1, SEEDS)
        super().__init__(_TYPE, _info(self.seeds), params)
        self.cards = game or Game(params.get("path") or None)
        self.takebacks = bool(params.get("takebacks", False))
        names = self.cards.decks
        named = (params.get("deck1") or names[0], params.get("deck2") or names[1 % len(names)])
        self.decks = decks or named

    def new_initial_state(self) -> DuelState:
        """Before the seed is drawn."""
        return DuelState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """What a player sees, as `cardwright.encoding` says."""
        return Observer(self.cards, recalls=iig_obs_type is not None and iig_obs_type.perfect_recall)


class DuelState(pyspiel.State):  # type: ignore[misc]
    """A duel at one of its decisions."""

    def __init__(self, game: DuelGame) -> None:
        super().__init__(game)
        # OpenSpiel copies a state by copying each of its attributes deeply, and what it keeps itself (the history):
        # what a state has beyond that must be a value.
        self.duel: Duel | None = None
        self.recalled = ["", ""]

    def current_player(self) -> int:
        """Who acts: chance at first, then the seats, from 0."""
        if self.duel is None:
            return int(pyspiel.PlayerId.CHANCE)
        seat = self.duel.asked
        return int(pyspiel.PlayerId.TERMINAL) if seat is None else seat - 1

    def _legal_actions(self, player: int) -> list[int]:
        duel = self.duel
        if duel is None:
            return []
        if self.get_game().takebacks:
            return list(range(duel.number_of_options))
        mask = np.zeros(ACTIONS, np.int8)
        numbers = np.zeros(len(encoding(duel.game)[0]), np.int16)
        observe(duel, player + 1, numbers, mask, np.zeros((ACTIONS, FEATURES), np.int16), takebacks=False)
        return [int(action) for action in np.flatnonzero(mask)]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Any seed, all equally likely."""
        seeds = self.get_game().seeds
        return [(seed, 1 / seeds) for seed in range(seeds)]

    def _apply_action(self, action: int) -> None:
        if self.duel is None:
            game = self.get_game()
            self.duel = game.cards.duel(*game.decks, seed=int(action), illegal_decks=True)
        else:
            acts = self.current_player()
            self.recalled[acts] = _digest(self.recalled[acts], str(action))
            self.duel.answer(int(action))
        for player in (0, 1):
            self.recalled[player] = _digest(self.recalled[player], seen(self.duel, player))

    def _action_to_string(self, player: int, action: int) -> str:
        decision = self.duel.pending if self.duel else None
        return f"seed {action}" if decision is None else decision.options[action].words

    def is_terminal(self) -> bool:
        """Whether it is over."""
        return self.duel is not None and self.duel.over

    def returns(self) -> list[float]:
        """1 for the winner, -1 for the loser."""
        winner = self.duel.winner if self.duel else None
        return {1: [1.0, -1.0], 2: [-1.0, 1.0]}.get(winner or 0, [0.0, 0.0])

    def observation_string(self, player: int | None = None) -> str:
        """What a player sees, and every option, as text."""
        seat = self.current_player() if player is None else player
        return "" if self.duel is None or seat < 0 else seen(self.duel, seat)

    def information_state_string(self, player: int | None = None) -> str:
        """All that a player has seen and done so far, as a digest, and what it sees now."""
        seat = self.current_player() if player is None else player
        return "" if self.duel is None or seat < 0 else f"{self.recalled[seat]}:{seen(self.duel, seat)}"

    def resample_from_infostate(self, player: int, sampler: Any = None) -> DuelState:
        """A state that the player cannot tell from this one, drawn by the engine's own sampler."""
        return resample(self, player, sampler() if callable(sampler) else np.random.random())

    def __str__(self) -> str:
        return "before the seed" if self.duel is None else repr(self.duel)


class Observer:
    """What a player sees, as numbers; where it recalls, followed by the bits of a digest of all that it has seen."""

    def __init__(self, game: Game, *, recalls: bool = False) -> None:
        self._length = len(encoding(game)[0])
        self._recalls = recalls
        self.tensor = np.zeros(self._length + (DIGEST if recalls else 0), np.float32)
        self.dict = {"observation": self.tensor[: self._length]}
        if recalls:
            self.dict["recalled"] = self.tensor[self._length :]
        self._mask = np.zeros(ACTIONS, np.int8)
        self._features = np.zeros((ACTIONS, FEATURES), np.int16)

    def set_from(self, state: DuelState, player: int) -> None:
        """Reads a state."""
        self.tensor.fill(0)
        if state.duel is not None:
            numbers = np.zeros(self._length, np.int16)
            observe(state.duel, player + 1, numbers, self._mask, self._features)
            self.tensor[: self._length] = numbers
            if self._recalls:
                digest = np.frombuffer(bytes.fromhex(state.recalled[player]), np.uint8)
                self.tensor[self._length :] = np.unpackbits(digest)

    def string_from(self, state: DuelState, player: int) -> str:
        """What a player sees, as text, after the digest where it recalls."""
        return state.information_state_string(player) if self._recalls else state.observation_string(player)


def seen(duel: Duel, player: int) -> str:
    """What a player sees, and the options where it is asked, as text."""
    numbers = np.zeros(len(encoding(duel.game)[0]), np.int16)
    mask, features = np.zeros(ACTIONS, np.int8), np.zeros((ACTIONS, FEATURES), np.int16)
    observe(duel, player + 1, numbers, mask, features)
    return f"{player}:{numbers.tobytes().hex()}:{features[: mask.sum()].tobytes().hex()}"


def _digest(before: str, seen_or_done: str) -> str:
    return hashlib.blake2b(f"{before}:{seen_or_done}".encode(), digest_size=16).hexdigest()


def resample(state: DuelState, player: int, chance: float) -> DuelState:
    """What the player does not know, dealt anew by a number from 0 to 1; the state itself before the seed is drawn."""
    other: DuelState = state.clone()
    if state.duel is None:
        return other
    sample = state.duel.sample(player + 1, int(chance * 2**53))
    if sample is None:
        raise CardwrightError(
            "in the middle of this effect nothing can be dealt anew without looking: answer otherwise than by a search"
        )
    other.duel = sample
    # What the other one recalls of the true duel would tell of it.
    away = 1 - player
    other.recalled[away] = _digest("", seen(sample, away))
    return other


pyspiel.register_game(_TYPE, DuelGame)
