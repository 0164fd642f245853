// Fireworks over the whole screen: one burst for a completed firework, and at the end a show that fits the score.
// The same score makes the same show. A tap, Escape or the button ends it. Behind the result a picture of it stays, which is
// all there is where motion is unwelcome.

const box = document.getElementById("show");
const RAINBOW = ["red", "yellow", "green", "blue", "white"];
const GRAVITY = 0.09; // heights of the screen per second, twice
const FRAME = 1 / 60;
const quiet = matchMedia("(prefers-reduced-motion: reduce)");
const board = () => document.querySelector("#table.board");

// Chance that falls the same way for the same seed.
function dice(seed) {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

// What will burst when (in seconds) and where (in shares of the screen), how large, and in which colour.
function plan(score, maximum, colours) {
  const chance = dice(1000 * maximum + score);
  if (!score) return [{ at: 0.7, x: 0.5, y: 0.45, size: 0.14, colour: "smoke", kind: "damp" }];
  const share = score / maximum;
  const count = Math.round(share === 1 ? 34 : 2 + 18 * share ** 2);
  const length = share === 1 ? 5.5 : 0.6 + 3.6 * share;
  const bursts = Array.from({ length: count }, (_, place) => ({
    at: 0.6 + (length * place) / count,
    x: 0.1 + 0.8 * ((place * 0.618 + 0.3 * chance()) % 1),
    y: 0.12 + (share === 1 ? 0.5 : 0.38) * chance(),
    size: (0.2 + 0.16 * chance()) * (0.7 + 0.5 * share),
    colour: colours[place % colours.length],
    kind: ["ball", "ring", "willow", "ball"][Math.floor(4 * chance())],
  }));
  if (share < 1) return bursts;
  const finale = [0.5, 0.18, 0.82, 0.34, 0.66].map((x, place) => ({
    at: 6.3 + 0.12 * place, x, y: 0.34 - 0.04 * (place % 2), size: place ? 0.5 : 0.8, colour: colours[place], kind: place ? "ball" : "willow",
  }));
  return [...bursts, ...finale];
}

// The night's colours, whatever the appearance of the page.
function paints() {
  const found = { smoke: "#8d91b5" };
  for (const colour of RAINBOW) {
    const probe = box.appendChild(document.createElement("i"));
    probe.className = colour;
    found[colour] = getComputedStyle(probe).color;
    probe.remove();
  }
  return found;
}

function sparks(burst, scale, chance) {
  const many = { ring: 60, damp: 26, willow: 130 }[burst.kind] ?? 150;
  return Array.from({ length: many }, (_, place) => {
    const angle = 2 * Math.PI * (burst.kind === "ring" ? place / many : chance());
    const depth = burst.kind === "ring" ? 1 : Math.sqrt(1 - (2 * chance() - 1) ** 2) * (0.85 + 0.15 * chance());
    const speed = 2.4 * burst.size * depth * scale;
    return {
      x: burst.x, y: burst.y, vx: speed * Math.cos(angle), vy: speed * Math.sin(angle), age: 0,
      life: (burst.kind === "willow" ? 2 : 1.25) * (0.75 + 0.5 * chance()),
      weight: { willow: 1.5, damp: 3 }[burst.kind] ?? 1,
      colour: burst.colour === "multicolour" ? RAINBOW[place % RAINBOW.length] : chance() < 0.12 && burst.kind !== "damp" ? "white" : burst.colour,
    };
  });
}

// A sky that sparks fly in; everything in it is measured in widths and heights of the screen.
class Sky {
  constructor(canvas, seed, width = innerWidth, height = innerHeight) {
    this.chance = dice(seed);
    this.colours = paints();
    this.ratio = Math.min(devicePixelRatio, 2);
    [this.width, this.height] = [width, height];
    [canvas.width, canvas.height] = [width * this.ratio, height * this.ratio];
    this.pen = canvas.getContext("2d");
    this.pen.scale(this.ratio, this.ratio);
    this.pen.lineCap = "round";
    this.unit = Math.max(Math.min(width, height), 0.62 * Math.max(width, height));
    this.flying = [];
    this.mix = "lighter";
  }

  burst(burst) {
    const place = { ...burst, x: burst.x * this.width, y: burst.y * this.height };
    this.flying.push(...sparks(place, this.unit, this.chance));
  }

  // A rocket on its way up is a spark that leaves a trail.
  rise(burst, share) {
    const y = this.height * (1 - (1 - burst.y) * (1 - (1 - share) ** 2));
    const x = burst.x * this.width + 6 * Math.sin(9 * share);
    this.line(x, y + 7, x, y, this.colours[burst.colour] ?? this.colours.yellow, 0.9, 2);
  }

  line(x1, y1, x2, y2, colour, light, width) {
    const { pen } = this;
    pen.globalAlpha = light;
    pen.strokeStyle = colour;
    pen.lineWidth = width;
    pen.beginPath();
    pen.moveTo(x1, y1);
    pen.lineTo(x2, y2);
    pen.stroke();
  }

  step(seconds) {
    this.pen.globalCompositeOperation = this.mix;
    this.flying = this.flying.filter((spark) => {
      const { x, y } = spark;
      const slow = Math.exp(-2.6 * seconds);
      spark.age += seconds;
      spark.vx *= slow;
      spark.vy = spark.vy * slow + GRAVITY * spark.weight * this.height * seconds;
      spark.x += spark.vx * seconds;
      spark.y += spark.vy * seconds;
      const left = 1 - spark.age / spark.life;
      if (left <= 0) return false;
      if (spark.age > 1.5 * FRAME) this.line(x, y, spark.x, spark.y, this.colours[spark.colour], Math.min(1, 1.6 * left), 1 + 1.4 * left);
      return true;
    });
  }

  fade(share) {
    this.pen.globalCompositeOperation = "destination-out";
    this.pen.globalAlpha = share;
    this.pen.fillRect(0, 0, this.width, this.height);
  }
}

let running = 0;

function play(kind, bursts, seed) {
  stop();
  const sky = new Sky(box.querySelector("canvas"), seed);
  const waiting = [...bursts].sort((one, other) => one.at - other.at);
  box.dataset.kind = kind;
  box.dataset.bursts = bursts.length;
  box.hidden = false;
  let [time, last] = [0, 0];
  const frame = (now) => {
    const seconds = last ? Math.min((now - last) / 1000, 0.05) : FRAME;
    [time, last] = [time + seconds, now];
    sky.fade(1 - 0.9 ** (seconds / FRAME));
    while (waiting.length && waiting[0].at <= time) sky.burst(waiting.shift());
    sky.step(seconds);
    if (kind === "end") for (const burst of waiting) if (burst.at - time < 0.6) sky.rise(burst, 1 - (burst.at - time) / 0.6);
    if (waiting.length || sky.flying.length) running = requestAnimationFrame(frame);
    else stop();
  };
  running = requestAnimationFrame(frame);
}

function stop() {
  cancelAnimationFrame(running);
  running = 0;
  box.hidden = true;
}

// What stays behind the result: a few bursts of the same show, as a camera sees them that looks for a second.
function stay() {
  const still = document.getElementById("afterglow");
  if (!still) return;
  const score = Number(board().dataset.score);
  const sky = new Sky(still, score, still.clientWidth, still.clientHeight);
  sky.mix = "source-over"; // a picture of a whole second would get too bright
  for (const burst of score ? whole(board()).slice(-5) : []) sky.burst({ ...burst, y: 1.4 * burst.y });
  for (let moment = 0; moment < 0.8; moment += FRAME) sky.step(FRAME);
}

function whole(table) {
  const lit = [...table.querySelectorAll(".firework")].filter((firework) => firework.dataset.height !== "0");
  return plan(Number(table.dataset.score), Number(table.dataset.maximum), lit.map((firework) => firework.id.slice("firework-".length)));
}

function bloom(firework) {
  const { left, top, width, height } = firework.querySelector(".burst").getBoundingClientRect();
  const [x, y] = [(left + width / 2) / innerWidth, (top + height / 2) / innerHeight];
  const colour = firework.id.slice("firework-".length);
  play("five", [{ at: 0, x, y, size: 1.1, colour, kind: "ball" }, { at: 0.14, x, y, size: 0.6, colour, kind: "ring" }], 5);
}

document.addEventListener("news", ({ detail }) => {
  const five = detail.grown.find(({ firework }) => "complete" in firework.dataset);
  if (detail.ended) stay();
  if (quiet.matches) return;
  if (detail.ended) play("end", whole(board()), Number(board().dataset.score));
  else if (five) bloom(five.firework);
});

box.addEventListener("click", stop);
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || box.hidden || box.dataset.kind !== "end") return;
  stop();
  event.stopImmediatePropagation();
}, true);
document.addEventListener("click", (event) => {
  if (event.target.closest("[data-show]") && !quiet.matches) play("end", whole(board()), Number(board().dataset.score));
});
addEventListener("resize", stay);
stay();
