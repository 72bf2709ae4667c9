// What the recorder has kept: who sends to whom, the handlers of each thread by time, and what takes the time.
import { element, plural, say, section, short, time } from "./dom.js";
import { Flames } from "./flames.js";
import { Graph } from "./graph.js";
import { Table } from "./table.js";

const number = (title, of, text = short, width = "92px") => ({ title, width, number: true, text: (r) => text(of(r)), value: of });

// Gives the numbers of the message their texts back.
export function unpack(m) {
  const text = (i) => m.texts[i];
  return {
    ...m,
    kinds: m.kinds.map(([actor, message, count, sum, median, longest]) => ({ actor: text(actor), message: text(message), count, sum, median, longest })),
    sends: m.sends.map(([from, to, message, count, undone]) => ({ from: text(from), to: text(to), message: text(message), count, undone })),
    actors: m.actors.map(([name, count, sum]) => ({ name: text(name), count, sum })),
    dead: m.dead.map(([message, actor, reason, id]) => ({ message: text(message), actor: text(actor), reason: text(reason), id })),
    threads: m.threads.map((t) => ({
      name: t.name,
      slices: t.slices.map(([begin, length, actor, message, how, id, name]) => ({ begin, length, actor: text(actor), message: text(message), how: text(how), id, name: text(name) })),
    })),
  };
}

export class Trace {
  constructor(ask, download) {
    this.ask = ask;
    this.start = element("button", { type: "button", text: "Record" });
    this.stop = element("button", { type: "button", text: "Stop" });
    this.read = element("button", { type: "button", text: "Read" });
    this.save = element("button", { type: "button", text: "Save for Perfetto" });
    this.start.onclick = () => ask({ do: "start" });
    this.stop.onclick = () => ask({ do: "stop" });
    this.read.onclick = () => ask({ do: "trace" });
    this.save.onclick = () => download();
    this.state = element("p");
    const control = section("Recorder", { wide: true, tools: [element("div", { className: "buttons" }, this.start, this.stop, this.read, this.save)] });
    this.about = control.about;
    control.body.remove();
    this.graphSection = section("Who sends to whom", { wide: true, about: "types of actors, from the left to the right; the width of a line is the number of messages" });
    this.graph = new Graph();
    this.graphSection.body.append(this.graph.node);
    this.flamesSection = section("Handlers by time", { wide: true, about: "turn the wheel to zoom, drag to move, choose a handler to see because of what it ran" });
    this.flames = new Flames((slice) => ask({ do: "why", message: slice.id }));
    this.why = element("pre", { text: "Choose a handler: here stands which message it handled, and of which that came." });
    this.flamesSection.body.append(this.flames.node, this.why);
    this.kinds = new Table([{ title: "actor type", text: (r) => r.actor }, { title: "message", text: (r) => r.message }, number("messages", (r) => r.count),
      number("time", (r) => r.sum, time), number("median", (r) => r.median, time), number("longest", (r) => r.longest, time)], { sort: 3, empty: "no handler is recorded" });
    this.actors = new Table([{ title: "actor", text: (r) => r.name }, number("messages", (r) => r.count), number("time", (r) => r.sum, time)], { sort: 2, empty: "no handler is recorded" });
    const kinds = section("Handlers by type", { about: "in the trace, the one that takes most time first" });
    kinds.body.append(this.kinds.node);
    this.hottest = section("Hottest actors");
    this.hottest.body.append(this.actors.node);
    this.node = element("div", { className: "view" }, control.node, this.graphSection.node, this.flamesSection.node, kinds.node, this.hottest.node);
  }
  hello(h) {
    this.can = h;
    this.show(h.recorder && null);
  }
  show(isOn) {
    this.start.disabled = !this.can.control || isOn !== false;
    this.stop.disabled = !this.can.control || isOn !== true;
    this.read.disabled = this.save.disabled = !this.can.recorder;
    const kept = this.trace ? `; the trace has ${plural(this.trace.events, "step")}` + (this.trace.lost ? `, ${plural(this.trace.lost, "older one")} were overwritten` : "") : "";
    const control = this.can.control ? "" : "; this page may not switch it";
    this.about(!this.can.recorder ? "the program has given this page no tact::inspect::recorder" : `${isOn === null ? "" : isOn ? "records" : "does not record"}${control}${kept}`);
  }
  draw(history) {
    this.isOn = history.last.recording;
    this.show(this.isOn);
    this.flames.draw();
  }
  setTrace(trace) {
    this.trace = trace;
    this.graph.set(trace.sends);
    this.flames.set(trace.threads);
    this.kinds.set(trace.kinds);
    this.actors.set(trace.actors);
    const left = trace.actors_seen - trace.actors.length;
    this.hottest.about(left > 0 ? `in the trace; ${plural(left, "colder one")} left out` : "in the trace");
    const shown = trace.threads.reduce((n, t) => n + t.slices.length, 0);
    this.flamesSection.about((shown < trace.slices_seen ? `the newest ${short(shown)} of ${short(trace.slices_seen)} handlers; ` : "") + "turn the wheel to zoom, drag to move, choose a handler to see because of what it ran");
    this.show(this.isOn ?? null);
  }
  setWhy(text) {
    say(this.why, text);
  }
  recolour() {
    this.graph.draw();
    this.flames.draw();
  }
  find(text) {
    this.kinds.find(text);
    this.actors.find(text);
    this.flames.find(text);
  }
}
