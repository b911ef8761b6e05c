"""A value is learnt, saved, and plays."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import cardwright as cw
from cardwright.values import Model, features, fit, names


def test_weights_are_found_again() -> None:
    chance = np.random.default_rng(1)
    rows = chance.normal(size=(20_000, 3))
    won = (chance.random(20_000) < 1 / (1 + np.exp(-(rows @ [2.0, -1.0, 0.0] + 0.5)))).astype(float)
    weights = fit(rows, won, shrink=0.1)
    assert weights == pytest.approx([2.0, -1.0, 0.0, 0.5], abs=0.08)


def test_a_model_sees_what_its_seat_sees(game: cw.Game) -> None:
    cards = sorted({model.name for model in game.models})
    places = {card: at for at, card in enumerate(cards)}
    duel = game.duel("Harbour Lights", "Night School", seed=3)
    cw.play(duel.copy(), "random", "random")
    seen = features(json.loads(duel.view_json(1)), places)
    assert len(seen) == len(names(cards))
    told = dict(zip(names(cards), seen, strict=True))
    hand = [card.model.name for card in duel.view(1).me.hand if card.model is not None]
    assert all(told[f"hand: {card}"] == hand.count(card) for card in hand)
    model = Model(cards, np.random.default_rng(1).normal(size=len(seen) + 1), game.fingerprint)
    told_by_all = 1 / (1 + np.exp(-(seen @ model.weights[:-1] + model.weights[-1])))
    assert model.value(json.loads(duel.view_json(1))) == pytest.approx(told_by_all)
    sample = duel.sample(1, 5)
    assert sample is not None
    assert (features(json.loads(sample.view_json(1)), places) == seen).all()


def test_a_saved_model_takes_a_seat(game: cw.Game, program: str, tmp_path: Path) -> None:
    cards = sorted({model.name for model in game.models})
    weights = np.zeros(len(names(cards)) + 1)
    for at, name in enumerate(names(cards)):
        weights[at] = {"my: bp": 2.0, "their: hp": -3.0}.get(name.split(", ")[-1], 0.0)
    Model(cards, weights, game.fingerprint).save(tmp_path / "model.json")
    assert Model.load(tmp_path / "model.json").cards == cards
    seat = f"cmd:{sys.executable} -m cardwright.values {tmp_path / 'model.json'}"
    words = [program, "play", "--seat1", "random", "--seat2", seat, "--seed", "4", "--quiet"]
    played = subprocess.run(words, capture_output=True, text=True, check=True)
    assert "wins" in played.stdout
    match = cw.arena(game, seat, "random", pairs=6, decks=["Harbour Lights"])
    assert match.score > 0.7
    assert match.data["faults"] == [0, 0]
    (tmp_path / "model.json").write_text("{}")
    with pytest.raises(ValueError, match="is no value model"):
        Model.load(tmp_path / "model.json")
