// The handlers of each thread by time, on a canvas.
import { colour, colourOf, element, fit, time, tip } from "./dom.js";

const rowHeight = 20, labels = 150, axis = 22, rounding = 0.002;

export class Flames {
  constructor(pick) {
    this.pick = pick;
    this.threads = [];
    this.search = "";
    this.node = element("canvas", { role: "img", "aria-label": "handlers by time", tabindex: "0" });
    this.node.onmousemove = (e) => (this.drag ? this.move(e) : tip(this.textUnder(e), e));
    this.node.onmouseleave = () => tip("");
    this.node.onmousedown = (e) => (this.drag = { x: e.clientX, from: this.from, to: this.to, moved: false });
    this.node.onmouseup = (e) => this.up(e);
    this.node.addEventListener("wheel", (e) => this.zoom(e), { passive: false });
    addEventListener("mouseup", () => (this.drag = null));
  }
  set(threads) {
    // A handler that goes on within another one lies a row lower.
    this.threads = threads.filter((t) => t.slices.length).map((t) => {
      const ends = [];
      let deepest = 0;
      for (const s of t.slices) {
        while (ends.length && ends.at(-1) <= s.begin + rounding) ends.pop();
        s.depth = ends.length;
        deepest = Math.max(deepest, s.depth);
        ends.push(s.begin + s.length);
      }
      return { ...t, rows: deepest + 1 };
    });
    const all = this.threads.flatMap((t) => t.slices);
    this.first = all.reduce((m, s) => Math.min(m, s.begin), Infinity);
    this.last = all.reduce((m, s) => Math.max(m, s.begin + s.length), 0);
    this.show(all);
    this.chosen = null;
    this.draw();
  }
  // Where most handlers are: what began long before them, and what still runs, does not count.
  show(all) {
    const begins = all.map((s) => s.begin).sort((a, b) => a - b);
    this.from = begins[Math.floor(begins.length / 50)] ?? 0;
    this.to = all.reduce((m, s) => (s.how === "not over" ? m : Math.max(m, s.begin + s.length)), this.from + 1);
  }
  find(text) {
    this.search = text.toLowerCase();
    this.draw();
  }
  scale() {
    return (this.node.clientWidth - labels - 12) / (this.to - this.from);
  }
  draw() {
    if (!this.node.clientWidth) return;
    const rows = this.threads.reduce((n, t) => n + t.rows, 0), { c, width } = fit(this.node, axis + Math.max(1, rows) * rowHeight + 6);
    c.textBaseline = "middle";
    c.textAlign = "left";
    if (!this.threads.length) {
      c.fillStyle = colour("soft");
      return c.fillText("no handler is recorded yet: press Read", 12, axis);
    }
    this.drawAxis(c, width);
    const colours = new Map(), ink = colour("ink"), faint = colour("faint"), soft = colour("soft");
    let y = axis;
    for (const t of this.threads) {
      c.fillStyle = soft;
      c.fillText(t.name, 12, y + rowHeight / 2, labels - 18);
      c.fillStyle = faint;
      c.fillRect(labels, y, width - labels - 12, t.rows * rowHeight - 2);
      this.drawThread(c, t, y, colours, ink);
      y += t.rows * rowHeight;
    }
  }
  // What is narrower than a pixel, and lies in one that is drawn already, is left out.
  drawThread(c, t, y, colours, ink) {
    const k = this.scale(), ends = new Float64Array(t.rows);
    for (const s of t.slices) {
      if (s.begin + s.length < this.from || s.begin > this.to) continue;
      const left = Math.max(labels, labels + (s.begin - this.from) * k), right = Math.min(labels + (this.to - this.from) * k, labels + (s.begin + s.length - this.from) * k);
      if (right <= ends[s.depth]) continue;
      const x = Math.max(left, ends[s.depth]), w = Math.max(0.7, right - x);
      ends[s.depth] = Math.max(right, x + 0.7);
      if (!colours.has(s.actor)) colours.set(s.actor, colourOf(s.actor));
      const found = !this.search || (s.name + " " + s.message).toLowerCase().includes(this.search);
      c.globalAlpha = found ? (s.how === "committed" ? 1 : 0.55) : 0.12;
      c.fillStyle = s === this.chosen ? ink : colours.get(s.actor);
      c.fillRect(x, y + s.depth * rowHeight, Math.max(0.7, w - (w > 3 ? 0.7 : 0)), rowHeight - 3);
      c.globalAlpha = 1;
      if (w > 46) {
        c.save();
        c.beginPath();
        c.rect(x, y + s.depth * rowHeight, w - 3, rowHeight);
        c.clip();
        c.fillStyle = s === this.chosen ? colour("ground") : "#14171a";
        c.fillText(`${s.message} · ${s.actor}`, x + 4, y + s.depth * rowHeight + (rowHeight - 3) / 2);
        c.restore();
      }
    }
  }
  drawAxis(c, width) {
    const span = this.to - this.from, rough = span / Math.max(2, (width - labels) / 110), power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= rough);
    c.fillStyle = colour("soft");
    for (let t = this.first + Math.ceil((this.from - this.first) / step) * step; t <= this.to; t += step) {
      const x = labels + (t - this.from) * this.scale();
      c.fillRect(x, axis - 5, 1, 4);
      if (x + 60 < width) c.fillText(time(t - this.first), x + 3, 10);
    }
  }
  under(e) {
    const box = this.node.getBoundingClientRect(), x = e.clientX - box.left, at = this.from + (x - labels) / this.scale();
    if (x < labels || !this.threads.length) return null;
    let row = Math.floor((e.clientY - box.top - axis) / rowHeight);
    for (const t of this.threads) {
      if (row < t.rows) {
        const near = 1.5 / this.scale();
        return t.slices.find((s) => s.depth === row && s.begin - near <= at && at <= s.begin + s.length + near) ?? null;
      }
      row -= t.rows;
    }
    return null;
  }
  textUnder(e) {
    const s = this.under(e);
    return s ? `${s.message} for ${s.name}\n${time(s.length)} at ${time(s.begin)}, ${s.how}` : "";
  }
  zoom(e) {
    if (!this.threads.length) return;
    e.preventDefault();
    const x = e.clientX - this.node.getBoundingClientRect().left, at = this.from + (x - labels) / this.scale();
    const by = Math.exp(Math.max(-1, Math.min(1, e.deltaY / 300))), span = Math.max(0.05, Math.min(this.last - this.first, (this.to - this.from) * by));
    this.from = Math.max(this.first, at - ((at - this.from) / (this.to - this.from)) * span);
    this.to = this.from + span;
    this.draw();
  }
  move(e) {
    const by = (e.clientX - this.drag.x) / this.scale();
    this.drag.moved ||= Math.abs(e.clientX - this.drag.x) > 3;
    this.from = this.drag.from - by;
    this.to = this.drag.to - by;
    this.draw();
  }
  up(e) {
    const clicked = this.drag && !this.drag.moved ? this.under(e) : null;
    if (!clicked) return;
    this.chosen = clicked;
    this.pick(clicked);
    this.draw();
  }
}
