//! What is kept: an answer counts when the store has it, and only then.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use axum::body::Body;
use axum::http::{Response, StatusCode, header};
use cw_serve::{DuelEntry, DuelStanding, DuelStore, Memory, SeatPlayer, Secret, StoreError, TableRecord};

use crate::opened::opened;
use crate::play::*;
use cw_players::Level;

/// How a call of a store fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Nothing is written.
    Before,
    /// Everything is written, and yet it seems to have failed.
    After,
    /// It works, late.
    Slow,
}

/// Where a store fails.
#[derive(Clone, Copy, Debug)]
enum Plan {
    Never,
    /// At the call of this number, counted from when the plan was made.
    At(usize, Fault),
    /// At one call of twenty, by chance of this state.
    ByChance(u64),
}

/// A store that fails where it is told to: what it writes goes to `real`.
#[derive(Clone)]
pub(crate) struct Failing {
    real: Arc<dyn DuelStore>,
    plan: Arc<Mutex<Plan>>,
    calls: Arc<AtomicUsize>,
}

impl Failing {
    pub(crate) fn new(real: impl DuelStore + 'static) -> Failing {
        Failing {
            real: Arc::new(real),
            plan: Arc::new(Mutex::new(Plan::Never)),
            calls: Arc::default(),
        }
    }

    /// From now on it fails now and then, in every way.
    pub(crate) fn fail_by_chance(&self, seed: u64) {
        *self.plan.lock().unwrap() = Plan::ByChance(seed | 1);
    }

    /// The call of this number fails, counted from 0 and from now.
    fn fail_at(&self, call: usize, fault: Fault) {
        self.calls.store(0, Ordering::SeqCst);
        *self.plan.lock().unwrap() = Plan::At(call, fault);
    }

    fn calls(&self) -> usize {
        self.calls.load(Ordering::SeqCst)
    }

    fn call<T>(&self, work: impl FnOnce() -> Result<T, StoreError>) -> Result<T, StoreError> {
        let call = self.calls.fetch_add(1, Ordering::SeqCst);
        let fault = match &mut *self.plan.lock().unwrap() {
            Plan::Never => None,
            Plan::At(at, fault) => Some(*fault).filter(|_| *at == call),
            Plan::ByChance(state) => {
                *state = next(*state);
                let faults = [Fault::Before, Fault::After, Fault::Slow];
                faults.get((*state >> 33) as usize % 60).copied()
            }
        };
        let failed = || StoreError::Failed("told to fail".to_owned());
        match fault {
            None => work(),
            Some(Fault::Before) => Err(failed()),
            Some(Fault::After) => work().and(Err(failed())),
            Some(Fault::Slow) => {
                std::thread::sleep(std::time::Duration::from_millis(30));
                work()
            }
        }
    }
}

/// Knuth's numbers, for tests.
pub(crate) fn next(state: u64) -> u64 {
    state
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407)
}

impl DuelStore for Failing {
    fn key(&self) -> Secret {
        self.real.key()
    }

    fn begin(&self, duel: &TableRecord, entries: &[DuelEntry]) -> Result<(), StoreError> {
        self.call(|| self.real.begin(duel, entries))
    }

    fn append(&self, duel: &str, entries: &[DuelEntry]) -> Result<(), StoreError> {
        self.call(|| self.real.append(duel, entries))
    }

    fn log(&self, duel: &str, from: u64) -> Result<Vec<DuelEntry>, StoreError> {
        self.call(|| self.real.log(duel, from))
    }

    fn mark(&self, duel: &str, standing: DuelStanding) -> Result<(), StoreError> {
        self.call(|| self.real.mark(duel, standing))
    }

    fn forget(&self, duel: &str) -> Result<(), StoreError> {
        self.call(|| self.real.forget(duel))
    }

    fn duels(&self) -> Result<Vec<cw_serve::KeptDuel>, cw_serve::StoreError> {
        self.real.duels()
    }
}

fn ids(store: &dyn DuelStore) -> Vec<String> {
    let duels = store.duels().unwrap().into_iter();
    duels.map(|record| record.unwrap().id).collect()
}

/// The numbers of a log have no gap, and each question was answered once.
pub(crate) fn is_whole(log: &[DuelEntry]) -> bool {
    log.iter().zip(0..).all(|(entry, number)| entry.number == number)
        && log.windows(2).all(|pair| pair[0].question < pair[1].question)
}

async fn status_and_words(answer: Response<Body>) -> (StatusCode, String) {
    (answer.status(), text(answer).await)
}

