// Beside a text that is ready to be shared: the device's own way to share, and a copy. It is loaded when somebody wants it.

const style = new CSSStyleSheet();
style.replaceSync([
  ".shared textarea { width: 100%; box-sizing: border-box; padding: .5rem; resize: vertical; color: inherit; background: #00000014; border: 1px solid; border-radius: .5rem; font: .875rem/1.4 ui-monospace, Consolas, monospace; overflow-wrap: anywhere; }",
  ".shared p { display: flex; gap: .5rem; align-items: center; margin: .4rem 0 1rem; }",
  ".shared h4 { margin: 0 0 .3rem; }",
].join(""));
document.adoptedStyleSheets = [...document.adoptedStyleSheets, style];

/** Says beside a button what became of it. */
function tell(/** @type {HTMLElement} */ button, /** @type {string} */ words) {
  const place = button.parentElement?.querySelector("output") ?? button.parentElement?.appendChild(document.createElement("output"));
  if (place) place.textContent = words;
}

/**
 * Gives the texts below an element their buttons.
 * @param {ParentNode} place
 */
export function share(place) {
  for (const field of /** @type {NodeListOf<HTMLTextAreaElement>} */ (place.querySelectorAll("textarea[data-share]"))) {
    const section = /** @type {HTMLElement} */ (field.closest(".shared"));
    const send = /** @type {HTMLButtonElement} */ (section.querySelector("[data-send]"));
    const take = /** @type {HTMLButtonElement} */ (section.querySelector("[data-take]"));
    field.onfocus = () => field.select();
    send.hidden = !navigator.share;
    // Who gives it up has done nothing wrong.
    send.onclick = () => navigator.share({ text: field.value }).catch(() => {});
    take.hidden = false;
    take.onclick = async () => {
      field.select();
      try {
        await navigator.clipboard.writeText(field.value);
        tell(take, take.dataset.done ?? "");
      } catch {
        // Without a clipboard the text stays selected.
        tell(take, "Ctrl+C");
      }
    };
  }
}
share(document);
