// Asks the page's module: in Node by `node twin.mjs MODULE GAME TASKS [--time]`, one answer a line, with how many
// milliseconds it took if that is asked for; in a browser by `ask`. The rest of a split module lies beside its first part.

/** The answers to the tasks, as JSON texts. It stands alone, so that a test can send it to a page. */
export async function ask(code, game, tasks, timed = false, rest = undefined) {
  const compiled = await WebAssembly.compile(code);
  const imports = { env: {
    passed: () => performance.now(),
    today: () => Date.now(),
    random: () => 4,
    told: () => console.error(new TextDecoder().decode(given())),
  } };
  for (const { module, name } of WebAssembly.Module.imports(compiled)) {
    imports[module] ??= {};
    imports[module][name] ??= () => { throw new Error(`${name} is not there`); };
  }
  const { exports: module } = await WebAssembly.instantiate(compiled, imports);
  if (rest) await WebAssembly.instantiate(rest, { primary: module });
  const memory = () => new Uint8Array(module.memory.buffer);
  const given = () => memory().slice(module.given(), module.given() + module.given_length());
  return tasks.map((task) => {
    const words = new TextEncoder().encode(`${JSON.stringify(task)}\0`);
    const at = module.room(words.length + game.length);
    memory().set(words, at);
    memory().set(game, at + words.length);
    const begun = performance.now();
    module.twin();
    const took = performance.now() - begun;
    const answer = new TextDecoder().decode(given());
    return timed ? JSON.stringify({ ...JSON.parse(answer), took }) : answer;
  });
}

if (globalThis.process?.argv[1] === import.meta.filename) {
  const { existsSync, readFileSync } = await import("node:fs");
  const [code, game, tasks] = process.argv.slice(2, 5).map((path) => readFileSync(path));
  const beside = process.argv[2].replace(/play\.wasm$/, "play-rest.wasm");
  const rest = beside !== process.argv[2] && existsSync(beside) ? readFileSync(beside) : undefined;
  for (const answer of await ask(code, game, JSON.parse(tasks), process.argv[5] === "--time", rest)) console.log(answer);
}
