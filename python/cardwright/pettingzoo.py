"""A duel as an environment of PettingZoo: two agents that take turns, with a mask of legal actions.

An observation is a dictionary: ``observation`` (int16, see `cardwright.encoding`), ``action_mask`` (int8, 128) and
``option_features`` (int16, 128 × 8). An action is the place of an option in the list of those that are legal; what
an option is about stands in its row of ``option_features``. Everything is made of what the seat may see.

Options that take something back (an attack that is called off) are masked unless ``takebacks=True``: nothing bounds how
often an attack is declared and called off, so a learner that may do so can play for ever.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from cardwright._engine import Game, Model, encoding, observe

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["ACTIONS", "MAX_STEPS", "Deck", "DuelEnv", "Observation", "env", "observation_space"]

ACTIONS = 128
"""Options that an action can name."""
MAX_STEPS = 4096
"""Answers of both agents after which a duel is truncated, unless told otherwise."""
FEATURES = 8
"""Numbers about an option."""

Observation = dict[str, np.ndarray[Any, Any]]


def observation_space(game: Game) -> spaces.Dict:
    """What an observation of this game may be."""
    number = len(encoding(game)[0])
    limits = np.iinfo(np.int16)
    return spaces.Dict(
        {
            "observation": spaces.Box(limits.min, limits.max, (number,), np.int16),
            "action_mask": spaces.Box(0, 1, (ACTIONS,), np.int8),
            "option_features": spaces.Box(limits.min, limits.max, (ACTIONS, FEATURES), np.int16),
        }
    )


Deck = str | list[Model]
"""A deck: its name in the game, the path of a file, or card by card."""


def env(game: Game | None = None, **options: Any) -> Any:
    """Makes a `DuelEnv` with these options, in the wrappers that name what is done wrongly."""
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(DuelEnv(game, **options)))


class DuelEnv(AECEnv):  # type: ignore[misc]
    """Two agents, ``seat_1`` and ``seat_2``. The winner gets 1, the loser -1, both 0 for a draw.

    A question with one allowed option is answered by itself. Two of `decks` are drawn for each duel, out of all decks
    of the game if none are named; `seat_decks` gives each seat its own. A duel that has not ended after `max_steps`
    answers of the agents is truncated. ``reset(options={"seat_decks": (one, two)})`` sets the decks of one duel.
    """

    metadata = {"name": "cardwright_v0", "render_modes": ["ansi"], "is_parallelizable": False}  # noqa: RUF012

    def __init__(
        self,
        game: Game | None = None,
        *,
        decks: Sequence[Deck] | None = None,
        seat_decks: tuple[Deck, Deck] | None = None,
        takebacks: bool = False,
        max_steps: int = MAX_STEPS,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.game = game or Game()
        self.decks = [self._cards(deck) for deck in decks or self.game.decks]
        self.seat_decks = None if seat_decks is None else (self._cards(seat_decks[0]), self._cards(seat_decks[1]))
        self.takebacks = takebacks
        self.max_steps = max_steps
        self.render_mode = render_mode
        self.possible_agents = ["seat_1", "seat_2"]
        self._space = observation_space(self.game)
        self._length = len(encoding(self.game)[0])
        self._action = spaces.Discrete(ACTIONS)
        self.observation_spaces = dict.fromkeys(self.possible_agents, self._space)
        self.action_spaces = dict.fromkeys(self.possible_agents, self._action)
        self._random, _ = seeding.np_random(None)

    def observation_space(self, agent: str) -> spaces.Dict:
        """What an agent may see."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """What an agent may do."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a duel."""
        if seed is not None:
            self._random, _ = seeding.np_random(seed)
        places = self._random.integers(len(self.decks), size=2)
        one, two = self.seat_decks or (self.decks[places[0]], self.decks[places[1]])
        for name, value in (options or {}).items():
            if name == "seat_decks":
                one, two = (self._cards(deck) for deck in value)
            else:
                # PettingZoo asks for environments to put up with options that they do not know.
                warnings.warn(f"reset has no option {name!r}: it has seat_decks", stacklevel=2)
        self.duel = self.game.duel(
            one,
            two,
            seed=int(self._random.integers(2**63)),
            illegal_decks=True,
        )
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self.steps = 0
        self._go_on()

    def step(self, action: int | None) -> None:
        """Takes an option, by its number."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self.answer(-1 if action is None else int(action))

    def answer(self, action: int) -> None:
        """Takes an option for whoever is asked, by its number. Nobody gets a reward before the end."""
        self.duel.answer(action)
        self.steps += 1
        self._go_on()

    def _cards(self, deck: Deck) -> list[Model]:
        return self.game.deck(deck) if isinstance(deck, str) else list(deck)

    def _go_on(self) -> None:
        """Answers what leaves no choice, and finds out who is next."""
        duel = self.duel
        while (only := duel.only_option(takebacks=self.takebacks)) is not None:
            duel.answer(only)
        asked = duel.asked
        if asked is not None:
            self.agent_selection = self.possible_agents[asked - 1]
            if self.steps >= self.max_steps:
                self.truncations = dict.fromkeys(self.agents, True)
            return
        for agent in self.agents:
            self.terminations[agent] = True
            won = 0.0 if duel.winner == 0 else 1.0 if agent == f"seat_{duel.winner}" else -1.0
            self.rewards[agent] = self._cumulative_rewards[agent] = won

    def observe(self, agent: str) -> Observation:
        """What an agent sees now."""
        observation = np.empty(self._length, np.int16)
        mask = np.empty(ACTIONS, np.int8)
        features = np.empty((ACTIONS, FEATURES), np.int16)
        seat = 1 if agent == "seat_1" else 2
        observe(self.duel, seat, observation, mask, features, takebacks=self.takebacks)
        return {"observation": observation, "action_mask": mask, "option_features": features}

    def render(self) -> str:
        """The question that waits, in words."""
        decision = self.duel.pending
        if decision is None:
            return f"over: {self.duel.winner or 'nobody'} has won"
        options = "\n".join(f"  {at}: {option.words}" for at, option in enumerate(decision.options))
        return f"turn {self.duel.turn}, seat {decision.seat}: {decision.question}\n{options}"

    def close(self) -> None:
        """Nothing is kept open."""
