// What has to be measured: the room of the question, what scrolls, the lines between cards, the end of the log. To ask for a
// size after a change costs a layout of the whole page. So `settle` runs once before a paint, however many frames came, and
// asks for everything before it sets anything; read it first, the rest are its parts.

import { $, targetOf, the } from "./page.js";

/** What rules of the whole table hang on. As `:has()` in the styles every change of the page would ask for it again. */
const MARKS = {
  asked: ".near > [data-mine]",
  aim: ".near > :is([data-kind=target], [data-kind=sacrifice], [data-kind=back-up], [data-kind=join], [data-kind=block])",
  coach: ".near > .prompt > .coach",
  six: ".hand li:nth-child(6)",
  fighter: ".arena li",
  fighters: ".arena li + li",
  shown: ".side > .shown:not([hidden])",
  several: ".choices li:nth-child(3)",
};
/** Marks the table with what is on it. A replay has another table for each moment. */
export function mark() {
  const table = $("table");
  for (const [name, way] of Object.entries(MARKS)) table?.classList.toggle(`has-${name}`, table.querySelector(way) !== null);
}

/** What has to be measured is measured once for all frames of a paint, right before it. */
let settling = 0;
export function settle() {
  settling ||= requestAnimationFrame(() => {
    settling = 0;
    $("prompt")?.classList.remove("tight");
    lines();
    giveWay();
    // All is asked before anything is set: what is set where the next is asked costs one more layout.
    const zoom = $("zoom"), long = zoom && zoom.scrollHeight > zoom.clientHeight;
    let parts = overflowing();
    if (parts.some(([part, flows]) => flows && part.matches(".choices"))) {
      // What explains the answers gives way to them.
      the("prompt").classList.add("tight");
      giveWay();
      parts = overflowing();
    }
    // What scrolls can be reached by keys.
    if (long) zoom.tabIndex = 0; else zoom?.removeAttribute("tabindex");
    toTheEnd();
    for (const [part, flows] of parts) if (part.classList.toggle("flows", flows) && part.matches(".choices")) countMore(part);
  });
}

/** The question stands beside the buttons at its top, or under them where they take nearly half of its width. */
function giveWay() {
  const feet = document.querySelector("#prompt > footer"), head = document.querySelector("#prompt > h2"), prompt = $("prompt");
  if (!feet || !head || !prompt) return;
  const { paddingTop, rowGap } = getComputedStyle(prompt);
  const wide = feet.offsetTop < feet.offsetHeight ? feet.offsetWidth : 0;
  const high = feet.offsetTop + feet.offsetHeight - parseFloat(paddingTop);
  const under = wide > prompt.clientWidth * .45;
  head.style.margin = under ? `${high}px 0 0` : wide ? `0 ${wide + 8}px 0 0` : "";
  head.style.minHeight = wide && !under ? `${high - parseFloat(rowGap)}px` : "";
}

/** The parts of the question that scroll, and whether they do: what an earlier answer to that has added does not count. */
const overflowing = () => {
  const parts = [...document.querySelectorAll(".choices, .coach")];
  for (const part of parts) { part.classList.remove("flows"); delete part.dataset.more; }
  return parts.map((part) => /** @type {const} */ ([part, part.scrollHeight > part.clientHeight]));
};
/** How many answers lie below what is in sight. */
function countMore(/** @type {HTMLElement} */ part) {
  const end = part.getBoundingClientRect().bottom - parseFloat(getComputedStyle(part).scrollPaddingBottom);
  const more = [...part.querySelectorAll("button")].filter((one) => one.getBoundingClientRect().bottom > end + 1).length;
  if (more) part.dataset.more = String(more);
  else delete part.dataset.more;
}
document.addEventListener("scroll", (event) => { if (targetOf(event).matches(".choices.flows")) countMore(targetOf(event)); }, true);

/** Draws who blocks, joins and, with a card that is pointed at, aims at whom. */
export function lines(/** @type {HTMLElement | null} */ aim = null) {
  const svg = $("lines");
  if (!svg) return;
  // Measured only where there is a line to draw: it costs a layout.
  /** @type {DOMRect | null} */
  let frame = null;
  /** @type {(element: HTMLElement) => [number, number]} */
  const middle = (element) => {
    frame ??= svg.getBoundingClientRect();
    const box = element.getBoundingClientRect();
    return [box.left + box.width / 2 - frame.left, box.top + box.height / 2 - frame.top];
  };
  /** @type {SVGPathElement[]} */
  const made = [];
  const draw = (/** @type {string} */ kind, /** @type {string} */ way) => {
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    path.setAttribute("class", kind);
    path.setAttribute("d", way);
    made.push(path);
  };
  /** @type {(kind: string, from: HTMLElement | null, to: HTMLElement | null) => void} */
  const join = (kind, from, to) => {
    // A card inside a closed pile lies nowhere.
    if (!from?.getClientRects().length || !to?.getClientRects().length) return;
    const [a, b] = middle(from), [c, d] = middle(to);
    draw(kind, `M${a} ${b}Q${(a + c) / 2 + (d - b) / 6} ${(b + d) / 2} ${c} ${d}`);
  };
  /** Around the cards between them, which may attack by themselves: a bracket on the side of the middle.
   * @type {(from: HTMLElement | null, to: HTMLElement | null) => void} */
  const bracket = (from, to) => {
    if (!from || !to) return;
    const way = from.closest(".ring.them") ? 1 : -1;
    const [[a, b], [c, d]] = [from, to].map((card) => { const [x, y] = middle(card); return [x, y + way * card.offsetHeight / 2]; });
    draw("join", `M${a} ${b}V${(way > 0 ? Math.max(b, d) : Math.min(b, d)) + way * 8}H${c}V${d}`);
  };
  for (const mark of document.querySelectorAll(".felt [data-blocks]")) {
    join("block", mark.closest(".card"), document.querySelector(`.felt [data-card="${mark.dataset.blocks}"]`));
  }
  for (const mark of document.querySelectorAll(".felt [data-joins]")) {
    bracket(mark.closest(".card"), document.querySelector(`.felt [data-card="${mark.dataset.joins}"]`));
  }
  const source = $("prompt")?.dataset.source;
  if (aim && source) join("aim", document.querySelector(`.table [data-card="${source}"]`), aim);
  if (made.length || svg.firstChild) svg.replaceChildren(...made);
}

/** Opens the log over the table, or closes it. */
export function toggleLog() {
  the("log").classList.toggle("open");
  toTheEnd();
}
/** The log shows its newest lines; the uppermost line begins where its heading ends. */
function toTheEnd() {
  const turns = $("log-turns");
  if (!turns) return;
  // All is asked before anything is set, so that it costs one layout.
  const filled = parseFloat(turns.style.paddingBottom) || 0;
  const [at, room, long] = [turns.scrollTop, turns.clientHeight, turns.scrollHeight - filled];
  const end = Math.max(0, long - room);
  let rest = 0;
  if (end) {
    const top = turns.getBoundingClientRect().top + end - at;
    // From the end, which is near: a long log costs no more than a short one.
    for (const line of [...turns.querySelectorAll("section, li")].reverse()) {
      const head = line.matches("li") ? /** @type {HTMLElement} */ (line.closest("section")?.firstElementChild).offsetHeight : 0;
      const under = Math.ceil(line.getBoundingClientRect().top - top - head);
      if (under < 0) break;
      rest = under;
    }
  }
  turns.style.paddingBottom = rest ? `${rest}px` : "";
  turns.scrollTop = end + rest;
}
