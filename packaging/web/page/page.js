// Begins the program: threads' memory, words from the address, and the page's own files for the next visit.
// The program is attnscope.js; it draws on the canvas.
import { bring, call, choose, give, keep, recall } from './files.js';
import { connect, copy, last_copied } from './input.js';
import { chinese, cover, lack, say, stop, tell, uncover } from './said.js';

let program;
const embedded = new URLSearchParams(location.search).has('embed');

// What the program calls.
globalThis.attnscope = {
  bring,
  choose,
  copy,
  give,
  // The graphics are gone, as when a laptop wakes: once they are there again the page begins anew, where it was.
  lost() {
    leave();
    cover('The graphics card was taken away. This page goes on when it is back.', '图形设备被收回；恢复后此页面会继续。');
    program.canvas.addEventListener('webglcontextrestored', () => location.reload());
  },
  // The program's own icon, of straight red, green, blue and opacity; of several the last stays.
  show_icon(at, width, height) {
    const drawn = document.createElement('canvas');
    drawn.width = width;
    drawn.height = height;
    const pixels = new Uint8ClampedArray(program.HEAPU8.slice(at, at + 4 * width * height));
    drawn.getContext('2d').putImageData(new ImageData(pixels, width, height), 0, 0);
    document.getElementById('icon').href = drawn.toDataURL();
  },
  // What was pasted or copied last, as the program's own memory; 0: nothing.
  copied: last_copied,
  // To another lab or lesson: the browser's back leads here again.
  went: link => { if (!embedded) history.pushState(null, '', link || location.pathname + location.search); },
  paste: () => (last_copied() === undefined ? 0 : program.stringToNewUTF8(last_copied())),
};

// --- the view, over a reload

// A browser that keeps nothing begins anew.
const in_tab = {
  get(name) { try { return sessionStorage.getItem(name); } catch { return null; } },
  set(name, value) { try { sessionStorage.setItem(name, value); } catch { /* then not */ } },
};

function leave() {
  const at = program._attnscope_view();
  in_tab.set('view', JSON.stringify({ hash: location.hash, view: program.UTF8ToString(at) }));
  program._free(at);
  keep();
}

// What stands behind # is one word of the command line: a link, which may have a language of its own.
function words() {
  const way = performance.getEntriesByType('navigation')[0]?.type;
  const left = ['reload', 'back_forward'].includes(way) && JSON.parse(in_tab.get('view'));
  const link = left && left.hash === location.hash ? left.view : location.hash;
  const list = link.length > 1 ? [link] : [];
  // One figure and a few knobs in somebody's page: ?embed, or ?embed=FIGURE,KNOB,KNOB.
  const asked = new URLSearchParams(location.search);
  if (asked.has('embed')) list.push(`--embed${asked.get('embed') ? `=${asked.get('embed')}` : ''}`);
  // For tests: where every control is, kept up to date (docs/developer/debug-a-frame.md).
  if (asked.has('control_map')) list.push('--control-map', '/files/control_map.json');
  if (chinese && !/[?&]lang=/.test(link)) list.push('--lang', 'zh_CN');
  return list;
}

// --- the page's own files, and threads

// A new version waits until the person takes it: what runs goes on with its own files.
function offer(worker) {
  const take = () => worker.postMessage('begin');
  tell('A new version of this page is there.', '此页面有新版本。', 0, { words: ['Use it', '使用新版本'], done: take });
  navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true });
}

async function register() {
  const registered = await navigator.serviceWorker.register('sw.js');
  const watch = worker => worker?.addEventListener('statechange', () => {
    if (worker.state === 'installed' && registered.active) offer(worker);
  });
  if (registered.waiting && registered.active) offer(registered.waiting);
  watch(registered.installing);
  registered.addEventListener('updatefound', () => watch(registered.installing));
}

