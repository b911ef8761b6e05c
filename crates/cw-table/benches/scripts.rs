//! What scripts cost a table: an entry of 200 lines that moves 60 cards, 16,000 lines that are loaded, 200
//! tables of one package. `cargo bench --package cw-table --bench scripts`
#![expect(clippy::print_stdout, reason = "a benchmark reports on standard output")]
#![expect(clippy::disallowed_types, reason = "a benchmark looks at the clock")]

use std::sync::Arc;
use std::time::Instant;

use cw_octgn::{MemoryFiles, Package, PackageLimits};
use cw_table::{FreeTable, Kit, ScriptRule, TableModel, TablePosition, TableSeat, TableSettings};

const DEFINITION: &str = "\
    <game name=\"Large\" id=\"7d0f0e3a-6a52-4d3f-9a3c-0a1b2c3d4e5f\" \
        version=\"1.0.0.0\" scriptVersion=\"3.1.0.2\">\n\
    <scripts><script src=\"scripts/large.py\"/></scripts>\n\
    <card width=\"63\" height=\"88\"><property name=\"Kind\" type=\"String\"/></card>\n\
    <markers><marker id=\"m\" name=\"Mark\" src=\"m.png\"/></markers>\n\
    <table name=\"Table\" visibility=\"undefined\" width=\"1200\" height=\"900\">\
        <groupaction menu=\"Move all\" execute=\"moveAll\"/>\
    </table>\n\
    <player>\
    <counter name=\"Life\" default=\"20\"/>\
    <hand name=\"Hand\" visibility=\"me\" ordered=\"False\"/>\n\
    <group name=\"Deck\" visibility=\"none\"/><group name=\"Discard\" visibility=\"all\"/></player>\n\
    <deck><section name=\"Main\" group=\"Deck\"/></deck></game>";

/// An entry of 200 lines: ten for each of twenty rounds, which move three cards and mark one.
fn entry() -> String {
    let round = "\
        \x20   for card in me.Deck.top(3):\n\
        \x20       card.moveTo(me.hand)\n\
        \x20   names = sorted([card.name for card in me.hand])\n\
        \x20   placed = me.hand[0]\n\
        \x20   placed.moveToTable(10 * ROUND, 20)\n\
        \x20   placed.markers[('Mark', 'm')] += 1\n\
        \x20   if placed.Kind == 'Odd':\n\
        \x20       placed.highlight = '#ff0000'\n\
        \x20   me.Life -= 1\n\
        \x20   notify('{} {}'.format(me, len(names)))\n";
    let rounds: String = (0..20)
        .map(|at| round.replace("ROUND", &at.to_string()))
        .collect();
    format!("def moveAll(group, x=0, y=0):\n    mute()\n{rounds}")
}

fn kit(script: &str) -> Arc<Kit> {
    let cards: String = (0..60)
        .map(|at| {
            let kind = ["Odd", "Even"][at % 2];
            format!(
                "<card id=\"00000000-0000-0000-0001-{at:012}\" name=\"Card {at}\">\
                     <property name=\"Kind\" value=\"{kind}\"/>\
                 </card>"
            )
        })
        .collect();
    let set = format!(
        "<set name=\"First\" id=\"00000000-0000-0000-0002-000000000009\" \
             gameId=\"7d0f0e3a-6a52-4d3f-9a3c-0a1b2c3d4e5f\" gameVersion=\"1.0.0.0\" version=\"1.0.0.0\">\
             <cards>{cards}</cards>\
         </set>"
    );
    let files = MemoryFiles::new()
        .with("definition.xml", DEFINITION)
        .with("Sets/00000000-0000-0000-0002-000000000009/set.xml", set)
        .with("scripts/large.py", script);
    let package = Package::read(&files).expect("memory can be read");
    let read = Kit::read(&files, package, &PackageLimits::default()).expect("memory can be read");
    Arc::new(read.kit)
}

fn table(kit: &Arc<Kit>, scripts: ScriptRule) -> FreeTable {
    let mut settings = TableSettings::for_seats(2);
    settings.scripts = scripts;
    let deck = kit.deck.expect("there is a deck");
    let cards: Vec<TableModel> = (0..60).map(TableModel::Card).collect();
    let position = TablePosition {
        piles: [0, 1]
            .map(|seat| (Some(TableSeat(seat)), deck, cards.clone()))
            .to_vec(),
        ..TablePosition::default()
    };
    FreeTable::with_position(kit, settings, 7.into(), &position).expect("it can be laid")
}

fn milliseconds(begin: Instant) -> f64 {
    begin.elapsed().as_secs_f64() * 1e3
}

fn main() {
    let small = kit(&entry());
    let mut times: Vec<f64> = (0..20)
        .map(|_| {
            let mut table = table(&small, ScriptRule::On);
            let verb = table
                .parse(TableSeat(0), "run \"Move all\"")
                .expect("it is an entry");
            let begin = Instant::now();
            let events = table.act(TableSeat(0), verb).expect("it runs");
            let time = milliseconds(begin);
            assert!(
                events.iter().all(|event| event.kind != "failed"),
                "it must not fail"
            );
            time
        })
        .collect();
    times.sort_by(f64::total_cmp);
    println!(
        "an entry of 200 lines that moves 60 cards: {:.1} ms (at most 30)",
        times[times.len() / 2]
    );

    let one = "\
        def entry_%(group, x=0, y=0):\n\
        \x20   mute()\n\
        \x20   for card in group:\n\
        \x20       if card.Kind == 'Odd' and x > 0:\n\
        \x20           card.moveTo(me.hand)\n\
        \x20           notify('{} draws {}.'.format(me, card))\n\
        \x20   return [c for c in group if c.name]\n\n";
    let text: String = (0..2_000)
        .map(|number| one.replace('%', &number.to_string()))
        .collect();
    let begin = Instant::now();
    let large = kit(&format!("{text}{}", entry()));
    let read = milliseconds(begin);
    let begin = Instant::now();
    let first = table(&large, ScriptRule::On);
    println!(
        "16,000 lines: package and scripts read in {read:.1} ms, \
         loaded for two seats in {:.1} ms (at most 150)",
        milliseconds(begin)
    );
    let begin = Instant::now();
    drop(table(&large, ScriptRule::On));
    println!("another table of the package: {:.2} ms", milliseconds(begin));

    let kept = |rule: ScriptRule| {
        let mut tables = Vec::new();
        let used = allocation_counter::measure(|| {
            for number in 0..200_u8 {
                let mut table = table(&large, rule);
                if rule == ScriptRule::On {
                    let verb = table
                        .parse(TableSeat(number % 2), "run \"Move all\"")
                        .expect("it is an entry");
                    table.act(TableSeat(number % 2), verb).expect("it runs");
                } else {
                    let verb = table
                        .parse(TableSeat(number % 2), "draw 60")
                        .expect("it is a verb");
                    table.act(TableSeat(number % 2), verb).expect("it is done");
                }
                tables.push(table);
            }
        });
        drop(tables);
        used.bytes_current as f64 / 200.0 / 1024.0
    };
    let (with, without) = (kept(ScriptRule::On), kept(ScriptRule::Off));
    println!(
        "200 tables of it after one entry: {with:.0} KiB each, \
         {without:.0} KiB without scripts (at most 1024 more)"
    );
    drop(first);
}
