"""A duel as an environment of Gymnasium: one learner, in seat 1, against one of the program's players.

The observation is that of `cardwright.pettingzoo`. An action that is not allowed is taken for the last one that is, so
that any action of the space may be tried; a learner that means to win uses the mask.

Importing this module registers ``cardwright/DuelVersus-v0``, so that ``gymnasium.make`` finds it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np

from cardwright import _given
from cardwright._engine import Game, Level
from cardwright.pettingzoo import MAX_STEPS, Deck, DuelEnv, Observation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright._given import Who

__all__ = ["ENV_ID", "DuelVersus"]

ENV_ID = "cardwright/DuelVersus-v0"


class DuelVersus(gymnasium.Env):  # type: ignore[misc]
    """Duels against an opponent; the reward is 1 for winning, -1 for losing, in the end.

    The opponent is a level, by name or as an object, a function that is given the duel and returns the place of an
    option, or an object with such a method `choose`. A level's chance is made of the duel's seed: it plays every duel
    in its own way, and a seed again in the same.
    ``reset(options=...)`` takes ``seat_decks`` and ``opponent`` for the duels from then on.
    """

    metadata = {"render_modes": ["ansi"]}  # noqa: RUF012

    def __init__(
        self,
        game: Game | None = None,
        *,
        opponent: Who = "easy",
        decks: Sequence[Deck] | None = None,
        seat_decks: tuple[Deck, Deck] | None = None,
        takebacks: bool = False,
        max_steps: int = MAX_STEPS,
        render_mode: str | None = None,
    ) -> None:
        self.duels = DuelEnv(game, decks=decks, seat_decks=seat_decks, takebacks=takebacks, max_steps=max_steps)
        self.opponent = _given.asked("opponent", opponent)
        self.render_mode = render_mode
        self.observation_space = self.duels.observation_space("seat_1")
        self.action_space = self.duels.action_space("seat_1")

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begins a duel and plays on to the learner's first question."""
        super().reset(seed=seed)
        options = dict(options or {})
        opponent = options.pop("opponent", self.opponent)
        self.opponent = _given.asked("opponent", opponent)
        # The first duel may be over before the learner is asked anything.
        while True:
            self.duels.reset(seed=int(self.np_random.integers(2**31)), options=options)
            self._let_opponent_answer()
            if self.duels.duel.asked == 1:
                return self.duels.observe("seat_1"), {}

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Takes an option, and plays on to the learner's next question."""
        allowed = np.flatnonzero(self.action_masks())
        if not len(allowed):
            raise gymnasium.error.ResetNeeded("the duel is over: reset begins another one")
        self.duels.answer(int(action) if action in allowed else int(allowed[-1]))
        self._let_opponent_answer()
        over, cut = self.duels.duel.over, self.duels.truncations["seat_1"]
        reward = float(self.duels.rewards["seat_1"]) if over else 0.0
        return self.duels.observe("seat_1"), reward, over, cut, {}

    def action_masks(self) -> np.ndarray[Any, Any]:
        """The mask of legal actions, under the name by which sb3-contrib asks for it."""
        return self.duels.observe("seat_1")["action_mask"].astype(bool)

    def render(self) -> str:
        """The question that waits, in words."""
        return self.duels.render()

    def _let_opponent_answer(self) -> None:
        duel, opponent = self.duels.duel, self.opponent
        while duel.asked == 2:
            self.duels.answer(opponent.choose(duel) if isinstance(opponent, Level) else opponent(duel))


if ENV_ID not in gymnasium.registry:
    gymnasium.register(ENV_ID, entry_point="cardwright.gymnasium:DuelVersus", disable_env_checker=True)
