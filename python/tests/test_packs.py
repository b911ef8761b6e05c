"""Cards and packs: odds are fractions."""

from fractions import Fraction

import pytest

import cardwright as cw


def test_odds_are_exact(game: cw.Game) -> None:
    pack = cw.Pack(game, cw.packs(game)[0])
    odds = pack.odds()
    assert sum(one.expected for one in odds.values()) == pack.size().expected
    for one in odds.values():
        assert sum(one.chances) == 1
        assert one.at_least(1) == 1 - one.chances[0]
        assert one.at_least(1, packs=3) == 1 - one.chances[0] ** 3
        assert one.at_least(2, packs=2) == 1 - one.chances[0] ** 2 - 2 * one.chances[0] * (
            one.chances[1] if len(one.chances) > 1 else Fraction(0)
        )
    everything = pack.odds_of("")
    assert everything.expected == pack.size().expected


def test_packs_come_from_their_seed(game: cw.Game) -> None:
    pack = cw.Pack(game, "Booster")
    packs = pack.open(5, number=200)
    assert packs == pack.open(5, number=200)
    assert len(packs) == 200
    name, odds = max(pack.odds().items(), key=lambda item: item[1].expected)
    mean = sum(one.count(name) for one in packs) / 200
    assert abs(mean - float(odds.expected)) < 0.5
    with pytest.raises(cw.GameError, match="there is no pack"):
        cw.Pack(game, "No Such Pack")


def test_cards_are_found(game: cw.Game) -> None:
    assert len(cw.cards(game)) >= len(game.models)
    found = cw.cards(game, "Rolling")
    assert [card["name"] for card in found] == ["Rolling Pin"]
    with pytest.raises(cw.GameError):
        cw.cards(game, "bp>>>(")
