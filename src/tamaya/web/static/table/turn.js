// Your turn, for somebody who looks elsewhere: the tab's icon and, on request, a notification. None of them names a card.

const icon = document.getElementById("icon");
const button = document.getElementById("notify");
const KEY = "notify";
const possible = "Notification" in window && "serviceWorker" in navigator && window.isSecureContext;
let wanted = possible && Notification.permission === "granted" && kept() === "on";

function kept() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function keep(wish) {
  wanted = wish;
  try {
    localStorage.setItem(KEY, wish ? "on" : "off");
  } catch {
    // a browser that keeps nothing asks again next time
  }
  button.setAttribute("aria-pressed", String(wish));
}

async function toggle() {
  if (wanted) return keep(false);
  const allowed = (await Notification.requestPermission()) === "granted";
  keep(allowed);
  document.getElementById("notify-refused").hidden = allowed;
}

if (button && possible) {
  button.hidden = false;
  button.setAttribute("aria-pressed", String(wanted));
  button.addEventListener("click", toggle);
}

async function notify() {
  const { notice } = button.dataset;
  const worker = await navigator.serviceWorker.getRegistration();
  const options = { tag: location.pathname, icon: button.dataset.icon, data: { address: location.pathname } };
  if (worker?.active) await worker.showNotification(notice, options);
}

async function forget() {
  const worker = possible && (await navigator.serviceWorker.getRegistration());
  for (const old of (await worker?.getNotifications?.({ tag: location.pathname })) ?? []) old.close();
}

function showIcon() {
  const turn = document.getElementById("table")?.dataset.active === "yes";
  const address = turn ? icon.dataset.turn : icon.dataset.usual;
  if (icon.getAttribute("href") !== address) icon.setAttribute("href", address);
}

document.addEventListener("news", ({ detail }) => {
  showIcon();
  if (detail.turn && wanted && document.hidden) notify();
});
document.addEventListener("visibilitychange", () => {
  if (!document.hidden && wanted) forget();
});
showIcon();
