// The plan of seats on the machine, with what the worker on each seat does; timers, memory.
import { bytes, element, say, section, short } from "./dom.js";
import { Table } from "./table.js";

const levels = [["package", "package"], ["memory", "memory"], ["cache", "cache"], ["core", "core"]];

export class Machine {
  constructor() {
    this.plan = section("Seats", { wide: true });
    this.holder = element("div", { className: "machine" });
    this.plan.body.append(this.holder);
    this.figures = new Table([{ title: "figure", text: (r) => r.name }, { title: "now", width: "150px", number: true, text: (r) => r.now, value: (r) => r.n }], { height: 600 });
    const s = section("The engine", { about: "timers, stacks, memory" });
    s.body.append(this.figures.node);
    this.node = element("div", { className: "view" }, this.plan.node, s.node);
    this.seats = [];
  }
  hello(h) {
    this.plan.about(h.pinned ? "workers stay on the processing units of their seats" : "the system may move the workers between processing units");
    this.seats = [];
    this.holder.replaceChildren(...this.boxes(h.seats.map((s, worker) => ({ ...s, worker })), 0));
  }
  // Levels that divide nothing are left out.
  boxes(seats, level) {
    if (level === levels.length) return seats.map((s) => this.seat(s));
    const [key, label] = levels[level], groups = Map.groupBy ? Map.groupBy(seats, (s) => s[key]) : group(seats, key);
    if (level > 0 && groups.size === 1) return this.boxes(seats, level + 1);
    return [...groups].map(([number, some]) => element("div", { className: "box" },
      element("div", { className: "label", text: `${label} ${number}` }), element("div", { className: "inner" }, ...this.boxes(some, level + 1))));
  }
  seat(s) {
    const node = element("div", { className: "seat", text: `worker ${s.worker}` });
    this.seats[s.worker] = node;
    return node;
  }
  draw(history) {
    const rates = history.workers.map((w) => w.rates.commits ?? 0), most = Math.max(1, ...rates);
    this.seats.forEach((node, i) => {
      say(node, `worker ${i}: ${short(rates[i] ?? 0)}/s`);
      node.style.background = `rgba(var(--heat), ${(0.08 + 0.5 * ((rates[i] ?? 0) / most)).toFixed(2)})`;
    });
    const a = history.last.all;
    const rows = [["workers that have a thread", a.workers], ["workers that run", a.running], ["workers on their seat", a.pinned],
      ["workers that search for work", a.searchers], ["shards", a.shards], ["actors alive", a.actors_alive], ["actors created", a.actors_created],
      ["timers set", a.timers_armed], ["messages of timers", a.timers_fired], ["timers cancelled", a.timers_cancelled],
      ["handlers that wait for an answer", a.waiting], ["stacks for such handlers", a.stacks], ["asks of threads outside without an answer yet", a.outside_asks],
      ["allocations from the system", a.allocations]].filter(([, n]) => n != null).map(([name, n]) => ({ name, n, now: short(n) }));
    rows.push({ name: "memory held", n: a.bytes_held, now: bytes(a.bytes_held) });
    this.figures.set(rows);
  }
  find(text) {
    this.figures.find(text);
  }
}

function group(rows, key) {
  const all = new Map();
  for (const r of rows) all.set(r[key], [...(all.get(r[key]) ?? []), r]);
  return all;
}
