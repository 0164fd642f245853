// Looking together: the leader's page says where it is, the others' pages go there, until somebody looks around alone.
"use strict";

(() => {
  const PAUSE = 300;
  const company = document.getElementById("company");
  const circle = () => document.getElementById("circle");
  const at = () => document.getElementById("controls").dataset.address;
  let leading = circle().dataset.leads === "yes";
  let asked = at();
  let told = circle().dataset.shown;
  let alone = false;
  let timer = 0;

  function ask(command, address) {
    const query = new URL(address, location.href).search;
    const body = new URLSearchParams();
    return fetch(`${location.pathname}/${command}${query}`, { method: "POST", body, headers: { "HX-Request": "true" } });
  }

  // The leader's page tells where it is, not more often than people can look.
  function tell() {
    if (timer || !leading || told === at()) return;
    told = at();
    const missed = () => (told = ""); // a server that has just started does not know who leads: it is told once it does
    ask("show", told).then((answer) => answer.ok || missed(), missed);
    timer = setTimeout(() => ((timer = 0), tell()), PAUSE);
  }

  function follow() {
    const { shown } = circle().dataset;
    if (!shown || shown === asked) return;
    asked = shown;
    document.dispatchEvent(new CustomEvent("replay:go", { detail: shown }));
  }

  // What is new in the circle: somebody else leads, or shows another moment.
  function heed() {
    const { leads, led, shown } = circle().dataset;
    if (leading && led === "no" && !company.dataset.stopped) return void ask("lead", at()).catch(() => {});
    if (!leading && leads === "yes") told = shown;
    leading = leads === "yes";
    if (leading) alone = false;
    if (leading) tell();
    else if (!alone) follow();
    company.querySelector("[data-follow]").hidden = !alone || led === "no";
  }

  document.addEventListener("htmx:after:swap", (event) => {
    const boardCame = !event.target.closest("#company");
    if (boardCame && at() !== asked) {
      alone = !leading;
      asked = at();
    }
    heed();
  });
  document.addEventListener("submit", (event) => {
    const command = event.target.dataset.ask;
    if (command) company.dataset.stopped = command === "lead" ? "" : "yes";
  });
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-follow]")) {
      alone = false;
      follow();
      heed();
    }
    if (!event.target.closest(".circle")) circle().open = false;
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && circle().open) circle().open = false;
  });
})();
