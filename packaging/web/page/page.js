// What the program cannot do by itself in a browser: threads' memory, files in and out, the clipboard, an
// input method. The program is attnscope.js; it draws on the canvas.
const said = document.getElementById('said');
const cover = document.getElementById('cover');
const canvas = document.getElementById('canvas');
const keyboard = document.getElementById('keyboard');
const chinese = navigator.language.startsWith('zh');
const say = (en, zh) => { said.textContent = chinese ? zh : en; };

const stop = (en, zh) => {
  say(en, zh);
  document.getElementById('progress').remove();
  throw new Error(en);
};

async function isolate() {
  if (globalThis.crossOriginIsolated) return;
  if (!globalThis.isSecureContext || !navigator.serviceWorker) {
    stop('expected a page from https or localhost, which alone may have threads; this one is opened from elsewhere.',
         '需要从 https 或 localhost 打开：只有这样的页面才能使用线程。');
  }
  await navigator.serviceWorker.register('sw.js');
  await navigator.serviceWorker.ready;
  if (sessionStorage.getItem('isolated')) {
    stop('This browser gives this page no shared memory (a private window?), and attnscope computes in threads.',
         '浏览器没有给这个页面共享内存（隐私窗口？），而 attnscope 用线程计算。');
  }
  sessionStorage.setItem('isolated', '1');
  location.reload();
  await new Promise(() => {});
}

// --- what the program calls

let Module;
const api = globalThis.attnscope = {
  pasted: undefined,
  copy(text) {
    api.pasted = text;
    navigator.clipboard?.writeText(text).catch(() => {});
  },
  // The program's own icon, of straight red, green, blue and opacity; of several the last stays.
  show_icon(at, width, height) {
    const drawn = document.createElement('canvas');
    drawn.width = width;
    drawn.height = height;
    const pixels = new Uint8ClampedArray(Module.HEAPU8.slice(at, at + 4 * width * height));
    drawn.getContext('2d').putImageData(new ImageData(pixels, width, height), 0, 0);
    document.getElementById('icon').href = drawn.toDataURL();
  },
  // What was pasted or copied last, as the program's own memory; 0: nothing.
  paste: () => (api.pasted === undefined ? 0 : Module.stringToNewUTF8(api.pasted)),
  // A file of the program's that the person gets.
  give(at) {
    const path = Module.UTF8ToString(at);
    Module._free(at);
    const url = URL.createObjectURL(new Blob([Module.FS.readFile(path)]));
    const link = document.createElement('a');
    link.href = url;
    link.download = path.split('/').pop();
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 60000);
  },
};

const call = (name, text) => {
  const at = Module.stringToNewUTF8(text);
  Module[name](at);
  Module._free(at);
};

async function take(files) {
  for (const file of files) {
    const path = `/files/${file.name}`;
    Module.FS.writeFile(path, new Uint8Array(await file.arrayBuffer()));
    call('_attnscope_drop', path);
  }
}

function connect() {
  document.addEventListener('contextmenu', event => event.preventDefault());
  document.addEventListener('dragover', event => event.preventDefault());
  document.addEventListener('drop', event => {
    event.preventDefault();
    take(event.dataTransfer.files);
  });
  canvas.addEventListener('mousedown', () => setTimeout(() => keyboard.focus({ preventScroll: true })));
  keyboard.focus({ preventScroll: true });
  // What is typed comes here, put together by an input method where there is one.
  let composing = false;
  const flush = () => {
    if (composing || !keyboard.value) return;
    call('_attnscope_type', keyboard.value);
    keyboard.value = '';
  };
  keyboard.addEventListener('compositionstart', () => { composing = true; });
  keyboard.addEventListener('compositionend', () => { composing = false; flush(); });
  keyboard.addEventListener('input', flush);
  // Keys that the page would take for itself. What types a letter, pastes or copies goes its own way.
  document.addEventListener('keydown', event => {
    if (composing) { event.stopImmediatePropagation(); return; }
    const command = event.ctrlKey || event.metaKey;
    const ours = ['Tab', 'F1', 'F5', 'Backspace', 'ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Enter'];
    if (ours.includes(event.key) || (command && 'sokelfqyz0=-+'.includes(event.key.toLowerCase()))) event.preventDefault();
  }, true);
  document.addEventListener('paste', event => {
    api.pasted = event.clipboardData.getData('text');
    const kGlfwV = 86, kControl = 2;
    Module._attnscope_key(kGlfwV, kControl);
    event.preventDefault();
  });
  document.addEventListener('visibilitychange', () => keep());
}

const keep = () => new Promise(resolve => Module.FS.syncfs(false, () => resolve()));

async function start() {
  await isolate();
  sessionStorage.removeItem('isolated');
  say('Loading …', '正在加载…');
  if (!document.createElement('canvas').getContext('webgl2')) {
    stop('attnscope needs WebGL 2, which this browser does not offer.', 'attnscope 需要 WebGL 2，而这个浏览器没有。');
  }
  // What stands behind # is one word of the command line: a link, which may have a language of its own.
  const link = location.hash.length > 1 ? location.hash : '';
  const words = link ? [link] : [];
  if (chinese && !/[?&]lang=/.test(link)) words.push('--lang', 'zh_CN');
  const told = [];
  globalThis.Module = Module = {
    canvas,
    noInitialRun: true,
    print: text => console.log(text),
    printErr: text => { console.warn(text); told.push(text); },
    onAbort: what => { cover.hidden = false; say(`attnscope ended: ${what}`, `attnscope 已终止：${what}`); },
    preRun: [() => {
      for (const folder of ['/kept', '/files', '/downloads']) Module.FS.mkdir(folder);
      Module.FS.mount(Module.IDBFS, {}, '/kept');
      Module.ENV.ATTNSCOPE_ADDRESS = location.origin + location.pathname;
      Module.ENV.XDG_CONFIG_HOME = '/kept';
      Module.ENV.XDG_DATA_HOME = '/kept';
      Module.FS.chdir('/downloads');
      Module.addRunDependency('kept');
      Module.FS.syncfs(true, () => Module.removeRunDependency('kept'));
    }],
    postRun: [() => {
      if (Module.callMain(words)) return stop(told.join('\n'), told.join('\n'));
      cover.hidden = true;
      connect();
    }],
  };
  const script = document.createElement('script');
  script.src = 'attnscope.js';
  document.body.append(script);
}

start();