/// At every call, before and after it has written: who is told that an answer counts has it in the log,
/// who is told to try again loses nothing by it, and the log has no gap.
#[test]
fn an_answer_counts_when_it_is_stored_and_only_then() {
    const ANSWERS: usize = 12;
    run(async {
        for fault in [Fault::Before, Fault::After, Fault::Slow] {
            let mut told = 0;
            for at in 0.. {
                let store = Failing::new(Memory::new(cw_serve::fresh_secret()));
                let host = host(Arc::new(store.clone()));
                let seats = host.open(start(&game(), [SeatPlayer::Person; 2], 7)).unwrap();
                let one = Browser::join(&host, &seats[0].path).await;
                let two = Browser::join(&host, &seats[1].path).await;
                store.fail_at(at, fault);
                let mut accepted = Vec::new();
                for step in 0..ANSWERS {
                    let pages = [one.page().await, two.page().await];
                    let (browser, page) = match form(&pages[0], step) {
                        Some(_) => (&one, &pages[0]),
                        None => (&two, &pages[1]),
                    };
                    let answer = form(page, step).expect("somebody is asked");
                    let question: u64 = hidden(page, "n").parse().unwrap();
                    let (status, words) = status_and_words(browser.post("answer", &answer).await).await;
                    if status == StatusCode::SERVICE_UNAVAILABLE {
                        told += 1;
                        assert!(words.contains("cannot be saved"), "{words}");
                        // The page's script sends the same form again.
                        let again = browser.post("answer", &answer).await.status();
                        assert_eq!(again, StatusCode::SEE_OTHER, "{fault:?} at {at}");
                    } else {
                        assert_eq!(status, StatusCode::SEE_OTHER, "{fault:?} at {at}");
                    }
                    accepted.push(question);
                }
                let id = ids(&store).remove(0);
                let log = store.real.log(&id, 0).unwrap();
                assert!(is_whole(&log), "{fault:?} at {at}: {log:?}");
                let kept: Vec<u64> = log.iter().map(|entry| entry.question).collect();
                assert_eq!(kept, accepted, "{fault:?} at {at}");
                if store.calls() <= at {
                    break;
                }
            }
            assert_eq!(told > 0, fault != Fault::Slow, "{fault:?}");
        }
    });
}

/// While an answer is not stored nobody sees it, and the question stays.
#[test]
fn nothing_is_shown_that_is_not_stored() {
    run(async {
        let store = Failing::new(Memory::new(cw_serve::fresh_secret()));
        let host = host(Arc::new(store.clone()));
        let seats = host.open(start(&game(), [SeatPlayer::Person; 2], 7)).unwrap();
        let one = Browser::join(&host, &seats[0].path).await;
        let two = Browser::join(&host, &seats[1].path).await;
        let before = [one.page().await, two.page().await];
        let answer = form(&before[0], 0).unwrap();
        // The second time the log is read first: it is not known whether the first try has written.
        for (call, fault) in [(0, Fault::Before), (1, Fault::After)] {
            store.fail_at(call, fault);
            let refused = one.post("answer", &answer).await;
            assert_eq!(refused.status(), StatusCode::SERVICE_UNAVAILABLE);
            assert_eq!(refused.headers()[header::RETRY_AFTER], "1");
            let after = [one.page().await, two.page().await];
            assert!(after == before, "{fault:?}");
        }
        // It was stored after all: another answer to the same question comes too late.
        let mut others = (1..20).filter_map(|option| form(&before[0], option));
        let other = others.find(|other| *other != answer).unwrap();
        assert_eq!(one.post("answer", &other).await.status(), StatusCode::CONFLICT);
        assert_eq!(one.post("answer", &answer).await.status(), StatusCode::SEE_OTHER);
        assert!(two.page().await != before[1], "the first answer is shown");
        let id = ids(&store).remove(0);
        assert_eq!(store.log(&id, 0).unwrap().len(), 1, "and no other");
    });
}

