//! Shares of a plan in files: a line for the plan, and a line for every block of pairs that was played.
//!
//! A file is only ever gone on with, so that what was finished is kept whatever happens. Each line has
//! the digest of its rows: a line that was cut off or damaged is no line.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{BufReader, Read, Seek, SeekFrom, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use cw_sim::{DuelPlan, Pair, Shard, StopRule, Total, Written, digest};
use serde::{Deserialize, Serialize};

use crate::cannot_write;
use crate::contestant::Contestant;
use crate::crew::{Crew, MachineSettings};
use crate::watch::ProgressWatch;

/// The name of the file of a share.
pub fn part(shard: Shard) -> String {
    let Shard { number, of } = shard;
    format!("part-{number}-of-{of}.jsonl")
}

/// The version of the lines.
const VERSION: u32 = 2;

/// The first line of a file.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Head {
    cardwright_part: u32,
    plan: String,
}

/// Every other line.
#[derive(Serialize, Deserialize)]
struct PartLine {
    block: u64,
    digest: String,
    pairs: Vec<Vec<i64>>,
}

/// What a share came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Came {
    /// Pairs in its file.
    pub pairs: u64,
    /// Those that were there before.
    pub old: u64,
}

/// A finished block: its digest, and where it stands.
struct FinishedBlock {
    digest: String,
    file: usize,
    at: u64,
}

/// The blocks in files of parts.
#[derive(Default)]
struct Blocks {
    files: Vec<PathBuf>,
    found: BTreeMap<u64, FinishedBlock>,
    /// Lines that cannot be used.
    damaged: Vec<String>,
    /// Blocks that were found more than once.
    doubled: u64,
}

impl Blocks {
    /// Looks through a file of this plan.
    fn look(&mut self, path: &Path, written: &Written) -> anyhow::Result<()> {
        let shown = path.display();
        let file = File::open(path).with_context(|| format!("cannot read the part “{shown}”"))?;
        let mut file = BufReader::new(file);
        let (mut at, mut number, mut bytes) = (0, 0, Vec::new());
        loop {
            let length = cw_files::read_line(&mut file, &mut bytes, cw_files::PART_LINE)
                .with_context(|| format!("cannot read the part “{shown}”"))?;
            if length == 0 {
                break;
            }
            number += 1;
            let whole = bytes.pop_if(|last| *last == b'\n').is_some();
            if number == 1 {
                check_head(&bytes, written, &shown.to_string())?;
                self.files.push(path.to_owned());
            } else if whole && !bytes.is_empty() {
                match usable(&bytes, written) {
                    Some(line) => {
                        let found = FinishedBlock {
                            digest: line.digest,
                            file: self.files.len() - 1,
                            at,
                        };
                        match self.found.get(&line.block) {
                            Some(other) if other.digest != found.digest => bail!(
                                "block {} came out differently in “{}” and in “{shown}”: \
                                 the players are not deterministic, or one of the machines is broken",
                                line.block,
                                self.files[other.file].display()
                            ),
                            Some(_) => self.doubled += 1,
                            None => drop(self.found.insert(line.block, found)),
                        }
                    }
                    None => self.damaged.push(format!("line {number} of “{shown}”")),
                }
            }
            at += length as u64;
        }
        Ok(())
    }

    /// The pairs of a block.
    fn read(&self, found: &FinishedBlock, written: &Written) -> anyhow::Result<Vec<Pair>> {
        let path = &self.files[found.file];
        let read = || -> Result<Vec<u8>, cw_files::FileReadError> {
            let mut file = File::open(path)?;
            file.seek(SeekFrom::Start(found.at))?;
            let mut bytes = Vec::new();
            cw_files::read_line(&mut BufReader::new(file), &mut bytes, cw_files::PART_LINE)?;
            Ok(bytes)
        };
        let bytes = read().with_context(|| format!("cannot read the part “{}”", path.display()))?;
        let line = usable(bytes.trim_ascii_end(), written).filter(|line| line.digest == found.digest);
        let pairs = line.map(|line| {
            line.pairs
                .iter()
                .filter_map(|row| Pair::of_numbers(row))
                .collect()
        });
        pairs.with_context(|| format!("“{}” was changed while it was read", path.display()))
    }
}

