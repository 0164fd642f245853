// Advice: the idea stands where the page says what can be done, the move is chosen in the sheet, the reason stands below it.
// The server wrote all of it; here the move that it names is chosen, for the player to confirm or not.
"use strict";

(() => {
  const asked = { busy: false, step: "" };
  const button = () => document.getElementById("advise");

  function showAdvice() {
    const move = button()?.dataset.move;
    const followed = Boolean(move) && chosen()?.value === move;
    for (const part of $$("#advise-why, #advised")) part.hidden = !followed;
    document.getElementById("sheet")?.classList.toggle("follows", followed);
  }

  function pick() {
    const { move, aboutMove } = button()?.dataset ?? {};
    if (!move) return;
    const asking = document.activeElement === button();
    choose(aboutMove);
    const radio = $$(`#sheet [data-for="${aboutMove}"] input`).find((input) => input.value === move);
    if (radio) radio.checked = true;
    show();
    if (asking) $("#sentence").focus({ preventScroll: true });
  }

  function ask() {
    showAdvice(); // a key that was pressed a moment ago may have changed what is chosen
    const why = document.getElementById("advise-why");
    (why && !why.hidden ? why : state.about ? null : button())?.click(); // one that is disabled hears nothing
  }

  document.addEventListener("htmx:before:request", (event) => {
    const form = event.detail.ctx.sourceElement;
    if (form.id !== "ask-advice") return;
    asked.busy = true;
    const now = button();
    now.textContent = now.dataset.busy;
    now.disabled = true;
  });
  document.addEventListener("htmx:finally:request", (event) => {
    if (event.detail.ctx.sourceElement.id !== "ask-advice") return;
    const now = button();
    if (now) now.disabled = false;
    if (asked.busy) look();
    asked.busy = false;
  });
  document.addEventListener("htmx:after:swap", (event) => {
    if (event.detail.ctx?.sourceElement?.id === "ask-advice") {
      asked.busy = false;
      pick();
    }
    showAdvice();
  });
  document.addEventListener("click", () => setTimeout(showAdvice));
  document.addEventListener("change", showAdvice);
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || $("dialog[open]") || document.body.dataset.keys !== "on") return;
    if (event.target.closest("input:not([type=radio]), select, textarea") || document.getElementById("controls")) return;
    if (event.key.toUpperCase() === "S") {
      event.preventDefault();
      ask();
    }
    setTimeout(showAdvice);
  });
})();
