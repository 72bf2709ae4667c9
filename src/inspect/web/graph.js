// The graph of who sends to whom. Its nodes are types of actors, so that it can be read with any number of actors.
import { colour, colourOf, element, fit, plural, short, tip } from "./dom.js";

const nodesMost = 40, nodeHeight = 26, gap = 34;
export const outside = "threads outside";

// The columns of nodes: a type stands to the right of those that send to it, except where they send to each other in a
// circle.
export function layers(sends) {
  const weights = new Map();
  for (const s of sends) for (const n of [s.from, s.to]) weights.set(n, (weights.get(n) ?? 0) + s.count);
  const names = [...weights].sort((a, b) => b[1] - a[1]).slice(0, nodesMost).map(([n]) => n);
  const targets = new Map(names.map((n) => [n, []]));
  for (const s of [...sends].sort((a, b) => b.count - a.count)) if (targets.has(s.from) && targets.has(s.to)) targets.get(s.from).push(s.to);
  const open = new Set(), done = [], ahead = new Map(names.map((n) => [n, []]));
  const visit = (n) => {
    if (open.has(n) || done.includes(n)) return;
    open.add(n);
    for (const to of targets.get(n)) {
      if (!open.has(to)) ahead.get(n).push(to);
      visit(to);
    }
    open.delete(n);
    done.push(n);
  };
  for (const n of names.includes(outside) ? [outside, ...names] : names) visit(n);
  const level = new Map(names.map((n) => [n, 0]));
  for (const n of done.reverse()) for (const to of ahead.get(n)) level.set(to, Math.max(level.get(to), level.get(n) + 1));
  const columns = [];
  for (const n of names) (columns[level.get(n)] ??= []).push(n);
  return { columns: columns.filter(Boolean), left: weights.size - names.length };
}

