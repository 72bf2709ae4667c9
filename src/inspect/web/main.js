// Puts the page together: what the program tells goes to the view that is seen.
import { bytes, element, say, short } from "./dom.js";
import { History } from "./history.js";
import { Link } from "./link.js";
import { Actors, Failures, Mailboxes } from "./lists.js";
import { Machine } from "./machine.js";
import { Overview } from "./overview.js";
import { Structure } from "./structure.js";
import { Trace, unpack } from "./trace.js";
import { warnings } from "./warnings.js";

const format = 1;
const byId = (id) => document.getElementById(id);

const ask = (request) => link.send(request);
const history = new History();
let trace = null, isPaused = false, current = "Overview", isDue = false;

const views = {
  Overview: new Overview(),
  Actors: new Actors(),
  Structure: new Structure(ask),
  Mailboxes: new Mailboxes(),
  Failures: new Failures(ask),
  Machine: new Machine(),
  Trace: new Trace(ask, () => link.download("/trace.json", "trace.json").catch((e) => say(byId("status"), e.message))),
};
const tabs = Object.keys(views).map((name) => {
  const count = element("span", { className: "count" });
  const tab = element("button", { type: "button", role: "tab" }, element("span", { text: name }), count);
  tab.onclick = () => choose(name);
  byId("tabs").append(tab);
  byId("main").append(views[name].node);
  return { name, tab, count };
});

function choose(name) {
  current = name;
  for (const t of tabs) {
    t.tab.setAttribute("aria-selected", t.name === name);
    views[t.name].node.hidden = t.name !== name;
  }
  draw();
}

const figures = {};
function figure(label, text, isBad = false) {
  const f = (figures[label] ??= (() => {
    const value = element("b"), node = element("div", {}, value, element("span", { text: label }));
    byId("figures").append(node);
    return { value, node };
  })());
  say(f.value, text);
  f.node.classList.toggle("bad", isBad);
}

function drawFigures() {
  const a = history.last.all, rates = history.samples.at(-1)?.rates ?? {};
  figure("messages/s", short(rates.commits ?? 0));
  figure("in flight", short(a.in_flight));
  figure("actors alive", short(a.actors_alive));
  figure("runs in vain/s", short(rates.collisions ?? 0));
  figure("failures", short(a.failures), a.failures > 0);
  figure("dead letters", short(a.dead_letters), a.dead_letters > 0);
  figure("timers set", short(a.timers_armed));
  figure("workers that run", `${a.running} of ${a.workers}`);
  figure("memory held", bytes(a.bytes_held));
}

function draw() {
  if (!history.last) return;
  const found = warnings(history, trace);
  drawFigures();
  say(tabs[0].count, found.length ? String(found.length) : "");
  views[current].draw(history, found);
}

// Once a frame at most, and not at all while the page is hidden.
function drawSoon() {
  if (isDue) return;
  isDue = true;
  requestAnimationFrame(() => {
    isDue = false;
    draw();
  });
}

function hello(m) {
  if (m.tact !== format) return say(byId("status"), `the program speaks format ${m.tact}, this page ${format}: reload it`);
  say(byId("program"), `${m.program} · process ${m.process}`);
  document.title = `${m.program} · tact`;
  byId("status").className = "";
  say(byId("status"), m.control ? "connected" : "connected, read-only");
  views.Machine.hello(m);
  views.Trace.hello(m);
}

const hears = {
  hello,
  snapshot(m) {
    if (isPaused) return;
    history.add(m);
    drawSoon();
  },
  trace(m) {
    trace = unpack(m);
    views.Trace.setTrace(trace);
    views.Failures.setTrace(trace);
    drawSoon();
  },
  structure(m) {
    if (!isPaused) views.Structure.set(m);
  },
  why(m) {
    views.Trace.setWhy(m.text);
    views.Failures.setWhy(m.text);
  },
  switched() {},
  problem(m) {
    say(byId("status"), m.text);
  },
};

byId("search").oninput = (e) => {
  for (const v of Object.values(views)) v.find(e.target.value.trim());
};
byId("pause").onclick = (e) => {
  isPaused = !isPaused;
  say(e.target, isPaused ? "Go on" : "Pause");
};
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  for (const v of Object.values(views)) v.recolour?.();
  drawSoon();
});
addEventListener("resize", drawSoon);
addEventListener("hashchange", () => location.reload());

const link = new Link((m) => hears[m.kind]?.(m), (text, isLost) => {
  say(byId("status"), text);
  byId("status").className = isLost ? "lost" : "";
});
choose(current);
