"""Many duels in arrays: the same duels, the same numbers, nothing hidden."""

import json
import random
import resource
from collections import Counter
from typing import Any

import numpy as np
import pytest
from test_duels import positions

import cardwright as cw


def arrays(game: cw.Game) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    number = len(cw.encoding(game)[0])
    return np.full(number, -7, np.int16), np.full(128, -7, np.int8), np.full((128, 8), -7, np.int16)


def observed(duel: cw.Duel, seat: int) -> list[bytes]:
    found = arrays(duel.game)
    cw.observe(duel, seat, *found)
    return [one.tobytes() for one in found]


def told_by(view: dict[str, Any]) -> str:
    """What a view tells, without the order of cards where it does not matter or is not written, and their numbers."""
    told = json.loads(json.dumps(view))
    for player in told["players"]:
        for pile in ("hand", "discards", "removed"):
            player[pile] = sorted(card or "" for card in player[pile])
        top, rest = player["deck"][:5], player["deck"][5:]
        player["deck"] = [top, sorted(card or "" for card in rest)]
        for one in player["ring"]:
            if one is not None:
                # An option names a card by its number; who only looks sees the slot.
                one.pop("number", None)
    # Who fights whom is told, and not who was chosen first.
    told["blocks"] = sorted(told["blocks"], key=json.dumps)
    told["table"] = sorted(card or "" for card in told["table"])
    return json.dumps(told, sort_keys=True)


def test_the_observation_tells_what_a_view_tells(game: cw.Game) -> None:
    """The law: where two views differ, the numbers differ, whatever it is that they differ in."""
    chance = random.Random(31)
    views: dict[bytes, str] = {}
    about: set[str] = set()
    for seed in range(60):
        decks = chance.sample(game.decks, 2)
        duel = game.duel(*decks, seed=seed)
        while not duel.over:
            for seat in (1, 2):
                view = json.loads(duel.view_json(seat))
                me = view["players"][seat - 1]
                about |= {name for name in ("skips", "abilities") if me[name]}
                about |= {name for name in ("extra-turns", "non-combat-damaged", "backups-played") if me[name]}
                about |= {"united"} if len(view["united"]) > 1 else set()
                about |= {"table"} if view["table"] else set()
                about |= {"removed"} if any(me["removed"]) else set()
                about |= {"known deck"} if any(me["deck"]) else set()
                about |= {"keywords"} if any(one and one["abilities"] for one in me["ring"]) else set()
                # What is asked stands in the numbers as well, and is not in this text: the other one is asked nothing.
                if duel.asked != seat:
                    told = told_by(view)
                    assert views.setdefault(observed(duel, seat)[0], told) == told
            duel.answer(chance.randrange(duel.number_of_options))
    assert len(views) > 4000
    assert about >= {"united", "table", "known deck", "keywords", "backups-played", "removed"}, about


def test_the_own_list_is_that_of_the_deck(game: cw.Game) -> None:
    names = cw.encoding(game)[0]
    duel = game.duel(game.decks[3], game.decks[4], seed=1)
    cards = [game.deck(name).counted() for name in game.decks[3:5]]
    for _ in range(40):
        for seat in (1, 2):
            obs, mask, features = arrays(game)
            cw.observe(duel, seat, obs, mask, features)
            seen = dict(zip(names, obs.tolist(), strict=True))
            for model in game.models:
                assert seen[f"my list: {model.name}"] == cards[seat - 1][model]
        duel.answer(duel.number_of_options - 1)


def test_redealing_what_is_hidden_changes_no_byte(game: cw.Game) -> None:
    """(D50)"""
    differ = 0
    for duel in positions(game, 21, 150):
        for seat in (1, 2):
            for seed in range(3):
                sample = duel.sample(seat, seed)
                # What the other one is asked may differ, and is not seen.
                if sample is not None:
                    differ += sample.hash != duel.hash
                    assert observed(sample, seat) == observed(duel, seat)
    assert differ > 500


