"""A bot in 20 lines: it attacks with what it has, plays its strongest card, and passes when nothing is left."""

from __future__ import annotations

import cardwright as cw


def bot(duel: cw.Duel) -> int:
    """Answers the question that waits by what its seat sees."""
    decision = duel.pending
    assert decision is not None
    view = duel.view(decision.seat)
    bp = {card.card: card.model.bp for card in view.me.hand if card.model is not None}
    worth = {"play": 3, "attack": 2, "activate": 1, "join": 1, "yes": 1, "pass": 0, "decline": -2}

    def value(option: cw.Choice) -> tuple[float, int]:
        return worth.get(option.kind, -1), bp.get(option.card or 0, 0)

    return max(range(len(decision.options)), key=lambda at: value(decision.options[at]))


def main(duels: int = 100) -> None:
    """Lets it meet a player that takes any option."""
    game = cw.Game()
    won = sum(cw.play(game.duel(seed=seed), bot, "random", seed=seed).winner == 1 for seed in range(duels))
    print(f"it won {won} of {duels} duels against random")


if __name__ == "__main__":
    main()
