// What a reader sets, and hears: the theme, the size of text, and the sound of what lies and moves on the table and of what
// happens to it, each as loud as its reader likes. All of it is kept by the browser and concerns no duel.

import { settle } from "./layout.js";
import { recall, remember } from "./page.js";

const THEMES = ["dark", "light"], TEXTS = ["large", "largest"];
function dress() {
  const { classList } = document.documentElement;
  const [theme, text] = [recall("theme"), recall("text")];
  for (const name of [...THEMES, ...TEXTS]) classList.toggle(name, name === theme || name === text);
}
dress();

/** @type {AudioContext | null} */
let audio = null;
/** One for what lies and moves, one for what happens. @type {Record<string, GainNode>} */
const masters = {};
/** Sounds that are heard now: two at most. */
let voices = 0;
const volume = (/** @type {string} */ of) => Number(recall(of) ?? 60) / 100;
const sounding = () => (recall("sound") ?? "on") === "on";
/** Sound begins with the first click or key: browsers want that. */
function listen() {
  if (!sounding()) { audio?.close(); audio = null; return; }
  if (!audio) {
    const made = audio = new AudioContext();
    for (const of of ["volume-table", "volume"]) (masters[of] = made.createGain()).connect(made.destination);
    voices = 0;
  }
  for (const of in masters) masters[of].gain.value = volume(of);
}
for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, () => { if (!audio && sounding()) listen(); }, true);
/** Plays what a kind of effect sounds like. */
export function sound(/** @type {string} */ kind, by = 0) {
  if (!audio || voices > 1) return;
  const heard = audio, now = audio.currentTime;
  /** @type {(frequency: number, at: number, length: number, type?: OscillatorType, loud?: number) => void} */
  const tone = (frequency, at, length, type = "triangle", loud = 0.12) => {
    const wave = heard.createOscillator(), gain = heard.createGain();
    wave.type = type;
    wave.frequency.value = frequency;
    gain.gain.setValueAtTime(loud, now + at);
    gain.gain.exponentialRampToValueAtTime(0.001, now + at + length);
    wave.connect(gain).connect(masters[kind === "card" || kind === "sp" || kind === "turn" ? "volume-table" : "volume"]);
    wave.start(now + at);
    wave.stop(now + at + length);
    voices += 1;
    wave.onended = () => { voices -= 1; };
  };
  if (kind === "card") tone(620, 0, 0.05, "square", 0.04);
  if (kind === "sp") { tone(by < 0 ? 520 : 390, 0, 0.09); tone(by < 0 ? 390 : 520, 0.09, 0.12); }
  if (kind === "turn") tone(330, 0, 0.25, "sine", 0.06);
  if (kind === "hit" || kind === "blow" || kind === "hp") tone(Math.max(60, 240 - Math.abs(by) / 8), 0, 0.18, "sawtooth", 0.1);
  if (kind === "ko") tone(62, 0, 0.4, "sine", 0.3);
  if (kind === "win") [392, 494, 587].forEach((pitch, at) => tone(pitch, at * 0.14, 0.3));
}

/** Turns sound on or off, and lets it be heard. */
export function switchSound() {
  remember("sound", sounding() ? "off" : "on");
  listen();
  showSound();
  sound("card");
}
/** The switch beside the table, and the setting of the same name. */
export function showSound() {
  for (const button of document.querySelectorAll('[data-act="sound"]')) { button.hidden = false; button.setAttribute("aria-pressed", String(sounding())); }
  for (const field of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll('[data-setting="sound"]'))) field.checked = sounding();
}
// The fields show what was kept, and keep what is set.
for (const field of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("[data-setting]"))) {
  const { setting = "" } = field.dataset, kept = recall(setting);
  if (field.type === "checkbox") field.checked = kept === null ? field.defaultChecked : kept === "on";
  else if (kept !== null) field.value = kept;
  field.addEventListener(field.type === "range" ? "input" : "change", () => {
    remember(setting, field.type === "checkbox" ? (field.checked ? "on" : "off") : field.value);
    dress();
    listen();
    showSound();
    if (setting === "volume") sound("hit");
    else if (/sound|volume/.test(setting)) sound("card");
    settle();
  });
}
