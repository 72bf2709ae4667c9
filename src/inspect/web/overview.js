// The first view: warnings, messages over time, workers over time.
import uPlot from "uplot";
import { colour, element, fit, say, section, short, tip } from "./dom.js";

const stripHeight = 18, labels = 86, numbers = 250;

const doingColours = { handling: "blue", searching: "amber", asleep: "soft", resting: "line", gone: "line" };

class TimeLine {
  constructor(title, about, lines) {
    this.section = section(title, { about });
    this.lines = lines;
    this.holder = element("div", { className: "pad" });
    this.section.body.append(this.holder);
  }
  make() {
    const axis = { stroke: colour("soft"), grid: { stroke: colour("line"), width: 1 }, ticks: { stroke: colour("line"), width: 1 }, font: "11px sans-serif" };
    this.plot = new uPlot({
      width: Math.max(200, this.holder.clientWidth - 24), height: 150, cursor: { y: false }, scales: { x: { time: false } },
      series: [{ label: "seconds", value: (_, v) => v?.toFixed(1) }, ...this.lines.map((l) => ({ label: l.label, stroke: colour(l.colour), width: 1.5, points: { show: false }, value: (_, v) => (v == null ? "" : short(v)) }))],
      axes: [{ ...axis, size: 26, values: (_, ticks) => ticks.map((t) => t + " s") }, { ...axis, size: 56, values: (_, ticks) => ticks.map(short) }],
    }, [[], ...this.lines.map(() => [])], this.holder);
  }
  draw(history) {
    if (!this.holder.clientWidth) return;
    if (!this.plot) this.make();
    const width = Math.max(200, this.holder.clientWidth - 24);
    if (Math.abs(this.plot.width - width) > 2) this.plot.setSize({ width, height: 150 });
    const s = history.samples;
    this.plot.setData([s.map((x) => x.at), ...this.lines.map((l) => s.map(l.of))]);
  }
  forget() {
    this.plot?.destroy();
    this.plot = null;
  }
}

class Workers {
  constructor() {
    this.section = section("Workers", { wide: true, about: "a row for each worker, the newest on the right" });
    this.canvas = element("canvas", { role: "img", "aria-label": "workers over time" });
    this.legend = element("div", { className: "legend" });
    this.section.body.append(this.canvas, this.legend);
    this.canvas.onmousemove = (e) => tip(this.under(e), e);
    this.canvas.onmouseleave = () => tip("");
  }
  under(e) {
    const i = Math.floor((e.clientY - this.canvas.getBoundingClientRect().top - 20) / stripHeight);
    const w = this.history?.workers[i];
    if (!w) return "";
    const lines = [`worker ${i}`, ...Object.entries(w.rates).filter(([, v]) => v > 0).map(([k, v]) => `${k.replaceAll("_", " ")}  ${short(v)} /s`)];
    if (w.now?.[1]) lines.splice(1, 0, `runs ${w.now[1]} for ${w.now[2]}`);
    return lines.join("\n");
  }
  draw(history) {
    this.history = history;
    if (!this.canvas.clientWidth) return;
    const shown = history.workers, { c, width } = fit(this.canvas, 20 + shown.length * stripHeight + 4);
    const left = labels, right = width - numbers, columns = Math.min(480, Math.floor((right - left) / 3));
    const most = Math.max(1, ...shown.map((w) => w.history.reduce((m, x, i) => (i >= w.history.length - columns ? Math.max(m, x.rate) : m), 0)));
    const soft = colour("soft"), ink = colour("ink"), heat = colour("heat"), faint = colour("faint");
    const ofDoing = Object.fromEntries(Object.entries(doingColours).map(([k, v]) => [k, colour(v)]));
    c.textBaseline = "middle";
    c.fillStyle = soft;
    c.textAlign = "right";
    ["messages/s", "runs in vain/s", "stolen/s"].forEach((t, k) => c.fillText(t, right + 82 * (k + 1), 10));
    shown.forEach((w, i) => {
      const y = 20 + i * stripHeight;
      c.textAlign = "left";
      c.fillStyle = i < history.last.all.running ? ink : soft;
      c.fillText(`worker ${i}`, 12, y + stripHeight / 2);
      c.fillStyle = faint;
      c.fillRect(left, y + 2, right - left, stripHeight - 4);
      const from = Math.max(0, w.history.length - columns), step = (right - left) / columns;
      for (let k = from; k < w.history.length; ++k) {
        const x = right - (w.history.length - k) * step, h = w.history[k];
        if (h.doing && h.doing !== "handling") {
          c.fillStyle = ofDoing[h.doing];
          c.globalAlpha = 0.35;
          c.fillRect(x, y + 2, step, stripHeight - 4);
          c.globalAlpha = 1;
        }
        if (h.rate > 0) {
          const high = Math.max(1, (h.rate / most) * (stripHeight - 4));
          c.fillStyle = `rgba(${heat}, .85)`;
          c.fillRect(x, y + stripHeight - 2 - high, step, high);
        }
      }
      c.textAlign = "right";
      c.fillStyle = ink;
      [w.rates.commits, w.rates.collisions, w.rates.messages_stolen].forEach((n, k) => c.fillText(n ? short(n) : "0", right + 82 * (k + 1), y + stripHeight / 2));
    });
    const knows = shown.some((w) => w.now);
    this.writeLegend(knows, most);
  }
  writeLegend(knows, most) {
    const text = `full height: ${short(most)} messages/s`;
    if (this.legend.dataset.knows === String(knows)) return say(this.legend.lastChild, text);
    this.legend.dataset.knows = knows;
    const entries = knows ? [["blue", "handles messages"], ["amber", "searches for work"], ["soft", "sleeps"]] : [["blue", "handles messages"]];
    this.legend.replaceChildren(...entries.map(([name, label]) => {
      const dot = element("i");
      dot.style.background = `var(--${name})`;
      return element("span", {}, dot, label);
    }), element("span", { text }));
  }
}

export class Overview {
  constructor() {
    this.warningsSection = section("Warnings", { wide: true });
    this.messages = new TimeLine("Messages", "handled and sent in a second", [
      { label: "handled", colour: "blue", of: (x) => x.rates.commits },
      { label: "sent", colour: "green", of: (x) => x.rates.messages_sent },
    ]);
    this.waiting = new TimeLine("Waiting", "messages sent and not handled yet", [
      { label: "in flight", colour: "amber", of: (x) => x.all.in_flight },
    ]);
    this.workers = new Workers();
    this.node = element("div", { className: "view" }, this.warningsSection.node, this.workers.section.node,
      this.messages.section.node, this.waiting.section.node);
    this.told = null;
  }
  draw(history, warnings) {
    const text = JSON.stringify(warnings);
    if (text !== this.told) {
      this.told = text;
      this.warningsSection.body.replaceChildren(...(warnings.length
        ? warnings.map((w) => element("div", { className: "warning" }, element("b", { text: w.what }), " ", element("span", { text: w.help })))
        : [element("div", { className: "empty", text: "Nothing looks wrong." })]));
    }
    this.workers.draw(history);
    this.messages.draw(history);
    this.waiting.draw(history);
  }
  recolour() {
    this.messages.forget();
    this.waiting.forget();
  }
  find() {}
}
