// Keeps the page's own files, so that a second visit needs no network, and adds the two headers without which
// a browser gives no shared memory to threads. Nothing is fetched from anywhere else.
const kCache = 'attnscope-VERSION';
const kFiles = FILES;

const isolated = answer => {
  if (answer.status === 0) return answer;
  const headers = new Headers(answer.headers);
  headers.set('Cross-Origin-Opener-Policy', 'same-origin');
  headers.set('Cross-Origin-Embedder-Policy', 'require-corp');
  return new Response(answer.body, { status: answer.status, statusText: answer.statusText, headers });
};

// What is not kept yet, as the host has it now. It is kept with its headers: a browser compiles a program once only
// where it comes out of the cache as it is.
async function keep_all() {
  const cache = await caches.open(kCache);
  for (const file of kFiles) {
    if (await cache.match(file)) continue;
    const answer = await fetch(file, { cache: 'no-cache' });
    if (!answer.ok) throw new Error(`${file}: status ${answer.status}`);
    await cache.put(file, isolated(answer));
  }
}

// The first version begins at once and keeps what is asked for. A later one has all of its files before it waits for
// the person to take it, or for the last of the pages to close.
self.addEventListener('install', event => {
  if (self.registration.active) event.waitUntil(keep_all());
  else self.skipWaiting();
});
self.addEventListener('activate', event => event.waitUntil((async () => {
  for (const name of await caches.keys()) if (name.startsWith('attnscope-') && name !== kCache) await caches.delete(name);
  await self.clients.claim();
})()));
self.addEventListener('message', event => {
  if (event.data === 'keep') event.waitUntil(keep_all().catch(() => {}));
  if (event.data === 'begin') self.skipWaiting();
});
self.addEventListener('fetch', event => {
  const { request } = event;
  if (request.method !== 'GET' || new URL(request.url).origin !== self.location.origin) return;
  event.respondWith((async () => {
    const cache = await caches.open(kCache);
    const kept = await cache.match(request, { ignoreSearch: true });
    if (kept) return kept;
    const answer = isolated(await fetch(request));
    if (answer.status === 200) cache.put(request.url.split(/[?#]/)[0], answer.clone()).catch(() => {});
    return answer;
  })());
});
