//! Ways that lead somewhere once: what stands in the list of processes, or was sent to a friend, opens
//! nothing twice.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Duration;

use crate::clock::Moment;
use crate::lock::locked;

/// A way that leads somewhere once.
#[derive(Clone, Debug)]
pub struct Ticket {
    /// Where it leads.
    pub way: String,
    /// It was given by somebody at the table, and leads nowhere once somebody sits there.
    pub invites: bool,
    /// How long it is good; until the program ends if none.
    until: Option<Moment>,
}

impl Ticket {
    /// A ticket that is good for so long, or until the program ends.
    pub(crate) fn new(way: String, lasts: Option<Duration>) -> Ticket {
        Ticket {
            way,
            invites: false,
            until: lasts.map(|lasts| Moment::now() + lasts),
        }
    }

    fn is_good(&self) -> bool {
        self.until.is_none_or(|until| Moment::now() < until)
    }
}

/// How long a way to a seat that leads there once is open.
pub(crate) const TICKET: Duration = Duration::from_secs(60);

/// Tickets that were not used yet, by their names.
#[derive(Debug, Default)]
pub(crate) struct Tickets(Mutex<BTreeMap<String, Ticket>>);

impl Tickets {
    /// Issues a ticket under a name that nobody can guess.
    pub(crate) fn issue(&self, name: String, ticket: Ticket) -> String {
        locked(&self.0).insert(name.clone(), ticket);
        name
    }

    /// A ticket by which one person more may come. Whoever asks again for the same way gets the same one,
    /// good for longer; `fresh` names a new one.
    pub(crate) fn invite(&self, fresh: impl FnOnce() -> String, way: &str, lasts: Duration) -> String {
        let ticket = Ticket {
            invites: true,
            ..Ticket::new(way.to_owned(), Some(lasts))
        };
        let mut tickets = locked(&self.0);
        let known = tickets.iter_mut().find(|(_, one)| one.invites && one.way == way);
        if let Some((name, known)) = known {
            *known = ticket;
            return name.clone();
        }
        let name = fresh();
        tickets.insert(name.clone(), ticket);
        name
    }

    /// Uses a ticket up. No other invitation leads to where it led from now on.
    pub(crate) fn take(&self, name: &str) -> Option<Ticket> {
        let mut tickets = locked(&self.0);
        let taken = tickets.remove(name).filter(Ticket::is_good)?;
        tickets.retain(|_, ticket| !ticket.invites || ticket.way != taken.way);
        Some(taken)
    }

    /// Forgets those that are no longer good.
    pub(crate) fn sweep(&self) {
        locked(&self.0).retain(|_, ticket| ticket.is_good());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// However often a seat asks, there are as many tickets as ways.
    #[test]
    fn asking_again_makes_no_more_tickets() {
        let tickets = Tickets::default();
        for number in 0..15_000 {
            let way = ["/ben", "/cleo", "/watch"][number % 3];
            tickets.invite(|| number.to_string(), way, TICKET);
        }
        assert_eq!(locked(&tickets.0).len(), 3);
    }

    #[test]
    fn a_ticket_is_good_once_and_an_invitation_until_somebody_sits_there() {
        let tickets = Tickets::default();
        let way = || "/seat".to_owned();
        let own = tickets.issue("own".to_owned(), Ticket::new(way(), Some(TICKET)));
        let fresh = || "first".to_owned();
        let first = tickets.invite(fresh, "/seat", TICKET);
        assert_eq!(tickets.invite(|| "second".to_owned(), "/seat", TICKET), first);
        assert_eq!(tickets.take(&own).unwrap().way, "/seat");
        assert!(tickets.take(&own).is_none(), "once");
        assert!(tickets.take(&first).is_none(), "somebody sits there");
        let old = tickets.issue("old".to_owned(), Ticket::new(way(), Some(Duration::ZERO)));
        assert!(tickets.take(&old).is_none(), "its time is over");
        let kept = tickets.issue("kept".to_owned(), Ticket::new(way(), None));
        tickets.issue("old".to_owned(), Ticket::new(way(), Some(Duration::ZERO)));
        tickets.sweep();
        assert_eq!(locked(&tickets.0).len(), 1);
        assert!(!tickets.take(&kept).unwrap().invites);
    }
}
