// Where the program cannot run its pictures stand, with what is missing. A script of its own and of the old kind: a page that
// is opened as a file has no modules.
globalThis.attnscope_missing = (en, zh) => {
  const chinese = navigator.language.startsWith('zh');
  document.getElementById('said').textContent = chinese ? zh : en;
  document.getElementById('progress')?.remove();
  const all = document.createElement('div');
  all.id = 'pictures';
  // Each: name, and its lab's title in two languages.
  for (const [name, title, translated] of PICTURES) {
    const figure = document.createElement('figure');
    const picture = new Image();
    picture.loading = 'lazy';
    picture.src = `pictures/${name}.png`;
    picture.alt = '';
    const caption = document.createElement('figcaption');
    caption.textContent = chinese ? translated : title;
    figure.append(picture, caption);
    all.append(figure);
  }
  document.getElementById('cover').append(all);
  document.getElementById('cover').hidden = false;
};

if (location.protocol === 'file:') {
  attnscope_missing(
    'attnscope needs a host: a page that is opened as a file may have no threads. "python3 -m http.server" in its folder is one, at http://localhost:8000.',
    'attnscope 需要由服务器提供：作为文件打开的页面不能使用线程。在它的文件夹里运行“python3 -m http.server”，再打开 http://localhost:8000 即可。');
}