async function isolate() {
  if (globalThis.crossOriginIsolated) return;
  if (!globalThis.isSecureContext || !navigator.serviceWorker) {
    lack('expected a page from https or localhost, which alone may have threads; this one is opened from elsewhere.',
         '需要从 https 或 localhost 打开：只有这样的页面才能使用线程。');
  }
  // A frame shares memory only where the page around it is isolated, too.
  if (globalThis.parent !== globalThis) {
    refuse('This figure moves in a tab of its own: the page around it shares no memory with its threads.',
           '此图需在单独的标签页中打开：外层页面没有为它的线程提供共享内存。', location.href);
  }
  try {
    await register();
  } catch (error) {
    lack(`This browser lets no service worker help this page (${error.message}), and without one it gives no shared memory to threads.`,
         `浏览器不允许此页面使用 service worker（${error.message}），因而无法为线程提供共享内存。`);
  }
  await navigator.serviceWorker.ready;
  if (in_tab.get('isolated')) {
    lack('This browser gives this page no shared memory (a private window?), and attnscope computes in threads.',
         '浏览器没有给这个页面共享内存（隐私窗口？），而 attnscope 用线程计算。');
  }
  in_tab.set('isolated', '1');
  // This document takes the place of none: a browser that kept it would show it again at the first way back.
  addEventListener('unload', () => {});
  addEventListener('pageshow', shown => { if (shown.persisted) location.reload(); });
  location.reload();
  await new Promise(() => {});
}

// Once there is a picture: all files for the next visit, which needs no network then.
async function settle() {
  try {
    in_tab.set('isolated', '');
    await register();
    (await navigator.serviceWorker.ready).active.postMessage('keep');
  } catch {
    // The page is there without, as long as the network is.
  }
}

// --- the program

// From an embedded figure to all of the program, with the knobs as they are then.
function offer_whole() {
  if (!embedded) return;
  const whole = document.getElementById('whole');
  whole.hidden = false;
  const aim = () => {
    const at = program._attnscope_view();
    whole.href = location.pathname + program.UTF8ToString(at);
    program._free(at);
  };
  aim();
  whole.addEventListener('pointerdown', aim);
  whole.addEventListener('keydown', aim);
}

// Ends the page with a sentence and a way on.
function refuse(en, zh, to) {
  const way = document.createElement('a');
  way.href = to;
  if (globalThis.parent !== globalThis) way.target = '_blank';
  way.textContent = chinese ? '打开 attnscope' : 'Open attnscope';
  document.getElementById('said').after(way);
  stop(en, zh);
}

async function start() {
  await isolate();
  say('Loading …', '正在加载…');
  if (!document.createElement('canvas').getContext('webgl2')) {
    lack('attnscope needs WebGL 2, which this browser does not offer.', 'attnscope 需要 WebGL 2，而这个浏览器没有。');
  }
  const told = [];
  globalThis.Module = program = {
    canvas: document.getElementById('canvas'),
    noInitialRun: true,
    print: text => console.log(text),
    printErr: text => { console.warn(text); told.push(text); },
    onAbort: what => stop(`attnscope ended: ${what}`, `attnscope 已终止：${what}`),
    preRun: [() => {
      const { ENV, FS } = program;
      for (const folder of ['/kept', '/files', '/downloads']) FS.mkdir(folder);
      ENV.ATTNSCOPE_ADDRESS = location.origin + location.pathname;
      ENV.XDG_CONFIG_HOME = '/kept';
      ENV.XDG_DATA_HOME = '/kept';
      FS.chdir('/downloads');
      recall(program);
    }],
    postRun: [() => {
      // The program's own sentence, of a link that cannot be opened.
      if (program.callMain(words())) refuse(told.join('\n'), told.join('\n'), location.pathname);
      uncover();
      connect(program);
      offer_whole();
      document.addEventListener('visibilitychange', () => { if (document.hidden) leave(); });
      addEventListener('pagehide', leave);
      settle();
    }],
  };
  // By the browser's back, or by another link in the same page.
  addEventListener('popstate', () => call('_attnscope_go', location.hash));
  const script = document.createElement('script');
  script.src = 'attnscope.js';
  script.addEventListener('error', () => stop('attnscope.js cannot be fetched: is the network there?', '无法取得 attnscope.js：网络是否连通？'));
  document.body.append(script);
}

start();
