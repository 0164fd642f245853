// The table before the game: sharing its link, and the breath before the deal, which the host can hold.
"use strict";

const lobby = { timer: 0, left: 0, held: false };

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-share], [data-hold]");
  if (!button) return;
  if ("hold" in button.dataset) return hold();
  const url = document.getElementById("invitation").value;
  const copied = () => copy({ dataset: { copy: "invitation", done: button.dataset.done } });
  if (!navigator.share) return copied();
  await navigator.share({ title: "Tamaya", text: button.dataset.text, url }).catch((problem) => {
    if (problem.name !== "AbortError") return copied();
  });
});

function hold() {
  lobby.held = true;
  breathe();
}

// Count down while the page is seen; whoever is elsewhere does not miss the deal.
function breathe() {
  const form = document.querySelector("#start[data-breath]");
  const counting = Boolean(form) && !lobby.held;
  if (counting && !lobby.timer) {
    lobby.left = form.dataset.breath.split("|").length;
    lobby.timer = setInterval(tick, 1000);
  } else if (!counting && lobby.timer) {
    clearInterval(lobby.timer);
    lobby.timer = 0;
  }
  if (form) showLeft(form, counting);
}

function tick() {
  const form = document.querySelector("#start[data-breath]");
  if (document.visibilityState !== "visible" || !form) return;
  lobby.left -= 1;
  if (lobby.left > 0) return showLeft(form, true);
  lobby.held = true;
  breathe();
  form.requestSubmit();
}

function showLeft(form, counting) {
  const words = form.dataset.breath.split("|");
  form.querySelector("[data-left]").textContent = counting ? words[words.length - lobby.left] : "";
  form.querySelector("[data-hold]").hidden = !counting;
}

document.addEventListener("htmx:after:swap", breathe);
breathe();
