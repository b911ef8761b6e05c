// The search field of cards: what can be written is offered while somebody types, and what is found takes the place of
// what was found before. The search itself runs where the page comes from: on the server, or in the worker.

/** How long nobody types before the search runs. */
const PAUSE = 90;

/**
 * Makes a form search by itself. `found` is called with the new markup when it stands on the page.
 * @param {HTMLFormElement} form
 * @param {HTMLElement} place Where what is found stands.
 * @param {(params: URLSearchParams) => void} found
 */
export function searches(form, place, found) {
  const field = /** @type {HTMLInputElement} */ (form.elements.namedItem("q"));
  let timer = 0;
  let asked = 0;
  const params = () => new URLSearchParams([...new FormData(form)].filter(([, value]) => value !== "").map(([name, value]) => [name, String(value)]));
  const search = async () => {
    const own = asked += 1;
    const wanted = params();
    let markup = "";
    try {
      const answer = await fetch(`${form.dataset.find}?${wanted}`);
      if (!answer.ok) return;
      markup = await answer.text();
    } catch { return; }
    // A later question has been asked meanwhile.
    if (own !== asked) return;
    const held = place.contains(document.activeElement) ? document.activeElement?.getAttribute("name") : null;
    place.innerHTML = markup;
    if (held) /** @type {HTMLElement | null} */ (place.querySelector(`[name="${CSS.escape(held)}"]`))?.focus();
    found(wanted);
  };
  const soon = () => { clearTimeout(timer); timer = setTimeout(search, PAUSE); };
  const offers = new Offers(field, soon);
  field.addEventListener("input", () => { soon(); offers.ask(); });
  form.addEventListener("change", (event) => { if (event.target !== field) soon(); });
  form.addEventListener("submit", (event) => { event.preventDefault(); offers.close(); clearTimeout(timer); search(); });
  return search;
}

/** What can be written, as a list below the field. */
class Offers {
  #field;
  #list;
  #chosen = -1;
  #asked = 0;
  #soon;

  constructor(/** @type {HTMLInputElement} */ field, /** @type {() => void} */ soon) {
    this.#field = field;
    this.#soon = soon;
    this.#list = /** @type {HTMLElement} */ (document.getElementById(field.getAttribute("aria-controls") ?? ""));
    field.addEventListener("keydown", (event) => this.#key(event));
    field.addEventListener("blur", () => setTimeout(() => this.close(), 150));
    this.#list.addEventListener("pointerdown", (event) => {
      const item = event.target instanceof Element ? event.target.closest("li") : null;
      if (!item) return;
      event.preventDefault();
      this.#take(item);
    });
  }

  async ask() {
    const own = this.#asked += 1;
    const text = this.#field.value;
    // What stands behind the caret is not completed.
    if (!text.trim() || this.#field.selectionStart !== text.length) { this.close(); return; }
    let markup = "";
    try {
      const answer = await fetch(`${this.#field.dataset.complete}?${new URLSearchParams({ q: text })}`);
      if (answer.ok) markup = await answer.text();
    } catch { return; }
    if (own !== this.#asked || document.activeElement !== this.#field) return;
    // What was chosen before the answer came stays so, if it is still offered.
    const had = /** @type {HTMLElement | undefined} */ (this.#list.children[this.#chosen])?.dataset.query;
    this.#list.innerHTML = markup;
    this.#list.hidden = !this.#list.children.length;
    this.#field.setAttribute("aria-expanded", String(!this.#list.hidden));
    this.#choose(had === undefined ? -1 : [.../** @type {NodeListOf<HTMLElement>} */ (this.#list.querySelectorAll(":scope > *"))].findIndex((item) => item.dataset.query === had));
  }

  close() {
    this.#asked += 1;
    this.#list.hidden = true;
    this.#field.setAttribute("aria-expanded", "false");
    this.#field.removeAttribute("aria-activedescendant");
    this.#chosen = -1;
  }

  #choose(/** @type {number} */ at) {
    const items = [...this.#list.children];
    this.#chosen = at;
    items.forEach((item, place) => item.setAttribute("aria-selected", String(place === at)));
    if (at < 0) { this.#field.removeAttribute("aria-activedescendant"); return; }
    this.#field.setAttribute("aria-activedescendant", items[at].id);
    items[at].scrollIntoView({ block: "nearest" });
  }

  #key(/** @type {KeyboardEvent} */ event) {
    if (this.#list.hidden) return;
    const many = this.#list.children.length;
    if (event.key === "ArrowDown") this.#choose((this.#chosen + 1) % many);
    else if (event.key === "ArrowUp") this.#choose((this.#chosen - 1 + many) % many);
    else if (event.key === "Escape") this.close();
    else if ((event.key === "Enter" || event.key === "Tab") && this.#chosen >= 0) this.#take(/** @type {HTMLElement} */ (this.#list.children[this.#chosen]));
    else return;
    event.preventDefault();
  }

  #take(/** @type {HTMLElement} */ item) {
    this.#field.value = item.dataset.query ?? this.#field.value;
    this.close();
    this.#soon();
    // Behind the name of a property its values can be chosen at once.
    if (/[:=<>]$/.test(this.#field.value)) this.ask();
  }
}
