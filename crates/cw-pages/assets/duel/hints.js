// What helps a newcomer and is kept by their browser: hints that are said once, and which lessons and puzzles are solved.

import { $, base, recall, remember, the } from "./page.js";

/** When a duel began, in the reader's own words. */
export function tellTimes() {
  for (const time of /** @type {NodeListOf<HTMLTimeElement>} */ (document.querySelectorAll("time[data-seconds]:empty"))) {
    const when = new Date(Number(time.dataset.seconds) * 1000);
    time.dateTime = when.toISOString();
    /** @type {Intl.DateTimeFormatOptions} */
    const long = "short" in time.dataset ? {} : { weekday: "long", day: "numeric", month: "long" };
    time.textContent = when.toLocaleString([], { ...long, hour: "2-digit", minute: "2-digit" });
  }
}

/** Notes which puzzles and lessons this browser has seen solved, and what else was done, where the page tells of it. */
export function noteSolved() {
  if (document.querySelector("[data-earned], [data-feats], [data-feats-next], [data-daily]")) import("./kept.js").then((kept) => { kept.noteDaily(); kept.noteFeats(); });
  const { stage } = $("table")?.dataset ?? {};
  if (stage && document.querySelector('#prompt .result[data-won="true"]')) remember(`solved ${stage}`, "yes");
  for (const { classList, dataset } of document.querySelectorAll("button[data-stage]")) classList.toggle("solved", recall(`solved ${dataset.stage}`) === "yes");
  // The next lesson is marked, and a lost duel leads on to it.
  /** @type {HTMLButtonElement | null} */
  const due = document.querySelector("[data-lesson]:not(.solved)");
  /** @type {HTMLButtonElement | null} */
  const offer = document.querySelector("[data-due]");
  due?.classList.add("due");
  if (!due || !offer) return;
  offer.value = due.value;
  /** @type {Element} */ (offer.lastElementChild).textContent = due.dataset.stage ?? "";
  offer.hidden = false;
  /** @type {HTMLElement} */ (the("ending").querySelector('[value="rematch"]')).className = "option";
}

/** What is new to a person is said at the first question at which it can be done, until they put it away. */
export function sayOnce() {
  const hint = document.querySelector("[data-once]");
  if (!hint) return;
  const key = `hint ${hint.dataset.once}`, here = `${base} ${the("prompt").dataset.number}`;
  hint.hidden = (recall(key) ?? here) !== here;
  // What was said costs no layout.
  if (hint.hidden) return;
  // It leaves the answers their room, and is said another time.
  const choices = document.querySelector("#prompt .choices");
  if (choices && choices.scrollHeight > choices.clientHeight + 1) hint.hidden = true;
  else if (!recall(key)) remember(key, here);
  /** @type {HTMLElement} */ (hint.lastElementChild).onclick = () => { remember(key, "said"); sayOnce(); };
}
