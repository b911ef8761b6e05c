//! Commands for the developers of Cardwright: `cargo xtask COMMAND`.
//!
//! Knows cargo, git and the layout of this repository; does not know the game.
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation))]
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "it is a command for a terminal"
)]

mod book;
mod browser;
mod ci;
mod dist;
mod editor;
mod fuzz;
mod python;
mod readmes;
mod release;
mod repository;
mod rules;
mod scripts;
mod site;
mod split;
mod tidy;
mod vsix;
mod walls;

use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask COMMAND

  test         sets up what the tests need and runs every test; more arguments go to `cargo test`
  browser      only the tests in a browser; more arguments go to `node --test`
  python       only the tests of the Python package; more arguments go to `pytest`
  lint         format, clippy, documentation, types of scripts, licences, tidy and rules: \
               all of `ci` but the tests
  ci           what CI runs: lint, then test
  rules        ids of docs/spec that no test cites, by family; fails on a citation of an unknown id
  rules --all  the same, with every such id
  rules ID     every place that cites this rule
  book         the documentation with search in target/book, where mdBook is installed
  tidy         no machine paths, no large files, layers, licences, reasons
  fuzz [TARGET] [--seconds N | --inputs N]
               builds the fuzz targets and runs one, or each, for so long (60); needs a C++ compiler
  readmes      writes the READMEs of crates from their documentation
  dist [--only NAME,…] [--test]
               makes what people install in target/dist: archive, wheel, npm, deb, container, sbom, licences;
               with --test each is installed into an empty place and plays there
  release VERSION [--dry-run]
               checks that a release can be made, sets its version, and writes its notes from the changelog
  module       the WebAssembly module of the page that serves itself, in target/site
  site         the demo site in target/site/demo: a folder for any file host
  editor       the editor of the playground, which is committed; with --check it is compared with its sources
  vsix         the extension for VS Code in target/editors, as one file to install
  bless        accepts new snapshots, perft counts and golden hashes; read the diff before committing it
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let rest = arguments.get(1..).unwrap_or_default();
    let result = match (arguments.first().map(String::as_str), rest) {
        (Some("test"), more) => ci::test(more),
        (Some("browser"), more) => ci::browser_tests(more),
        (Some("python"), more) => ci::python_tests(more),
        (Some("lint"), []) => ci::lint(),
        (Some("ci"), []) => ci::lint().and_then(|()| ci::test(&[])),
        (Some("rules"), []) => rules::report(rules::Detail::Counts),
        (Some("rules"), [flag]) if flag == "--all" => rules::report(rules::Detail::Ids),
        (Some("rules"), [id]) => rules::citations_of(id),
        (Some("book"), []) => book::build(),
        (Some("tidy"), []) => tidy::check(),
        (Some("fuzz"), more) => fuzz::run(more),
        (Some("readmes"), []) => readmes::write(),
        (Some("dist"), more) => dist::run(more),
        (Some("release"), [version]) if !version.starts_with('-') => {
            release::run(version, release::Mode::Write)
        }
        (Some("release"), [version, flag] | [flag, version]) if flag == "--dry-run" => {
            release::run(version, release::Mode::DryRun)
        }
        (Some("module"), []) => site::module().map(|_| ()),
        (Some("site"), []) => site::demo(),
        (Some("editor"), []) => editor::build(editor::EditorFiles::Write),
        (Some("editor"), [flag]) if flag == "--check" => editor::build(editor::EditorFiles::Compare),
        (Some("vsix"), []) => vsix::run(),
        (Some("bless"), []) => ci::bless(),
        (Some("help" | "--help" | "-h"), _) => {
            print!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        _ => {
            eprint!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
