// What somebody says stands at their hand for a few seconds. Where the list of all that was said is out of sight, a screen
// reader hears it, too.

const SECONDS = 6;
const heard = document.getElementById("heard");
const bubbles = () => [...document.querySelectorAll("#table .bubble")];
const timers = new Map();
const number = (bubble) => Number(bubble.dataset.number);
// The number of the last words that need no bubble; before the game there is no hand to put one at.
const latest = () => (document.querySelector("#table.board") ? Math.max(0, ...bubbles().map(number)) : Infinity);
let newest = latest();

function say(bubble) {
  bubble.hidden = false;
  clearTimeout(timers.get(bubble.id));
  timers.set(bubble.id, setTimeout(() => {
    const shown = document.getElementById(bubble.id);
    if (shown) shown.hidden = true;
  }, 1000 * SECONDS));
  if (!document.querySelector(".talk-list")?.checkVisibility()) heard.textContent = bubble.dataset.words;
}

document.addEventListener("news", () => {
  for (const bubble of bubbles()) if (number(bubble) > newest) say(bubble);
  newest = latest();
});
