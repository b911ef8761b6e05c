// A network that falls silent: what tests of both tables share.

import { connect, createServer } from "node:net";

/** A proxy that can fall silent: connections stay open, and nothing comes through. */
export async function proxy(port) {
  const held = [];
  const state = { silent: false };
  const server = createServer((client) => {
    const there = connect(port, "127.0.0.1");
    for (const [from, to] of [[client, there], [there, client]]) {
      from.on("data", (data) => { if (!state.silent) to.write(data); });
      from.on("error", () => to.destroy());
      from.on("close", () => { if (!state.silent) to.destroy(); });
    }
    held.push(client, there);
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return { port: server.address().port, state, stop: () => { for (const socket of held) socket.destroy(); server.close(); } };
}
/** A link as it leads through a proxy. */
export const through = (swallows, link) => link.replace(`:${new URL(link).port}`, `:${swallows.port}`);
