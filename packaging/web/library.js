// What C++ calls on any thread: assets/assets_web.cpp, whose files lie in later/ beside the program, and
// core/system/opened_file_web.cpp.
addToLibrary({
  // Tells the page what is waited for, so that it can say so.
  $attnscope_tell: (name, state) => {
    if (ENVIRONMENT_IS_NODE) return;
    const channel = new BroadcastChannel('attnscope-later');
    channel.postMessage({ name, state });
    channel.close();
  },
  // Copies bytes to the program's memory, with a zero byte behind them; 0: not of the size that was built.
  $attnscope_bytes: (bytes, size) => {
    if (bytes.length !== size) return 0;
    const at = _malloc(size + 1);
    if (!at) return 0;
    GROWABLE_HEAP_U8().set(bytes, at);
    GROWABLE_HEAP_U8()[at + size] = 0;
    return at;
  },
  $attnscope_bytes__deps: ['malloc'],
  // Waits for what lies at an address.
  $attnscope_wait: (address, range) => {
    const request = new XMLHttpRequest();
    request.open('GET', address, false);
    if (range) request.setRequestHeader('Range', range);
    // A page's own thread may not wait for bytes, only for text, each byte of which is one of its characters.
    if (ENVIRONMENT_IS_WORKER) request.responseType = 'arraybuffer';
    else request.overrideMimeType('text/plain; charset=x-user-defined');
    request.send();
    const { status, response } = request;
    if (status !== 200 && status !== 206) throw new Error(`status ${status}`);
    const bytes = ENVIRONMENT_IS_WORKER ? new Uint8Array(response) : Uint8Array.from(response, c => c.charCodeAt(0));
    return { bytes, part: status === 206 };
  },
  attnscope_fetch__deps: ['$attnscope_wait', '$attnscope_tell', '$attnscope_bytes', '$UTF8ToString'],
  attnscope_fetch: (at, size) => {
    const name = UTF8ToString(at);
    try {
      if (ENVIRONMENT_IS_NODE) return attnscope_bytes(require('fs').readFileSync(`${__dirname}/later/${name}`), size);
      attnscope_tell(name, 'wanted');
      const { bytes } = attnscope_wait(`later/${name}`);
      attnscope_tell(name, 'there');
      return attnscope_bytes(bytes, size);
    } catch (error) {
      if (!ENVIRONMENT_IS_NODE) attnscope_tell(name, 'failed');
      return 0;
    }
  },
  attnscope_ask__deps: ['$attnscope_bytes', '$UTF8ToString'],
  attnscope_ask: (at, size) => {
    globalThis.attnscope?.bring(UTF8ToString(at), bytes => {
      const to = attnscope_bytes(bytes, size);
      if (to) Module['_attnscope_arrived'](at, to);
      return to !== 0;
    });
  },
  attnscope_slice__deps: ['$attnscope_wait', '$UTF8ToString'],
  attnscope_slice: (at, begin, size, to) => {
    if (size === 0) return 0;
    try {
      const { bytes, part } = attnscope_wait(UTF8ToString(at), `bytes=${begin}-${begin + size - 1}`);
      const wanted = part ? bytes : bytes.subarray(begin, begin + size);
      GROWABLE_HEAP_U8().set(wanted.subarray(0, size), to);
      return Math.min(wanted.length, size);
    } catch (error) {
      return -1;
    }
  },
});
