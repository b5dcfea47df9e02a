// Ticks on a checklist stay ticked, in this browser. An item is known by its words, so a change of order keeps its tick.
for (const box of document.querySelectorAll(".task-list-item-checkbox")) {
  const key = `statistics-for-evals/checklist/${location.pathname}/${box.closest("label").textContent.trim()}`;
  try {
    box.checked = localStorage.getItem(key) === "done";
    box.addEventListener("change", () => {
      if (box.checked) localStorage.setItem(key, "done");
      else localStorage.removeItem(key);
    });
  } catch {
    // Storage is refused: a tick lasts as long as the page.
  }
}
