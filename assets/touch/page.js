// A figure that is touched: what the pointer and the keyboard do on it. Data: app/paper/touch.
"use strict";
(async () => {
const NS = "http://www.w3.org/2000/svg", $ = id => document.getElementById(id);
const svg = $("figure"), ink = $("ink"), over = $("over"), keys = $("keys"), now = $("now"), tip = $("tip");
const root = document.documentElement, night = matchMedia("(prefers-color-scheme: dark)");
const dark = () => root.dataset.theme ? root.dataset.theme === "dark" : night.matches;

async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text.trim()), c => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
let bytes;
const theme_button = $("theme");
theme_button.onclick = () => { root.dataset.theme = dark() ? "light" : "dark"; if (bytes) paint(); };
try {
  bytes = await unpacked($("data").textContent);
} catch {
  $("help").textContent = $("help").dataset.old;
  return;
}
const length = new DataView(bytes.buffer).getUint32(0, true);
const D = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length))), W = D.words;

// Places of lines and points that several frames share are lists, by their number.
for (const p of D.plots) {
  for (const set of [...(p.L || []), ...(p.P || [])]) set.x = D.lists[set.x], set.y = D.lists[set.y];
}
// Cells: [scale, rows, columns, the cells that these are changes of or -1, least decade or none].
const codes = [];
let from = 4 + length;
for (const [, rows, cols, before] of D.cells) {
  const n = rows * cols, all = new Uint16Array(n), base = codes[before];
  for (let k = 0; k < n; ++k) {
    all[k] = (bytes[from + k] | bytes[from + n + k] << 8) + (base ? base[k] : 0);
  }
  from += 2 * n;
  codes.push(all);
}
const BELOW = 256, ABOVE = 257, NAN = 258, MASKED = 259;

// A number as people read it: the program's own way.
function text_of(v, digits) {
  if (v === null || Number.isNaN(v)) return "NaN";
  if (!isFinite(v)) return v > 0 ? "∞" : "-∞";
  if (v === 0) return "0";
  const bare = t => t.includes(".") ? t.replace(/\.?0+$/, "") : t;
  const [m, e] = v.toExponential(digits - 1).split("e");
  if (e >= -4 && e < 6) return bare(v.toFixed(Math.max(0, digits - 1 - e)));
  return bare(m) + "e" + +e;
}
function number(cells, k) {  // of three digits; undefined: masked
  const code = codes[cells][k], least = D.cells[cells][4];
  if (code === 0) return 0;
  if (code >= 65532) return [-Infinity, Infinity, NaN, undefined][code - 65532];
  const rest = code - 1, half = rest >> 1;
  return +`${rest & 1 ? "-" : ""}${100 + half % 900}e${least + Math.floor(half / 900) - 2}`;
}
function bin(cells, k) {
  if (D.cells[cells].length < 5) return codes[cells][k];
  const v = number(cells, k), edges = D.scales[D.cells[cells][0]].e;
  if (v === undefined) return MASKED;
  if (Number.isNaN(v)) return NAN;
  if (v < edges[0]) return BELOW;
  if (v > edges[256]) return ABOVE;
  let lo = 0, hi = 255;
  while (lo < hi) {
    const middle = (lo + hi + 1) >> 1;
    if (v >= edges[middle]) lo = middle; else hi = middle - 1;
  }
  return lo;
}
function value_text(cells, k) {
  if (D.cells[cells].length >= 5) {
    const v = number(cells, k);
    return v === undefined ? W.masked : text_of(v, 3);
  }
  const b = codes[cells][k], edges = D.scales[D.cells[cells][0]].e;
  if (b === MASKED) return W.masked;
  if (b === NAN) return "NaN";
  if (b === BELOW) return W.below.replace("{}", text_of(edges[0], 3));
  if (b === ABOVE) return W.above.replace("{}", text_of(edges[256], 3));
  const lo = text_of(edges[b], 3), hi = text_of(edges[b + 1], 3);
  return lo === hi ? lo : lo + " … " + hi;
}

