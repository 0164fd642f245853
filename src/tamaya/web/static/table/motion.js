// What happens at the table is seen to happen: cards travel, a token flies with each clue, what is lost is shown.
// Nothing waits for it, and nothing of it stays: when it is over, the page is as the server drew it.
"use strict";

(() => {
  const QUICK = 320;
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const one = (selector) => document.querySelector(selector);
  const layer = document.createElement("div");
  layer.id = "motion";
  layer.setAttribute("aria-hidden", "true");
  document.body.append(layer);
  let before = null;

  const seen = (node) => Boolean(node?.checkVisibility());
  const middle = (box) => [box.left + box.width / 2, box.top + box.height / 2];
  const on = (selector) => all(`${selector} .dots i.on`).length;

  // Where everything is, and how it stands.
  function look() {
    const table = document.getElementById("table");
    return {
      turn: Number(table?.dataset.turn ?? 0),
      cards: new Map(all(".hand .card[data-number]").map((card) => [card.dataset.number, card.getBoundingClientRect()])),
      reach: new Map(all(".firework").map((firework) => [firework.id, Number(firework.dataset.most)])),
      score: one(".score")?.cloneNode(true),
      clues: on(".clue-tokens"),
      mistakes: on(".mistake-tokens"),
    };
  }

  function animate(node, frames, options) {
    const motion = node.animate(frames, { duration: QUICK, easing: "cubic-bezier(.3,.1,.2,1)", fill: "backwards", ...options });
    motion.id = "motion";
    return motion;
  }

  // A copy of something, which travels in a layer of its own and is gone afterwards.
  function send(copy, box, frames, options) {
    for (const side of ["left", "top", "width", "height"]) copy.style[side] = `${box[side]}px`;
    layer.append(copy);
    const motion = animate(copy, frames, options);
    motion.onfinish = motion.oncancel = () => copy.remove();
  }

  function way(from, to, scale) {
    const [[x, y], [toX, toY]] = [middle(from), middle(to)];
    return `translate(${toX - x}px, ${toY - y}px) scale(${scale})`;
  }

  function copyOf(movement) {
    const copy = movement.querySelector(".card").cloneNode(true);
    copy.classList.add("travels");
    return copy;
  }

  // Where discarded cards lie: the card's own row beside the board, else the tab that shows it.
  function pile(movement) {
    const places = [one(`.piles [data-pile="${movement.dataset.colour}"]`), one(".tabs [data-panel=discards]"), one(".dock")];
    return places.find(seen)?.getBoundingClientRect();
  }

  const MOVES = {
    play(movement, from) {
      const firework = document.getElementById(`firework-${movement.dataset.colour}`);
      const burst = firework.querySelector(".burst");
      const goal = way(from, (seen(burst) ? burst : firework).getBoundingClientRect(), 0.4);
      send(copyOf(movement), from, [{ transform: "none" }, { transform: goal, opacity: 1, offset: 0.8 }, { transform: goal, opacity: 0 }], { duration: QUICK * 1.2 });
    },
    discard(movement, from) {
      const goal = way(from, pile(movement), 0.3);
      send(copyOf(movement), from, [{ transform: "none" }, { transform: goal, opacity: 1, offset: 0.8 }, { transform: goal, opacity: 0 }]);
    },
    mistake(movement, from) {
      const large = Math.min(innerWidth * 0.34, 190) / from.width;
      const stage = one(".hands").getBoundingClientRect();
      const there = way(from, stage, large);
      const shaken = [0, -9, 9, -7, 7, -4, 0].map((aside, place) => ({ transform: `translateX(${aside}px) ${there}`, offset: 0.18 + place * 0.05 }));
      const goal = way(from, pile(movement), 0.3);
      const frames = [{ transform: "none" }, ...shaken, { transform: there, offset: 0.78 }, { transform: goal, opacity: 1, offset: 0.96 }, { transform: goal, opacity: 0 }];
      const copy = copyOf(movement);
      copy.classList.add("lost");
      send(copy, from, frames, { duration: QUICK * 4.5, easing: "ease-out" });
    },
  };

  function tell(movement, tokens) {
    const dot = all(".clue-tokens .dots i")[Math.max(tokens - 1, 0)];
    if (!seen(dot)) return;
    const from = dot.getBoundingClientRect();
    for (const number of movement.dataset.numbers.split(" ").filter(Boolean)) {
      const card = document.getElementById(`card-${number}`);
      if (!card) continue;
      const token = document.createElement("i");
      token.className = "travels token";
      const goal = way(from, card.getBoundingClientRect(), 1.6);
      send(token, from, [{ transform: "none" }, { transform: goal, opacity: 1, offset: 0.85 }, { transform: goal, opacity: 0 }]);
      animate(card, [{ filter: "none" }, { filter: "brightness(1.5)", offset: 0.3 }, { filter: "none" }], { delay: QUICK * 0.8, duration: QUICK * 1.5 });
    }
  }

  // Cards that are new come from the deck; those that were there glide to their new places.
  function deal(was, movements) {
    const deck = one(".deck .pile");
    const wait = movements.some((movement) => movement.dataset.movement === "mistake") ? QUICK * 2 : movements.length ? QUICK * 0.6 : 0;
    let dealt = 0;
    for (const card of all(".hand .card[data-number]")) {
      for (const motion of card.getAnimations()) if (motion.id === "motion") motion.cancel();
      const [old, now] = [was.cards.get(card.dataset.number), card.getBoundingClientRect()];
      if (old && Math.hypot(old.left - now.left, old.top - now.top) > 1) {
        animate(card, [{ transform: `translate(${old.left - now.left}px, ${old.top - now.top}px)`, offset: 0 }]);
      } else if (!old && seen(deck)) {
        const delay = was.cards.size ? wait : (dealt++) * 25;
        animate(card, [{ transform: way(now, deck.getBoundingClientRect(), 0.2), opacity: 0, offset: 0 }, { opacity: 1, offset: 0.4 }], { delay });
      }
    }
  }

  // Tokens that come or go, fireworks that can no longer be completed, points that are out of reach.
  function settle(was, now) {
    for (const [kind, old, count] of [["clue", was.clues, now.clues], ["mistake", was.mistakes, now.mistakes]]) {
      for (const dot of all(`.${kind}-tokens .dots i`).slice(old, count)) animate(dot, [{ transform: "scale(2.6)", offset: 0 }]);
    }
    for (const firework of all(".firework")) {
      if (!(Number(firework.dataset.most) < was.reach.get(firework.id))) continue;
      const burst = firework.querySelector(".burst");
      animate(burst, [{ opacity: 1, filter: "brightness(1.8)", transform: "scale(1.15)", offset: 0 }, { opacity: 0.1, transform: "scale(0.92)", offset: 0.6 }], { duration: QUICK * 3 });
      const most = firework.querySelector(".most");
      if (most) animate(most, [{ scale: 0, offset: 0 }, { scale: 1.5, offset: 0.6 }], { duration: QUICK * 2, delay: QUICK });
    }
    const score = one(".score");
    if (seen(score) && was.score && score.textContent !== was.score.textContent && was.cards.size) {
      const box = score.getBoundingClientRect();
      was.score.classList.add("travels");
      send(was.score, box, [{ translate: "0 0" }, { translate: "0 -70%", opacity: 0 }]);
      animate(score, [{ translate: "0 70%", opacity: 0, offset: 0 }]);
    }
  }

  document.addEventListener("htmx:before:swap", () => {
    before = still.matches || document.hidden ? null : look();
  });
  document.addEventListener("htmx:after:swap", () => {
    const was = before;
    before = null;
    if (!was || !one(".hands")) return;
    const movements = all(".movements [data-movement]").filter((movement) => Number(movement.dataset.turn) > was.turn);
    deal(was, movements);
    const now = look();
    let tokens = was.clues;
    for (const movement of movements) {
      const from = was.cards.get(movement.dataset.number);
      if (movement.dataset.movement === "clue") tell(movement, tokens--);
      else if (from) MOVES[movement.dataset.movement](movement, from);
    }
    settle(was, now);
  });
})();
