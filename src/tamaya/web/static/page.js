// The pages around the table: a form is sent once, a link can be copied, and a new table shows as many seats as it has players.
"use strict";

document.addEventListener("submit", (event) => {
  for (const button of event.target.querySelectorAll("button")) setTimeout(() => (button.disabled = true));
});
addEventListener("pageshow", () => {
  for (const button of document.querySelectorAll("form button:disabled")) button.disabled = false;
});

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const field = document.getElementById(button.dataset.copy);
  field.select();
  if (navigator.clipboard) await navigator.clipboard.writeText(field.value);
  else document.execCommand("copy");
  button.textContent = button.dataset.done;
});

const players = document.getElementById("players");

function show() {
  for (const part of document.querySelectorAll("[data-seat]")) {
    part.hidden = Number(part.dataset.seat) > Number(players.value);
    if (part.hidden && part.querySelector("input:checked")) document.querySelector("[name=starter][value=random]").checked = true;
  }
}

players?.addEventListener("change", show);
if (players) show();
