// A seat of a draft. What changes comes as a whole from where the page comes from, and takes the place of what was there. A
// first touch chooses a card, a second one takes it; so does Enter. Without this script each card is a button that takes.

const table = /** @type {HTMLElement} */ (document.getElementById("draft"));
const patience = 15000;
const said = () => document.getElementById("said");
const form = () => /** @type {HTMLFormElement | null} */ (table.querySelector("form.picking"));
const cards = () => /** @type {HTMLButtonElement[]} */ ([...table.querySelectorAll(".offered .card")]);
document.body.classList.add("scripted");
document.body.dataset.shown = "cards";
let taking = false;

/** Chooses a card, not yet taking it. */
function choose(/** @type {HTMLButtonElement | undefined} */ card) {
  for (const other of cards()) other.setAttribute("aria-pressed", String(other === card));
  const take = /** @type {HTMLButtonElement | null} */ (table.querySelector(".take"));
  if (!take) return;
  take.hidden = !card;
  take.textContent = card ? `Take ${card.closest("li")?.dataset.name ?? "it"}` : "";
}
const chosen = () => cards().find((card) => card.getAttribute("aria-pressed") === "true");

async function take(/** @type {HTMLButtonElement} */ card) {
  const own = form();
  if (!own || taking) return;
  taking = true;
  own.classList.add("taking");
  const field = (/** @type {string} */ name) => /** @type {HTMLInputElement} */ (own.elements.namedItem(name)).value;
  const body = new URLSearchParams({ k: field("k"), n: field("n"), at: card.value });
  try {
    const answer = await fetch(own.getAttribute("action") ?? "", { method: "POST", body, headers: { "x-table": "1" }, signal: AbortSignal.timeout(patience) });
    if (!answer.ok) say(await answer.text());
  } catch {
    // Whether it came through shows as soon as the page is connected again: the pick can be sent twice and is made once.
    say("The table cannot be reached; choose again when it is back.");
  }
  taking = false;
  form()?.classList.remove("taking");
}
function say(/** @type {string} */ words) { const place = said(); if (place) place.textContent = words; }

table.addEventListener("submit", (event) => {
  if (!(event.target instanceof HTMLFormElement) || !event.target.matches("form.picking")) return;
  event.preventDefault();
  event.stopPropagation();
}, true);
table.addEventListener("click", (event) => {
  const clicked = event.target instanceof Element ? event.target : null;
  const shown = /** @type {HTMLElement | null | undefined} */ (clicked?.closest("[data-show]"));
  if (shown) show(shown.dataset.show ?? "cards");
  const card = /** @type {HTMLButtonElement | null | undefined} */ (clicked?.closest(".offered .card"));
  if (card) {
    event.preventDefault();
    if (card === chosen()) take(card); else choose(card);
  } else if (clicked?.closest(".take")) {
    const card = chosen();
    if (card) take(card);
  }
});
/** Where there is room for one of them only, the pack or the picks are shown. */
function show(/** @type {string} */ which) {
  document.body.dataset.shown = which;
  for (const button of table.querySelectorAll("[data-show]")) button.setAttribute("aria-pressed", String(/** @type {HTMLElement} */ (button).dataset.show === which));
}
addEventListener("keydown", (event) => {
  const { target, key } = event;
  if (event.ctrlKey || event.altKey || event.metaKey || target instanceof HTMLInputElement || target instanceof HTMLSelectElement) return;
  const all = cards();
  const at = all.findIndex((card) => card === document.activeElement);
  const digit = /^[1-9]$/.test(key) ? Number(key) - 1 : -1;
  if (digit >= 0 && all[digit]) { all[digit].focus(); choose(all[digit]); return; }
  if (key === "Escape") { choose(undefined); return; }
  if (!key.startsWith("Arrow") || !all.length) return;
  event.preventDefault();
  const row = all.filter((card) => card.getBoundingClientRect().top === all[0].getBoundingClientRect().top).length;
  const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -row, ArrowDown: row }[key] ?? 0;
  const next = at < 0 ? 0 : Math.min(all.length - 1, Math.max(0, at + step));
  all[next].focus();
  choose(all[next]);
});

// What comes takes the place of what was there; a card that was chosen in the same pack stays chosen.

function become(/** @type {string} */ markup) {
  const [number, value] = [form()?.dataset.number, chosen()?.value];
  const waited = table.querySelector("[data-waits]") !== null && table.querySelector("[data-duel]") === null;
  const focused = document.activeElement instanceof HTMLElement && table.contains(document.activeElement);
  const held = focused && document.activeElement instanceof HTMLButtonElement && document.activeElement.matches(".offered .card");
  table.innerHTML = markup;
  show(document.body.dataset.shown ?? "cards");
  if (number !== undefined && form()?.dataset.number === number) {
    const same = cards().find((card) => card.value === value);
    choose(same);
    if (held) same?.focus();
  } else {
    if (held) cards()[0]?.focus();
    scrollTo({ top: 0, behavior: "instant" });
  }
  tick();
  tellOfLate();
  // In a sealed game: who was ready and waited goes to the duel that begins. Who comes back to this page stays here.
  const duel = /** @type {HTMLAnchorElement | null} */ (table.querySelector("[data-duel]"));
  if (waited && duel) location.assign(duel.href);
}
const stream = new EventSource(table.dataset.events ?? "");
stream.onmessage = (event) => become(event.data);
stream.addEventListener("beat", () => { fetch(table.dataset.here ?? "", { method: "POST", signal: AbortSignal.timeout(patience) }).catch(() => {}); });
stream.onerror = () => say("The table cannot be reached; trying again …");

// The time for a pick. The page counts by its own clock from what it was sent, so that a tab that slept shows the right
// time. Readers of screens hear of it once, when little is left, and when a computer has taken a card.

/** When the time of the clock is over that is shown, and whether that was said. @type {{ element: HTMLElement | null, pick: string | undefined, end: number, said: boolean }} */
const time = { element: null, pick: undefined, end: 0, said: false };
/** Seconds of which readers of screens hear, and those that are few. */
const [WARNED, FEW] = [10, 5];
const aloud = (/** @type {string} */ words) => { const place = document.getElementById("aloud"); if (place) place.textContent = words; };

function tick() {
  const clock = /** @type {HTMLElement | null} */ (table.querySelector(".clock"));
  if (!clock) return;
  const now = performance.now();
  if (clock !== time.element) {
    const pick = form()?.dataset.number;
    const left = Number(clock.dataset.seconds);
    if (pick !== time.pick) time.said = left <= WARNED;
    Object.assign(time, { element: clock, pick, end: now + left * 1000 });
  }
  const left = Math.max(0, Math.ceil((time.end - now) / 1000));
  const place = clock.querySelector("b");
  if (place && place.textContent !== String(left)) place.textContent = String(left);
  clock.toggleAttribute("data-short", left <= FEW);
  if (left <= WARNED && left > 0 && !time.said) {
    time.said = true;
    aloud(`${left} seconds left for this pick`);
  }
}
/** The pick of which was said last that a computer made it. */
let late = /** @type {HTMLElement | null} */ (document.getElementById("late"))?.dataset.pick;
function tellOfLate() {
  const place = document.getElementById("late");
  if (!place || place.dataset.pick === late) return;
  late = place.dataset.pick;
  aloud(place.textContent ?? "");
}
tick();
setInterval(tick, 250);
