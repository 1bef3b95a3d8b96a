// Keeps the page's own files, so that a second visit needs no network, and adds the two headers without which
// a browser gives no shared memory to threads. Nothing is fetched from anywhere else.
const kCache = 'attnscope-VERSION';
const isolated = answer => {
  if (answer.status === 0) return answer;
  const headers = new Headers(answer.headers);
  headers.set('Cross-Origin-Opener-Policy', 'same-origin');
  headers.set('Cross-Origin-Embedder-Policy', 'require-corp');
  return new Response(answer.body, { status: answer.status, statusText: answer.statusText, headers });
};
self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', event => event.waitUntil((async () => {
  for (const name of await caches.keys()) if (name !== kCache) await caches.delete(name);
  await self.clients.claim();
})()));
self.addEventListener('fetch', event => {
  if (event.request.method !== 'GET') return;
  event.respondWith((async () => {
    const cache = await caches.open(kCache);
    const kept = await cache.match(event.request, { ignoreSearch: true });
    if (kept) return isolated(kept);
    const answer = await fetch(event.request);
    if (answer.ok) await cache.put(event.request, answer.clone()).catch(() => {});
    return isolated(answer);
  })());
});