/// Whatever call fails while a rematch begins, the seats get there by asking again, and the store holds
/// one log for each duel.
#[test]
fn a_rematch_that_cannot_be_stored_is_asked_for_again() {
    run(async {
        for fault in [Fault::Before, Fault::After] {
            for at in 0.. {
                let store = Failing::new(Memory::new(cw_serve::fresh_secret()));
                let host = host(Arc::new(store.clone()));
                let seats = host.open(start(&game(), [SeatPlayer::Person; 2], 7)).unwrap();
                let one = Browser::join(&host, &seats[0].path).await;
                let two = Browser::join(&host, &seats[1].path).await;
                one.act("concede").await;
                store.fail_at(at, fault);
                for browser in [&one, &two] {
                    let form = format!("{}&commit={}", browser.form("rematch").await, bound_to("x"));
                    let first = browser.post("act", &form).await.status();
                    if first == StatusCode::SERVICE_UNAVAILABLE {
                        let form = format!("{}&commit={}", browser.form("rematch").await, bound_to("x"));
                        let again = browser.post("act", &form).await.status();
                        assert_eq!(again, StatusCode::SEE_OTHER, "{fault:?} at {at}");
                    }
                }
                for browser in [&one, &two] {
                    let form = revealing(&browser.page().await, "x").expect("all are bound");
                    let first = browser.post("reveal", &form).await.status();
                    if first == StatusCode::SERVICE_UNAVAILABLE {
                        // It may have been kept all the same.
                        browser.post("reveal", &form).await;
                    }
                }
                assert!(one.page().await.contains("id=\"prompt\""), "{fault:?} at {at}");
                assert!(
                    !one.page().await.contains("class=\"result\""),
                    "{fault:?} at {at}"
                );
                let ids = ids(&store);
                assert_eq!(ids.len(), 2);
                for id in ids {
                    assert!(is_whole(&store.real.log(&id, 0).unwrap()));
                }
                if store.calls() <= at {
                    break;
                }
            }
        }
    });
}

/// A computer whose choice cannot be stored tries again by itself.
#[test]
fn a_computer_tries_again() {
    run(async {
        let store = Failing::new(Memory::new(cw_serve::fresh_secret()));
        let host = host(Arc::new(store.clone()));
        let seats = host
            .open(start(
                &game(),
                [SeatPlayer::Computer(Level::Random), SeatPlayer::Person],
                7,
            ))
            .unwrap();
        store.fail_at(0, Fault::Before);
        let two = Browser::join(&host, &seats[1].path).await;
        let number = |page: &str| hidden(page, "n").parse::<u64>().unwrap();
        let before = number(&two.page().await);
        // Whoever looks at the table sets it going where the server has not.
        two.post("act", &format!("{}&", two.form("control").await)).await;
        for tries in 0.. {
            if form(&two.page().await, 0).is_some() {
                break;
            }
            assert!(tries < 600, "the computer goes on");
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
        assert!(number(&two.page().await) > before);
    });
}

/// A form that was sent before the program ended, and was stored, is known after it; one that was not
/// stored still fits.
#[test]
fn forms_mean_the_same_after_a_restart() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("duels.db");
        let store = async || Arc::new(opened(&path).await);
        let before = host(store().await);
        let seats = before.open(start(&game(), [SeatPlayer::Person; 2], 7)).unwrap();
        let one = Browser::join(&before, &seats[0].path).await;
        let first = form(&one.page().await, 0).unwrap();
        assert_eq!(one.post("answer", &first).await.status(), StatusCode::SEE_OTHER);
        let page = one.page().await;
        let next = form(&page, 0).unwrap();
        drop((before, one));
        let after = host(store().await);
        after.resume().unwrap();
        let one = Browser::join(&after, &seats[0].path).await;
        assert_eq!(one.page().await, page, "the same page, with the same number");
        assert_eq!(one.post("answer", &first).await.status(), StatusCode::SEE_OTHER);
        assert_eq!(one.page().await, page, "it counted once");
        assert_eq!(one.post("answer", &next).await.status(), StatusCode::SEE_OTHER);
        assert_ne!(one.page().await, page);
    });
}