// Pictures of cells, each made once in either theme.
const made = new Map();
function picture(cells) {
  const key = cells + (dark() ? "d" : "l");
  if (made.has(key)) return made.get(key);
  const [scale, rows, cols] = D.cells[cells];
  const canvas = document.createElement("canvas");
  canvas.width = cols, canvas.height = rows;
  const context = canvas.getContext("2d"), image = context.createImageData(cols, rows);
  const colors = D.scales[scale][dark() ? "d" : "l"];
  for (let k = 0; k < rows * cols; ++k) {
    const rgb = parseInt(colors.substr(6 * bin(cells, k), 6), 16);
    image.data.set([rgb >> 16, rgb >> 8 & 255, rgb & 255, 255], 4 * k);
  }
  context.putImageData(image, 0, 0);
  const url = canvas.toDataURL();
  made.set(key, url);
  return url;
}

let F, plots, shown = -1;
function paint() {
  for (const image of ink.querySelectorAll("image[data-m]")) {
    image.setAttribute("href", picture(F.m[+image.dataset.m]));
  }
  draw_over();
}
function show(k) {
  if (k === shown) return;
  F = D.frames[k];
  plots = F.p.map(p => D.plots[p]);
  if (shown >= 0) {
    ink.innerHTML = F.e.map(e => D.pieces[e]).join("");
    svg.setAttribute("viewBox", `0 0 ${F.z[0]} ${F.z[1]}`);
  }
  shown = k;
  lay_keys();
  paint();
  say(current ? told(current) : []);
  list_pins();
}

// Between data and places, as the program's own frames do it.
const share = (v, a, b, log) => log ? (Math.log(v) - Math.log(a)) / (Math.log(b) - Math.log(a)) : (v - a) / (b - a);
const back = (s, a, b, log) => log ? Math.exp(Math.log(a) + (Math.log(b) - Math.log(a)) * s) : a + (b - a) * s;
const px = (p, x) => p.a[0] + p.a[2] * share(x, p.v[0], p.v[1], p.xl);
const py = (p, y) => p.a[1] + p.a[3] * share(y, p.v[2], p.v[3], p.yl);
const at_x = (p, x) => back((x - p.a[0]) / p.a[2], p.v[0], p.v[1], p.xl);
const at_y = (p, y) => back((y - p.a[1]) / p.a[3], p.v[2], p.v[3], p.yl);
const inside = (r, x, y) => x >= r[0] && x < r[0] + r[2] && y >= r[1] && y < r[1] + r[3];

