// What waits for somebody: agreement that others ask for, and what a package's scripts ask.

import { $, S, act, actor, backPath, el, facePath, kit, plainly, quiet, quoted, seatName, when } from "./state.js";

/** Draws all that waits for an answer. */
export function drawQuestions() {
  drawAsked();
  $("questions").lastElementChild?.replaceChildren(...S.questions.map((one) => {
    const words = one.words.replace(/ \(question \d+\)$/, "");
    /** @type {(textContent: string, how: string) => Node} */
    const answer = (textContent, how) =>
      el("button", { textContent, className: how === "yes" ? "go" : "", onclick: () => act(`answer ${one.id} ${how}`) });
    const looks = /look|search/.test(words);
    const said = one.rewind === null ? words : rewindWords(one, one.rewind, words);
    const always = quiet(`Always: ${seatName(one.by)} need not ask again for this pile.`);
    return el("div", { className: "question", aria: { role: one.mine ? "alertdialog" : "status", label: "A question" } },
      el("p", { textContent: `${said}.` }),
      one.mine ? el("div", { className: "row" }, answer("Agree", "yes"), looks ? answer("Always agree", "always") : null,
        answer("No", "no"), looks ? always : null) : quiet(`Waiting for ${one.open.map(seatName).join(", ")}.`),
      one.by === S.me ? answer("Withdraw", "no") : null);
  }));
}
/** What it would take back, in words. @param {FreeQuestion} one @param {number} step @param {string} words */
function rewindWords(one, step, words) {
  /** @param {FreeLine} line */
  const isSaid = (line) => ["say", "ask", "me", "name"].includes(line.kind);
  const all = S.log.filter((line) => line.step >= step && !S.undone.includes(line.step));
  const after = all.filter((line) => line.text && !isSaid(line));
  // What it is, as the log has it: “Seat 2 asks to take back: draws 2 cards”.
  const said = after.map((line) => {
    const name = line.by === one.by ? actor(line) : undefined;
    return plainly(line.text).slice(name ? name.length + 1 : 0).replace(/\.$/, "");
  });
  const some = said.slice(0, 3).join("; ") + (said.length > 3 ? `; and ${said.length - 3} more` : "");
  // Moves on the table are in no log, but one's own go back, too.
  const own = words.split(`(${seatName(S.me)} `).length - 1;
  const yours = own && one.by !== S.me ? `; and of yours: ${own}` : "";
  return `${seatName(one.by)} asks to take back: ${some || "steps"}${yours}`;
}

