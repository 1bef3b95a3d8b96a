// Files: those that come later, those a person brings and takes, and what is kept for the next visit.
import { hush, tell } from './said.js';

// A file of this size or more is read in places from the person's disk, never whole.
const kWhole = 32 * 1024 * 1024;
const kHead = 1024 * 1024;

let program;

// --- what comes later

const kKinds = {
  fonts: ['all Chinese characters', '全部汉字'],
  models: ['trained models', '训练好的模型'],
  checkpoints: ['a published model', '已发布的模型'],
  language: ['a model that has read', '读过书的模型'],
};
const wanted = new Set();
let shown; // once it takes a while
const progress = (name, state) => {
  clearTimeout(shown);
  const [en, zh] = kKinds[name.split('/')[0]];
  if (state === 'wanted') wanted.add(name);
  else wanted.delete(name);
  if (state === 'failed') {
    tell(`${en} cannot be fetched: is the network there?`, `无法取得${zh}：网络是否连通？`, 8);
  } else if (wanted.size) {
    shown = setTimeout(() => tell(`Fetching ${en} …`, `正在取得${zh}…`, 0), 400);
  } else {
    hush();
  }
};
new BroadcastChannel('attnscope-later').addEventListener('message', ({ data }) => progress(data.name, data.state));

const asked = new Set();
// Gives the bytes to `keep`, which is false for those of another version.
export async function bring(name, keep) {
  if (asked.has(name)) return;
  asked.add(name);
  progress(name, 'wanted');
  try {
    const answer = await fetch(`later/${name}`);
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    if (!keep(new Uint8Array(await answer.arrayBuffer()))) throw new Error('another version');
    progress(name, 'there');
    program._attnscope_expose();
  } catch {
    progress(name, 'failed');
    setTimeout(() => asked.delete(name), 10000);
  }
}

// --- in and out

export const call = (name, text) => {
  const at = program.stringToNewUTF8(text);
  program[name](at);
  program._free(at);
};

// Of a large file its name, size and beginning are put where the program looks for it; its other bytes are
// asked for in places, where it lies (core/system/opened_file_web.cpp).
async function lay(file, path) {
  const { FS } = program;
  const head = new Uint8Array(await file.slice(0, kHead).arrayBuffer());
  FS.writeFile(path, head);
  const { node } = FS.lookupPath(path);
  const read = node.stream_ops.read;
  const kInputOutput = 29;  // EIO
  node.usedBytes = file.size;
  node.timestamp = file.lastModified;
  node.stream_ops = {
    ...node.stream_ops,
    read(stream, buffer, offset, length, position) {
      if (position + Math.min(length, file.size - position) > head.length) throw new FS.ErrnoError(kInputOutput);
      return read(stream, buffer, offset, length, position);
    },
  };
  const [to, url] = [path, URL.createObjectURL(file)].map(program.stringToNewUTF8);
  program._attnscope_lay(to, url);
  [to, url].forEach(program._free);
}

// Each file with the way to it: where it lay in a folder that came, else its name.
const named = files => [...files].map(file => ({ file, way: file.webkitRelativePath || file.name }));

async function within(entry, above = '') {
  const way = above + entry.name;
  if (entry.isFile) return [{ file: await new Promise((done, failed) => entry.file(done, failed)), way }];
  const reader = entry.createReader();
  const all = [];
  // Some at a time, until there are no more.
  for (;;) {
    const some = await new Promise((done, failed) => reader.readEntries(done, failed));
    if (!some.length) return all;
    for (const one of some) all.push(...await within(one, `${way}/`));
  }
}

// Puts them where the program looks for them, and tells it of each, or of the folder that they are one model of.
let models = 0;
async function take(all, call_of) {
  const { FS } = program;
  const model = all.length > 1 && all.some(({ way }) => way === 'config.json');
  const folder = model ? `/files/model-${++models}` : '/files';
  const told = new Set();
  for (const { file, way } of all) {
    const path = `${folder}/${way}`;
    FS.mkdirTree(path.slice(0, path.lastIndexOf('/')));
    try {
      if (file.size < kWhole) FS.writeFile(path, new Uint8Array(await file.arrayBuffer()));
      else await lay(file, path);
    } catch (error) {
      tell(`${file.name} cannot be read: ${error.message}`, `无法读取 ${file.name}：${error.message}`, 8);
      continue;
    }
    told.add(model ? folder : `/files/${way.split('/')[0]}`);
  }
  for (const path of told) call(call_of, path);
}

// What was dropped on the page. Its entries are there only as long as the event is.
export async function drop(dropped) {
  const files = [...dropped.files];
  const entries = [...dropped.items].filter(item => item.kind === 'file').map(item => item.webkitGetAsEntry?.());
  if (entries.some(entry => entry?.isDirectory)) {
    try {
      await take((await Promise.all(entries.map(entry => within(entry)))).flat(), '_attnscope_drop');
    } catch (error) {
      tell(`the folder cannot be read: ${error.message}`, `无法读取文件夹：${error.message}`, 8);
    }
  } else {
    await take(named(files), '_attnscope_drop');
  }
}

const chosen = document.getElementById('chosen');
chosen.addEventListener('change', async () => {
  await take(named(chosen.files), '_attnscope_chosen');
  chosen.value = '';
});
export const choose = () => chosen.click();

// A file of the program's that the person gets.
export function give(at) {
  const path = program.UTF8ToString(at);
  program._free(at);
  const url = URL.createObjectURL(new Blob([program.FS.readFile(path)]));
  const link = document.createElement('a');
  link.href = url;
  link.download = path.split('/').pop();
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60000);
}

// --- what is kept

let denied = false;
const refused = () => {
  if (denied) return;
  denied = true;
  tell('This browser keeps nothing for this page: settings and progress end with it.',
       '浏览器不为此页面保存任何内容：设置与进度会随页面关闭而丢失。', 12);
};

// Brings back what was kept, or goes on without.
export function recall(module) {
  program = module;
  const { FS, IDBFS } = program;
  program.addRunDependency('kept');
  try {
    FS.mount(IDBFS, {}, '/kept');
    FS.syncfs(true, error => {
      if (error) refused();
      program.removeRunDependency('kept');
    });
  } catch {
    refused();
    program.removeRunDependency('kept');
  }
}

// Has the program write its settings, and keeps them.
export function keep() {
  program._attnscope_keep();
  if (denied) return;
  try {
    program.FS.syncfs(false, error => { if (error) refused(); });
  } catch {
    refused();
  }
}
