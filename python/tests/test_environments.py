"""The environments keep the promises that their frameworks test."""

import warnings

import numpy as np
import pytest

import cardwright as cw

pytest.importorskip("pettingzoo")
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

from cardwright.gymnasium import DuelVersus
from cardwright.pettingzoo import env


def test_pettingzoo(game: cw.Game) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(env(game), num_cycles=1000)
        seed_test(lambda: env(game), num_cycles=500)


def test_gymnasium(game: cw.Game) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(DuelVersus(game, opponent="novice"), skip_render_check=True)


def test_masked_play_ends_with_one_winner(game: cw.Game) -> None:
    table = env(game)
    chance = np.random.default_rng(1)
    for seed in range(5):
        table.reset(seed=seed)
        total = dict.fromkeys(table.possible_agents, 0.0)
        for agent in table.agent_iter():
            seen, reward, over, cut, _ = table.last()
            total[agent] += reward
            if over or cut:
                table.step(None)
            else:
                assert seen["action_mask"].sum() > 1
                table.step(int(chance.choice(np.flatnonzero(seen["action_mask"]))))
        assert sorted(total.values()) in ([-1.0, 1.0], [0.0, 0.0])


def test_a_learner_meets_a_level(game: cw.Game) -> None:
    versus = DuelVersus(game, opponent="random")
    seen, _ = versus.reset(seed=1)
    over = False
    while not over:
        assert seen["observation"][0] == 1
        assert versus.action_masks().sum() > 1
        seen, reward, over, _, _ = versus.step(0)
    assert reward in (-1.0, 0.0, 1.0)
