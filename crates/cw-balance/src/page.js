for (const table of /** @type {NodeListOf<HTMLTableElement>} */ (document.querySelectorAll("table.sortable"))) {
  table.classList.add("by-script");
  const heads = [...table.tHead?.rows[0].cells ?? []];
  heads.forEach((head, column) => {
    if (!head.textContent.trim()) return;
    head.tabIndex = 0;
    const sort = () => {
      const up = head.getAttribute("aria-sort") === "descending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      const key = (/** @type {HTMLTableRowElement} */ row) => {
        const cell = row.cells[column];
        const text = cell.dataset.value ?? cell.textContent.trim();
        const number = Number(text);
        return Number.isNaN(number) ? text : number;
      };
      const rows = [...table.tBodies[0].rows];
      rows.sort((one, two) => {
        const [a, b] = [key(one), key(two)];
        const order = typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b));
        return up ? order : -order;
      });
      table.tBodies[0].append(...rows);
    };
    head.addEventListener("click", sort);
    head.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") { event.preventDefault(); sort(); }
    });
  });
}
