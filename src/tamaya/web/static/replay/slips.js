// My slips: which of them were solved is remembered in this browser, and nowhere else.
"use strict";

(() => {
  const NAME = "slips solved";
  const MOST = 1000;

  function solved() {
    try {
      const kept = JSON.parse(localStorage.getItem(NAME) ?? "[]");
      return Array.isArray(kept) ? kept : [];
    } catch {
      return [];
    }
  }

  function look() {
    const found = document.querySelector("[data-solved]")?.dataset.solved;
    const kept = solved();
    if (found && !kept.includes(found)) {
      try {
        localStorage.setItem(NAME, JSON.stringify([...kept, found].slice(-MOST)));
      } catch {} // a browser that keeps nothing: the slip can be solved again
    }
    for (const mark of document.querySelectorAll("[data-slip]")) mark.hidden = !kept.includes(mark.dataset.slip);
  }

  document.addEventListener("htmx:after:swap", look);
  window.addEventListener("pageshow", look);
  look();
})();
