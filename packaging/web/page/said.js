// What the page itself says, in the reader's language.
const shade = document.getElementById('cover');
const said = document.getElementById('said');
const note = document.getElementById('note');

export const chinese = navigator.language.startsWith('zh');
const own = (en, zh) => (chinese ? zh : en);

export const say = (en, zh) => { said.textContent = own(en, zh); };

export const cover = (en, zh) => {
  shade.hidden = false;
  say(en, zh);
};

// Ends the page with a sentence: there is no program to go on with.
export const stop = (en, zh) => {
  cover(en, zh);
  document.getElementById('progress')?.remove();
  throw new Error(en);
};

// The same where this browser, or how the page came to it, lacks something: the program's pictures are shown.
export const lack = (en, zh) => {
  globalThis.attnscope_missing(en, zh);
  throw new Error(en);
};

export const uncover = () => { shade.hidden = true; };

let timer;
// At the foot of the window, for some seconds; 0: until it is hushed.
export function tell(en, zh, seconds, button) {
  clearTimeout(timer);
  note.textContent = own(en, zh);
  if (button) {
    const press = document.createElement('button');
    press.textContent = own(...button.words);
    press.addEventListener('click', button.done);
    note.append(press);
  }
  note.hidden = false;
  if (seconds) timer = setTimeout(hush, seconds * 1000);
}

export function hush() { note.hidden = true; }