def test_the_numbers_are_those_of_the_view(game: cw.Game) -> None:
    names, about = cw.encoding(game)
    fighting = discarded = backed_up = placed = 0
    met: Counter[str] = Counter()
    for duel in positions(game, 22, 400):
        seat = duel.asked
        decision = duel.pending
        assert seat is not None
        assert decision is not None
        obs, mask, features = arrays(game)
        cw.observe(duel, seat, obs, mask, features)
        seen = dict(zip(names, obs.tolist(), strict=True))
        view = duel.view(seat)
        texts = json.loads(duel.view_json(seat))["players"]
        assert seen["i began"] == (view.first == seat)
        places: dict[int | None, tuple[int, int]] = {}
        against: dict[str, int | None] = {}
        for side, player in (("my", view.me), ("other", view.other)):
            assert seen[f"{side} hp"] == player.hp
            assert seen[f"{side} sp"] == player.sp
            for pile in ("hand", "deck", "discards", "removed"):
                assert seen[f"{side} {pile}"] == len(getattr(player, pile))
            text = texts[seat - 1 if side == "my" else 2 - seat]
            told_apart = {
                "characters played": player.characters[0],
                "characters a turn": player.characters[1],
                "back-ups made": player.backups,
                "damaged outside combat": text["non-combat-damaged"],
                "extra turns": player.extra_turns,
                "skips": sum(1 << cw.Phase[name.upper().replace("-", "_")] for name in player.skips),
                "keywords": sum(cw.Keyword[name.upper()] for name in player.keywords),
            }
            tops = [0 if model is None else model.number + 1 for model in [*player.deck, *[None] * 5][:5]]
            told_apart |= {f"deck top {at}": top for at, top in enumerate(tops)}
            for name, value in told_apart.items():
                assert seen[f"{side} {name}"] == value, name
                met[name] += value != 0
            for at, one in enumerate([*player.ring, *[None] * (8 - len(player.ring))]):
                if one is None:
                    for name in cw.encoding(game)[0]:
                        if name.startswith(f"{side} character {at} "):
                            assert seen[name] == 0
                    continue
                places[one.card] = (1 if side == "my" else 2, at + 1)
                assert seen[f"{side} character {at} card"] == one.model.number + 1
                assert seen[f"{side} character {at} bp"] == one.bp
                assert seen[f"{side} character {at} ability"] == (one.ability.number + 1 if one.ability else 0)
                for mark in ("fresh", "frozen", "activated", "attacks", "follows", "blocks"):
                    assert seen[f"{side} character {at} {mark}"] == getattr(one, mark)
                assert seen[f"{side} character {at} back-ups"] == len(one.backups)
                backed_up += len(one.backups)
                lie = [0 if card.model is None else card.model.number + 1 for card in one.backups]
                assert [seen[f"{side} character {at} back-up {which}"] for which in range(4)] == [*lie, 0, 0, 0, 0][:4]
                words = sum(cw.Keyword[name.upper()] for name in one.keywords)
                assert seen[f"{side} character {at} keywords"] == words
                member = view.united.index(one.card) + 1 if one.card in view.united else 0
                assert seen[f"{side} character {at} united"] == member
                met["united"] += member > 1
                met["keywords of a character"] += words != 0
                fights = dict(view.blocks) | {two: one for one, two in view.blocks}
                against[f"{side} character {at} against"] = fights.get(one.card)
            for pile in ("hand", "discards", "removed", "deck"):
                cards = player.deck if pile == "deck" else [card.model for card in getattr(player, pile)]
                known = [model.name for model in cards if model is not None]
                discarded += len(known) if pile == "discards" else 0
                met[pile] += bool(known)
                for model in game.models:
                    assert seen[f"{side} {pile}: {model.name}"] == known.count(model.name)
        table = [card.model.name for card in view.table if card.model is not None]
        met["in play"] += bool(table)
        for model in game.models:
            assert seen[f"in play: {model.name}"] == table.count(model.name)
        for name, whom in against.items():
            assert seen[name] == (0 if whom is None else places[whom][1]), name
            fighting += whom is not None
        assert mask.sum() == len(decision.options)
        for option, row in zip(decision.options, features.tolist(), strict=False):
            told = dict(zip(about, row, strict=True))
            assert told["card"] == (0 if option.card is None else option.card + 1)
            assert (told["side"], told["place"]) == places.get(option.card, (0, 0))
            placed += option.card in places
        assert (features[len(decision.options) :] == 0).all()
    assert min(fighting, discarded, backed_up, placed) > 20
    seldom = {"extra turns", "skips", "keywords", "damaged outside combat"} | {f"deck top {at}" for at in range(5)}
    assert not {name for name, times in met.items() if times == 0} - seldom, met
    assert {"united", "removed", "deck", "in play", "keywords of a character"} <= {*met}
    with pytest.raises(ValueError, match="the arrays are to have"):
        cw.observe(duel, 1, obs[:-1].copy(), mask, features)


