// What the table's page does by itself: choosing before confirming, keys, dragging, long presses.
// Everything it shows was written by the server; a choice lives here until it is confirmed.
"use strict";

const state = { about: "", turn: "", panel: "", heights: {}, talk: "", busy: false };
const live = document.getElementById("live");
const offline = document.getElementById("offline");
const $ = (selector, root = document) => root.querySelector(selector);
const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];
const table = () => document.getElementById("table");
const code = () => location.pathname.split("/")[2];

// Choosing.

function choose(about) {
  const changed = state.about !== about;
  state.about = about;
  if (changed) for (const radio of $$("#sheet input[type=radio]:checked")) radio.checked = false;
  show();
}

function chosen() {
  return state.about ? $(`#sheet [data-for="${state.about}"] input:checked`) : null;
}

function show() {
  const sheet = document.getElementById("sheet");
  if (state.about && !$(`[data-about="${state.about}"]`)) state.about = "";
  if (sheet) showSheet(sheet);
  for (const button of $$("[data-about]")) {
    button.setAttribute("aria-expanded", String(button.dataset.about === state.about));
    button.closest(".card, .hand").classList.toggle("chosen", button.dataset.about === state.about);
  }
  for (const button of $$(".tabs [data-panel]")) {
    button.setAttribute("aria-expanded", String(button.dataset.panel === state.panel));
  }
  const side = $(".side");
  if (side) side.dataset.open = state.panel;
  const talk = $(".tabs [data-count]");
  if (talk) {
    if (state.panel === "talk" || state.talk === "") state.talk = talk.dataset.count;
    talk.classList.toggle("news", talk.dataset.count !== state.talk);
  }
}

function showSheet(sheet) {
  for (const set of $$("fieldset", sheet)) set.hidden = set.dataset.for !== state.about;
  const about = $(`[data-about="${state.about}"]`);
  const choice = chosen();
  const refusal = choice && choice.dataset.refusal;
  const sentence = document.getElementById("sentence");
  const objection = choice && choice.dataset.objection;
  const words = choice ? refusal || objection || choice.dataset.say : about ? about.dataset.ask : sentence.dataset.hint;
  if (sentence.textContent !== words) sentence.textContent = words;
  sentence.classList.toggle("refusal", Boolean(refusal));
  sentence.classList.toggle("objection", Boolean(objection));
  const advice = document.getElementById("advice");
  if (advice) advice.textContent = choice ? adviceOn(choice.value) : "";
  const confirm = $(".confirm", sheet);
  confirm.disabled = !choice || Boolean(refusal || objection) || state.busy;
  confirm.textContent = choice ? choice.dataset.confirm : confirm.dataset.idle;
  const arranging = $(".arrange", sheet);
  if (arranging) arranging.hidden = !state.about.startsWith("card-");
  $("[data-cancel]", sheet).hidden = !state.about;
  sheet.classList.toggle("open", Boolean(state.about));
  for (const card of $$(".card.rises")) card.classList.remove("rises");
  if (choice && choice.dataset.touches) {
    for (const slot of choice.dataset.touches.split(" ")) {
      const card = $(`.card[data-slot="${slot}"]`, about.closest(".hand"));
      if (card) card.classList.add("rises");
    }
  }
}

function adviceOn(move) {
  return $$("#coach [data-moves]").find((line) => line.dataset.moves.split("|").includes(move))?.textContent ?? "";
}

document.addEventListener("click", (event) => {
  const target = event.target;
  const button = target.closest("[data-about], [data-panel], [data-arrange], [data-possibilities], [data-cancel], [data-dialog], [data-copy]");
  if (button) {
    const data = button.dataset;
    if (data.about !== undefined) {
      if (drag.moved && event.detail) return;
      choose(state.about === data.about ? "" : data.about);
      if (event.detail === 0) $(`#sheet [data-for="${state.about}"] input`)?.focus();
    } else if (data.panel !== undefined) panel(data.panel);
    else if (data.arrange) arrange(data.arrange);
    else if (data.possibilities !== undefined) possibilities(data.possibilities);
    else if (data.copy) copy(button);
    else if (data.dialog) document.getElementById(data.dialog).showModal();
    else choose("");
    return;
  }
  const hand = target.closest(".hand.other");
  const pick = hand && !target.closest("form, a") && $(".pick", hand);
  if (pick) choose(state.about === pick.dataset.about ? "" : pick.dataset.about);
  if (target.classList.contains("copy")) target.select();
  if (!target.closest(".menu")) $(".menu").open = false;
  if (state.panel && !target.closest(".side, .tabs, .controls")) panel("");
});

document.addEventListener("submit", (event) => {
  if (event.target.closest(".menu")) $(".menu").open = false;
});

