// A new table: choices that depend on others, and the sentence that says what will happen.
"use strict";

const form = document.querySelector(".new-table");
const checked = (name) => form.querySelector(`[name=${name}]:checked`);
const words = (name) => checked(name)?.dataset.words ?? "";

// What needs more players than there are is not offered, and where it was chosen, the first answer is.
function showFitting() {
  const players = Number(checked("players")?.value ?? 0);
  for (const part of form.querySelectorAll("[data-from]")) {
    part.hidden = Number(part.dataset.from) > players;
    const input = part.querySelector("input");
    if (part.hidden && input.checked) form.querySelector(`[name=${input.name}]`).checked = true;
  }
}

// Variants have the names of the chosen booklet, and its own come first.
function showBooklet() {
  const edition = checked("edition")?.value;
  for (const part of form.querySelectorAll("[data-edition]")) part.hidden = part.dataset.edition !== edition;
  const list = form.querySelector("[data-variants]");
  const options = [...list.querySelectorAll("[data-booklets]")];
  const isOwn = (option) => option.dataset.booklets.split(" ").includes(edition);
  const note = form.querySelector(".elsewhere");
  const elsewhere = options.filter((option) => !isOwn(option));
  note.hidden = elsewhere.length === 0;
  const order = [...options.filter(isOwn), note, ...elsewhere];
  if (order.some((part, place) => list.children[place] !== part)) list.append(...order);
}

function variantTitle(input) {
  const shown = [...input.closest("label").querySelectorAll("[data-title]")].find((title) => !title.closest("[hidden]"));
  return shown.textContent;
}

function showChosen() {
  const more = form.querySelector(".more");
  const said = [
    ...[...more.querySelectorAll("[name=variant]:checked")].map(variantTitle),
    ...[...more.querySelectorAll("input[data-words]:checked, option[data-words]:checked")].map((one) => one.dataset.words),
  ];
  const line = more.querySelector("[data-chosen]");
  line.dataset.idle ??= line.textContent;
  line.textContent = said.join(" · ") || line.dataset.idle;
}

function showSentence() {
  const points = form.querySelector("[data-part=points]");
  const variants = [...form.querySelectorAll("[name=variant]:checked")];
  const most = form.querySelectorAll("[data-maximum]");
  const least = Math.min(...[...most].map((one) => Number(one.dataset.maximum)));
  const more = variants.some((one) => Number(one.dataset.maximum) > least);
  const none = variants.some((one) => one.value === "all-or-nothing");
  points.textContent = none ? points.dataset.none : more ? points.dataset.more : points.dataset.usual;
  for (const name of ["players", "edition"]) form.querySelector(`[data-part=${name}]`).textContent = words(name);
  form.querySelector(".decide button").textContent = words("who");
}

function show() {
  showFitting();
  showBooklet();
  showChosen();
  showSentence();
}

form.addEventListener("change", show);
addEventListener("pageshow", show);
show();
