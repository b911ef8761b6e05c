// The playground: a game's texts in an editor, what is wrong with them as one types, cards drawn, scenarios run, and the
// table with a card in hand. Everything is done by the worker, in this browser.

import { editor } from "./editor.js";

/**
 * What the page around gives the playground.
 * @typedef {{ ask: (what: any, transfer?: Transferable[]) => Promise<any>, reader: () => Promise<typeof import("./folder.js")>, notice: (words: string) => void, share: (archive: Uint8Array) => void, left: () => void, tried: () => void }} PlaygroundHost
 */

/** @typedef {{ file: string, from: number, to: number, text: string }} FixEdit */
/** @typedef {{ code: string, severity: "error" | "warning" | "info", file: string, line: number, from: number, to: number, message: string, help: string | null, fix: { title: string, safe: boolean, edits: FixEdit[] } | null }} Finding */
/** @typedef {{ card: number, id: string, name: string, text: string }} WorkshopCard */

/** What a pause of the typist is, in milliseconds. */
const PAUSE = 250;

/** An element with children. */
function make(/** @type {string} */ name, /** @type {Record<string, any>} */ given = {}, /** @type {(Node | string)[]} */ ...inside) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(given)) {
    if (key in made) /** @type {any} */ (made)[key] = value; else made.setAttribute(key, value);
  }
  made.append(...inside);
  return made;
}

const SIGNS = { error: "Error", warning: "Warning", info: "Hint" };

/**
 * The playground, in an element of its own over the page.
 * @param {PlaygroundHost} host
 */
