// The law of fit: what must hold on every page of the table, at every size.

/** From a small phone to a large screen, upright and on their side. */
export const SIZES = [
  { width: 1280, height: 720 }, { width: 1280, height: 800 }, { width: 1366, height: 768 }, { width: 1920, height: 1080 }, { width: 2560, height: 1440 },
  { width: 1024, height: 768 }, { width: 820, height: 1180 }, { width: 390, height: 844 }, { width: 844, height: 390 }, { width: 320, height: 640 },
];

/** What is wrong with the page, in words; `board` is where the board lies. */
export const look = (page) => page.evaluate(() => {
  const faults = [];
  const box = (node) => node.getBoundingClientRect();
  const words = (node) => (node.getAttribute("aria-label") ?? node.textContent).trim().slice(0, 50);
  const inside = (node, name) => {
    const { left, top, right, bottom, width } = box(node);
    if (!width) { faults.push(`${name} is not there`); return false; }
    if (left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1) { faults.push(`${name} is off the screen: ${Math.round(left)},${Math.round(top)} to ${Math.round(right)},${Math.round(bottom)}`); return false; }
    return true;
  };
  /** Whether a finger on it reaches it, at the middle and near its corners. */
  const free = (node, name) => {
    const { left, top, width, height } = box(node);
    for (const [x, y] of [[.5, .5], [.1, .2], [.9, .2], [.1, .8], [.9, .8]]) {
      const hit = document.elementFromPoint(left + width * x, top + height * y);
      if (!hit || !(node.contains(hit) || hit.contains(node) && hit.matches("li"))) { faults.push(`${name} is covered by ${hit?.tagName}.${hit?.className}`); return; }
    }
  };
  const [wide, tall] = [document.documentElement.scrollWidth, document.documentElement.scrollHeight];
  if (wide > innerWidth || tall > innerHeight) faults.push(`the page is ${wide}×${tall} in ${innerWidth}×${innerHeight}`);
  const question = document.querySelector("#question, #prompt .quiet");
  if (inside(question, "the question")) free(question, "the question");
  const count = document.querySelector("#them-bar .in-hand");
  if (inside(count, "the hand count")) free(count, "the hand count");
  const panel = document.getElementById("shown");
  if (panel && !panel.hidden && inside(panel, "what is shown")) {
    free(panel, "what is shown");
    const { left, top, right, bottom } = box(panel);
    for (const other of document.querySelectorAll("#them-bar, .felt, #me-bar, #hand, #prompt, .tools .small, #zoom")) {
      const there = box(other);
      if (there.width && left < there.right - 1 && there.left < right - 1 && top < there.bottom - 1 && there.top < bottom - 1) faults.push(`what is shown lies over ${other.id || other.className}`);
    }
  }
  for (const pile of document.querySelectorAll(".pile")) if (inside(pile, `the pile ${words(pile)}`)) free(pile, `the pile ${words(pile)}`);
  for (const bar of document.querySelectorAll(".bar .hp b, .bar .sp b")) if (inside(bar, "a number")) free(bar, "a number");
  // Of answers further down their number is told.
  const choices = document.querySelector("#prompt .choices");
  const below = choices ? [...choices.querySelectorAll("button")].filter((option) => box(option).bottom > box(choices).bottom + 1).length : 0;
  if (below && !(Number(choices.dataset.more) >= below)) faults.push(`${below} options lie below, and the page tells ${choices.dataset.more ?? "nothing"} of them`);
  for (const option of document.querySelectorAll("#prompt .onward button")) if (inside(option, words(option))) free(option, words(option));
  for (const option of document.querySelectorAll("#prompt .choices button:not(.small, .once *)")) {
    option.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
    if (inside(option, words(option))) free(option, words(option));
  }
  document.querySelector(".choices")?.scrollTo(0, 0);
  for (const card of document.querySelectorAll("#hand .card.legal")) {
    card.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
    inside(card, `${words(card)} in the hand`);
  }
  for (const card of document.querySelectorAll(".felt .slot")) inside(card, words(card));
  for (const card of document.querySelectorAll(".felt .card.legal")) if (inside(card, words(card))) {
    const { left, top, width, height } = box(card);
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    if (!card.contains(hit)) faults.push(`${words(card)} is covered by ${hit?.className}`);
  }
  const texts = "#question, #prompt button, #prompt p, .bar h2, .bar b, .in-hand, .pile, .pile span, .ribbon strong, .ribbon li > *, .tools .small, .m";
  for (const text of document.querySelectorAll(texts)) {
    if (!text.getClientRects().length || text.clientWidth === 1) continue;
    const inline = getComputedStyle(text).display === "inline";
    if (!inline && (text.scrollWidth > text.clientWidth + 1 || text.scrollHeight > text.clientHeight + 2 && text.matches("button")) && !text.matches(".card")) faults.push(`“${words(text)}” (${text.tagName}.${text.className}) runs over its box: ${text.scrollWidth}×${text.scrollHeight} in ${text.clientWidth}×${text.clientHeight}`);
    const bar = text.closest(".bar, .ribbon");
    if (bar && box(text).right > box(bar).right + 1) faults.push(`“${words(text)}” runs out of its bar`);
  }
  const written = document.createTreeWalker(document.getElementById("table"), NodeFilter.SHOW_TEXT);
  for (let text = written.nextNode(); text; text = written.nextNode()) {
    const { parentElement: node } = text;
    if (!text.data.trim() || !node.getClientRects().length) continue;
    if (parseFloat(getComputedStyle(node).fontSize) < 11.99) faults.push(`“${words(node)}” (${node.tagName}.${node.className}) is smaller than 12 px`);
  }
  // No letter touches a letter across two inline elements: a reader that is read to hears one word.
  const inline = "span, b, i, small, a, kbd, strong, em, code, time";
  const letters = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  let last = null;
  for (let node = letters.nextNode(); node; node = letters.nextNode()) {
    // What is laid out as a block is one, whatever its name; the parts of a button are read in one go all the same.
    if (node.nodeType === Node.ELEMENT_NODE) {
      if (!node.matches(inline) || !node.closest("button, a") && getComputedStyle(node).display !== "inline") last = null;
      continue;
    }
    const block = node.parentElement.closest(`:not(${inline})`);
    const [from, to] = [last?.node.data.match(/\p{L}$/u), node.data.match(/^\p{L}/u)];
    const beside = [last?.node, node].every((text) => text && (block.closest("button, a") || getComputedStyle(text.parentElement).display === "inline"));
    if (from && to && beside && last.block === block && !block.closest(".facts, .card")) faults.push(`“${last.node.data.slice(-30)}” and “${node.data.slice(0, 30)}” are one word`);
    last = { node, block };
  }
  const bars = [...document.querySelectorAll(".bar > *, .ribbon > *")].filter((node) => box(node).width && getComputedStyle(node).position !== "absolute");
  for (const [at, node] of bars.entries()) {
    const next = bars[at + 1];
    if (next && next.parentElement === node.parentElement && box(node).right > box(next).left + 1 && box(node).bottom > box(next).top + 1 && box(node).top < box(next).bottom - 1) faults.push(`“${words(node)}” lies over “${words(next)}”`);
  }
  const board = ["them-ring", "me-ring", "ribbon", "prompt"].map((id) => { const { left, top, width } = box(document.getElementById(id)); return [left, top, width].map(Math.round).join(); });
  return { faults, board: board.join(" ") };
});
