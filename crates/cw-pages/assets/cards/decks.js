// The page of all decks: a file that is dropped on it is read into its field.

const field = /** @type {HTMLTextAreaElement | null} */ (document.querySelector("textarea[name=list]"));
for (const kind of /** @type {const} */ (["dragover", "drop"])) {
  addEventListener(kind, async (event) => {
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    if (kind === "drop" && file && field) {
      field.value = await file.text();
      field.focus();
    }
  });
}