// What is pointed at in a plot: {lines, row, col, x, y, lit, mark}; x and y where it stands.
function place_name(axis, at) {
  if (!axis.c) return text_of(at, 6);
  const i = Math.floor(at), name = axis.b === undefined ? undefined : D.names[axis.b][i];
  return name === undefined ? String(i) : axis.d ? name : `${i} “${name}”`;
}
function cell_of(m, x, y) {
  const u = m.s[0] + (m.s[1] - m.s[0]) * (x - m.r[0]) / m.r[2];
  const v = m.s[2] + (m.s[3] - m.s[2]) * (y - m.r[1]) / m.r[3];
  const side = 2 ** (m.v ? m.v[0] : 0);
  const col = Math.floor(u / side) - m.g[1], row = Math.floor(v / side) - m.g[0];
  return row < 0 || col < 0 || row >= m.g[2] || col >= m.g[3] ? null : [row, col];
}
function cell_rect(m, row, col) {
  const side = 2 ** (m.v ? m.v[0] : 0), w = m.r[2] / (m.s[1] - m.s[0]), h = m.r[3] / (m.s[3] - m.s[2]);
  const x = m.r[0] + ((m.g[1] + col) * side - m.s[0]) * w, y = m.r[1] + ((m.g[0] + row) * side - m.s[2]) * h;
  return [x, y, side * w, side * h];
}
function in_cells(p, m, x, y) {
  const cell = cell_of(m, x, y);
  if (!cell) return null;
  const [row, col] = cell, r = cell_rect(m, row, col), k = row * m.g[3] + col, lines = [];
  if (!m.q) lines.push(value_text(F.m[m.o], k));
  const middle = [r[0] + r[2] / 2, r[1] + r[3] / 2];
  if (m.h) {
    lines.push(`${p.y.n || W.row} ${place_name(p.y, at_y(p, middle[1]))}`);
    lines.push(`${p.x.n || W.column} ${place_name(p.x, at_x(p, middle[0]))}`);
  } else {
    lines.push(`${W.row} ${row}, ${W.column} ${col}`);
  }
  if (m.v) {
    lines.push((m.u ? W.mean : W.largest).replace("{0}", 2 ** m.v[1]).replace("{1}", 2 ** m.v[2]));
  }
  // The same cell of the other plots beside it.
  if (m.h && p.x.k && p.y.k) {
    const others = plots.filter(o => o !== p && o.f === p.f && o.m && o.x.k === p.x.k && o.y.k === p.y.k &&
                                     o.m[0].h && !off(o));
    for (const o of others.slice(0, 16)) {
      const same = cell_of(o.m[0], px(o, at_x(p, middle[0])), py(o, at_y(p, middle[1])));
      const text = same && value_text(F.m[o.m[0].o], same[0] * o.m[0].g[3] + same[1]);
      if (same && text !== W.masked) lines.push(`${o.n || o.t}: ${text}`);
    }
    if (others.length && p.n) lines[0] = `${p.n}: ${lines[0]}`;
  }
  return {lines, x: middle[0], y: middle[1], rect: r};
}
function nearest(list, distance) {
  let best = Infinity, found = -1;
  list.forEach((one, k) => { const d = distance(one, k); if (d < best) best = d, found = k; });
  return [found, best];
}
function in_points(p, x, y) {
  let best = 10, found = null;
  for (const set of p.P || []) {
    const [k, d] = nearest(set.x, (v, i) => Math.hypot(px(p, v) - x, py(p, set.y[i]) - y));
    if (d < best) best = d, found = [set, k];
  }
  if (!found) return null;
  const [set, k] = found;
  return {lines: [`${set.n ? set.n + " " : ""}(${text_of(set.x[k], 6)}, ${text_of(set.y[k], 6)})`],
          x: px(p, set.x[k]), y: py(p, set.y[k])};
}
function in_lines(p, x) {
  const lines = [];
  let mark;
  for (const line of p.L || []) {
    if (line.h !== undefined && parts_off.has(p.f + "\u0000" + line.h)) continue;
    const [k] = nearest(line.x, v => v === null ? Infinity : Math.abs(px(p, v) - x));
    if (k < 0 || line.y[k] === null) continue;  // broken here
    if (!lines.length) {
      lines.push(`${p.x.n || "x"} ${place_name(p.x, line.x[k])}`);
      mark = {x: px(p, line.x[k]), y: py(p, line.y[k])};
    }
    if (lines.length < 13) lines.push(`${line.n || p.y.n || "y"} ${text_of(line.y[k], 6)}`);
  }
  return lines.length ? {lines, ...mark} : null;
}
// A bar stands in each cell, from the axis' first one on.
const bar_middle = (p, i) => px(p, (p.b || 0) + i + 0.5);
function in_bars(p, x) {
  const first = p.b || 0, i = Math.floor(at_x(p, x)) - first, lines = [];
  for (const bars of p.B || []) {
    if (i < 0 || i >= bars.length) continue;
    if (!lines.length) lines.push(`${p.x.n || W.column} ${place_name(p.x, p.x.b === undefined ? first + i : i)}`);
    lines.push(`${p.y.n ? p.y.n + " " : ""}${text_of(bars[i], 6)}`);
  }
  return lines.length ? {lines, x: bar_middle(p, i), y: py(p, Math.max(...p.B.map(b => b[i] || 0)))} : null;
}
// Words of links: all that goes out from one, or into it, lights up.
function in_links(p, x, y) {
  const left = x < p.a[0] + p.a[2] / 2, i = Math.floor(at_y(p, y));
  const names = D.names[left ? p.K.a : p.K.b] || [], others = D.names[left ? p.K.b : p.K.a] || [];
  if (i < 0 || i >= names.length) return null;
  const lit = p.K.l.filter(l => l[left ? 0 : 1] === i && !(l.length > 3 && parts_off.has(p.f + "\u0000" + l[3])));
  const most = [...lit].sort((a, b) => b[2] - a[2]).slice(0, 8);
  const lines = [`${i} “${names[i]}”`];
  for (const l of most) {
    const o = l[left ? 1 : 0];
    lines.push(`${left ? "→" : "←"} ${o} “${others[o]}” ${text_of(l[2], 3)}`);
  }
  return {lines, lit, x: left ? p.a[0] : p.a[0] + p.a[2], y: py(p, i + 0.5)};
}
function in_hits(p, x, y) {
  const hits = (p.H || []).filter(h => inside(h[0], x, y));
  if (!hits.length) return null;
  const [r, text] = hits[hits.length - 1];
  return {lines: text.split("\n"), x: r[0] + r[2] / 2, y: r[1] + r[3] / 2, rect: r};
}
function found(p, x, y) {
  if (p.K) return in_links(p, x, y);
  const cells = (p.m || []).find(m => inside(m.r, x, y));
  if (cells) {
    const cell = in_cells(p, cells, x, y), hit = cells.h ? null : in_hits(p, x, y);
    if (cell && hit) cell.lines.unshift(...hit.lines);
    return cell;
  }
  return in_hits(p, x, y) || in_points(p, x, y) || in_bars(p, x) || in_lines(p, x);
}
const plot_at = (x, y) => plots.find(p => inside(p.K ? p.w : p.a, x, y) ||
                                          (p.H || []).some(h => inside(h[0], x, y)));

