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

export async function take(files) {
  const { FS } = program;
  for (const file of files) {
    const path = `/files/${file.webkitRelativePath || file.name}`;
    FS.mkdirTree(path.slice(0, path.lastIndexOf('/')));
    try {
      if (file.size < kWhole) FS.writeFile(path, new Uint8Array(await file.arrayBuffer()));
      else await lay(file, path);
    } catch (error) {
      tell(`${file.name} cannot be read: ${error.message}`, `无法读取 ${file.name}：${error.message}`, 8);
      continue;
    }
    call('_attnscope_drop', path);
  }
}

const chosen = document.getElementById('chosen');
chosen.addEventListener('change', async () => {
  await take(chosen.files);
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