/// One duel whose log makes no sense is set aside with a sentence; the others go on, and one that is
/// over can still be watched.
#[test]
fn a_damaged_duel_is_set_aside_and_finished_ones_stay() {
    run(async {
        let store = Failing::new(Memory::new(cw_serve::fresh_secret()));
        let before = host(Arc::new(store.clone()));
        let mut tables = Vec::new();
        for seed in [1, 2, 3] {
            let seats = before
                .open(start(&game(), [SeatPlayer::Person; 2], seed))
                .unwrap();
            let one = Browser::join(&before, &seats[0].path).await;
            one.take(&one.page().await, 0).await;
            tables.push((seats, one));
        }
        tables[2].1.act("concede").await;
        let ids = ids(&store);
        // The newest first: the duel that is over, the one to be damaged, the one that goes on.
        let bad = DuelEntry {
            version: DuelEntry::VERSION,
            number: 1,
            question: 2,
            choice: "{\"moved\":{\"seat\":1,\"choice\":\"dance:1\",\"hash\":\"0\"}}".to_owned(),
        };
        store.append(&ids[1], &[bad]).unwrap();
        drop(before);
        let after = host(Arc::new(store.clone()));
        let resumed = after.resume().unwrap();
        assert_eq!(resumed.going, [tables[0].0.clone()]);
        assert_eq!(resumed.over, [tables[2].0.clone()]);
        let [sentence] = &resumed.aside[..] else {
            panic!("{:?}", resumed.aside)
        };
        assert!(sentence.contains(&ids[1]) && sentence.contains("entry 1") && sentence.contains("dance"));
        let watched = Browser::join(&after, &tables[2].0[0].path).await;
        assert!(watched.page().await.contains("class=\"result\""));
        let moment = format!("{}moment/0?other=true", watched.base);
        let moment = text(send(&watched.router, get(&moment, &watched.cookie)).await).await;
        assert!(moment.contains("Velvet"), "from both sides");
        // It is said once.
        assert!(host(Arc::new(store)).resume().unwrap().aside.is_empty());
    });
}

/// A duel that cannot be read when the program starts, or when it is woken, is not damaged: it is tried
/// again, and goes on.
#[test]
fn what_cannot_be_read_now_is_read_later() {
    run(async {
        let store = Failing::new(Memory::new(cw_serve::fresh_secret()));
        let before = host(Arc::new(store.clone()));
        let seats = before.open(start(&game(), [SeatPlayer::Person; 2], 7)).unwrap();
        let one = Browser::join(&before, &seats[0].path).await;
        one.take(&one.page().await, 0).await;
        let page = one.page().await;
        drop((before, one));
        let after = host(Arc::new(store.clone()));
        store.fail_at(0, Fault::Before);
        let resumed = after.resume().unwrap();
        assert_eq!(resumed.going, std::slice::from_ref(&seats), "{:?}", resumed.aside);
        assert!(
            resumed.aside[0].contains("cannot be read now"),
            "{:?}",
            resumed.aside
        );
        let one = Browser::join(&after, &seats[0].path).await;
        store.fail_at(0, Fault::Before);
        let refused = send(&one.router, get(&one.base, &one.cookie)).await;
        assert_eq!(refused.status(), StatusCode::SERVICE_UNAVAILABLE);
        assert!(text(refused).await.contains("Nothing is lost"));
        assert_eq!(one.page().await, page);
    });
}

/// Who adds to a duel's log beside this program has taken it over: that is seen, not written over.
#[test]
fn a_lost_race_is_seen() {
    run(async {
        let store = Failing::new(Memory::new(cw_serve::fresh_secret()));
        let host = host(Arc::new(store.clone()));
        let seats = host.open(start(&game(), [SeatPlayer::Person; 2], 7)).unwrap();
        let one = Browser::join(&host, &seats[0].path).await;
        let id = ids(&store).remove(0);
        let foreign = DuelEntry {
            version: DuelEntry::VERSION,
            number: 0,
            question: 1,
            choice: "{}".to_owned(),
        };
        store.append(&id, &[foreign]).unwrap();
        let answer = form(&one.page().await, 0).unwrap();
        let (status, words) = status_and_words(one.post("answer", &answer).await).await;
        assert_eq!(status, StatusCode::CONFLICT);
        assert!(words.contains("Another program has taken over this table"));
        assert_eq!(store.log(&id, 0).unwrap().len(), 1);
    });
}

/// Whoever would play again, and has done nothing in the next duel before the program ended, finds the duel
/// that is over.
#[test]
fn a_rematch_in_which_nothing_was_done_hides_no_finished_duel() {
    run(async {
        let store = Arc::new(Memory::new(cw_serve::fresh_secret()));
        let before = host(store.clone());
        let computer = SeatPlayer::Computer(Level::Random);
        let seats = before
            .open(start(&game(), [SeatPlayer::Person, computer], 7))
            .unwrap();
        let one = Browser::join(&before, &seats[0].path).await;
        one.act("concede").await;
        let over = one.page().await;
        assert_eq!(one.act("rematch").await.status(), StatusCode::SEE_OTHER);
        assert!(!one.page().await.contains("class=\"result\""));
        drop((before, one));
        let after = host(store);
        let resumed = after.resume().unwrap();
        assert_eq!((resumed.going.len(), resumed.over), (0, vec![seats.clone()]));
        let one = Browser::join(&after, &seats[0].path).await;
        assert_eq!(one.page().await, over);
        assert_eq!(one.act("rematch").await.status(), StatusCode::SEE_OTHER);
    });
}
