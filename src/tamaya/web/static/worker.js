// The service worker: static files come from its cache, and without a connection a kind page is shown.
// It keeps what VERSION, PAGE and ASSETS say, which the server writes above this line, and nothing else: no table, no person.
const CACHE = `tamaya-${VERSION}`;

self.addEventListener("install", (event) => {
  const wanted = [PAGE, ...ASSETS].map((address) => new Request(address, { credentials: "omit" }));
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(wanted)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  const tidy = async () => {
    for (const name of await caches.keys()) if (name !== CACHE) await caches.delete(name);
    await self.clients.claim();
  };
  event.waitUntil(tidy());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname, search } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate") {
    event.respondWith(fetch(request).catch(async () => (await caches.match(PAGE)) || Response.error()));
  } else if (ASSETS.includes(pathname + search)) {
    event.respondWith(caches.match(request, { cacheName: CACHE }).then((kept) => kept || fetch(request)));
  }
});

self.addEventListener("notificationclick", (event) => {
  const { address } = event.notification.data;
  event.notification.close();
  const show = async () => {
    const pages = await self.clients.matchAll({ type: "window" });
    const page = pages.find((one) => new URL(one.url).pathname === address);
    await (page ? page.focus() : self.clients.openWindow(address));
  };
  event.waitUntil(show());
});
