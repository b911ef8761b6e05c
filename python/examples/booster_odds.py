"""The odds of a booster, exactly, and what 36 of them come to."""

from __future__ import annotations

import cardwright as cw


def main() -> None:
    """Prints the chance of each rarity's rarest card."""
    game = cw.Game()
    pack = cw.Pack(game, cw.packs(game)[0])
    odds = pack.odds()
    rarest = min(odds, key=lambda name: odds[name].expected)
    chance = odds[rarest].at_least(1)
    print(f"{pack.name}: {rarest} is in one pack of {float(1 / chance):.1f}, exactly {chance}")
    print(f"in a box of 36: {float(odds[rarest].at_least(1, packs=36)):.4f}")
    opened = pack.open(seed=1, number=3600)
    print(f"in 3600 packs: {sum(rarest in one for one in opened)}, expected {float(3600 * chance):.1f}")


if __name__ == "__main__":
    main()
