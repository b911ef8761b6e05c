// The page on which two decks lie beside each other: a list that is written or dropped chooses itself, and what names decks
// only becomes an address that can be kept.

const form = /** @type {HTMLFormElement} */ (document.querySelector(".versus-form"));
const lists = /** @type {NodeListOf<HTMLTextAreaElement>} */ (form.querySelectorAll("textarea"));

/** The choice that stands above a list. */
function choice(/** @type {HTMLTextAreaElement} */ list) {
  return /** @type {HTMLSelectElement} */ (list.closest(".side-of")?.querySelector("select"));
}
for (const list of lists) {
  list.addEventListener("input", () => { if (list.value.trim()) choice(list).value = "list"; });
  choice(list).addEventListener("change", () => {
    const isList = choice(list).value === "list";
    const details = /** @type {HTMLDetailsElement} */ (list.closest("details"));
    details.open = isList;
    if (isList) list.focus();
  });
}
form.addEventListener("submit", () => {
  const pasted = [...lists].filter((list) => choice(list).value === "list");
  for (const list of lists) list.disabled = !pasted.includes(list);
  form.method = pasted.length ? "post" : "get";
});
// Coming back to this page, the lists can be written in again.
addEventListener("pageshow", () => { for (const list of lists) list.disabled = false; });
for (const kind of /** @type {const} */ (["dragover", "drop"])) {
  addEventListener(kind, async (event) => {
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    const side = event.target instanceof Element ? event.target.closest(".side-of") : null;
    const list = /** @type {HTMLTextAreaElement | null} */ (side?.querySelector("textarea") ?? lists[lists.length - 1] ?? null);
    if (kind !== "drop" || !file || !list) return;
    const details = /** @type {HTMLDetailsElement} */ (list.closest("details"));
    details.open = true;
    list.value = await file.text();
    choice(list).value = "list";
    list.focus();
  });
}