// Where the reader is: a plot and a place in its data, so that it stays while the slider moves.
let current = null, pins = [];
const named = at => plots.find(p => p.i === at.plot && p.f === at.figure);
function seen(at) {
  const p = named(at);
  return p ? found(p, px(p, at.x), py(p, at.y)) : null;
}
const told = at => (seen(at) || {lines: []}).lines;
function place(p, x, y) {
  const what = found(p, x, y);
  return what && {plot: p.i, figure: p.f, x: at_x(p, x), y: at_y(p, y), lines: what.lines.slice(0, 3).join("|")};
}

const element = (name, attributes, parent) => {
  const made_now = document.createElementNS(NS, name);
  for (const key in attributes) made_now.setAttribute(key, attributes[key]);
  parent.append(made_now);
  return made_now;
};
const box = (r, kind) => element("rect", {x: r[0], y: r[1], width: Math.max(0, r[2]), height: Math.max(0, r[3]), class: kind}, over);

function tag(text, x, y, anchor) {
  const label = element("text", {x, y, "text-anchor": anchor, "dominant-baseline": "middle"}, over);
  label.textContent = text.length > 18 ? text.slice(0, 17) + "…" : text;
  const r = label.getBBox();
  const behind = box([r.x - 2, r.y - 1, r.width + 4, r.height + 2], "tag");
  over.insertBefore(behind, label);
}
// The row and the column of a place, in every plot whose axes are linked with it.
function bands(at) {
  const p = named(at);
  if (!p) return;
  const linked = {};
  if (p.y.k) linked[p.y.k] = at.y;
  if (p.x.k) linked[p.x.k] = at.x;
  for (const o of plots) {
    if (off(o)) continue;
    const rows = o === p ? at.y : linked[o.y.k], cols = o === p ? at.x : linked[o.x.k];
    const axis_band = (axis, value, lo, hi, along_x) => {
      if (value === undefined || !(axis.k || o === p) || !(value >= Math.min(lo, hi) && value < Math.max(lo, hi))) return;
      const cells = axis.c || (o.K && !along_x);
      const a = cells ? Math.floor(value) : value, b = cells ? a + 1 : value;
      const q = along_x ? px : py, s = Math.min(q(o, a), q(o, b)), e = Math.max(q(o, a), q(o, b));
      box(along_x ? [s, o.a[1], Math.max(e - s, 0.5), o.a[3]] : [o.a[0], s, o.a[2], Math.max(e - s, 0.5)], "band");
      if (o.h || o.K || !axis.c) return;
      const name = axis.b === undefined ? String(a) : D.names[axis.b][a] ?? String(a);
      if (along_x) tag(name, (s + e) / 2, o.a[1] + o.a[3] + 12, "middle");
      else tag(name, o.a[0] - 6, (s + e) / 2, "end");
    };
    if (o.m || o !== p || o.K || o.B || o.L) {
      if (!(o === p && (o.L || o.B) && !o.m)) axis_band(o.y, rows, o.v[2], o.v[3], false);
      if (!o.K) axis_band(o.x, cols, o.v[0], o.v[1], true);
    }
  }
}
function draw_over() {
  over.replaceChildren();
  for (const p of plots) if (off(p)) box(p.w, "off");
  if (current) {
    bands(current);
    const what = seen(current), p = named(current);
    if (what && what.rect) box(what.rect, "lit");
    if (what && what.lit) {
      const third = p.a[2] * 0.45, l = p.a[0], r = p.a[0] + p.a[2];
      for (const [a, b, weight] of what.lit) {
        const y = py(p, a + 0.5), z = py(p, b + 0.5);
        element("path", {d: `M${l} ${y}C${l + third} ${y} ${r - third} ${z} ${r} ${z}`, class: "lit",
                         "stroke-width": 0.75 + 3.25 * Math.min(1, weight)}, over);
      }
    }
    if (what && !what.rect && !what.lit) element("circle", {cx: what.x, cy: what.y, r: 4, class: "lit"}, over);
  }
  for (const pin of pins) {
    const what = seen(pin);
    if (!what) continue;
    if (what.rect) box(what.rect, "pin");
    else element("circle", {cx: what.x, cy: what.y, r: 5, class: "pin"}, over);
  }
}
function say(lines) { now.textContent = lines.join(" · "); }

