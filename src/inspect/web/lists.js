// The views that are tables: actors, mailboxes and shards, failures and dead letters.
import { colour, element, fit, section, short, time, tip } from "./dom.js";
import { Table } from "./table.js";

const count = (title, of, width = "92px") => ({ title, width, number: true, text: (r) => (of(r) == null ? "" : short(of(r))), value: (r) => of(r) ?? -1 });
const duration = (title, of, width = "92px") => ({ title, width, number: true, text: (r) => (of(r) == null ? "" : time(of(r))), value: (r) => of(r) ?? -1 });

export class Actors {
  constructor() {
    this.types = new Table([
      { title: "actor type", text: (r) => r.actor },
      count("alive", (r) => r.alive),
      count("messages", (r) => r.messages),
      count("messages/s", (r) => r.rate),
      duration("time", (r) => r.time_us),
      { title: "of all time", width: "84px", number: true, text: (r) => (r.share == null ? "" : (100 * r.share).toFixed(1) + " %"), value: (r) => r.share ?? -1 },
      duration("handler p50", (r) => r.handling_us?.[0]),
      duration("p99", (r) => r.handling_us?.[1]),
      duration("waits p50", (r) => r.waiting_us?.[0]),
      duration("p99", (r) => r.waiting_us?.[1]),
      count("runs in vain", (r) => r.collisions),
      count("went home", (r) => r.went_home),
    ], { sort: 4, empty: "no actor is alive", height: 640 });
    const s = section("Actor types", { wide: true, about: "the hottest first; times are estimated from samples" });
    s.body.append(this.types.node);
    this.section = s;
    this.node = element("div", { className: "view" }, s.node);
  }
  draw(history) {
    const types = history.last.types, sum = types.reduce((n, t) => n + (t.time_us ?? 0), 0);
    const has = types.some((t) => t.time_us != null);
    if (!has && this.types.sortBy === 4) this.types.sort(1);
    this.section.about(has ? "the hottest first; messages and times are estimated from samples" : "no figures of times: the program measures none");
    const old = history.ago(3), before = new Map((old?.snapshot.types ?? []).map((t) => [t.actor, t.messages]));
    this.types.set(types.map((t) => ({
      ...t, share: sum > 0 && t.time_us != null ? t.time_us / sum : null,
      rate: t.messages != null && before.get(t.actor) != null ? Math.max(0, t.messages - before.get(t.actor)) / (history.last.at - old.at) : null,
    })));
  }
  find(text) {
    this.types.find(text);
  }
}

export class Mailboxes {
  constructor() {
    this.table = new Table([
      { title: "actor", text: (r) => r.actor },
      { title: "full", width: "72px", number: true, text: (r) => Math.round(100 * r.fill) + " %", value: (r) => r.fill },
      count("messages", (r) => r.messages),
      { title: "limit", width: "92px", number: true, text: (r) => (r.limit_messages ? short(r.limit_messages) : "none"), value: (r) => r.limit_messages },
      duration("first waits", (r) => r.oldest_ms * 1e3),
      count("refused", (r) => r.refused),
    ], { sort: 1, empty: "no actor has a tact::mailbox_limit" });
    const boxes = section("Mailboxes with a limit", { wide: true, about: "the fullest first" });
    boxes.body.append(this.table.node);
    this.shards = section("Shards", { wide: true, about: "messages that wait in each shard" });
    this.canvas = element("canvas", { role: "img", "aria-label": "depths of shards" });
    this.shards.body.append(this.canvas);
    this.canvas.onmousemove = (e) => tip(this.under(e), e);
    this.canvas.onmouseleave = () => tip("");
    this.node = element("div", { className: "view" }, boxes.node, this.shards.node);
  }
  under(e) {
    const i = Math.floor((e.clientX - this.canvas.getBoundingClientRect().left - 12) / this.step);
    return this.depths?.[i] === undefined ? "" : `shard ${i}: ${short(this.depths[i])} messages`;
  }
  draw(history) {
    this.table.set(history.last.mailboxes);
    const depths = (this.depths = history.last.shards), most = Math.max(1, ...depths);
    this.shards.about(`messages that wait in each of ${depths.length} shards; the fullest has ${short(Math.max(0, ...depths))}`);
    if (!this.canvas.clientWidth) return;
    const { c, width, height } = fit(this.canvas, 110);
    this.step = (width - 24) / Math.max(1, depths.length);
    c.fillStyle = colour("line");
    c.fillRect(12, height - 11, width - 24, 1);
    c.fillStyle = colour("blue");
    depths.forEach((n, i) => {
      const h = n === 0 ? 0 : Math.max(2, (n / most) * (height - 24));
      c.fillRect(12 + i * this.step, height - 11 - h, Math.max(1, this.step - 1), h);
    });
  }
  find(text) {
    this.table.find(text);
  }
}

