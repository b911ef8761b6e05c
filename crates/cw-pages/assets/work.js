// The workbench: a board that cards are laid on, by dragging or with two clicks, to be played or kept as a scenario.

const $ = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
const KEPT = "cardwright-board";

/** @type {{ id: string, name: string, character: boolean } | null} */
let held = null;

/** @param {HTMLElement} item */
const cardOf = (item) => ({ id: item.dataset.card ?? "", name: item.dataset.name ?? "", character: "character" in item.dataset });

/** @param {string} words */
const say = (words) => { $("notice").textContent = words; };

/**
 * A card on the board: its name, what can be set on it, and a way off the board.
 * @param {{ id: string, name: string, bp?: number, frozen?: boolean, fresh?: boolean }} card
 * @param {boolean} stands whether it stands in a ring
 */
function laid(card, stands) {
  const item = document.createElement("span");
  item.className = "laid";
  item.draggable = true;
  item.dataset.card = card.id;
  item.dataset.name = card.name;
  if (stands) item.dataset.character = "";
  const name = document.createElement("b");
  name.textContent = card.name;
  item.append(name);
  if (stands) {
    const bp = document.createElement("input");
    bp.type = "number"; bp.name = "bp"; bp.min = "1"; bp.placeholder = "BP"; bp.setAttribute("aria-label", `BP of ${card.name}`);
    if (card.bp) bp.value = String(card.bp);
    item.append(bp);
    for (const mark of /** @type {const} */ (["frozen", "fresh"])) {
      const label = document.createElement("label");
      const box = document.createElement("input");
      box.type = "checkbox"; box.name = mark; box.checked = card[mark] === true;
      label.append(box, ` ${mark}`);
      item.append(label);
    }
  }
  const off = document.createElement("button");
  off.type = "button"; off.dataset.off = ""; off.textContent = "×"; off.setAttribute("aria-label", `Remove ${card.name}`);
  item.append(off);
  return item;
}

/**
 * Lays a card into a slot or a pile; says why not if it cannot lie there.
 * @param {Element} place
 * @param {{ id: string, name: string, character: boolean, bp?: number, frozen?: boolean, fresh?: boolean }} card
 */
function lay(place, card) {
  if (place instanceof HTMLElement && place.dataset.slot !== undefined) {
    if (!card.character) { say(`“${card.name}” is not a character: only characters stand in a ring.`); return false; }
    place.querySelector(".laid")?.remove();
    place.append(laid(card, true));
  } else {
    const item = document.createElement("li");
    item.append(laid(card, false));
    place.querySelector("ul")?.append(item);
  }
  say("");
  return true;
}

/** @param {EventTarget | null} target */
const placeOf = (target) => target instanceof Element ? target.closest("[data-slot], [data-pile]") : null;

/** @param {Element | null | undefined} item */
function remove(item) {
  const line = item?.closest("li:not([data-slot])");
  (line ?? item)?.remove();
}

/** @param {HTMLElement} side */
function readSide(side) {
  const number = (/** @type {string} */ name) => {
    const field = /** @type {HTMLInputElement | null} */ (side.querySelector(`:scope > label input[name="${name}"]`));
    return field && field.value !== "" ? Number(field.value) : null;
  };
  const ring = [...side.querySelectorAll("[data-slot]")].map((slot) => {
    const item = /** @type {HTMLElement | null} */ (slot.querySelector(".laid"));
    if (!item) return null;
    const field = (/** @type {string} */ name) => /** @type {HTMLInputElement} */ (item.querySelector(`[name="${name}"]`));
    return { card: item.dataset.card, bp: field("bp").value === "" ? null : Number(field("bp").value), frozen: field("frozen").checked, fresh: field("fresh").checked };
  });
  const pile = (/** @type {string} */ name) =>
    [...side.querySelectorAll(`[data-pile="${name}"] .laid`)].map((item) => /** @type {HTMLElement} */ (item).dataset.card);
  return { hp: number("hp"), sp: number("sp"), ring, hand: pile("hand"), discards: pile("discards"), deck: pile("deck") };
}

function read() {
  const side = (/** @type {string} */ who) => readSide(/** @type {HTMLElement} */ (document.querySelector(`[data-side="${who}"]`)));
  const name = /** @type {HTMLInputElement} */ ($("name")).value || "A board";
  return { name, phase: /** @type {HTMLSelectElement} */ ($("phase")).value, me: side("me"), opponent: side("opponent") };
}