@pytest.mark.parametrize("opponent", [None, "easy"])
def test_threads_change_nothing(game: cw.Game, opponent: str | None) -> None:
    one = cw.VecDuels(game, 100, opponent=opponent, threads=1, seed=3, takebacks=True)
    two = cw.VecDuels(game, 100, opponent=opponent, threads=3, seed=3, takebacks=True)
    chance = np.random.default_rng(1)
    for _ in range(60):
        for name in ("obs", "mask", "option_features", "options", "seat", "reward", "done"):
            assert getattr(one, name).tobytes() == getattr(two, name).tobytes(), name
        if opponent is not None:
            assert set(one.seat.tolist()) <= {0, 1}
        number = one.mask.sum(axis=1)
        actions = (chance.random(100) * np.maximum(number, 1)).astype(np.int64)
        one.step(actions)
        two.step(actions)


def test_it_plays_the_duels_of_the_engine(game: cw.Game) -> None:
    """The same trajectory by `answer`, and the next duel begins by itself."""
    vec = cw.VecDuels(game, 8, decks=["Procedure", "Second Rise"], seed=8, takebacks=True)
    chance = random.Random(2)
    ended = 0
    for _ in range(1500):
        over = vec.done.copy()
        assert (vec.mask.sum(axis=1) == 0).tolist() == over.tolist()
        assert (vec.reward[~over] == 0).all()
        assert (vec.seat == 0).tolist() == over.tolist()
        before = [vec.duel(at) for at in range(8)]
        actions = [chance.randrange(duel.number_of_options or 1) for duel in before]
        vec.step(np.array(actions))
        for at, (duel, action) in enumerate(zip(before, actions, strict=True)):
            if duel.over:
                ended += 1
                assert vec.duel(at).turn <= 3
                continue
            duel.answer(action)
            while duel.number_of_options == 1:
                duel.answer(0)
            assert vec.duel(at).hash == duel.hash
            assert vec.reward[at] == {1: 1.0, 2: -1.0}.get(duel.winner or 0, 0.0)
    assert ended > 20


def test_what_is_left_of_the_last_question_is_wiped(game: cw.Game) -> None:
    """Only what changes is written, and every number is that of arrays that never held another one."""
    vec = cw.VecDuels(game, 40, seed=12, takebacks=True)
    chance = np.random.default_rng(3)
    compared = 0
    for _ in range(300):
        for at in range(0, 40, 13):
            obs, mask, features = arrays(game)
            duel = vec.duel(at)
            cw.observe(duel, duel.asked or 1, obs, mask, features)
            assert (vec.obs[at] == obs).all()
            assert (vec.mask[at] == mask).all()
            assert (vec.option_features[at] == features).all()
            assert vec.options[at] == mask.sum() == duel.number_of_options
            compared += 1
        vec.step((chance.random(40) * np.maximum(vec.options, 1)).astype(np.int64))
    assert compared == 1200


