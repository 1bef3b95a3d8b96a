// Text by keys or an input method, and the clipboard.
import { call, drop } from './files.js';

const canvas = document.getElementById('canvas');
const keyboard = document.getElementById('keyboard');

let pasted; // or copied last

export function copy(text) {
  pasted = text;
  navigator.clipboard?.writeText(text).catch(() => {});
}

export const last_copied = () => pasted;

// Keys that the page would take for itself. What types a letter, pastes or copies goes its own way.
const kOurs = ['Tab', 'F1', 'F5', 'Backspace', 'ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Enter'];
const kOursWithCommand = 'sokelfqyz0=-+';

export function connect(program) {
  document.addEventListener('contextmenu', event => event.preventDefault());
  document.addEventListener('dragover', event => event.preventDefault());
  document.addEventListener('drop', event => {
    event.preventDefault();
    drop(event.dataTransfer);
  });
  canvas.addEventListener('mousedown', () => setTimeout(() => keyboard.focus({ preventScroll: true })));
  keyboard.focus({ preventScroll: true });
  let composing = false;
  const flush = () => {
    if (composing || !keyboard.value) return;
    call('_attnscope_type', keyboard.value);
    keyboard.value = '';
  };
  keyboard.addEventListener('compositionstart', () => { composing = true; });
  keyboard.addEventListener('compositionend', () => { composing = false; flush(); });
  keyboard.addEventListener('input', flush);
  document.addEventListener('keydown', event => {
    if (composing || event.isComposing) { event.stopImmediatePropagation(); return; }
    const command = event.ctrlKey || event.metaKey;
    if (kOurs.includes(event.key) || (command && kOursWithCommand.includes(event.key.toLowerCase()))) event.preventDefault();
  }, true);
  document.addEventListener('paste', event => {
    pasted = event.clipboardData.getData('text');
    const kGlfwV = 86, kControl = 2;
    program._attnscope_key(kGlfwV, kControl);
    event.preventDefault();
  });
}