/// Reads a line whose digest is that of its rows, and whose rows are the block's.
fn usable(bytes: &[u8], written: &Written) -> Option<PartLine> {
    let line: PartLine = serde_json::from_slice(bytes).ok()?;
    let wanted = written.pairs_of(line.block);
    let numbers = || {
        line.pairs
            .iter()
            .map(|row| Pair::of_numbers(row).map(|pair| pair.number))
    };
    let fits = !wanted.is_empty() && numbers().eq(wanted.map(Some)) && digest(&line.pairs) == line.digest;
    fits.then_some(line)
}

/// Plays what is not yet there of a share, and adds it to its file.
///
/// # Errors
/// If the file is that of another plan or cannot be written, a player cannot be started, or who looks on ends
/// it.
pub fn run(
    plan: &DuelPlan,
    written: &Written,
    contestants: [&Contestant; 2],
    shard: Shard,
    here: &MachineSettings<'_>,
    path: &Path,
) -> anyhow::Result<Came> {
    let mut blocks = Blocks::default();
    if fs::metadata(path).is_ok_and(|there| there.len() > 0) {
        blocks.look(path, written)?;
    }
    for damaged in &blocks.damaged {
        here.watch
            .note(&format!("{damaged} is damaged; its duels are played again"));
    }
    let wanted = shard.blocks(written.blocks());
    let all: u64 = wanted.clone().map(|block| pairs_in(written, block)).sum();
    let missing: Vec<u64> = wanted.filter(|block| !blocks.found.contains_key(block)).collect();
    let new: u64 = missing.iter().map(|block| pairs_in(written, *block)).sum();
    let mut options = OpenOptions::new();
    let opened = options.read(true).append(true).create(true).open(path);
    let mut file = opened.with_context(|| cannot_write(path))?;
    let begin = || -> std::io::Result<()> {
        if blocks.files.is_empty() {
            return (&file).write_all(head(written).as_bytes());
        }
        // A line that was cut off is not gone on with.
        let mut last = [0];
        let mut reader = &file;
        reader.seek(SeekFrom::End(-1))?;
        reader.read_exact(&mut last)?;
        if last == *b"\n" { Ok(()) } else { writeln!(&file) }
    };
    begin().with_context(|| cannot_write(path))?;
    play_blocks(plan, written, contestants, &missing, here, |line| {
        file.write_all(line.as_bytes())
            .with_context(|| cannot_write(path))
    })?;
    file.sync_all().with_context(|| cannot_write(path))?;
    Ok(Came {
        pairs: all,
        old: all - new,
    })
}

/// Plays a share: the bytes that [`run`] writes into a file that was not there.
///
/// # Errors
/// If a player cannot be started, or who looks on ends it.
pub fn share(
    plan: &DuelPlan,
    written: &Written,
    contestants: [&Contestant; 2],
    shard: Shard,
    here: &MachineSettings<'_>,
) -> anyhow::Result<Vec<u8>> {
    let blocks: Vec<u64> = shard.blocks(written.blocks()).collect();
    let mut bytes = head(written).into_bytes();
    play_blocks(plan, written, contestants, &blocks, here, |line| {
        bytes.extend_from_slice(line.as_bytes());
        Ok(())
    })?;
    Ok(bytes)
}

/// Whether these bytes are the whole of a share: every block is there, undamaged.
///
/// # Errors
/// If they are no part of this plan; a part of another plan is named.
pub fn is_whole(bytes: &[u8], written: &Written, shard: Shard) -> anyhow::Result<bool> {
    let mut lines = bytes.split_inclusive(|byte| *byte == b'\n');
    check_head(lines.next().unwrap_or_default(), written, &part(shard))?;
    let found: Vec<u64> = lines
        .filter(|line| line.ends_with(b"\n"))
        .filter_map(|line| Some(usable(line.trim_ascii_end(), written)?.block))
        .collect();
    Ok(shard.blocks(written.blocks()).all(|block| found.contains(&block)))
}

/// The first line of a file.
fn head(written: &Written) -> String {
    let head = Head {
        cardwright_part: VERSION,
        plan: written.id(),
    };
    serde_json::to_string(&head).unwrap_or_default() + "\n"
}

/// Refuses what is no first line of a part of this plan.
fn check_head(line: &[u8], written: &Written, shown: &str) -> anyhow::Result<()> {
    let head = serde_json::from_slice::<Head>(line);
    let Ok(head) = head else {
        bail!("“{shown}” is no part of a plan: its first line does not say so");
    };
    if head.cardwright_part != VERSION {
        bail!(
            "“{shown}” was written by another version of Cardwright (format {} instead of {VERSION}); \
             play the share again with `cardwright sim run` into another folder",
            head.cardwright_part
        );
    }
    if head.plan != written.id() {
        bail!(
            "“{shown}” is a part of plan {}, not of {}",
            head.plan,
            written.id()
        );
    }
    Ok(())
}

