// Shows as many seats as there are players; without this script all five are shown and the server counts.
const players = document.getElementById("players");

function show() {
  for (const part of document.querySelectorAll("[data-seat]")) {
    part.hidden = Number(part.dataset.seat) > Number(players.value);
  }
}

players.addEventListener("change", show);
show();