export class Graph {
  constructor() {
    this.node = element("canvas", { role: "img", "aria-label": "graph of who sends to whom" });
    this.sends = [];
    this.node.onmousemove = (e) => tip(this.textUnder(e), e);
    this.node.onmouseleave = () => tip("");
  }
  set(sends) {
    this.sends = sends;
    this.plan = layers(sends);
    this.node.dataset.nodes = this.plan.columns.flat().join("\n");
    this.draw();
  }
  draw() {
    if (!this.node.clientWidth) return;
    const columns = this.plan?.columns ?? [], tallest = Math.max(1, ...columns.map((x) => x.length));
    const { c, width, height } = fit(this.node, columns.length ? Math.max(150, tallest * (nodeHeight + gap) + 40) : 40);
    c.textBaseline = "middle";
    if (!columns.length) {
      c.fillStyle = colour("soft");
      return c.fillText("no message is recorded yet: press Read", 12, 20);
    }
    this.place(c, columns, width, height);
    for (const edge of this.edges()) this.drawEdge(c, edge);
    for (const [name, box] of this.boxes) this.drawNode(c, name, box);
    if (this.sends.length <= 40) for (const edge of this.lines) this.drawLabel(c, edge);
    if (this.plan.left) {
      c.fillStyle = colour("soft");
      c.textAlign = "left";
      c.fillText(`${plural(this.plan.left, "type")} with fewer messages left out`, 12, height - 10);
    }
  }
  place(c, columns, width, height) {
    this.boxes = new Map();
    columns.forEach((names, i) => {
      const w = Math.min(200, (width - 24) / columns.length - 40);
      const x = columns.length === 1 ? width / 2 - w / 2 : 12 + (i * (width - 24 - w)) / (columns.length - 1);
      names.forEach((name, k) => this.boxes.set(name, { x, y: height / 2 + (k - (names.length - 1) / 2) * (nodeHeight + gap) - nodeHeight / 2, w, h: nodeHeight, column: i }));
    });
  }
  // One line between two types, with all its kinds of messages.
  edges() {
    const all = new Map();
    for (const s of this.sends) {
      if (!this.boxes.has(s.from) || !this.boxes.has(s.to)) continue;
      const key = s.from + "\n" + s.to, edge = all.get(key) ?? { from: s.from, to: s.to, count: 0, undone: 0, kinds: [] };
      edge.count += s.count;
      edge.undone += s.undone;
      edge.kinds.push(s);
      all.set(key, edge);
    }
    return (this.lines = [...all.values()]);
  }
  drawEdge(c, edge) {
    const a = this.boxes.get(edge.from), b = this.boxes.get(edge.to), isSelf = a === b, isForward = b.column > a.column;
    const from = isForward ? [a.x + a.w, a.y + a.h / 2] : [a.x + a.w / 2, a.y + a.h];
    const to = isForward ? [b.x - 5, b.y + b.h / 2] : isSelf ? [a.x + a.w / 2 + 34, a.y + a.h + 1] : [b.x + b.w / 2 + 14, b.y + b.h + 1];
    const bend = isForward ? (to[0] - from[0]) / 2 : 0, drop = isForward ? this.detour(a, b) : isSelf ? 16 : 34 + Math.abs(a.column - b.column) * 8;
    const near = [from[0] + bend, from[1] + drop], far = [to[0] - bend, to[1] + drop];
    c.strokeStyle = c.fillStyle = colour("soft");
    c.globalAlpha = 0.65;
    c.lineWidth = Math.min(7, 0.8 + Math.log10(1 + edge.count));
    c.beginPath();
    c.moveTo(...from);
    c.bezierCurveTo(...near, ...far, ...to);
    c.stroke();
    c.globalAlpha = 1;
    const angle = Math.atan2(to[1] - far[1], to[0] - far[0]) || 0, size = 5 + c.lineWidth;
    c.beginPath();
    c.moveTo(to[0] + 5 * Math.cos(angle), to[1] + 5 * Math.sin(angle));
    for (const turn of [2.6, -2.6]) c.lineTo(to[0] + size * Math.cos(angle + turn), to[1] + size * Math.sin(angle + turn));
    c.fill();
    const at = (i) => (from[i] + 3 * near[i] + 3 * far[i] + to[i]) / 8;
    edge.at = [at(0) + (isSelf ? 56 : 0), at(1)];
  }
  // A line that passes a column lies below its nodes.
  detour(a, b) {
    const passed = [...this.boxes.values()].filter((x) => x.column > a.column && x.column < b.column);
    if (!passed.length) return 0;
    const middle = (a.y + b.y + nodeHeight) / 2, lowest = Math.max(...passed.map((x) => x.y + x.h));
    return Math.max(0, ((lowest + 18 - middle) * 4) / 3);
  }
  drawLabel(c, edge) {
    const most = edge.kinds.reduce((m, k) => (k.count > m.count ? k : m));
    const text = `${most.message}${edge.kinds.length > 1 ? ", …" : ""} ${short(edge.count)}`, w = c.measureText(text).width;
    c.fillStyle = colour("panel");
    c.globalAlpha = 0.85;
    c.fillRect(edge.at[0] - w / 2 - 3, edge.at[1] - 8, w + 6, 15);
    c.globalAlpha = 1;
    c.fillStyle = colour("soft");
    c.textAlign = "center";
    c.fillText(text, ...edge.at);
  }
  drawNode(c, name, b) {
    c.beginPath();
    c.roundRect(b.x, b.y, b.w, b.h, 5);
    c.fillStyle = name === outside ? colour("faint") : colourOf(name);
    c.fill();
    c.strokeStyle = colour("line");
    c.lineWidth = 1;
    c.stroke();
    c.save();
    c.clip();
    c.fillStyle = name === outside ? colour("ink") : "#14171a";
    c.textAlign = "center";
    c.fillText(name, b.x + b.w / 2, b.y + b.h / 2);
    c.restore();
  }
  textUnder(e) {
    const box = this.node.getBoundingClientRect(), x = e.clientX - box.left, y = e.clientY - box.top;
    const edge = (this.lines ?? []).find((l) => Math.hypot(l.at[0] - x, (l.at[1] - y) * 3) < 40);
    if (!edge) return [...(this.boxes ?? [])].find(([, b]) => x >= b.x && x <= b.x + b.w && y >= b.y && y <= b.y + b.h)?.[0] ?? "";
    return [`${edge.from} → ${edge.to}`, ...edge.kinds.map((k) => `${k.message}  ${short(k.count)}` + (k.undone ? `, ${short(k.undone)} undone` : ""))].join("\n");
  }
}
