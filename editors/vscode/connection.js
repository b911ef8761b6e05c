// JSON-RPC with a program on its standard input and output, framed as the Language Server Protocol frames it.
"use strict";

const { spawn } = require("node:child_process");

/**
 * What is done with messages of the program's own accord.
 * @typedef {object} Listener
 * @property {(method: string, params: any) => void} notified
 * @property {(method: string, params: any) => any} asked Returns the answer, or a promise of it.
 * @property {(words: string) => void} said Is told what the program writes on its standard error.
 * @property {(why: Error | null) => void} ended Is told once that nothing comes any more; with an error if it never began.
 */

/** An answer that says why there is none. */
class ResponseError extends Error {
  /** @param {{ code: number, message: string }} error */
  constructor(error) {
    super(error.message);
    this.code = error.code;
  }
}

class Connection {
  /**
   * Starts a program.
   * @param {string} program
   * @param {string[]} parameters
   * @param {Listener} listener
   */
  constructor(program, parameters, listener) {
    this.listener = listener;
    /** @type {Map<number, { resolve: (answer: any) => void, reject: (error: Error) => void }>} */
    this.waiting = new Map();
    this.asked = 0;
    this.isOver = false;
    this.read = Buffer.alloc(0);
    this.child = spawn(program, parameters, { stdio: ["pipe", "pipe", "pipe"], windowsHide: true });
    this.child.stdout.on("data", (bytes) => this.take(bytes));
    this.child.stderr.setEncoding("utf8").on("data", (words) => listener.said(words));
    // The pipe breaks when the program ends; `exit` says so.
    this.child.stdin.on("error", () => {});
    this.child.on("error", (why) => this.end(why));
    this.child.on("exit", () => this.end(null));
  }

  /**
   * Asks the program.
   * @param {string} method
   * @param {any} params
   * @param {{ onCancellationRequested: (listener: () => void) => { dispose(): void } }} [token] Takes the question back.
   * @returns {Promise<any>}
   */
  request(method, params, token) {
    if (this.isOver) return Promise.reject(new Error("the server is not running"));
    const id = ++this.asked;
    const answer = new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
    const cancels = token?.onCancellationRequested(() => this.notify("$/cancelRequest", { id }));
    this.send({ id, method, params });
    return answer.finally(() => cancels?.dispose());
  }

  /**
   * Tells the program.
   * @param {string} method
   * @param {any} params
   */
  notify(method, params) {
    if (!this.isOver) this.send({ method, params });
  }

  /** Ends the program as the protocol has it; one that does not go is ended a second later. */
  async stop() {
    if (this.isOver) return;
    const gone = new Promise((resolve) => this.child.once("exit", resolve));
    const late = setTimeout(() => this.child.kill(), 1000);
    await this.request("shutdown", null).catch(() => {});
    this.notify("exit", null);
    await gone;
    clearTimeout(late);
  }

  send(message) {
    const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }), "utf8");
    this.child.stdin.write(`Content-Length: ${body.length}\r\n\r\n`);
    this.child.stdin.write(body);
  }

  /** Takes bytes; messages are whole once their length is there. */
  take(bytes) {
    this.read = Buffer.concat([this.read, bytes]);
    for (;;) {
      const head = this.read.indexOf("\r\n\r\n");
      if (head < 0) return;
      const length = /content-length: *(\d+)/i.exec(this.read.toString("latin1", 0, head));
      const start = head + 4;
      const end = start + Number(length?.[1] ?? 0);
      if (this.read.length < end) return;
      const body = this.read.toString("utf8", start, end);
      this.read = this.read.subarray(end);
      if (length) this.dispatch(JSON.parse(body));
    }
  }

  dispatch(message) {
    if (message.method === undefined) {
      const waiting = this.waiting.get(message.id);
      this.waiting.delete(message.id);
      if (message.error) waiting?.reject(new ResponseError(message.error));
      else waiting?.resolve(message.result);
    } else if (message.id === undefined) {
      this.listener.notified(message.method, message.params);
    } else {
      Promise.resolve()
        .then(() => this.listener.asked(message.method, message.params))
        .then(
          (result) => this.send({ id: message.id, result: result ?? null }),
          (error) => this.send({ id: message.id, error: { code: error.code ?? -32603, message: String(error.message) } }),
        );
    }
  }

  end(why) {
    if (this.isOver) return;
    this.isOver = true;
    for (const { reject } of this.waiting.values()) reject(new Error("the server has ended"));
    this.waiting.clear();
    this.listener.ended(why);
  }
}

module.exports = { Connection, ResponseError };
