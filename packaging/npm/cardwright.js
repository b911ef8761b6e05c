#!/usr/bin/env node
// Starts the program that the package of this system holds, and ends as it ends.
"use strict";
const { spawn } = require("node:child_process");

const holder = `cardwright-${process.platform}-${process.arch}`;
let program;
try {
  program = require.resolve(`${holder}/bin/cardwright`);
} catch {
  console.error(`cardwright: the package ${holder} is not installed. Install again without --omit=optional; if there is
no such package, there is no program for this system yet: build it with Rust, as its README says.`);
  process.exit(1);
}
const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
for (const signal of signals) process.on(signal, () => child.kill(signal));
child.on("error", (error) => {
  console.error(`cardwright: ${program} cannot be started: ${error.message}`);
  process.exit(1);
});
child.on("exit", (code, signal) => {
  if (signal === null) process.exit(code);
  for (const one of signals) process.removeAllListeners(one);
  process.kill(process.pid, signal);
});