def test_nobody_else_writes_into_the_arrays(game: cw.Game) -> None:
    vec = cw.VecDuels(game, 2, seed=1)
    for name in ("obs", "mask", "option_features", "options", "seat", "reward", "done"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(vec, name)[0] = 0


def test_the_arrays_are_made_once(game: cw.Game) -> None:
    vec = cw.VecDuels(game, 256, seed=1, takebacks=True)
    places = [id(vec.obs), vec.obs.ctypes.data, vec.mask.ctypes.data, vec.option_features.ctypes.data]
    chance = random.Random(1)
    before = 0
    for at in range(400):
        number = np.maximum(vec.mask.sum(axis=1), 1)
        vec.step((np.full(256, chance.random()) * number).astype(np.int64))
        if at == 100:
            before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < 16_384, f"{grown} KiB more after 75,000 steps"
    assert places == [id(vec.obs), vec.obs.ctypes.data, vec.mask.ctypes.data, vec.option_features.ctypes.data]


def test_what_takes_something_back_is_masked(game: cw.Game) -> None:
    vec = cw.VecDuels(game, 30, seed=5)
    chance = np.random.default_rng(1)
    refused = 0
    for _ in range(400):
        masked = np.argwhere((np.arange(128) < vec.options[:, None]) & (vec.mask == 0))
        allowed = np.array([chance.choice(np.flatnonzero(row)) if row.any() else 0 for row in vec.mask])
        for at, action in masked[:1]:
            wrong = allowed.copy()
            wrong[at] = action
            pending = vec.duel(int(at)).pending
            assert pending is not None
            assert pending.options[action].kind in {"cancel-attack", "cancel-block", "decline"}
            with pytest.raises(ValueError, match=f"option {action} of duel {at} takes something back"):
                vec.step(wrong)
            refused += 1
        vec.step(allowed)
    assert refused > 20


@pytest.mark.parametrize("kind", [list, tuple, np.int8, np.uint16, np.int32, np.int64])
def test_actions_are_any_whole_numbers(game: cw.Game, kind: object) -> None:
    one, two = cw.VecDuels(game, 4, seed=5), cw.VecDuels(game, 4, seed=5)
    one.step(np.zeros(4, np.int64))
    zeros = [0, 0, 0, 0]
    two.step(kind(zeros) if kind in (list, tuple) else np.array(zeros, kind))
    assert one.obs.tobytes() == two.obs.tobytes()
    for wrong in ([0.0] * 4, [[0] * 4], ["a"] * 4):
        with pytest.raises(ValueError, match="actions is to be whole numbers, one for each duel, not "):
            two.step(wrong)


def test_a_duel_without_end_is_truncated(game: cw.Game) -> None:
    """And begins anew at the next step, whatever its action says; one that ends in time is over and not cut off."""
    vec = cw.VecDuels(game, 20, seed=4, max_steps=60)
    chance = np.random.default_rng(2)
    steps, cut, ended = np.zeros(20, int), 0, 0
    for _ in range(400):
        assert (vec.truncated == ((steps == 60) & ~vec.done)).all()
        assert not (vec.truncated & vec.done).any()
        assert (vec.reward[vec.truncated] == 0).all()
        before = [vec.duel(at).turn for at in range(20)]
        actions = np.array([chance.choice(np.flatnonzero(row)) if row.any() else 0 for row in vec.mask])
        begins = vec.truncated | vec.done
        actions[begins] = 127
        vec.step(actions)
        cut += int(begins.sum())
        ended += int(vec.done.sum())
        steps = np.where(begins, 0, steps + 1)
        assert all(vec.duel(int(at)).turn <= min(2, before[at]) for at in np.flatnonzero(begins))
    assert cut > 60
    assert 0 < ended < cut
    with pytest.raises(ValueError, match="max_steps is to be 1 at least"):
        cw.VecDuels(game, 1, max_steps=0)


def test_a_wrong_action_changes_nothing(game: cw.Game) -> None:
    vec = cw.VecDuels(game, 3, seed=1)
    before = [vec.duel(at).hash for at in range(3)]
    with pytest.raises(ValueError, match="duel 2 has no option 127: there are"):
        vec.step(np.array([0, 0, 127]))
    with pytest.raises(ValueError, match="there are 3 duels, and 2 actions"):
        vec.step(np.array([0, 0]))
    assert before == [vec.duel(at).hash for at in range(3)]