function list_pins() {
  const list = $("pins");
  list.replaceChildren();
  list.setAttribute("aria-label", W.pin);
  pins.forEach((pin, k) => {
    const p = named(pin), item = document.createElement("li"), button = document.createElement("button");
    if (!p) return;
    item.textContent = `${p.t}: ${told(pin).join(" · ")}`;
    button.textContent = "×", button.title = W.unpin;
    button.setAttribute("aria-label", W.unpin);
    button.onclick = () => { pins.splice(k, 1); list_pins(); draw_over(); };
    item.append(button);
    list.append(item);
  });
}
function toggle_pin(at) {
  const k = pins.findIndex(pin => pin.plot === at.plot && pin.figure === at.figure &&
                                  told(pin).slice(0, 3).join("|") === at.lines);
  if (k >= 0) pins.splice(k, 1); else pins.push(at);
  list_pins();
  draw_over();
}
function go(at) {
  current = at;
  say(at ? told(at) : []);
  draw_over();
}

// The pointer.
function pointed(event) {
  const m = svg.getScreenCTM().inverse();
  return [event.clientX * m.a + m.e, event.clientY * m.d + m.f];
}
function show_tip(event, lines) {
  tip.hidden = !lines.length;
  if (!lines.length) return;
  tip.replaceChildren(...lines.map((line, k) => {
    const div = document.createElement(k ? "div" : "b");
    div.textContent = line;
    return div;
  }));
  const w = tip.offsetWidth, h = tip.offsetHeight;
  tip.style.left = Math.max(0, event.clientX + 16 + w > innerWidth ? event.clientX - w - 12 : event.clientX + 16) + "px";
  tip.style.top = Math.max(0, event.clientY + 16 + h > innerHeight ? event.clientY - h - 12 : event.clientY + 16) + "px";
}
svg.addEventListener("pointermove", event => {
  const [x, y] = pointed(event), p = plot_at(x, y), at = p && !off(p) ? place(p, x, y) : null;
  go(at);
  show_tip(event, at ? told(at) : []);
});
svg.addEventListener("pointerleave", () => { go(null); tip.hidden = true; });
svg.addEventListener("click", event => {
  const [x, y] = pointed(event), p = plot_at(x, y), at = p && !off(p) ? place(p, x, y) : null;
  if (at) toggle_pin(at);
});
document.addEventListener("keydown", event => {
  if (event.key !== "Escape") return;
  pins = [];
  list_pins();
  go(null);
  tip.hidden = true;
});

