// The arena: while computers play, what there is to say of it is asked for again and again.

const place = /** @type {HTMLElement} */ (document.getElementById("arena"));
/** Between two looks, in milliseconds. */
const pause = 700;

const folded = () => /** @type {HTMLDetailsElement | null} */ (place.querySelector("details"));

async function look() {
  try {
    const answer = await fetch(place.dataset.from ?? "", { signal: AbortSignal.timeout(20000) });
    if (answer.ok) {
      const held = place.contains(document.activeElement) ? document.activeElement?.id : "";
      const isOpen = folded()?.open;
      place.innerHTML = await answer.text();
      const details = folded();
      if (details && isOpen) details.open = true;
      if (held) (document.getElementById(held) ?? /** @type {HTMLElement} */ (document.querySelector(".arena-form .go"))).focus();
    } else if (answer.status === 404) {
      // The deck was forgotten, perhaps in another tab.
      place.textContent = place.dataset.gone ?? "";
    }
  } catch { /* The next look may find it. */ }
  if (place.querySelector("[data-running]")) setTimeout(look, pause);
}
if (place.querySelector("[data-running]")) setTimeout(look, pause);
