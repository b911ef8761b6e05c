// CPU of the page's main thread per choice: node cpu.mjs BIN
process.env.CARDWRIGHT = process.argv[2]; process.env.CHROMIUM = "/usr/bin/chromium";
const { answers, changed, closeAll, number, open, over, serve } = await import("./table.mjs");
const served = await serve("--seed", "21", "--seat2", "human");
const pages = [await open(served.links[0]), await open(served.links[1])];
const cdp = [];
for (const p of pages) { const c = await p.context().newCDPSession(p); await c.send("Performance.enable", { timeDomain: "threadTicks" }); cdp.push(c); }
const read = async (c) => Object.fromEntries((await c.send("Performance.getMetrics")).metrics.map((m) => [m.name, m.value]));
const rows = [];
for (let n = 0; n < 200 && !await over(pages[0]); n += 1) {
  const w = await pages[0].locator("#prompt[data-mine]").count() ? 0 : 1;
  const page = pages[w];
  const since = await number(page);
  const { options, at } = await answers(page);
  const value = await options.nth(at).getAttribute("value");
  const a = await read(cdp[w]);
  await page.evaluate(([value, old]) => new Promise((done) => {
    const watch = new MutationObserver(() => { if (document.getElementById("prompt").dataset.number === old) return; watch.disconnect(); requestAnimationFrame(() => setTimeout(done, 0)); });
    watch.observe(document.body, { subtree: true, childList: true });
    document.querySelector(`#prompt button[value="${value}"][form="answer"]`).click();
  }), [value, since]);
  const b = await read(cdp[w]);
  rows.push(["TaskDuration", "ScriptDuration", "RecalcStyleDuration", "LayoutDuration"].map((k) => (b[k] - a[k]) * 1000));
  await Promise.all(pages.map((one) => changed(one, since)));
}
const pct = (k, f) => rows.map((r) => r[k]).sort((x, y) => x - y)[Math.floor(rows.length * f)].toFixed(1);
console.log(process.argv[2], rows.length, "task med/p95", pct(0, .5), pct(0, .95), "script", pct(1, .5), pct(1, .95), "style", pct(2, .5), pct(2, .95), "layout", pct(3, .5), pct(3, .95));
await served.stop(); await closeAll(); process.exit(0);