// The keyboard: each plot can be reached, and in it every value.
function stops(p) {
  if (p.K) return (D.names[p.K.a] || []).map((_, i) => [p.a[0], py(p, i + 0.5)]);
  if (p.B) return p.B[0].map((_, i) => [bar_middle(p, i), p.a[1] + p.a[3] / 2]);
  if (p.L) {
    const whole = p.L.map(line => line.x.filter((v, i) => v !== null && line.y[i] !== null));
    return whole.reduce((a, b) => b.length > a.length ? b : a)
        .filter(v => px(p, v) >= p.a[0] - 1 && px(p, v) <= p.a[0] + p.a[2] + 1)
        .map(v => [px(p, v), p.a[1] + p.a[3] / 2]);
  }
  if (p.P) return p.P.flatMap(s => s.x.map((v, i) => [px(p, v), py(p, s.y[i])]));
  return hit_stops(p.H || []);
}
// One for each that lies over the others somewhere: in its middle, else near a corner or an edge.
function hit_stops(hits) {
  const stops = [];
  hits.forEach(([[x, y, w, h]], k) => {
    const near = Math.min(3, w / 4, h / 4);
    const across = [w / 2, near, w - near], down = [h / 2, near, h - near];
    const places = across.flatMap(u => down.map(v => [x + u, y + v]));
    const free = places.find(at => hits.findLastIndex(other => inside(other[0], ...at)) === k);
    if (free) stops.push(free);
  });
  return stops;
}
function step(p, key) {
  const by = {ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0],
              Home: [0, -1e9], End: [0, 1e9]}[key];
  if (!by) return false;
  const mine = current && current.plot === p.i && current.figure === p.f;
  const x = mine ? px(p, current.x) : NaN, y = mine ? py(p, current.y) : NaN;
  const m = p.m && p.m.find(one => one.h);
  let to;
  if (m) {
    const cell = mine && cell_of(m, x, y), clamp = (v, n) => Math.max(0, Math.min(n - 1, v));
    const row = cell ? clamp(cell[0] + by[0], m.g[2]) : 0, col = cell ? clamp(cell[1] + by[1], m.g[3]) : 0;
    const r = cell_rect(m, row, col);
    to = [r[0] + r[2] / 2, r[1] + r[3] / 2];
  } else {
    const all = stops(p);
    if (!all.length) return false;
    const k = mine ? nearest(all, s => Math.hypot(s[0] - x, s[1] - y))[0] : -1;
    to = k < 0 ? all[0] : all[Math.max(0, Math.min(all.length - 1, k + by[0] + by[1]))];
  }
  // On the border itself belongs to the plot.
  to = [Math.min(Math.max(to[0], p.a[0]), p.a[0] + p.a[2] - 1e-6), Math.min(Math.max(to[1], p.a[1]), p.a[1] + p.a[3] - 1e-6)];
  go(place(p, to[0], to[1]));
  return true;
}
function lay_keys() {
  const reached = plots.filter(p => p.m || p.K || p.B || p.L || p.P || p.H);
  while (keys.childElementCount > reached.length) keys.lastElementChild.remove();
  reached.forEach((p, k) => {
    const rect = keys.children[k] || element("rect", {tabindex: 0, role: "application", "data-k": k}, keys);
    const r = p.K ? p.w : p.a, m = p.m && p.m[0];
    const size = m && m.h ? `, ${m.g[2]} × ${m.g[3]}` : "";
    const attributes = {x: r[0], y: r[1], width: r[2], height: r[3], "aria-label": `${p.t}${size}; ${W.keys}`};
    for (const key in attributes) rect.setAttribute(key, attributes[key]);
    rect.onkeydown = event => {
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      const here = current && current.plot === p.i && current.figure === p.f;
      if ((event.key === "Enter" || event.key === " ") && here) toggle_pin({...current, lines: told(current).slice(0, 3).join("|")});
      else if (!step(p, event.key)) return;
      event.preventDefault();
    };
    rect.onblur = () => go(null);
  });
}