/// Plays blocks of pairs, and hands over the line of each, in order.
fn play_blocks(
    plan: &DuelPlan,
    written: &Written,
    contestants: [&Contestant; 2],
    blocks: &[u64],
    here: &MachineSettings<'_>,
    mut take: impl FnMut(&str) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let crew = Crew {
        contestants,
        game: &plan.game,
        here: *here,
        timed: false,
    };
    here.watch
        .begins(blocks.iter().map(|block| pairs_in(written, *block)).sum());
    let mut done = 0;
    let worked = crew.work(
        blocks.len() as u64,
        |at, one, two| {
            let block = blocks[usize::try_from(at).unwrap_or(usize::MAX)];
            let pairs: Vec<Vec<i64>> = written
                .pairs_of(block)
                .map(|number| plan.play(number, one, two).numbers())
                .collect();
            PartLine {
                block,
                digest: digest(&pairs),
                pairs,
            }
        },
        |_, line| {
            done += line.pairs.len() as u64;
            take(&(serde_json::to_string(&line)? + "\n"))?;
            here.watch.done(done, &|| "of this share".to_owned());
            Ok(ControlFlow::Continue(()))
        },
    );
    here.watch.ends();
    worked.map(drop)
}

fn pairs_in(written: &Written, block: u64) -> u64 {
    let pairs = written.pairs_of(block);
    pairs.end - pairs.start
}

/// What parts of a plan come to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Merged {
    /// The sums.
    pub total: Total,
    /// Which pairs nobody has played, and the remedy, if there are such.
    pub missing: Option<String>,
}

/// Joins parts in the order of the pairs' numbers, until the plan wants no more. Where pairs are missing,
/// those that are there are summed up; of a plan that asks a question, whose end depends on every pair, only
/// those before the first gap.
///
/// # Errors
/// If a part cannot be read, is one of another plan, or differs from another one; or if `on_pair` fails.
pub fn merge(
    plan: &DuelPlan,
    written: &Written,
    paths: &[PathBuf],
    watch: &dyn ProgressWatch,
    mut on_pair: impl FnMut(&Pair) -> anyhow::Result<()>,
) -> anyhow::Result<Merged> {
    let mut blocks = Blocks::default();
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            let listed = fs::read_dir(path).with_context(|| format!("cannot read “{}”", path.display()))?;
            let mut inside: Vec<PathBuf> = listed
                .filter_map(|entry| entry.ok().map(|entry| entry.path()))
                .collect();
            inside.retain(|path| path.extension().is_some_and(|end| end == "jsonl"));
            inside.sort();
            files.extend(inside);
        } else {
            files.push(path.clone());
        }
    }
    for file in &files {
        blocks.look(file, written)?;
    }
    for damaged in &blocks.damaged {
        watch.note(&format!("{damaged} is damaged and is left out"));
    }
    let mut total = Total::of(plan);
    let mut gap = false;
    for block in 0..written.blocks() {
        let Some(found) = blocks.found.get(&block) else {
            gap = true;
            if !matches!(plan.stop, StopRule::After(_)) {
                break;
            }
            continue;
        };
        watch.goes_on()?;
        for pair in blocks.read(found, written)? {
            let more = if total.wants(plan, pair.number) {
                on_pair(&pair)?;
                total.add(plan, &pair)
            } else {
                total.pass(plan, pair.number)
            };
            if !more {
                return Ok(Merged { total, missing: None });
            }
        }
    }
    Ok(Merged {
        total,
        missing: gap.then(|| missing(&blocks, written)),
    })
}

/// Says which pairs nobody has played yet.
fn missing(blocks: &Blocks, written: &Written) -> String {
    let mut runs: Vec<(u64, u64)> = Vec::new();
    for block in (0..written.blocks()).filter(|block| !blocks.found.contains_key(block)) {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == block => *last = block,
            _ => runs.push((block, block)),
        }
    }
    let shown: Vec<String> = runs
        .iter()
        .take(8)
        .map(|(from, to)| {
            format!(
                "{}–{}",
                written.pairs_of(*from).start,
                written.pairs_of(*to).end - 1
            )
        })
        .collect();
    let more = if runs.len() > 8 { ", …" } else { "" };
    format!(
        "these pairs of plan {} are missing: {}{more}; \
         play their shares with `cardwright sim run`, then merge again",
        written.id(),
        shown.join(", ")
    )
}
