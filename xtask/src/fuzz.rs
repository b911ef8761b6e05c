//! Fuzzing on stable Rust: builds the targets with counters at every branch, and runs them.
//!
//! The counters are a pass of LLVM that any compiler has; libFuzzer is C++, so a compiler for that is needed.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};

use crate::repository;

/// What makes a build count: as `cargo fuzz` sets it, without sanitizers, which only nightly Rust has.
const COUNTERS: &str = "--cfg fuzzing -C passes=sancov-module -C llvm-args=-sanitizer-coverage-level=4 \
    -C llvm-args=-sanitizer-coverage-inline-8bit-counters -C llvm-args=-sanitizer-coverage-pc-table \
    -C llvm-args=-sanitizer-coverage-trace-compares";

/// MiB that a target may take.
const MEMORY: u32 = 256;

/// Seconds that an input may take.
const TIME: u32 = 1;

/// When a target has run enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Enough {
    /// After so many seconds.
    Seconds(u32),
    /// After so many inputs.
    Inputs(u64),
}

impl Enough {
    /// As libFuzzer is told.
    fn argument(self) -> String {
        match self {
            Enough::Seconds(seconds) => format!("-max_total_time={seconds}"),
            Enough::Inputs(inputs) => format!("-runs={inputs}"),
        }
    }

    /// What is left after so many inputs and so much time; nothing left is nothing.
    fn left(self, inputs: u64, time: Duration) -> Option<Enough> {
        match self {
            Enough::Seconds(seconds) => {
                let left = u64::from(seconds).saturating_sub(time.as_secs());
                u32::try_from(left)
                    .ok()
                    .filter(|left| *left > 0)
                    .map(Enough::Seconds)
            }
            Enough::Inputs(wanted) => Some(wanted.saturating_sub(inputs))
                .filter(|left| *left > 0)
                .map(Enough::Inputs),
        }
    }
}

/// What a run came to.
struct Run {
    target: String,
    inputs: u64,
    /// The first lines that say what was found, if something was.
    found: Option<String>,
}

/// Builds the targets and runs one or each of them, for `--seconds` (60 if left out) or `--inputs`.
///
/// # Errors
/// If they cannot be built, or one of them finds something.
pub(crate) fn run(arguments: &[String]) -> anyhow::Result<()> {
    let (only, enough) = read(arguments)?;
    let compiler = ["c++", "g++", "clang++"].into_iter().find(|name| {
        let mut version = Command::new(name);
        version
            .arg("--version")
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        version.status().is_ok_and(|status| status.success())
    });
    ensure!(
        compiler.is_some(),
        "fuzzing needs a C++ compiler (c++, g++ or clang++), and there is none: the corpora alone are \
         replayed by `cargo test -p cw-laws`"
    );
    let targets = targets()?;
    if let Some(only) = &only {
        ensure!(
            targets.contains(only),
            "there is no target {only}; there are {}",
            targets.join(" ")
        );
    }
    let wanted: Vec<String> = targets
        .into_iter()
        .filter(|target| only.as_ref().is_none_or(|only| only == target))
        .collect();
    let folder = build(&wanted)?;
    let mut runs = Vec::new();
    for target in wanted {
        runs.push(fuzz(&folder, target, enough)?);
    }
    report(&runs)
}

/// `[TARGET] [--seconds N | --inputs N]`.
fn read(arguments: &[String]) -> anyhow::Result<(Option<String>, Enough)> {
    let (mut only, mut enough) = (None, Enough::Seconds(60));
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        match argument.as_str() {
            "--seconds" => {
                let number = rest.next().context("`--seconds` needs a number")?;
                let seconds = number.parse();
                enough =
                    Enough::Seconds(seconds.with_context(|| format!("`{number}` is no number of seconds"))?);
            }
            "--inputs" => {
                let number = rest.next().context("`--inputs` needs a number")?;
                let inputs = number.parse();
                enough =
                    Enough::Inputs(inputs.with_context(|| format!("`{number}` is no number of inputs"))?);
            }
            name if only.is_none() && !name.starts_with('-') => only = Some(name.to_owned()),
            other => {
                bail!("`{other}` is not understood: cargo xtask fuzz [TARGET] [--seconds N | --inputs N]")
            }
        }
    }
    Ok((only, enough))
}

fn fuzz_folder() -> PathBuf {
    repository::root().join("fuzz")
}

/// The names of the targets, in order.
fn targets() -> anyhow::Result<Vec<String>> {
    let mut targets = Vec::new();
    for entry in std::fs::read_dir(fuzz_folder().join("src/bin")).context("there are no targets")? {
        let path = entry?.path();
        let name = path.file_stem().and_then(|name| name.to_str());
        targets.push(name.context("a target's name is not text")?.to_owned());
    }
    targets.sort();
    Ok(targets)
}

/// The folder of the programs.
fn build(targets: &[String]) -> anyhow::Result<PathBuf> {
    let host = host()?;
    let mut arguments = vec!["build", "--release", "--locked", "--target", &host];
    for target in targets {
        arguments.extend(["--bin", target]);
    }
    println!("$ RUSTFLAGS='{COUNTERS}' cargo {}", arguments.join(" "));
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let out = repository::root().join("target/fuzz");
    let status = Command::new(cargo)
        .args(&arguments)
        .current_dir(fuzz_folder())
        .env("RUSTFLAGS", COUNTERS)
        .env("CARGO_TARGET_DIR", &out)
        .status()
        .context("cannot run cargo")?;
    ensure!(status.success(), "the targets cannot be built");
    Ok(out.join(host).join("release"))
}

