// What a person has done for good and their browser keeps: achievements, and how the puzzles of days went. The page says what
// was done in this duel; only here is known what was done before.

import { $, recall, remember } from "./page.js";

/** Every element of a kind. @type {(selector: string, within?: ParentNode) => HTMLElement[]} */
const all = (selector, within = document) => [...within.querySelectorAll(selector)].map((one) => /** @type {HTMLElement} */ (one));
/** What is kept under a key, if it can be read. @template T @param {string} key @param {T} other @returns {T} */
function kept(key, other) { try { return JSON.parse(recall(key) ?? "") ?? other; } catch { return other; } }

// --- Achievements ---

/** Notes what was earned, and marks what was done. */
export function noteFeats() {
  for (const list of all("[data-earned]")) {
    const key = `feats ${list.dataset.earned}`, had = kept(key, /** @type {string[]} */ ([]));
    const rows = all("[data-feat]", list), fresh = rows.map((row) => row.dataset.feat ?? "").filter((id) => !had.includes(id));
    // A duel that is looked at again is told in the same words as the first time.
    const duel = `${document.baseURI} ${list.dataset.duel}`;
    let { of, news } = kept("feats new", { of: "", news: /** @type {string[]} */ ([]) });
    if (fresh.length || of !== duel) {
      [of, news] = [duel, fresh];
      remember(key, JSON.stringify([...had, ...fresh]));
      remember("feats new", JSON.stringify({ of, news }));
    }
    for (const row of rows) /** @type {HTMLElement} */ (row.querySelector("[data-new]")).hidden = !news.includes(row.dataset.feat ?? "");
  }
  for (const place of all("[data-feats]")) {
    const had = kept(`feats ${place.dataset.feats}`, /** @type {string[]} */ ([])), rows = all(".feat-list [data-feat]");
    for (const row of rows) {
      const done = had.includes(row.dataset.feat ?? "");
      row.classList.toggle("done", done);
      /** @type {HTMLElement} */ (row.querySelector(".mark")).textContent = done ? "★" : "☆";
      /** @type {HTMLElement} */ (row.querySelector("[data-done]")).hidden = !done;
    }
    const many = rows.filter((row) => row.classList.contains("done")).length;
    /** @type {HTMLElement} */ (place.querySelector("[data-feats-count]")).textContent = `${many} ${place.dataset.say}`;
    const next = rows.find((row) => !row.classList.contains("done"));
    sayNext(place.querySelector("[data-feats-next]"), next && [next.dataset.task ?? "", next.dataset.hint ?? ""]);
  }
  for (const line of all("[data-feats-next][data-of]")) {
    const had = kept(`feats ${line.dataset.of}`, /** @type {string[]} */ ([]));
    /** @type {[string, string, string][]} */
    const rows = JSON.parse(line.dataset.all ?? "[]");
    const next = rows.find(([id]) => !had.includes(id));
    sayNext(line, next && [next[1], next[2]]);
  }
}

/** @param {Element | null} line @param {string[] | undefined} words */
function sayNext(line, words) {
  if (!(line instanceof HTMLElement)) return;
  line.hidden = !words;
  if (words) all("span", line).forEach((span, at) => { span.textContent = words[at] ?? ""; });
}

// --- The puzzle of the day ---

/** @typedef {{ day: string, tries: number, solved: boolean, streak: number, last: string, attempts: string[] }} DailyRecord */

/** The day before a day, both as 2026-11-27. @param {string} day */
const before = (day) => new Date(Date.parse(`${day}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10);

/** Notes how the puzzle of a day went, and says how many days in a row were solved. */
export function noteDaily() {
  for (const place of all("[data-daily]")) {
    const { daily: game = "", day = "", attempt } = place.dataset, key = `daily ${game}`;
    /** @type {DailyRecord} */
    const old = { day: "", tries: 0, solved: false, streak: 0, last: "", attempts: [], ...kept(key, {}) };
    // An older puzzle that is played again changes nothing that was counted since.
    if (attempt && old.day > day) continue;
    const record = old.day === day ? old : { ...old, day, tries: 0, solved: false, attempts: [] };
    const result = attempt && document.querySelector("#prompt .result");
    const own = `${document.baseURI} ${attempt}`;
    if (result instanceof HTMLElement && result.dataset.won && !record.solved && !record.attempts.includes(own)) {
      record.attempts = [...record.attempts, own].slice(-40);
      record.tries += 1;
      if (result.dataset.won === "true") {
        record.streak = old.last === before(day) ? old.streak + 1 : 1;
        record.solved = true;
        record.last = day;
      }
      remember(key, JSON.stringify(record));
    }
    // A day without a puzzle ends the row.
    const streak = [day, before(day)].includes(record.last) ? record.streak : 0;
    const line = /** @type {HTMLElement | null} */ (place.querySelector("[data-line]"));
    const said = /** @type {HTMLElement | null} */ (place.querySelector("[data-streak]"));
    const row = streak > 1 ? `, ${streak} days in a row` : "";
    const tries = record.tries === 1 ? "at the first try" : `after ${record.tries} tries`;
    const words = record.solved ? `Solved ${tries}${row}.` : streak ? `${streak} ${streak === 1 ? "day" : "days"} in a row so far.` : "";
    if (said && words) { said.textContent = words; said.hidden = false; }
    if (line) line.hidden = !record.solved;
    const marks = "○".repeat(Math.min(Math.max(record.tries - 1, 0), 9)) + "●";
    if (line && record.solved) /** @type {HTMLInputElement} */ (line.querySelector("input")).value = `${game}, puzzle of ${day}: ${marks}${row}`;
  }
}
