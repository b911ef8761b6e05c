//! What must hold at every decision. One function per invariant; tests and fuzzing run them all.

use cw_program::{ClosedWord, PileName};

use crate::Seat;
use crate::base::card::{CardId, ZoneKind};
use crate::duel::Duel;
use crate::state::Marks;

type BrokenInvariant = Result<(), String>;

impl Duel {
    /// Checks every invariant.
    ///
    /// # Errors
    /// Says which one does not hold, and where.
    pub fn check_invariants(&self) -> Result<(), String> {
        self.every_card_is_in_one_place()?;
        self.zones_agree_with_cards()?;
        self.numbers_are_in_range()?;
        self.slots_are_of_this_game()?;
        self.united_attack_is_sound()?;
        self.blocks_are_sound()?;
        self.backups_hang_on_characters()?;
        self.public_cards_are_known()?;
        self.hands_are_known_to_their_players()?;
        self.decision_is_sound()?;
        self.listeners_are_heard()
    }

    fn every_card_is_in_one_place(&self) -> BrokenInvariant {
        let mut seen = vec![0u8; self.state.cards.len()];
        let mut see = |card: CardId| seen[card.index()] += 1;
        for seat in Seat::BOTH {
            for pile in PileName::ALL {
                self.state.pile_cards(seat, *pile).for_each(&mut see);
            }
            self.state.ring(seat).for_each(|slot| see(slot.card));
        }
        self.state.backups.iter().for_each(|(card, _)| see(*card));
        self.state.table.iter().for_each(|card| see(*card));
        match seen.iter().position(|count| *count != 1) {
            Some(card) => Err(format!("card {card} is in {} places", seen[card])),
            None => Ok(()),
        }
    }

    fn zones_agree_with_cards(&self) -> BrokenInvariant {
        for seat in Seat::BOTH {
            for pile in PileName::ALL {
                for card in self.state.pile_cards(seat, *pile) {
                    let entry = self.state.cards[card.index()];
                    if (entry.zone(), entry.controller()) != (ZoneKind::Pile(*pile), seat) {
                        return Err(format!(
                            "{card:?} lies in {pile} of {seat:?} but says {:?}",
                            entry.zone()
                        ));
                    }
                }
            }
            for slot in self.state.ring(seat) {
                let entry = self.state.cards[slot.card.index()];
                if (entry.zone(), entry.controller()) != (ZoneKind::Ring, seat) {
                    return Err(format!(
                        "{:?} stands in the ring of {seat:?} but says otherwise",
                        slot.card
                    ));
                }
                if !self.facts().model(slot.card).is_character() {
                    return Err(format!("{:?} stands in a ring and is no character", slot.card));
                }
            }
        }
        Ok(())
    }

    fn numbers_are_in_range(&self) -> BrokenInvariant {
        for seat in Seat::BOTH {
            let player = &self.state.players[seat];
            if player.sp < 0 || player.hp < 0 {
                return Err(format!("{seat:?} has {} HP and {} SP", player.hp, player.sp));
            }
            // D93: a command that damages both ends first.
            let is_settled = !self.state.tasks.iter().any(crate::turn::fight::is_damage);
            if player.hp == 0 && is_settled && self.state.outcome.is_none() && self.game().constants.hp > 0 {
                return Err(format!("{seat:?} has 0 HP and the duel goes on (D8)"));
            }
            // Between units nobody stands at 0 BP (D2).
            let between_units = self.state.frames.is_empty()
                && !self
                    .state
                    .tasks
                    .iter()
                    .any(|task| matches!(task, crate::state::AgendaTask::Unit { .. }));
            for slot in self.state.ring(seat) {
                if between_units && self.state.outcome.is_none() && self.state.ring_bp(slot.card) == 0 {
                    return Err(format!("{:?} stands at 0 BP between units", slot.card));
                }
            }
        }
        Ok(())
    }