/** The board outlives a change of the page: files are saved while it is laid out. */
const keepHere = () => sessionStorage.setItem(KEPT, JSON.stringify(read()));

function restore() {
  const kept = sessionStorage.getItem(KEPT);
  if (!kept) return;
  /** @type {Map<string, HTMLElement>} */
  const all = new Map([...document.querySelectorAll("#palette [data-card]")].map((item) => [/** @type {HTMLElement} */ (item).dataset.card ?? "", /** @type {HTMLElement} */ (item)]));
  const board = JSON.parse(kept);
  /** @type {HTMLSelectElement} */ ($("phase")).value = board.phase;
  for (const who of ["me", "opponent"]) {
    const side = /** @type {HTMLElement} */ (document.querySelector(`[data-side="${who}"]`));
    for (const name of ["hp", "sp"]) {
      const field = /** @type {HTMLInputElement | null} */ (side.querySelector(`:scope > label input[name="${name}"]`));
      if (field && board[who][name] !== null) field.value = board[who][name];
    }
    const put = (/** @type {Element | null} */ place, /** @type {string} */ id, /** @type {object} */ marks) => {
      const item = all.get(id);
      // A card that is gone is gone from the board, too.
      if (item && place) lay(place, { ...cardOf(item), ...marks });
    };
    for (const [slot, one] of board[who].ring.entries()) {
      if (one) put(side.querySelector(`[data-slot="${slot}"]`), one.card, { bp: one.bp, frozen: one.frozen, fresh: one.fresh });
    }
    for (const pile of ["hand", "discards", "deck"]) {
      for (const id of board[who][pile]) put(side.querySelector(`[data-pile="${pile}"]`), id, {});
    }
  }
}

/** @param {string} what */
async function send(what) {
  keepHere();
  const answer = await fetch(`/front/dev/board/${what}`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(read()) });
  const words = await answer.text();
  if (!answer.ok) { say(words); return; }
  if (what === "play") location.assign(words); else say(`Kept as ${words}.`);
}

document.addEventListener("dragstart", (event) => {
  const item = event.target instanceof HTMLElement ? event.target.closest("[data-card]") : null;
  if (!(item instanceof HTMLElement)) return;
  held = cardOf(item);
  event.dataTransfer?.setData("text/plain", held.name);
  if (item.classList.contains("laid")) item.dataset.moving = "";
});
document.addEventListener("dragover", (event) => { if (held && placeOf(event.target)) event.preventDefault(); });
document.addEventListener("drop", (event) => {
  const place = placeOf(event.target);
  if (!held || !place) return;
  event.preventDefault();
  const moving = document.querySelector("[data-moving]");
  if (lay(place, held)) { remove(moving); keepHere(); }
});
document.addEventListener("dragend", () => {
  document.querySelector("[data-moving]")?.removeAttribute("data-moving");
  held = null;
});

document.addEventListener("click", (event) => {
  const target = event.target instanceof Element ? event.target.closest("button") : null;
  if (!target) return;
  if ("take" in target.dataset) {
    const item = /** @type {HTMLElement} */ (target.closest("[data-card]"));
    const again = target.getAttribute("aria-pressed") === "true";
    for (const other of document.querySelectorAll("[data-take]")) other.setAttribute("aria-pressed", "false");
    target.setAttribute("aria-pressed", String(!again));
    held = again ? null : cardOf(item);
  } else if ("lay" in target.dataset) {
    const place = placeOf(target);
    if (!held) say("Choose a card from the list first, or drag one here."); else if (place && lay(place, held)) keepHere();
  } else if ("off" in target.dataset) {
    remove(target.closest(".laid"));
    keepHere();
  } else if (target.id === "clear") {
    for (const item of document.querySelectorAll("#board .laid")) remove(item);
    sessionStorage.removeItem(KEPT);
  } else if (target.id === "play" || target.id === "keep") {
    void send(target.id);
  }
});
$("board")?.addEventListener("input", keepHere);
$("find")?.addEventListener("input", (event) => {
  const words = /** @type {HTMLInputElement} */ (event.target).value.toLowerCase();
  for (const item of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("#palette li"))) {
    item.hidden = !(item.dataset.name ?? "").toLowerCase().includes(words);
  }
});
if ($("board")) restore();