// Parts that can be left out: plots of heads, or what has the color of one.
const parts_off = new Set();
function off(p) { return parts_off.has(p.f + "\u0000p" + p.i); }
const hidden_style = document.head.appendChild(document.createElement("style"));
function apply_parts() {
  const rules = [];
  for (const figure of D.parts) {
    for (const part of figure.l) {
      if (part.p !== undefined || !parts_off.has(figure.f + "\u0000" + part.h)) continue;
      for (const c of part.c) {
        for (const what of ["stroke", "fill"]) {
          rules.push(`#ink [data-f="${CSS.escape(figure.f)}"] [${what}="var(--c${c})"]{display:none}`);
        }
      }
    }
  }
  hidden_style.textContent = rules.join("\n");
  draw_over();
}
for (const figure of D.parts) {
  const set = document.createElement("fieldset"), legend = document.createElement("legend"), buttons = [];
  legend.textContent = figure.t;
  set.append(legend);
  const key = part => figure.f + "\u0000" + (part.p === undefined ? part.h : "p" + part.p);
  const refresh = () => {
    buttons.forEach(([button, part]) => button.setAttribute("aria-pressed", !parts_off.has(key(part))));
    apply_parts();
  };
  for (const part of figure.l) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = part.n;
    if (part.c) {
      const swatch = document.createElement("i");
      swatch.style.background = `var(--c${part.c[0]})`;
      button.prepend(swatch);
    }
    button.onclick = () => { if (!parts_off.delete(key(part))) parts_off.add(key(part)); refresh(); };
    buttons.push([button, part]);
    set.append(button);
  }
  const all = document.createElement("button");
  all.type = "button", all.textContent = W.all;
  all.onclick = () => { for (const part of figure.l) parts_off.delete(key(part)); refresh(); };
  set.append(all);
  buttons.forEach(([button, part]) => button.setAttribute("aria-pressed", "true"));
  $("parts").append(set);
}

// The slider.
const slider = $("at");
if (slider) {
  const move = k => {
    slider.value = k;
    slider.setAttribute("aria-valuetext", D.frames[k].t);
    $("value").textContent = D.frames[k].t;
    show(k);
  };
  slider.oninput = () => move(+slider.value);
  let timer = 0, way = 1;
  const play = $("play"), still = matchMedia("(prefers-reduced-motion: reduce)");
  play.onclick = () => {
    if (timer) { clearInterval(timer); timer = 0; }
    else {
      timer = setInterval(() => {
        if (shown + way < 0 || shown + way >= D.frames.length) way = -way;
        move(shown + way);
      }, still.matches ? 600 : 120);
    }
    play.textContent = timer ? W.pause : W.play;
  };
  $("sweep").onsubmit = event => event.preventDefault();
}
night.addEventListener("change", () => { if (!root.dataset.theme) paint(); });
show(D.first);
root.dataset.ready = "";
})();