    fn slots_are_of_this_game(&self) -> BrokenInvariant {
        let slots = usize::from(self.game().constants.ring_slots);
        let beyond = Seat::BOTH.into_iter().find(|seat| {
            self.state.rings[*seat][slots..]
                .iter()
                .any(|slot| slot.card != CardId::NONE)
        });
        beyond.map_or(Ok(()), |seat| Err(format!("the ring of {seat:?} is too large")))
    }

    fn united_attack_is_sound(&self) -> BrokenInvariant {
        let united = &self.state.united;
        let limit = usize::from(self.game().constants.united_followers) + 1;
        if united.len() == 1 || united.len() > limit {
            return Err(format!("a United Attack of {}", united.len()));
        }
        for seat in Seat::BOTH {
            for slot in self.state.ring(seat) {
                let marks = slot.marks;
                if marks.has(Marks::ATTACK) && marks.has(Marks::FOLLOWER) {
                    return Err(format!("{:?} leads and follows", slot.card));
                }
                if marks.has(Marks::FOLLOWER) && !united.contains(&slot.card) {
                    return Err(format!("{:?} follows nobody", slot.card));
                }
                if marks.has(Marks::ATTACKING) && seat != self.state.active {
                    return Err(format!("{:?} attacks in the opponent's turn", slot.card));
                }
            }
        }
        Ok(())
    }

    fn blocks_are_sound(&self) -> BrokenInvariant {
        let blocks = &self.state.blocks;
        for (index, (attacker, blocker)) in blocks.iter().enumerate() {
            if blocks[..index].iter().any(|(a, b)| a == attacker || b == blocker) {
                return Err(format!("{attacker:?} or {blocker:?} is in two blocks"));
            }
        }
        Ok(())
    }

    fn backups_hang_on_characters(&self) -> BrokenInvariant {
        for (card, host) in self.state.backups.iter() {
            if self.facts().zone(*card) != ZoneKind::Backup || !self.facts().in_ring(*host) {
                return Err(format!("{card:?} backs up {host:?}, which is not in a ring"));
            }
        }
        Ok(())
    }

    fn public_cards_are_known(&self) -> BrokenInvariant {
        for (index, card) in self.state.cards.iter().enumerate() {
            let hidden = matches!(card.zone(), ZoneKind::Pile(PileName::Hand | PileName::Deck));
            if !hidden && card.known() != crate::SeatSet::BOTH {
                return Err(format!(
                    "card {index} lies in {:?} and is not known to both",
                    card.zone()
                ));
            }
        }
        Ok(())
    }

    fn hands_are_known_to_their_players(&self) -> BrokenInvariant {
        for seat in Seat::BOTH {
            for card in self.state.pile_cards(seat, PileName::Hand) {
                if !self.state.cards[card.index()].known().contains(seat) {
                    return Err(format!("{seat:?} does not know {card:?} in the own hand"));
                }
            }
        }
        Ok(())
    }

    fn decision_is_sound(&self) -> BrokenInvariant {
        let Some(decision) = self.pending() else {
            return Ok(());
        };
        if decision.options.is_empty() {
            return Err("a decision without options".into());
        }
        let mut sorted = decision.options.to_vec();
        sorted.sort_unstable();
        if sorted.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(format!("the same option twice: {:?}", decision.options));
        }
        if decision.declinable != decision.options.contains(&crate::Choice::Decline) {
            return Err("declinable without the option to decline, or the other way round".into());
        }
        Ok(())
    }

    fn listeners_are_heard(&self) -> BrokenInvariant {
        let listeners = &self.state.listeners;
        if listeners.windows(2).any(|pair| pair[0].serial >= pair[1].serial) {
            return Err("listeners are not in order of registration".into());
        }
        for listener in listeners.iter().filter(|listener| !listener.is_orphan()) {
            let zone = self.facts().zone(listener.card);
            if !matches!(zone, ZoneKind::Ring | ZoneKind::Table) {
                return Err(format!(
                    "{:?} listens although it lies in {zone:?}",
                    listener.card
                ));
            }
        }
        Ok(())
    }
}
