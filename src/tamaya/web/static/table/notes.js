// Second thoughts. Private notes are written in the dialog about a hand and above the log, and saved as soon as the field is left
// or Enter is pressed. A question about taking back is heard, and whoever asks or answers by keys stays where they were.
"use strict";

(() => {
  const field = (target) => target.closest?.("[data-note][data-about-note]");
  const saved = document.getElementById("saved");
  const heard = { question: "" };
  let deciding = false;

  // What the chosen card, or the chosen teammate's cards, have for notes stands below the sentence.
  function show() {
    const place = document.getElementById("noted");
    if (!place) return;
    const about = document.querySelector(`[data-about="${state.about}"]`);
    const cards = about ? $$(".card[data-note]", about.closest(".card")?.parentNode ?? about.closest(".hand")) : [];
    const own = state.about.startsWith("card-");
    const words = cards
      .filter((card) => !own || `card-${card.dataset.number}` === state.about)
      .map((card) => (own ? card.dataset.note : `${Number(card.dataset.slot) + 1}: ${card.dataset.note}`));
    const text = words.length ? `✎ ${words.join(" · ")}` : "";
    if (place.textContent !== text) place.textContent = text;
    place.hidden = !text;
  }

  function save(input) {
    const text = input.value.trim();
    if (text === (input.dataset.sent ?? input.defaultValue)) return false;
    input.dataset.sent = text;
    const values = { [input.dataset.note]: input.dataset.aboutNote, text };
    saved.textContent = "";
    htmx.ajax("POST", `/t/${code()}/note`, { source: input, values, target: "#live", swap: "innerMorph" });
    return true;
  }

  // A field that nobody writes in shows what the server drew.
  function refresh() {
    for (const input of $$("#live [data-about-note]")) {
      if (input === document.activeElement) continue;
      delete input.dataset.sent;
      input.value = input.defaultValue;
    }
  }

  function ask() {
    const question = document.getElementById("question");
    const number = question?.dataset.number ?? "";
    if (number && number !== heard.question) saved.textContent = $("p", question).textContent;
    heard.question = number;
    if (deciding && document.activeElement === document.body) ($("#question button") ?? $("#sentence, #result-title"))?.focus();
    deciding = false;
  }

  // The note on a card is in the dialog about its hand.
  async function write() {
    const card = state.about.startsWith("card-") ? state.about.slice(5) : "";
    if (!state.about) {
      const input = document.getElementById("turn-note");
      if (!input) return;
      if (!input.checkVisibility()) panel("log");
      return input.focus();
    }
    await possibilities(state.about.startsWith("clue-") ? state.about.slice(5) : $(".hand.own").dataset.seat);
    const input = document.getElementById(`note-${card}`) ?? $("#sheet-body [data-note]");
    input?.focus();
  }

  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-write-note]")) write();
    show();
  });
  document.addEventListener("focusin", (event) => {
    if (field(event.target)) event.target.closest("label").setAttribute("hx-morph-skip", "");
  });
  document.addEventListener("focusout", (event) => {
    const input = field(event.target);
    if (!input) return;
    input.closest("label").removeAttribute("hx-morph-skip");
    if (!save(input) && input.dataset.note === "turn" && input.dataset.aboutNote !== table()?.dataset.turn) look();
  });
  document.addEventListener("keydown", (event) => {
    const input = field(event.target);
    if (input && event.key === "Enter") {
      event.preventDefault();
      save(input);
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || $("dialog[open]") || document.body.dataset.keys !== "on") return;
    if (event.target.closest("input:not([type=radio]), select, textarea") || document.getElementById("controls")) return;
    const key = event.key.toUpperCase();
    if (key === "O") {
      event.preventDefault();
      write();
    } else if (key === "U") $(".take-back")?.click();
    setTimeout(show);
  });
  document.addEventListener("htmx:before:request", (event) => {
    if (event.detail.ctx.sourceElement.matches("#take-back, #question form")) deciding = true;
  });
  document.addEventListener("htmx:after:swap", () => {
    refresh();
    show();
    ask();
  });
  for (const failure of ["htmx:error", "htmx:response:error"]) {
    document.addEventListener(failure, (event) => delete event.detail.ctx?.sourceElement?.dataset?.sent);
  }
  document.addEventListener("htmx:after:request", (event) => {
    const { ctx } = event.detail;
    if (ctx.response.status < 400 && ctx.request.action.endsWith("/note")) saved.textContent = saved.dataset.words;
  });
})();
