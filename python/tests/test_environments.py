"""The environments keep the promises that their frameworks test."""

import json
import warnings

import gymnasium
import numpy as np
import pytest

import cardwright as cw

pytest.importorskip("pettingzoo")
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

from cardwright.gymnasium import ENV_ID, DuelVersus
from cardwright.pettingzoo import DuelEnv, env


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


def test_the_opponent_plays_every_duel_in_its_own_way(game: cw.Game) -> None:
    """And the same duel in the same way."""
    versus = DuelVersus(game, opponent="random", seat_decks=(game.decks[0], game.decks[1]))

    def answers(seed: int) -> list[str]:
        versus.reset(seed=seed)
        over = cut = False
        while not (over or cut):
            _, _, over, cut, _ = versus.step(0)
        return [key for seat, key in versus.duels.duel.replay().choices if seat == 2]

    assert answers(1) == answers(1)
    assert answers(1) != answers(2)


def test_nothing_is_taken_back_unless_it_is_allowed(game: cw.Game) -> None:
    chance = np.random.default_rng(4)
    back = {"cancel-attack", "cancel-block", "decline"}
    for takebacks in (False, True):
        table, masked, taken = DuelEnv(game, takebacks=takebacks), 0, 0
        for seed in range(6):
            table.reset(seed=seed)
            while not table.duel.over and not table.truncations["seat_1"]:
                mask = table.observe(table.agent_selection)["action_mask"].astype(bool)
                pending = table.duel.pending
                assert pending is not None
                kinds = [option.kind for option in pending.options]
                masked += int(len(kinds) - mask.sum())
                action = int(chance.choice(np.flatnonzero(mask)))
                taken += kinds[action] in back and set(kinds) - back != set()
                table.answer(action)
        assert (masked > 0, taken > 0) == (not takebacks, takebacks)


def test_a_duel_without_end_is_truncated(game: cw.Game) -> None:
    table = DuelEnv(game, max_steps=7)
    table.reset(seed=1)
    for at in range(7):
        assert not any(table.truncations.values()), at
        table.step(int(np.flatnonzero(table.observe(table.agent_selection)["action_mask"])[0]))
    assert table.truncations == {"seat_1": True, "seat_2": True}
    assert table.terminations == {"seat_1": False, "seat_2": False}


def test_decks_are_given_by_name_or_card_by_card(game: cw.Game) -> None:
    cards = game.deck(game.decks[2])
    table = DuelEnv(game, seat_decks=(cards, game.decks[1]))
    table.reset(seed=3)
    assert table.duel == _begun(game, cards, game.decks[1], table)
    table.reset(seed=3, options={"seat_decks": (game.decks[0], game.decks[0])})
    assert table.duel == _begun(game, game.decks[0], game.decks[0], table)
    with pytest.warns(UserWarning, match="reset has no option 'decks': it has seat_decks"):
        table.reset(options={"decks": []})


def _begun(game: cw.Game, one: object, two: object, table: DuelEnv) -> cw.Duel:
    record = table.duel.replay()
    seed = json.loads(record.text)["seed"]
    duel = game.duel(one, two, seed=seed, illegal_decks=True)
    while (only := duel.only_option(takebacks=False)) is not None:
        duel.answer(only)
    return duel


def test_it_is_made_by_name_and_in_processes(game: cw.Game) -> None:
    made = gymnasium.make(ENV_ID, opponent="random")
    made.reset(seed=1)
    made.step(0)
    many = gymnasium.make_vec(ENV_ID, num_envs=2, vectorization_mode="async")
    try:
        many.reset(seed=1)
        many.step(np.zeros(2, np.int64))
    finally:
        many.close()


def test_environments_step_in_forked_processes() -> None:
    """AsyncVectorEnv as it comes: its processes are forked from one that has read games and stepped duels."""
    many = gymnasium.vector.AsyncVectorEnv([DuelVersus, DuelVersus])
    try:
        seen, _ = many.reset(seed=3)
        assert seen["action_mask"].shape == (2, 128)
        for _ in range(20):
            seen, *_ = many.step(seen["action_mask"].argmax(axis=1))
        assert (seen["action_mask"].sum(axis=1) > 1).all()
    finally:
        many.close()


def test_a_function_is_an_opponent(game: cw.Game) -> None:
    seen = []

    def last(duel: cw.Duel) -> int:
        seen.append(duel.asked)
        return duel.number_of_options - 1

    versus = DuelVersus(game, opponent=last)
    versus.reset(seed=1)
    for _ in range(30):
        _, _, over, cut, _ = versus.step(0)
        if over or cut:
            break
    assert set(seen) == {2}


def test_a_learner_meets_a_level(game: cw.Game) -> None:
    versus = DuelVersus(game, opponent="random")
    seen, _ = versus.reset(seed=1)
    over = False
    while not over:
        assert seen["observation"][0] == 1
        assert versus.action_masks().sum() > 1
        seen, reward, over, _, _ = versus.step(0)
    assert reward in (-1.0, 0.0, 1.0)