document.addEventListener("change", (event) => {
  if (event.target.closest("#sheet")) show();
});

async function copy(button) {
  const field = document.getElementById(button.dataset.copy);
  field.select();
  if (navigator.clipboard) await navigator.clipboard.writeText(field.value);
  else document.execCommand("copy");
  toast(button.dataset.done);
}

function panel(name) {
  state.panel = state.panel === name ? "" : name;
  show();
  if (state.panel === "talk") document.getElementById("talk-input")?.focus();
  else if (state.panel) $(`[data-panel-body="${state.panel}"] [tabindex]`)?.focus({ preventScroll: true });
}

async function possibilities(seat) {
  const headers = { "HX-Request": "true" };
  const address = table().dataset.hands ?? `/t/${code()}/possibilities?`;
  const response = await fetch(`${address}&seat=${seat}`, { headers }).catch(() => null);
  if (!response?.ok) return toast(response ? await response.text() : offline.textContent);
  document.getElementById("sheet-body").innerHTML = await response.text();
  const dialog = document.getElementById("sheet-dialog");
  if (!dialog.open) dialog.showModal();
}

// Laying out the own hand.

const ownCards = () => $$(".hand.own .card[data-number]");
const written = (cards) => cards.map((card) => card.dataset.number + (card.classList.contains("turned") ? "-" : ""));

function sendHand(numbers) {
  htmx.ajax("POST", `/t/${code()}/arrange`, { values: { hand: numbers.join(" ") }, target: "#live", swap: "innerMorph" });
}

// Show the table as it is: news that came while a card was dragged was not shown.
function look() {
  htmx.ajax("GET", `/t/${code()}`, { target: "#live", swap: "innerMorph" });
}

function arrange(how) {
  const cards = $("#sheet .arrange") ? ownCards() : [];
  const place = cards.findIndex((card) => `card-${card.dataset.number}` === state.about);
  if (place < 0) return;
  const hand = written(cards);
  if (how === "turn") {
    hand[place] = hand[place].endsWith("-") ? hand[place].slice(0, -1) : `${hand[place]}-`;
  } else {
    const other = place + (how === "left" ? -1 : 1);
    if (other < 0 || other >= hand.length) return;
    [hand[place], hand[other]] = [hand[other], hand[place]];
  }
  sendHand(hand);
}

const drag = { card: null, x: 0, moved: false, press: 0, before: "" };

document.addEventListener("pointerdown", (event) => {
  drag.moved = false;
  const card = event.target.closest(".hand .card");
  if (!card || event.button) return;
  const hand = card.closest(".hand");
  drag.press = setTimeout(() => {
    drag.moved = true;
    drag.card = null;
    possibilities(hand.dataset.seat);
  }, 550);
  if (hand.classList.contains("own") && $("button", card) && $("#sheet .arrange")) {
    Object.assign(drag, { card, x: event.clientX, before: written(ownCards()).join(" ") });
  }
});

document.addEventListener("pointermove", (event) => {
  if (!drag.card) return;
  const way = event.clientX - drag.x;
  if (!drag.moved && Math.abs(way) > 8) {
    drag.moved = true;
    clearTimeout(drag.press);
    table().setAttribute("hx-morph-skip", "");
    drag.card.classList.add("dragged");
    drag.card.setPointerCapture?.(event.pointerId);
  }
  if (!drag.moved) return;
  const over = ownCards().find((card) => {
    const box = card.getBoundingClientRect();
    return card !== drag.card && event.clientX > box.left && event.clientX < box.right;
  });
  if (over) {
    const before = over.getBoundingClientRect().left < drag.card.getBoundingClientRect().left;
    over[before ? "before" : "after"](drag.card);
  }
});

function drop(event) {
  clearTimeout(drag.press);
  if (drag.card && drag.moved) {
    drag.card.classList.remove("dragged");
    table().removeAttribute("hx-morph-skip");
    const hand = written(ownCards());
    if (event.type === "pointerup" && hand.join(" ") !== drag.before) sendHand(hand);
    else look();
  }
  drag.card = null;
}

document.addEventListener("pointerup", drop);
document.addEventListener("pointercancel", drop);
document.addEventListener("contextmenu", (event) => {
  if (event.target.closest(".hand .card")) event.preventDefault();
});

// Keys.

function pickByKey(key) {
  const radio = $$(`#sheet [data-for="${state.about}"] input`).find((input) => input.dataset.key.toUpperCase() === key);
  if (!radio) return false;
  radio.checked = true;
  show();
  return true;
}

function nextTeammate() {
  const picks = $$(".pick").map((pick) => pick.dataset.about);
  if (picks.length) choose(picks[(picks.indexOf(state.about) + 1) % picks.length]);
}

