// What has happened since the table was last drawn, for all that show it or let it be heard: an event "news" of the document.
// Its detail is what is new: turn (the reader's turn has come), told (the reader got a clue), mistake, grown (fireworks with
// their new heights), ended.

const REMEMBERED = { active: "no", told: "0", mistakes: "0", ended: "no" };

function read() {
  const table = document.getElementById("table");
  const now = { ...REMEMBERED };
  for (const name of Object.keys(now)) now[name] = table?.dataset[name] ?? now[name];
  now.heights = new Map([...document.querySelectorAll("#table .firework")].map((one) => [one.id, Number(one.dataset.height)]));
  return now;
}

let before = read();

document.addEventListener("htmx:after:swap", () => {
  const now = read();
  const grown = [...now.heights].filter(([id, height]) => height > (before.heights.get(id) ?? height));
  const detail = {
    turn: now.active === "yes" && before.active === "no",
    told: Number(now.told) > Number(before.told),
    mistake: Number(now.mistakes) > Number(before.mistakes),
    ended: now.ended === "yes" && before.ended === "no" && before.heights.size > 0,
    grown: grown.map(([id, height]) => ({ firework: document.getElementById(id), height })),
  };
  before = now;
  document.dispatchEvent(new CustomEvent("news", { detail }));
});
