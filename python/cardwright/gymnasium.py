"""A duel as an environment of Gymnasium: one learner, in seat 1, against one of the program's players.

The observation is that of `cardwright.pettingzoo`. An action beyond the options is taken for the last of them, so
that any action of the space may be tried; who learns well uses the mask.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np

from cardwright._engine import Game, Level
from cardwright.pettingzoo import DuelEnv, Observation

__all__ = ["DuelVersus"]


class DuelVersus(gymnasium.Env):  # type: ignore[misc]
    """Duels against a level of the computer; the reward is 1 for winning, -1 for losing, in the end."""

    metadata = {"render_modes": ["ansi"]}  # noqa: RUF012

    def __init__(
        self,
        game: Game | None = None,
        *,
        opponent: str = "easy",
        decks: list[str] | None = None,
        render_mode: str | None = None,
    ) -> None:
        self.duels = DuelEnv(game, decks=decks)
        self.opponent = Level(opponent)
        self.render_mode = render_mode
        self.observation_space = self.duels.observation_space("seat_1")
        self.action_space = self.duels.action_space("seat_1")

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begins a duel and plays on to the learner's first question."""
        super().reset(seed=seed)
        # The first duel may be over before the learner is asked anything.
        while True:
            self.duels.reset(seed=int(self.np_random.integers(2**31)))
            self._asked = 0
            self._let_opponent_answer()
            if self.duels.duel.asked == 1:
                return self.duels.observe("seat_1"), {}

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Takes an option, and plays on to the learner's next question."""
        last = self.duels.duel.number_of_options - 1
        if last < 0:
            raise gymnasium.error.ResetNeeded("the duel is over: reset begins another one")
        self.duels.duel.answer(min(int(action), last))
        self.duels._go_on()
        self._let_opponent_answer()
        over = self.duels.duel.over
        reward = float(self.duels.rewards["seat_1"]) if over else 0.0
        return self.duels.observe("seat_1"), reward, over, False, {}

    def action_masks(self) -> np.ndarray[Any, Any]:
        """The mask of legal actions, under the name by which sb3-contrib asks for it."""
        return self.duels.observe("seat_1")["action_mask"].astype(bool)

    def render(self) -> str:
        """The question that waits, in words."""
        return self.duels.render()

    def _let_opponent_answer(self) -> None:
        duel = self.duels.duel
        while duel.asked == 2:
            self._asked += 1
            duel.answer(self.opponent.choose(duel, seed=self._asked))
            self.duels._go_on()