const KEYS = {
  C: nextTeammate,
  I: () => possibilities(state.about.startsWith("clue-") ? state.about.slice(5) : $(".hand.own")?.dataset.seat ?? 0),
  H: () => panel("log"),
  X: () => panel("discards"),
  T: () => panel("talk"),
  "?": () => document.getElementById("help").showModal(),
  "-": () => arrange("turn"),
  ESCAPE: () => (state.about ? choose("") : panel("")),
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || $("dialog[open]")) return;
  if (event.key === "Escape" && $(".menu").open) {
    $(".menu").open = false;
    return;
  }
  if (document.body.dataset.keys !== "on" && !["Escape", "Enter"].includes(event.key)) return;
  const typing = event.target.closest("input:not([type=radio]), select, textarea");
  const key = event.key.toUpperCase();
  if (typing && key !== "ESCAPE") return;
  if (typing) event.target.blur();
  if (event.shiftKey && (key === "ARROWLEFT" || key === "ARROWRIGHT")) arrange(key.slice(5).toLowerCase());
  else if (key === "ENTER") {
    const confirm = $("#sheet .confirm:not(:disabled)");
    const on = event.target.closest("[data-about]");
    if (!confirm || (on && on.dataset.about !== state.about) || event.target.closest("button:not([data-about]), a, summary")) return;
    confirm.click();
  } else if (state.about && pickByKey(key)) {
    // chosen
  } else if (key >= "1" && key <= "9" && !state.about.startsWith("clue-")) {
    const card = ownCards()[Number(key) - 1];
    if (!card) return;
    choose(`card-${card.dataset.number}`);
  } else if (KEYS[key]) KEYS[key]();
  else return;
  event.preventDefault();
});

// What the server sends.

function toast(words) {
  const box = document.getElementById("toast");
  box.textContent = words;
  box.hidden = !words;
  clearTimeout(toast.timer);
  toast.timer = setTimeout(() => (box.hidden = true), 6000);
}

function arrived() {
  const now = table();
  if (!now) return;
  const turn = `${now.dataset.turn} ${now.dataset.line}`; // on another line of play, a turn is another turn
  if (turn !== state.turn) {
    state.turn = turn;
    state.about = "";
    for (const radio of $$("#sheet input[type=radio]:checked")) radio.checked = false;
  }
  if (now.dataset.title) document.title = now.dataset.title;
  for (const firework of $$(".firework")) {
    const before = state.heights[firework.id];
    const height = firework.dataset.height;
    if (before !== undefined && height > before) {
      firework.classList.add("complete" in firework.dataset ? "blooms" : "grows");
    }
    state.heights[firework.id] = height;
  }
  show();
  if (state.deciding && document.activeElement === document.body) $("#lesson, #sentence, #result-title")?.focus();
  state.deciding = false;
}

document.addEventListener("htmx:before:swap", (event) => {
  // The answer to a change may come after newer news from the stream: what is older is not shown.
  const coming = /data-sequence="(\d+)"/.exec(event.detail.ctx.text || "");
  if (coming && Number(coming[1]) < Number(table()?.dataset.sequence)) event.preventDefault();
});
document.addEventListener("htmx:after:swap", arrived);
document.addEventListener("htmx:before:request", (event) => {
  const form = event.detail.ctx.sourceElement;
  if (form.id !== "sheet") return;
  state.busy = true;
  state.deciding = form.contains(document.activeElement);
  show();
});
document.addEventListener("htmx:finally:request", (event) => {
  if (event.detail.ctx.sourceElement.id !== "sheet") return;
  state.busy = false;
  show();
});
document.addEventListener("htmx:response:error", (event) => {
  state.deciding = false;
  toast(event.detail.ctx.text);
  if (event.detail.ctx.request.action.endsWith("/arrange")) look();
});
document.addEventListener("htmx:error", (event) => {
  if (event.detail.ctx?.sourceElement !== live) toast(document.body.dataset.unsent);
});
document.addEventListener("htmx:after:request", (event) => {
  const { ctx } = event.detail;
  if (ctx.response.status >= 400 || ctx.request.method === "GET") return;
  document.getElementById("toast").hidden = true;
  if (ctx.sourceElement.matches?.("[data-reset]")) ctx.sourceElement.reset();
});
document.addEventListener("htmx:sse:error", (event) => {
  if ([403, 404].includes(event.detail.status)) location.reload(); // the table is gone, or closed to us: the page says so
  offline.hidden = false;
});
document.addEventListener("htmx:sse:close", () => (offline.hidden = false));
document.addEventListener("htmx:sse:after:connection", () => (offline.hidden = true));
arrived();
