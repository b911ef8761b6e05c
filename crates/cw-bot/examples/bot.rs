//! A bot for Cardwright: it does whatever comes first in a list of kinds, and tries nothing out.
//!
//! `cargo build -p cw-bot --example bot`, then `cardwright bot check target/debug/examples/bot`.
#![expect(clippy::print_stdout, reason = "a bot talks on its standard output")]

use std::io::{self, BufRead};

use serde_json::{Value, json};

/// What it does if it can, the best first.
const KINDS: [&str; 6] = ["attack", "play", "block", "back-up", "slot", "yes"];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for line in io::stdin().lock().lines() {
        let message: Value = serde_json::from_str(&line?)?;
        if message.get("cardwright").is_some() {
            println!(
                "{}",
                json!({ "ready": 1, "name": "bot.rs", "deterministic": true })
            );
        } else if let Some(number) = message.get("ask") {
            let answer = choose(&message["decision"]["options"]);
            println!("{}", json!({ "answer": number, "option": answer }));
        } else if message.get("bye").is_some() {
            break;
        }
    }
    Ok(())
}

/// The id of an option; standard output ends each line at once, so nothing has to be flushed.
fn choose(options: &Value) -> u64 {
    let options = options.as_array().map_or(&[][..], Vec::as_slice);
    let wanted = |kind: &&str| options.iter().find(|option| option["kind"] == **kind);
    let chosen = KINDS.iter().find_map(wanted).or(options.last());
    chosen.and_then(|option| option["id"].as_u64()).unwrap_or(0)
}
