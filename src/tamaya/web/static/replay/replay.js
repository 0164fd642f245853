// The replay: from moment to moment without waiting, by buttons, keys, swipe and slider. At a table where the game goes on,
// the same looks back at earlier turns: the page keeps still until one comes back to now.
"use strict";

(() => {
  const PACES = [1600, 800, 400];
  const AGAIN = 2000;
  const replaying = document.body.classList.contains("looking-back");
  const together = document.body.classList.contains("together");
  const address = `${location.pathname.replace(/\/replay(\/together)?$/, "")}/replay`;
  const memory = `seen ${address}`;
  const kept = new Map();
  const controls = () => document.getElementById("controls");
  const step = (name) => controls()?.querySelector(`[data-step="${name}"][href]`);
  let newest = 0;
  let heading = null;
  let showing = false;
  let timer = 0;
  let pace = 0;
  let coaching = 0;

  const turn = () => Number(controls().dataset.turn);
  const seen = () => Math.max(Number(sessionStorage.getItem(memory)), Number(controls()?.dataset.seen ?? 0));

  // Where a link leads, with all that the server has to know; a link that names no eyes keeps those one looks through.
  function place(link) {
    const url = new URL(link, location.href);
    if (!url.searchParams.has("eyes") && controls()) url.searchParams.set("eyes", controls().dataset.eyes);
    url.searchParams.set("seen", seen());
    return url.href;
  }

  async function part(url) {
    if (!kept.has(url)) {
      const asked = fetch(url, { headers: { "HX-Request": "true" } }).then(async (answer) => [answer.ok, await answer.text()]);
      kept.set(url, asked);
      asked.then(([ok]) => ok || kept.delete(url)).catch(() => kept.delete(url));
      if (kept.size > 60) kept.delete(kept.keys().next().value);
    }
    return kept.get(url);
  }

  // Go somewhere; of several wishes, the newest counts.
  async function go(link, quietly = false) {
    const wish = ++newest;
    heading = /[?&]turn=(\d+)/.exec(link)?.[1] ?? null;
    const [ok, text] = await part(place(link)).catch(() => [false, document.getElementById("offline").textContent]);
    if (wish !== newest) return;
    heading = null;
    if (!ok) return stop(), quietly || toast(text);
    const focus = document.activeElement?.dataset?.step;
    showing = true;
    await htmx.swap({ text, target: live, swap: "innerMorph", sourceElement: live });
    showing = false;
    if (focus && document.activeElement === document.body) step(focus)?.focus();
    arrive();
  }

  function arrive() {
    if (!controls()) return;
    sessionStorage.setItem(memory, seen());
    if (replaying && !together) history.replaceState(null, "", controls().dataset.address);
    const play = controls().querySelector("[data-play]");
    if (play) {
      play.hidden = false;
      play.setAttribute("aria-pressed", String(Boolean(timer)));
      play.title = timer ? play.dataset.pause : play.title;
      play.firstElementChild.textContent = timer ? "❚❚" : "▶";
    }
    const speed = controls().querySelector("[data-pace]");
    if (speed) {
      speed.hidden = false;
      speed.querySelector("[data-pace-words]").textContent = `${PACES[0] / PACES[pace]}×`;
    }
    for (const share of document.querySelectorAll("[data-share-moment]")) share.hidden = false;
    if (controls().dataset.last === "yes" && timer) stop();
    clearTimeout(coaching);
    if (document.querySelector("[data-coaching]")) coaching = setTimeout(again, AGAIN);
    // What the reader has seen already is fetched ahead; what lies ahead is not.
    for (const near of [turn() + 1, turn() - 1]) {
      const link = step(near > turn() ? "next" : "previous");
      if (link && near <= seen()) part(place(link.href)).catch(() => {});
    }
  }

  // While the coach is at work, there is soon more to say of the same place; what was opened stays open.
  async function again() {
    kept.clear();
    if (timer || heading !== null || document.activeElement?.matches("#sheet *, select")) return void (coaching = setTimeout(again, AGAIN));
    const name = (details) => details.querySelector("a")?.getAttribute("href");
    const open = [...document.querySelectorAll("#live details[open]")].map(name);
    await go(controls().dataset.address, true);
    for (const details of document.querySelectorAll("#live details")) details.open ||= open.includes(name(details));
  }

  function stop() {
    clearInterval(timer);
    timer = 0;
    if (controls()) arrive();
  }

  function play() {
    if (timer) return stop();
    if (!step("next")) return go(`${address}?turn=0`).then(() => step("next") && play());
    timer = setInterval(() => (step("next") ? go(step("next").href) : stop()), PACES[pace]);
    go(step("next").href);
  }

  function faster() {
    pace = (pace + 1) % PACES.length;
    if (timer) stop(), play();
    else arrive();
  }

  const leadsHere = (link) => new URL(link.getAttribute("href"), location.href).pathname === address; // in pictures, too
  const isNow = (link) => link.dataset.step === "now" && !replaying;

  function now() {
    stop();
    newest++;
    heading = null;
    kept.clear();
    controls().removeAttribute("id");
    look();
  }

  document.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    const link = event.target.closest("#live a[href]");
    if (link && (replaying || !document.querySelector(".board.ended")) && (leadsHere(link) || isNow(link))) {
      event.preventDefault();
      const side = link.closest(".side");
      if (side && getComputedStyle(side).position === "fixed") panel("");
      return follow(link);
    }
    if (event.target.closest("[data-play]")) play();
    if (event.target.closest("[data-pace]")) faster();
    const share = event.target.closest("[data-share-moment]");
    if (share) shareIt(share);
  });

  async function shareIt(button) {
    const url = new URL(controls().dataset.address, location.href).href;
    if (navigator.share) return navigator.share({ url }).catch(() => {});
    await navigator.clipboard?.writeText(url);
    toast(button.dataset.done);
  }

  document.addEventListener("input", (event) => {
    if (event.target.id === "turn") {
      stop();
      go(`${address}?turn=${event.target.value}`);
    }
  });
  document.addEventListener("change", (event) => {
    if (event.target.id === "eyes") go(`${address}?turn=${turn()}&eyes=${event.target.value}`);
  });

  function nextEyes() {
    const eyes = document.getElementById("eyes");
    if (eyes) go(`${address}?turn=${turn()}&eyes=${eyes.options[(eyes.selectedIndex + 1) % eyes.options.length].value}`);
  }

  function follow(link) {
    if (!link) return;
    if (timer) stop();
    if (isNow(link)) now();
    else go(link.getAttribute("href"));
  }

  // A turn back or on, from where the reader is or is about to be.
  function by(turns) {
    if (controls()?.querySelector(".trying")) return follow(step(turns < 0 ? "undo" : "onward"));
    if (heading === null) return follow(step(turns < 0 ? "previous" : "next"));
    if (timer) stop();
    go(`${address}?turn=${Math.max(0, Number(heading) + turns)}`);
  }

  const KEYS = {
    ArrowLeft: () => by(-1),
    ArrowRight: () => by(1),
    Home: () => follow(step("first")),
    End: () => follow(step("last")),
    m: () => follow(step("mark")),
    v: () => follow(step("try")),
    z: () => follow(step("undo")),
    e: nextEyes,
    f: faster,
    " ": play,
    Escape: () => follow(step("back") ?? (replaying ? null : step("now"))),
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || document.querySelector("dialog[open]")) return;
    if (document.body.dataset.keys !== "on" && event.key !== "Escape") return;
    if (event.target.closest("input, select, textarea") || (event.key === " " && event.target.closest("button, a, summary"))) return;
    if (!controls()) {
      const link = document.querySelector("a.look-back");
      if (event.key !== "ArrowLeft" || !link) return;
      event.preventDefault();
      return follow(link);
    }
    const act = KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });

  const touch = { x: 0, y: 0, on: false };
  document.addEventListener("pointerdown", (event) => {
    Object.assign(touch, { x: event.clientX, y: event.clientY, on: Boolean(controls() && event.target.closest(".heavens, .hands")) });
  });
  document.addEventListener("pointerup", (event) => {
    const [x, y] = [event.clientX - touch.x, event.clientY - touch.y];
    if (!touch.on || Math.abs(x) < 60 || Math.abs(y) > Math.abs(x) / 2) return;
    by(x < 0 ? 1 : -1);
  });

  // While one looks back, news of the table wait; whose turn it is by then is told.
  document.addEventListener("htmx:before:swap", (event) => {
    if (showing || replaying || !controls()) return;
    event.preventDefault();
    kept.clear(); // the turns ahead, or what was taken back, may be others by now
    const back = step("now");
    if (back) back.classList.toggle("news", /data-active="yes"/.test(event.detail.ctx.text || ""));
  });
  document.addEventListener("htmx:after:swap", () => !showing && arrive());

  document.addEventListener("replay:go", (event) => (stop(), go(event.detail)));

  if (replaying) {
    const reached = Number(sessionStorage.getItem(memory));
    if (reached > Number(controls().dataset.seen)) go(controls().dataset.address);
    else arrive();
  }
})();