export async function playground(host) {
  if (!document.querySelector('link[href="playground.css"]')) {
    const style = make("link", { rel: "stylesheet", href: "playground.css" });
    const loaded = new Promise((done) => { style.onload = style.onerror = done; });
    document.head.append(style);
    await loaded;
  }
  /** The file in the editor. */
  let file = "";
  let name = "game";
  /** What was changed since it was last saved. */
  let changed = false;
  /** @type {Finding[]} */
  let found = [];
  /** @type {WorkshopCard[]} */
  let cards = [];
  let card = -1;

  const files = /** @type {HTMLSelectElement} */ (make("select", { ariaLabel: "File" }));
  const place = make("div", { className: "code" });
  const count = make("output", { className: "count" });
  const list = make("ol", { className: "found" });
  const chosen = /** @type {HTMLSelectElement} */ (make("select", { ariaLabel: "Card" }));
  const face = /** @type {HTMLImageElement} */ (make("img", { className: "face", alt: "" }));
  const why = make("p", { className: "quiet" });
  const tryIt = /** @type {HTMLButtonElement} */ (make("button", { type: "button", className: "go" }, "Try it at the table"));
  const ran = make("ol", { className: "found" });
  const runs = make("button", { type: "button" }, "Run the scenarios");
  const told = make("p", { className: "quiet", role: "status" });

  const panels = {
    found: make("div", { className: "panel", id: "panel-found" }, count, list),
    card: make("div", { className: "panel", id: "panel-card", hidden: true }, chosen, tryIt, why, face),
    scenarios: make("div", { className: "panel", id: "panel-scenarios", hidden: true }, runs, told, ran),
  };
  /** @type {Record<string, HTMLElement>} */
  const tabs = {};
  const row = make("div", { role: "tablist", className: "tabs", ariaLabel: "What the game says" });
  for (const [key, words] of Object.entries({ found: "Findings", card: "Card", scenarios: "Scenarios" })) {
    tabs[key] = make("button", { type: "button", role: "tab", id: `tab-${key}`, "aria-controls": `panel-${key}`, onclick: () => turn(key) }, words);
    const panel = panels[/** @type {keyof typeof panels} */ (key)];
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-labelledby", `tab-${key}`);
    row.append(tabs[key]);
  }
  row.onkeydown = ({ key }) => {
    const keys = Object.keys(tabs);
    const at = keys.findIndex((one) => tabs[one].ariaSelected === "true");
    const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
    if (!step) return;
    const next = keys[(at + step + keys.length) % keys.length];
    turn(next);
    tabs[next].focus();
  };
  function turn(/** @type {string} */ wanted) {
    for (const [key, panel] of Object.entries(panels)) {
      panel.hidden = key !== wanted;
      tabs[key].ariaSelected = String(key === wanted);
      tabs[key].tabIndex = key === wanted ? 0 : -1;
    }
    if (wanted === "card") draw();
  }

  const picker = (/** @type {string} */ words, /** @type {Record<string, any>} */ given, /** @type {(chosen: File[]) => void} */ take) => {
    const input = /** @type {HTMLInputElement} */ (make("input", { type: "file", ...given }));
    input.onchange = () => { if (input.files?.length) take([...input.files]); input.value = ""; };
    return make("label", { className: "file" }, words, input);
  };
  const opens = make("details", { className: "menu" }, make("summary", {}, "Open"), make("div", {},
    picker("Your own folder", { webkitdirectory: true, multiple: true }, (chosen) => openFolder(async () => (await host.reader()).ofPicker(chosen))),
    picker("Your own game (.o8g, .zip)", { accept: ".o8g,.zip,.nupkg" }, async (chosen) => open({ archive: new Uint8Array(await chosen[0].arrayBuffer()) })),
    make("p", { className: "quiet" }, "Or drop it here. It is read in this browser and sent nowhere."),
  ));
  const saves = make("details", { className: "menu" }, make("summary", {}, "Save"), make("div", {},
    make("button", { type: "button", onclick: () => save("zip") }, "The folder as a zip"),
    make("button", { type: "button", onclick: () => save("package") }, "The game for OCTGN (.o8g)"),
    make("button", { type: "button", onclick: share }, "A link with the game"),
  ));
  const title = make("h1", {}, "Playground");
  const root = make("section", { id: "playground", ariaLabel: "Playground", hidden: true },
    make("header", {}, title, files, opens, saves,
      make("button", { type: "button", onclick: () => play(undefined) }, "Play the game"),
      make("button", { type: "button", className: "close", onclick: leave }, "Close")),
    make("div", { className: "work" }, place, make("div", { className: "side" }, row, ...Object.values(panels))));
  document.body.append(root);
  // A menu closes when something in it was chosen, or something else was clicked.
  root.addEventListener("click", (event) => {
    for (const menu of root.querySelectorAll("details[open]")) {
      if (!(event.target instanceof Node) || !menu.contains(event.target) || event.target instanceof HTMLButtonElement) menu.removeAttribute("open");
    }
  });
  turn("found");

  // The editor lies in a root of its own: its styles are sheets that a script makes, which the page's policy lets only there.
  const shadow = place.attachShadow({ mode: "open" });
  const view = editor(shadow, write, moved);

  /** Nothing is lost by closing the tab without a question. */
  const stay = (/** @type {BeforeUnloadEvent} */ event) => { if (changed) event.preventDefault(); };
  addEventListener("beforeunload", stay);

  let pause = 0;
  let newest = 0;
  /** The text was changed: it is written down, then looked at when the typist pauses. */
  function write(/** @type {string} */ text) {
    changed = true;
    newest += 1;
    clearTimeout(pause);
    const into = file;
    pause = setTimeout(async () => {
      pause = 0;
      const answer = await host.ask({ ask: { do: "write", name: into, text } });
      if (answer.why) { host.notice(answer.why); return; }
      await check();
    }, PAUSE);
  }

  /** Writes down what was typed, and has it looked at, without waiting for a pause. */
  async function flush() {
    if (!pause) return;
    clearTimeout(pause);
    pause = 0;
    await host.ask({ ask: { do: "write", name: file, text: view.text() } });
    check();
  }

  /** The text that the findings are about, as `newest` counts. */
  let checked = 0;
  /** What is wrong now. An answer to an older text is for nobody. */
  async function check() {
    const asked = newest;
    count.textContent = "Looking …";
    const answer = await host.ask({ ask: { do: "check" } });
    if (asked !== newest) return;
    if (answer.why) { count.textContent = answer.why; found = []; show(); return; }
    ({ found, cards, name } = answer);
    checked = asked;
    title.textContent = name || "Playground";
    const many = (/** @type {number} */ number, /** @type {string} */ what) => `${number} ${what}${number === 1 ? "" : "s"}`;
    const sum = answer.errors + answer.warnings + answer.hints;
    count.textContent = sum ? [many(answer.errors, "error"), many(answer.warnings, "warning"), many(answer.hints, "hint")].join(", ") : "No problems found.";
    tabs.found.textContent = sum ? `Findings (${sum})` : "Findings";
    show();
    const had = card;
    chosen.replaceChildren(...cards.map((one) => make("option", { value: String(one.card), selected: one.card === had }, one.name)));
    if (!cards.some((one) => one.card === card)) card = cards[0]?.card ?? -1;
    moved(view.place());
    if (!panels.card.hidden) draw();
  }

  /** The findings as a list, and as marks in the text. */
  function show() {
    list.replaceChildren(...found.map((one) => {
      const item = make("li", { className: one.severity });
      item.append(make("button", { type: "button", className: "where", onclick: () => go(one.file, one.from) },
        make("b", {}, SIGNS[one.severity]), ` ${one.file}, line ${one.line}: `, make("span", {}, one.message)));
      if (one.help) item.append(make("p", { className: "quiet" }, one.help));
      const { fix } = one;
      if (fix) item.append(make("button", { type: "button", className: "fix", onclick: () => mend(fix) }, `Fix: ${fix.title}`));
      return item;
    }));
    view.mark(found.filter((one) => one.file === file).map(({ from, to, severity, message, fix }) => ({
      from, to, severity, message, actions: fix ? [{ name: fix.title, apply: () => mend(fix) }] : [],
    })));
  }

  /** Applies a fix: in the editor, so that it can be taken back there. */
  async function mend(/** @type {{ edits: FixEdit[] }} */ fix) {
    // Its places are those of the text that was looked at.
    if (checked !== newest) { host.notice("The text has changed since. The fix comes again in a moment."); return; }
    const of = fix.edits[0]?.file;
    if (of !== file) await show_file(of);
    view.change(fix.edits.filter((edit) => edit.file === file).map(({ from, to, text }) => ({ from, to, insert: text })));
  }

  async function go(/** @type {string} */ wanted, /** @type {number} */ from) {
    if (wanted !== file) await show_file(wanted);
    view.go(from);
  }

  /** Shows a file in the editor. What was typed in the one before is written down first. */
  async function show_file(/** @type {string} */ wanted) {
    if (file) await flush();
    const answer = await host.ask({ ask: { do: "text", name: wanted } });
    if (answer.why) { host.notice(answer.why); return; }
    file = wanted;
    files.value = wanted;
    view.show(answer.text, wanted.endsWith(".rules") ? "rules" : wanted.endsWith(".toml") ? "toml" : "xml", wanted);
    show();
  }
  files.onchange = () => show_file(files.value);

  /** The card in whose rule the cursor stands is the one that is drawn. */
  function moved(/** @type {number} */ at) {
    const before = view.text().slice(0, at);
    const header = file.endsWith(".rules") ? [...before.matchAll(/^\[([^\]\n]+)\]/gm)].pop() : [...before.matchAll(/<card[^>]*?\bid="([^"]+)"/g)].pop();
    const wanted = header?.[1].trim().toLowerCase();
    const here = cards.find((one) => one.id.toLowerCase() === wanted || one.name.toLowerCase() === wanted);
    if (!here || here.card === card) return;
    card = here.card;
    chosen.value = String(card);
    if (!panels.card.hidden) draw();
  }
  chosen.onchange = () => { card = Number(chosen.value); draw(); };

  async function draw() {
    tryIt.disabled = card < 0;
    if (card < 0) { why.textContent = "There is no card to show yet."; face.removeAttribute("src"); return; }
    const wanted = card;
    const answer = await host.ask({ ask: { do: "face", card: wanted } });
    if (wanted !== card) return;
    const here = cards.find((one) => one.card === wanted);
    why.textContent = answer.why ?? "";
    face.alt = here ? `${here.name}. ${here.text}` : "";
    if (answer.svg) face.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(answer.svg)}`; else face.removeAttribute("src");
  }

  runs.onclick = async () => {
    told.textContent = "Running …";
    await flush();
    const answer = await host.ask({ ask: { do: "scenarios" } });
    if (answer.why) { told.textContent = answer.why; ran.replaceChildren(); return; }
    const failed = answer.scenarios.filter((/** @type {any} */ one) => one.why.length);
    told.textContent = answer.scenarios.length ? `${answer.scenarios.length - failed.length} of ${answer.scenarios.length} scenarios are as expected.` : "This game has no scenarios. They are .toml files with [[scenario]] in them.";
    ran.replaceChildren(...failed.map((/** @type {any} */ one) => make("li", { className: "error" },
      make("button", { type: "button", className: "where", onclick: () => go(one.file, one.from) }, make("b", {}, "Failed"), ` ${one.name}`),
      ...one.why.map((/** @type {string} */ words) => make("p", { className: "quiet" }, words)))));
  };

  /** The table: with a card in hand, or the game from its front page. */
  async function play(/** @type {number | undefined} */ wanted) {
    await flush();
    const answer = await host.ask({ out: wanted });
    if (answer.why) { host.notice(`This cannot be played: ${answer.why}.`); return; }
    root.hidden = true;
    host.tried();
  }
  tryIt.onclick = () => play(card);

  async function save(/** @type {"zip" | "package"} */ kind) {
    await flush();
    const text = newest;
    const answer = await host.ask({ bytes: kind });
    if (answer.why) { host.notice(`This cannot be saved: ${answer.why}.`); return; }
    const link = /** @type {HTMLAnchorElement} */ (make("a", { href: URL.createObjectURL(new Blob([answer.bytes])), download: `${name.replace(/[^\p{L}\p{N} _-]/gu, "_") || "game"}.${kind === "zip" ? "zip" : "o8g"}` }));
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    // What was typed meanwhile is not in the file.
    if (text === newest) changed = false;
  }

  async function share() {
    await flush();
    const answer = await host.ask({ bytes: "package" });
    if (answer.why) host.notice(`This cannot be shared: ${answer.why}.`); else host.share(answer.bytes);
  }

  async function openFolder(/** @type {() => Promise<any>} */ read) {
    try { await open({ files: await read() }); } catch (fault) { host.notice(/** @type {Error} */ (fault).message); }
  }

  /**
   * Opens a game: the one that is shown, an archive, or the files of a folder.
   * @param {{ archive?: Uint8Array, files?: { path: string, bytes: Uint8Array }[] }} what
   */
  async function open(what) {
    for (const menu of root.querySelectorAll("details[open]")) menu.removeAttribute("open");
    if (changed && !confirm("Your changes are not saved. Open something else?")) return;
    clearTimeout(pause);
    pause = 0;
    const answer = await host.ask({ open: what });
    if (answer.why) { host.notice(`That cannot be opened: ${answer.why}.`); return; }
    if (answer.remarks.length) host.notice(answer.remarks.join("\n"));
    changed = false;
    file = "";
    const names = (await host.ask({ ask: { do: "files" } })).files;
    files.replaceChildren(...names.map((/** @type {string} */ one) => make("option", { value: one }, one)));
    root.hidden = false;
    if (names.length) await show_file(names[0]);
    newest += 1;
    await check();
  }

  function leave() {
    if (changed && !confirm("Your changes are not saved. Close the playground?")) return;
    removeEventListener("beforeunload", stay);
    host.left();
  }

  return {
    open,
    openFolder,
    back() { root.hidden = false; },
    /** Whether something lies over the page. */
    isShown: () => !root.hidden,
    /** Whether something would be lost. */
    isChanged: () => changed,
  };
}