export class Failures {
  constructor(ask) {
    this.ask = ask;
    this.reasons = new Table([
      { title: "reason", text: (r) => r.reason },
      { title: "message", text: (r) => r.message },
      { title: "for", text: (r) => r.type },
      count("of the latest", (r) => r.n, "110px"),
    ], { sort: 3, empty: "no dead letter", height: 220 });
    this.letters = new Table([
      { title: "message", text: (r) => r.message },
      { title: "for", width: "minmax(0,2fr)", text: (r) => r.target },
      { title: "reason", text: (r) => r.reason },
      { title: "what was thrown", width: "minmax(0,2fr)", text: (r) => [r.what, ...r.causes.slice(1)].filter(Boolean).join(" ← ") },
    ], { empty: "no dead letter", pick: (r) => this.askWhy(r.trace) });
    this.recorded = new Table([
      { title: "message", text: (r) => r.message },
      { title: "for", text: (r) => r.actor },
      { title: "reason", text: (r) => r.reason },
    ], { empty: "no recorded dead letter: read a trace in the view Trace", height: 260, pick: (r) => this.askWhy(r.id) });
    this.why = element("pre", { text: "Choose a dead letter: here stands which message it came of, back to the first." });
    const sums = section("Dead letters by reason", { about: "messages that no handler saw" });
    sums.body.append(this.reasons.node);
    this.counts = section("Failures", { about: "handlers that threw" });
    this.countsTable = new Table([{ title: "figure", text: (r) => r.name }, count("since the start", (r) => r.sum, "130px"), count("in a second", (r) => r.rate, "110px")], { height: 320 });
    this.counts.body.append(this.countsTable.node);
    const latest = section("The latest dead letters", { wide: true, about: "the newest first; choose one to see its chain of causes" });
    latest.body.append(this.letters.node);
    const chains = section("Recorded dead letters", { about: "choose one to see its chain of causes" });
    chains.body.append(this.recorded.node);
    const chain = section("Because of what");
    chain.body.append(this.why);
    this.node = element("div", { className: "view" }, this.counts.node, sums.node, latest.node, chains.node, chain.node);
  }
  draw(history) {
    const dead = history.last.dead, sums = new Map();
    for (const d of dead) {
      const type = d.target.replace(/.* \(|@.*/g, ""), key = [d.reason, d.message, type].join("\n");
      const row = sums.get(key) ?? { reason: d.reason, message: d.message, type, n: 0 };
      ++row.n;
      sums.set(key, row);
    }
    this.reasons.set([...sums.values()]);
    this.letters.set([...dead].reverse());
    const rates = history.samples.at(-1)?.rates ?? {};
    const rows = { failures: "handlers that threw", retries: "handled again", restarts: "actors made anew", dead_letters: "dead letters", refused: "refused by full mailboxes", collisions: "runs in vain" };
    this.countsTable.set(Object.entries(rows).map(([k, name]) => ({ name, sum: history.last.all[k], rate: rates[k] ?? 0 }))
      .concat((history.last.dead_by_reason ?? []).map(([reason, n]) => ({ name: `dead letters: ${reason}`, sum: n, rate: null }))));
  }
  askWhy(id) {
    if (id === "0") return this.setWhy("No recorder knows a number of this message, so its causes are not known.");
    this.ask({ do: "why", message: id });
  }
  setTrace(trace) {
    this.recorded.set(trace.dead);
  }
  setWhy(text) {
    this.why.textContent = text;
  }
  find(text) {
    for (const t of [this.reasons, this.letters, this.recorded]) t.find(text);
  }
}