let shownRuns = "[]";
/** What scripts ask: the person answers beside the table, which shows meanwhile what would be. */
function drawAsked() {
  const now = JSON.stringify(S.runs);
  if (now === shownRuns) return;
  shownRuns = now;
  $("asked").replaceChildren(...S.runs.map((run) => {
    return el("div", { className: "question", aria: { role: run.q ? "alertdialog" : "status", label: run.name } },
      el("strong", {}, run.by === S.me ? run.name : `${seatName(run.by)}: ${run.name}`),
      ...(run.q ? asked(run, run.q) : [quiet(`Waiting for ${seatName(run.of)}.`), ...offOf(run)]));
  }));
  ($("asked").querySelector("input") ?? $("asked").querySelector(".go, .row button"))?.focus();
}
/** What ends a run of one's own: nothing has changed then. @param {ScriptRun} run */
const offOf = (run) => (run.by !== S.me ? [] : [el("button", {
  textContent: "Cancel it", className: "quiet off", title: "The script stops, and nothing has changed",
  onclick: () => act(`breakoff ${run.id}`),
})]);
/** A question of a script, with what answers it. @param {ScriptRun} run @param {ScriptQuestion} q @returns {MadeChild[]} */
function asked(run, q) {
  /** @param {string | number} words */
  const reply = (words) => act(`reply ${run.id} ${words}`);
  /** @type {(textContent: string, words: string | number, className?: string) => HTMLElement} */
  const button = (textContent, words, className = "") =>
    el("button", { textContent, className, onclick: () => reply(words) });
  /** @param {...MadeChild} inside */
  const row = (...inside) => {
    const skip = button("Skip", "closed");
    skip.title = "The script goes on without an answer";
    return el("div", { className: "row" }, ...inside, skip, ...offOf(run));
  };
  /** @type {(input: Node, more: Node | null, words: () => string) => Node} */
  const form = (input, more, words) => {
    const ok = el("button", { type: "submit", className: "go", textContent: "OK" });
    const made = el("form", {}, el("div", { className: "fields" }, el("label", {}, input), more), row(ok));
    when(made, "submit", (event) => { event.preventDefault(); reply(words()); });
    return made;
  };
  /** @param {number} value */
  const number = (value, min = 0) =>
    el("input", { type: "number", min, value, required: true, inputMode: "numeric", ariaLabel: "How many" });
  const said = [...run.said.map((line) => quiet(line)), ...(q.text === run.name ? [] : q.text.split("\n").map((line) => el("p", { textContent: line })))];
  switch (q.kind) {
    case "marker": case "model": {
      const names = q.kind === "marker" ? kit.markers.map((one) => one.name) : q.models;
      const options = names.map((text, value) => el("option", { value, textContent: text }));
      const pick = el("select", { ariaLabel: "Which" }, ...options), many = number(1, 1);
      return [...said, form(pick, many, () => `counted ${pick.value} ${many.value}`)];
    }
    case "confirm": return [...said, el("div", { className: "row" }, button("Yes", "yes", "go"), button("No", "no"), ...offOf(run))];
    case "number": { const input = number(q.value); return [...said, form(input, null, () => input.value)]; }
    case "text": {
      const input = el("input", { value: q.value, maxLength: 500, ariaLabel: "Your answer" });
      return [...said, form(input, null, () => quoted(input.value))];
    }
    case "choice": {
      const choices = q.choices.map(([text, colour], at) => {
        const one = button(text, at + 1);
        if (colour) one.style.borderColor = colour;
        return one;
      });
      const others = q.buttons.map((text, at) => button(text, -1 - at));
      return [...said, el("div", { className: "row many" }, ...choices), row(...others)];
    }
    case "cards": return [...said, ...cardsAsked(q, row, reply)];
  }
}
/**
 * Cards of which some are chosen, or that are put into an order: each says its place in what was chosen.
 * @param {Extract<ScriptQuestion, { kind: "cards" }>} q @param {(...inside: MadeChild[]) => Node} row
 * @param {(words: string) => unknown} reply @returns {MadeChild[]}
 */
function cardsAsked(q, row, reply) {
  /** Places of the chosen cards, in the order of choosing. @type {number[]} */
  const picked = [];
  const done = el("button", { className: "go", textContent: "OK", onclick: () => reply(`places ${picked.join(",")}`) });
  const isOrder = !q.bottom && !q.most;
  const least = isOrder ? q.cards.length : q.least, most = isOrder ? q.cards.length : q.most;
  const all = [...q.cards, ...q.bottom ?? []].map((card, at) => {
    const turn = () => {
      const was = picked.indexOf(at);
      if (was >= 0) picked.splice(was, 1); else picked.push(at);
      mark();
    };
    const number = el("b"), src = card.face ? facePath({ face: card.face }, "small") : backPath();
    const one = el("button", { className: "pick", ariaPressed: "false", title: card.name, onclick: turn },
      el("img", { src, alt: card.name }), number);
    return { one, number };
  });
  const mark = () => {
    all.forEach(({ one, number }, at) => {
      const place = picked.indexOf(at);
      one.ariaPressed = String(place >= 0);
      number.textContent = place < 0 ? "" : String(place + 1);
    });
    done.disabled = picked.length < least || picked.length > most;
  };
  if (q.bottom) picked.push(...q.cards.keys());
  mark();
  const words = isOrder ? "Choose all in their new order"
    : q.bottom ? `Chosen: ${q.label || "above"}; others: ${q.below || "below"}` : q.label;
  return [
    words && quiet(words), !isOrder && quiet(`Choose ${least === most ? least : `${least} to ${most}`} of ${all.length}`),
    el("div", { className: "picks" }, ...all.map(({ one }) => one)), row(done),
  ];
}
