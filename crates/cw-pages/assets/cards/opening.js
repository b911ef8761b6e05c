// Packs are opened: a card turns when it is touched, a pack from its most common card to its rarest, or all at once. Who
// wants little motion sees the cards change places with their backs and nothing fly.

const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
/** The pause between two cards of a pack that turns by itself. */
const PAUSE = 130;
const faceDown = (/** @type {ParentNode} */ place) => /** @type {HTMLElement[]} */ ([...place.querySelectorAll(".card.turned")]);

function turn(/** @type {HTMLElement} */ card) {
  if (!card.classList.contains("turned")) return;
  card.classList.remove("turned");
  card.setAttribute("aria-label", card.dataset.name ?? "");
  card.closest("li")?.classList.add("lit");
  if (!faceDown(document).length) for (const id of ["turn-pack", "turn-all"]) document.getElementById(id)?.setAttribute("disabled", "");
}

document.addEventListener("click", (event) => {
  const card = event.target instanceof Element ? event.target.closest(".card.turned") : null;
  if (card) turn(/** @type {HTMLElement} */ (card));
});
/** @type {HTMLElement} */ (document.getElementById("turn-pack")).onclick = async () => {
  const pack = [...document.querySelectorAll(".pack")].find((pack) => faceDown(pack).length);
  if (!pack) return;
  pack.scrollIntoView({ block: "nearest", behavior: calm ? "instant" : "smooth" });
  for (const card of faceDown(pack)) {
    turn(card);
    // What is rare has its moment.
    const long = card.closest("li")?.dataset.light === "rare" ? 5 : 1;
    if (!calm) await new Promise((done) => setTimeout(done, PAUSE * long));
  }
};
/** @type {HTMLElement} */ (document.getElementById("turn-all")).onclick = () => { for (const card of faceDown(document)) turn(card); };
document.body.classList.add("scripted");
