// A folder of the visitor's own, read in the browser: from a picker, or dropped.

/** @typedef {{ path: string, bytes: Uint8Array }} FolderFile */

/** Files and bytes that are read at most; what stands there is hardly one game. */
const MOST_FILES = 20_000;
const MOST_BYTES = 256 << 20;

const isHidden = (/** @type {string} */ path) => path.split("/").some((part) => part.startsWith(".") || part === "node_modules");

/**
 * The files of a picker that was asked for a folder.
 * @param {Iterable<File>} chosen
 */
export async function ofPicker(chosen) {
  const found = [...chosen].map((file) => ({ path: file.webkitRelativePath || file.name, file }));
  return read(found);
}

/**
 * The files of a folder that was dropped. What was dropped can be asked for its entry only while the event lasts.
 * @param {FileSystemEntry} entry
 */
export async function ofEntry(entry) {
  /** @type {{ path: string, file: File }[]} */
  const found = [];
  await walk(entry, found);
  return read(found);
}

/** Adds the files below an entry. A reader gives some of them at a time. */
async function walk(/** @type {any} */ entry, /** @type {{ path: string, file: File }[]} */ found) {
  const path = entry.fullPath.replace(/^\//, "");
  if (isHidden(path) || found.length > MOST_FILES) return;
  if (entry.isFile) {
    found.push({ path, file: await new Promise((done, failed) => entry.file(done, failed)) });
    return;
  }
  const reader = entry.createReader();
  for (;;) {
    const some = await new Promise((done, failed) => reader.readEntries(done, failed));
    if (!some.length) return;
    for (const inner of some) await walk(inner, found);
  }
}

/** @returns {Promise<FolderFile[]>} */
async function read(/** @type {{ path: string, file: File }[]} */ found) {
  const wanted = found.filter(({ path }) => !isHidden(path));
  const size = wanted.reduce((sum, { file }) => sum + file.size, 0);
  if (wanted.length > MOST_FILES || size > MOST_BYTES) throw new Error("This folder is too large for one game. Choose the game's own folder.");
  return Promise.all(wanted.map(async ({ path, file }) => ({ path, bytes: new Uint8Array(await file.arrayBuffer()) })));
}