/// The platform: naming it keeps the counters out of build scripts.
fn host() -> anyhow::Result<String> {
    let output = Command::new("rustc")
        .arg("-vV")
        .output()
        .context("cannot run rustc")?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.context("rustc does not name its host")?.to_owned())
}

/// Runs one target on its corpus, which grows.
fn fuzz(folder: &Path, target: String, enough: Enough) -> anyhow::Result<Run> {
    let corpus = fuzz_folder().join("corpus").join(&target);
    let artifacts = fuzz_folder().join("artifacts").join(&target);
    std::fs::create_dir_all(&corpus)?;
    std::fs::create_dir_all(&artifacts)?;
    let family = target.split('_').next().unwrap_or_default();
    let mut command = Command::new(folder.join(&target));
    command
        .arg(&corpus)
        .args(seeds(family)?)
        .arg(format!("-artifact_prefix={}/", artifacts.display()))
        .arg(format!("-rss_limit_mb={MEMORY}"))
        .arg(format!("-timeout={TIME}"))
        .args(["-max_len=1024", "-print_final_stats=1", "-verbosity=0"]);
    let dictionary = fuzz_folder().join("dictionaries").join(format!("{family}.dict"));
    if dictionary.is_file() {
        command.arg(format!("-dict={}", dictionary.display()));
    }
    let start = Instant::now();
    let mut inputs = 0;
    let mut found = None;
    // What was only slow because the machine was busy does not end the run.
    while let (None, Some(left)) = (&found, enough.left(inputs, start.elapsed())) {
        let output = Command::new(command.get_program())
            .args(command.get_args())
            .arg(left.argument())
            .stdin(Stdio::null())
            .output()
            .with_context(|| format!("cannot run {target}"))?;
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        inputs += text
            .lines()
            .find_map(|line| line.strip_prefix("stat::number_of_executed_units:"))
            .and_then(|number| number.trim().parse().ok())
            .unwrap_or(0_u64);
        if output.status.success() {
            break;
        }
        if !only_busy(&command, &text)? {
            found = Some(telling(&text));
        }
    }
    println!("{target}: {inputs} inputs in {} s", start.elapsed().as_secs());
    Ok(Run {
        target,
        inputs,
        found,
    })
}

/// The lines of libFuzzer's output that tell what was found.
fn telling(text: &str) -> String {
    let telling = |line: &&str| {
        ["panicked", "ERROR", "SUMMARY", "Test unit"]
            .iter()
            .any(|word| line.contains(word))
    };
    text.lines().filter(telling).collect::<Vec<_>>().join("\n  ")
}

/// Whether what was found took too long only because the machine was busy: run again alone, it does not.
fn only_busy(command: &Command, text: &str) -> anyhow::Result<bool> {
    let written = text
        .lines()
        .find_map(|line| line.split("Test unit written to ").nth(1));
    let (Some(path), true) = (written, text.contains("libFuzzer: timeout")) else {
        return Ok(false);
    };
    let limits = [format!("-rss_limit_mb={MEMORY}"), format!("-timeout={TIME}")];
    let again = Command::new(command.get_program())
        .args(limits)
        .arg(path)
        .output()?;
    if again.status.success() {
        std::fs::remove_file(path)?;
        println!("{path} is fast when it is run again: the machine was busy");
    }
    Ok(again.status.success())
}

/// The folders of seeds of a family, which is what comes before the first `_` of a target's name.
fn seeds(family: &str) -> anyhow::Result<Vec<PathBuf>> {
    let mut folders = Vec::new();
    for parent in ["seeds", "seeds/found"] {
        for entry in std::fs::read_dir(fuzz_folder().join(parent))? {
            let path = entry?.path();
            let name = path
                .file_name()
                .and_then(|name| name.to_str())
                .unwrap_or_default();
            if path.is_dir() && name.split('_').next() == Some(family) {
                folders.push(path);
            }
        }
    }
    folders.sort();
    Ok(folders)
}

fn report(runs: &[Run]) -> anyhow::Result<()> {
    let inputs: u64 = runs.iter().map(|run| run.inputs).sum();
    println!(
        "{inputs} inputs through {} targets, each within {MEMORY} MiB and {TIME} s",
        runs.len()
    );
    let found: Vec<&Run> = runs.iter().filter(|run| run.found.is_some()).collect();
    for run in &found {
        eprintln!("{}:\n  {}", run.target, run.found.as_deref().unwrap_or_default());
    }
    ensure!(found.is_empty(), "{} targets have found something", found.len());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(arguments: &[&str], expected: (Option<&str>, Enough)) {
        let arguments: Vec<String> = arguments.iter().map(|word| (*word).to_owned()).collect();
        let (only, enough) = read(&arguments).expect("they are understood");
        assert_eq!((only.as_deref(), enough), expected);
    }

    #[test]
    fn arguments_are_a_target_and_how_much_is_enough() {
        check(&[], (None, Enough::Seconds(60)));
        check(&["--seconds", "5"], (None, Enough::Seconds(5)));
        check(
            &["record", "--seconds", "5"],
            (Some("record"), Enough::Seconds(5)),
        );
        check(&["--inputs", "7", "record"], (Some("record"), Enough::Inputs(7)));
        assert!(read(&["--seconds".to_owned()]).is_err());
        assert!(read(&["a".to_owned(), "b".to_owned()]).is_err());
    }

    #[test]
    fn a_run_that_was_cut_short_goes_on_with_what_is_left() {
        let after = Duration::from_secs(4);
        assert_eq!(Enough::Seconds(5).left(9, after), Some(Enough::Seconds(1)));
        assert_eq!(Enough::Inputs(10).left(9, after), Some(Enough::Inputs(1)));
        assert_eq!(Enough::Seconds(4).left(0, after), None);
        assert_eq!(Enough::Inputs(9).left(9, after), None);
    }
}
