// What every page does for the installed app: without a connection, a kind page in the language of this one.
// Workers exist where the connection is safe; elsewhere nothing is missed.

if ("serviceWorker" in navigator) {
  addEventListener("load", () => {
    const language = document.documentElement.lang.replace("-", "_");
    navigator.serviceWorker.register(`/sw.js?language=${language}`).catch(() => undefined);
  });
}
