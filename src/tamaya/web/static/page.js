// The pages around the table: a form is sent once, and the new table shows as many seats as there are players.
"use strict";

document.addEventListener("submit", (event) => {
  for (const button of event.target.querySelectorAll("button")) setTimeout(() => (button.disabled = true));
});
addEventListener("pageshow", () => {
  for (const button of document.querySelectorAll("form button:disabled")) button.disabled = false;
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
