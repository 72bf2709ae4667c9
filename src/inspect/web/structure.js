// The view of what an engine holds beside its actors: supervisors as trees, scopes, topics, and the next timers.
import { element, plural, section, short, time } from "./dom.js";
import { Table } from "./table.js";

const ask_again_ms = 1000;

const count = (title, of, width = "92px") => ({ title, width, number: true, text: (r) => short(of(r)), value: of });
// Indented by the depth. Sorting by it gives the order of the tree back.
const tree = (title, name) => ({ title, width: "minmax(0,1.5fr)", text: (r) => "\u2003".repeat(r.depth) + name(r), value: (r) => r.at });
const bounded = (shown, all, one) => (all > shown ? `${shown} of ${plural(all, one)}` : "");

export class Structure {
  constructor(ask) {
    this.ask = ask;
    this.asked = -Infinity;
    this.supervised = new Table([
      tree("supervisor or child", (r) => r.name),
      { title: "kind", width: "230px", text: (r) => r.kind },
      { title: "children", width: "76px", number: true, text: (r) => (r.supervisor ? short(r.children) : ""), value: (r) => (r.supervisor ? r.children : -1) },
      count("restarts", (r) => r.restarts, "76px"),
      { title: "state", width: "76px", text: (r) => (r.failed ? "failed" : r.ends ? "ends" : "") },
      { title: "last failure", width: "minmax(0,2fr)", text: (r) => r.last_failure },
    ], { empty: "no tact::supervisor is open", height: 480 });
    this.scopes = new Table([
      tree("scope", (r) => r.name || "a scope"),
      count("members", (r) => r.members, "76px"),
      { title: "state", width: "76px", text: (r) => (r.ends ? "ends" : "") },
      { title: "some of them", width: "minmax(0,2fr)", text: (r) => r.some.join(", ") },
    ], { empty: "no tact::scope is open" });
    this.topics = new Table([
      { title: "topic", text: (r) => r.actor },
      { title: "message", text: (r) => r.message },
      count("subscribers", (r) => r.subscribers),
    ], { sort: 2, empty: "no tact::topic has had a subscriber" });
    this.timers = new Table([
      { title: "due", width: "110px", number: true, text: (r) => (r.left_ms < 0 ? "late: " + time(-r.left_ms * 1e3) : "in " + time(r.left_ms * 1e3)), value: (r) => r.left_ms },
      { title: "message", text: (r) => r.message },
      { title: "for", width: "minmax(0,2fr)", text: (r) => r.actor },
    ], { empty: "no timer is set" });
    this.sections = {
      supervised: section("Supervisors", { wide: true }), scopes: section("Scopes", { wide: true }),
      topics: section("Topics"), timers: section("Next timers"),
    };
    for (const [name, s] of Object.entries(this.sections)) s.body.append(this[name].node);
    this.node = element("div", { className: "view" }, ...Object.values(this.sections).map((s) => s.node));
  }
  // The program is asked only while this view is seen.
  draw() {
    if (performance.now() - this.asked < ask_again_ms) return;
    this.asked = performance.now();
    this.ask({ do: "structure" });
  }
  set(m) {
    const numbered = (rows) => rows.map((r, at) => ({ ...r, at }));
    this.supervised.set(numbered(m.supervised));
    this.scopes.set(numbered(m.scopes));
    this.topics.set(m.topics);
    this.timers.set(m.timers);
    this.sections.supervised.about(m.supervised.length ? `${plural(m.supervision_trees, "tree")}` : "");
    this.sections.scopes.about(bounded(m.scopes.length, m.scopes_open, "open scope"));
    this.sections.topics.about(bounded(m.topics.length, m.topics_alive, "topic"));
    this.sections.timers.about(m.timers_known ? "ten at most" : "not known: the thread that serves them does not answer");
  }
  find(text) {
    for (const t of [this.supervised, this.scopes, this.topics, this.timers]) t.find(text);
  }
}
