// Elements, numbers and colours. A name of the program's is shown as text, never read as HTML.

export function element(tag, { text, className, ...rest } = {}, ...children) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  for (const [name, value] of Object.entries(rest)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

// Touches the page only when something is new.
export function say(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

export function section(title, { wide = false, about = "", tools = [] } = {}) {
  const aboutNode = element("p", { text: about });
  const body = element("div", { className: "body" });
  const node = element("section", { className: wide ? "wide" : "" },
    element("div", { className: "head" }, element("h2", { text: title }), aboutNode, ...tools), body);
  return { node, body, about: (text) => say(aboutNode, text) };
}

const units = [[1e9, "G"], [1e6, "M"], [1e3, "k"]];

export function short(n) {
  for (const [size, unit] of units) {
    if (n >= size * 10 || (size > 1e3 && n >= size)) return (n / size).toFixed(n >= size * 100 ? 0 : 1) + " " + unit;
  }
  return n >= 100 || Number.isInteger(n) ? Math.round(n).toLocaleString("en") : n.toFixed(1);
}

export function bytes(n) {
  if (n >= 1 << 30) return (n / (1 << 30)).toFixed(1) + " GiB";
  return n >= 1 << 20 ? (n / (1 << 20)).toFixed(1) + " MiB" : (n / 1024).toFixed(0) + " KiB";
}

export function time(us) {
  if (us >= 1e6) return (us / 1e6).toFixed(2) + " s";
  if (us >= 1e3) return (us / 1e3).toFixed(2) + " ms";
  return us >= 1 ? us.toFixed(1) + " µs" : Math.round(us * 1e3) + " ns";
}

export function plural(n, one, many = one + "s") {
  return `${n.toLocaleString("en")} ${n === 1 ? one : many}`;
}

export const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();

// The same text has the same colour in every view.
export function hue(text) {
  let h = 2166136261;
  for (let i = 0; i < text.length; ++i) h = Math.imul(h ^ text.charCodeAt(i), 16777619);
  return (h >>> 0) % 360;
}
export const isDark = () => matchMedia("(prefers-color-scheme: dark)").matches;
export const colourOf = (text) => `hsl(${hue(text)} ${isDark() ? "42% 52%" : "48% 62%"})`;

// Returns the context of a canvas that is as sharp as the screen, with the origin and the unit of CSS.
export function fit(canvas, height) {
  const width = canvas.clientWidth, ratio = devicePixelRatio || 1;
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    canvas.style.height = height + "px";
  }
  const c = canvas.getContext("2d");
  c.setTransform(ratio, 0, 0, ratio, 0, 0);
  c.clearRect(0, 0, width, height);
  c.font = "11px " + getComputedStyle(document.body).fontFamily;
  return { c, width, height };
}

let tipNode = null;
export function tip(text, at) {
  if (!tipNode) document.body.append((tipNode = element("div", { id: "tip" })));
  tipNode.hidden = !text;
  if (!text) return;
  say(tipNode, text);
  tipNode.style.left = Math.min(at.clientX + 14, innerWidth - tipNode.offsetWidth - 8) + "px";
  tipNode.style.top = Math.min(at.clientY + 14, innerHeight - tipNode.offsetHeight - 8) + "px";
}
