// The static site in Firefox: every test of the site again, and the duels of its engine.

process.env.BROWSER = "firefox";
await import("./site.test.mjs");
await import("./twin.test.mjs");
