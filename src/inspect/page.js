// The page of a run: one row for each step, with its text at the left and its part of the chart at the right.
"use strict";

(() => {
  const run = JSON.parse(document.getElementById("data").textContent);
  const { steps, columns } = run;
  const messages = new Map(run.messages.map((m) => [m.i, m]));
  const rowHeight = 24;
  const columnWidth = 150;
  const chartWidth = columns.length * columnWidth + 130; // with room for the words at the last column
  const headHeight = 44;
  const svgSpace = "http://www.w3.org/2000/svg";
  const state = Object.fromEntries(run.states.map((name, number) => [name, number]));
  const byId = (id) => document.getElementById(id);

  let now = 0; // the step at which the reader is
  let chosen = 0; // the message of which the causes are shown; 0: none

  // -- words

  const nameOf = (column) => columns[column].n;
  const threadOf = (number) => run.threads[number] ?? `thread ${number}`;
  const titleOf = (message) => `${messages.get(message)?.y ?? "a message"} #${message}`;
  const shortened = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

  // What a step says that is no line of the trace.
  const sentences = {
    sent: (s) => `sends ${titleOf(s.m)} to ${nameOf(messages.get(s.m).o)}`,
    begun: (s) => `handles ${titleOf(s.m)}`,
    waits: () => "waits for an answer",
    "goes on": () => "goes on",
    undone: () => "is undone: what this run has sent takes no effect",
    created: (s) => `creates ${nameOf(s.o)}`,
    became: () => "becomes another behaviour",
    ends: () => "ends",
    over: (s) => `is done with ${titleOf(s.m)}: ${s.h ?? ""}`,
    restarted: () => "is made anew",
    unserved: (s) => `does not get ${s.m ? titleOf(s.m) : "a message"}: ${s.x}`,
    marked: (s) => `notes: ${s.x}`,
  };

  function textOf(s) {
    if (s.l) return s.x;
    if (s.k === "failure") return `Failed: ${s.x}`;
    const who = s.c === undefined ? "" : `${nameOf(s.c)} `;
    return who + (sentences[s.k]?.(s) ?? s.x ?? s.k);
  }

  function timeOf(nanoseconds = 0) {
    if (nanoseconds === 0) return "0 s";
    const units = [["s", 1e9], ["ms", 1e6], ["µs", 1e3]];
    const [unit, size] = units.find(([, u]) => nanoseconds >= u) ?? ["ns", 1];
    return `${nanoseconds / size} ${unit}`;
  }

  // -- what the chart shows: worked out once

  // A message goes from the row in which it is sent to that in which its handler begins.
  const arrows = [];
  // A handler, from where it begins or goes on to where it is done or waits.
  const bars = [];
  const births = new Map(); // column -> row
  const ends = new Map();

  function lookAtSteps() {
    const arrowOf = new Map();
    const openBars = new Map();
    steps.forEach((s, row) => {
      if (s.k === "sent" && s.m) {
        const m = messages.get(s.m);
        const arrow = { m: s.m, from: s.c, to: m.o, row, end: -1, undone: Boolean(s.u) };
        arrows.push(arrow);
        arrowOf.set(s.m, arrow);
      } else if (s.k === "begun" || s.k === "goes on") {
        const arrow = arrowOf.get(s.m);
        if (arrow && arrow.end < 0) arrow.end = row;
        const lane = [...openBars.values()].filter((b) => b.c === s.c).length;
        const bar = { c: s.c, row, end: steps.length - 1, how: "", lane };
        bars.push(bar);
        openBars.set(s.m, bar);
      } else if (s.k === "over" || s.k === "waits") {
        const bar = openBars.get(s.m);
        openBars.delete(s.m);
        if (bar) Object.assign(bar, { end: row, how: s.h ?? "" });
      } else if (s.k === "created" && !s.u) {
        births.set(s.o, row);
      } else if (s.k === "ends" && !s.u) {
        ends.set(s.c, row);
      }
    });
  }

  // -- the state

  // Where each message is behind the step: in the order in which it got there.
  function stateAt(step) {
    const where = new Map(run.begin.map(([m, to, thread]) => [m, { to, thread }]));
    for (let i = 0; i <= step; i += 1) {
      for (const [m, to] of steps[i].d ?? []) {
        where.delete(m);
        where.set(m, { to, thread: steps[i].t });
      }
    }
    return where;
  }

  function messagesIn(where, wanted) {
    return [...where].filter(([m, w]) => w.to === wanted && messages.has(m)).map(([m, w]) => ({ m, thread: w.thread }));
  }

  function causesOf(message) {
    const chain = [];
    for (let m = messages.get(message); m && !chain.includes(m); m = messages.get(m.c)) chain.push(m);
    return chain;
  }

  // -- parts of the page

  function element(name, attributes = {}, text = undefined) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (text !== undefined) made.textContent = text;
    return made;
  }

  function drawn(name, attributes, text = undefined) {
    const made = document.createElementNS(svgSpace, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (text !== undefined) made.textContent = text;
    return made;
  }

  const stepSending = (message) => steps.findIndex((s) => s.k === "sent" && s.m === message);
  const stepHandling = (message) => steps.findIndex((s) => s.k === "begun" && s.m === message);

  // The button of a message leads to where it was sent.
  function chip(message) {
    const made = element("button", { type: "button", class: "message" }, titleOf(message));
    made.classList.toggle("chosen", message === chosen);
    made.addEventListener("click", () => {
      const at = stepSending(message) >= 0 ? stepSending(message) : stepHandling(message);
      go(at >= 0 ? at : now, message);
    });
    return made;
  }

  function paragraph(className, ...parts) {
    const made = element("p", { class: className });
    made.append(...parts);
    return made;
  }

  function fill(id, parts, none) {
    byId(id).replaceChildren(...(parts.length ? parts : [paragraph("none", none)]));
  }

  function showStep() {
    const s = steps[now];
    const parts = [paragraph(s.k === "failure" ? "bad" : "", textOf(s))];
    parts.push(paragraph("none", `${threadOf(s.t)}, at ${timeOf(s.at)}${s.u ? "; takes no effect, its run is undone" : ""}`));
    fill("step", parts, "");
  }

  function showStates() {
    const where = stateAt(now);
    const running = messagesIn(where, state.handled).map(({ m, thread }) =>
      paragraph("", `${threadOf(thread)}: `, element("span", { class: "actor" }, nameOf(messages.get(m).o)), " ", chip(m)));
    for (const { m } of messagesIn(where, state["waits for an answer"])) {
      running.push(paragraph("", element("span", { class: "actor" }, nameOf(messages.get(m).o)), " waits for an answer in ", chip(m)));
    }
    fill("running", running, "none");
    const waiting = groups(messagesIn(where, state.waiting)).map(([c, all]) =>
      paragraph("", element("span", { class: "actor" }, nameOf(c)), " ", ...all.map(chip)));
    const staged = messagesIn(where, state.staged);
    if (staged.length) waiting.push(paragraph("none", "When its sender commits: ", ...staged.map(({ m }) => chip(m))));
    fill("waiting", waiting, "none");
  }

  // The messages of each target.
  function groups(all) {
    const byTarget = new Map();
    for (const { m } of all) {
      const target = messages.get(m).o;
      byTarget.set(target, [...(byTarget.get(target) ?? []), m]);
    }
    return [...byTarget];
  }

  function showCauses() {
    const chain = causesOf(chosen);
    const list = element("ol");
    chain.forEach((m, n) => {
      const item = element("li");
      const sent = stepSending(m.i);
      const how = sent < 0 ? "where it was sent is not shown" : `sent in step ${sent + 1 + run.before} by ${nameOf(m.f)}`;
      item.append(n ? "because of " : "", chip(m.i), ` for ${nameOf(m.o)}`, element("br"),
        element("span", { class: "how" }, how + (sent >= 0 && steps[sent].u ? ", in a run that was undone" : "")));
      list.append(item);
    });
    fill("why", chain.length ? [list] : [], "Choose a message to see what it came of.");
  }

  // -- the sheet: only the rows that can be seen are there

  const scroller = byId("run");
  let traceWidth = 430;
  const xOf = (column) => column * columnWidth + columnWidth / 2;
  const yOf = (row) => row * rowHeight + rowHeight / 2;

  function visibleRows() {
    const first = Math.floor(scroller.scrollTop / rowHeight) - 4;
    const last = Math.ceil((scroller.scrollTop + scroller.clientHeight) / rowHeight) + 4;
    return [Math.max(0, first), Math.min(steps.length - 1, last)];
  }

  function rowOf(i) {
    const s = steps[i];
    const row = element("div", { class: "row", "data-step": i });
    row.style.top = `${headHeight + i * rowHeight}px`;
    row.classList.toggle("own", !s.l && s.k !== "failure");
    row.classList.toggle("undone", Boolean(s.u));
    row.classList.toggle("bad", s.k === "collided" || s.k === "undone" || s.h === "failed" || s.k === "unserved");
    row.classList.toggle("failure", s.k === "failure");
    row.classList.toggle("now", i === now);
    row.classList.toggle("later", i > now);
    const text = element("div", { class: "text", title: textOf(s) });
    text.style.width = `${traceWidth}px`;
    text.append(element("span", { class: "thread" }, threadOf(s.t)), element("span", { class: "line" }, textOf(s)));
    if (s.l && s.m) text.append(element("span", { class: "number" }, `#${s.m}`));
    row.append(text);
    row.addEventListener("click", () => go(i));
    return row;
  }

  function drawLife(column, first, last) {
    const from = births.has(column) ? births.get(column) : 0;
    const to = ends.has(column) ? ends.get(column) : steps.length;
    const y = (row) => Math.min(Math.max(yOf(row), yOf(first) - rowHeight), yOf(last) + rowHeight);
    const line = drawn("line", { class: "life", x1: xOf(column), x2: xOf(column), y1: y(from), y2: y(to) });
    if (columns[column].outside) line.classList.add("outside");
    return line;
  }

  function drawBar(bar) {
    const top = yOf(bar.row) - 3;
    const made = drawn("rect", { class: "bar", x: xOf(bar.c) - 4 + bar.lane * 6, y: top, width: 8, rx: 2, height: yOf(bar.end) + 3 - top });
    if (bar.how === "failed") made.classList.add("failed");
    if (bar.row > now) made.classList.add("later");
    return made;
  }

  function pathOf(arrow) {
    const x1 = xOf(arrow.from);
    const y1 = yOf(arrow.row);
    const y2 = arrow.end < 0 ? y1 : yOf(arrow.end);
    if (arrow.from === arrow.to) {
      const below = arrow.end < 0 ? y1 + 16 : y2;
      const out = x1 + 40 + (arrow.m % 4) * 8; // so that several are told apart
      return { path: `M ${x1 + 5} ${y1} C ${out} ${y1} ${out} ${below} ${x1 + 7} ${below}`, x: x1 + 6, y: below, side: -1 };
    }
    const side = arrow.to > arrow.from ? 1 : -1;
    const x2 = xOf(arrow.to) - side * 6;
    const middle = (x1 + x2) / 2;
    return { path: `M ${x1 + side * 5} ${y1} C ${middle} ${y1} ${middle} ${y2} ${x2 - side * 4} ${y2}`, x: x2, y: y2, side };
  }

  function drawArrow(arrow) {
    const { path, x, y, side } = pathOf(arrow);
    const group = drawn("g", { "data-message": arrow.m });
    const kind = [arrow.undone && "undone", arrow.end < 0 && !arrow.undone && "open", arrow.m === chosen && "chosen"].filter(Boolean).join(" ");
    if (arrow.row > now) group.classList.add("later");
    group.append(drawn("path", { class: `arrow ${kind}`, d: path }));
    if (arrow.undone) {
      group.append(drawn("path", { class: "cross", d: `M ${x - side * 5 - 4} ${y - 4} l 8 8 m 0 -8 l -8 8` }));
    } else {
      group.append(drawn("path", { class: `tip ${kind}`, d: `M ${x} ${y} l ${-side * 8} -4 v 8 z` }));
    }
    const grip = drawn("path", { class: "grip", d: path });
    grip.append(drawn("title", {}, `${titleOf(arrow.m)}, from ${nameOf(arrow.from)} to ${nameOf(arrow.to)}`));
    grip.addEventListener("click", () => go(arrow.row, arrow.m));
    group.append(grip);
    return group;
  }

  function drawLabel(arrow) {
    const side = arrow.to < arrow.from ? -1 : 1;
    const label = drawn("text", { x: xOf(arrow.from) + side * 11, y: yOf(arrow.row) - 4, "text-anchor": side < 0 ? "end" : "start" },
      shortened(titleOf(arrow.m), 26));
    if (arrow.undone) label.classList.add("undone");
    if (arrow.row > now) label.classList.add("later");
    return label;
  }

  // What happens at one place: a commit, a collision, a beginning, an end, a failure, a note.
  function drawMark(s, i) {
    if (s.c === undefined) return [];
    const x = xOf(s.c);
    const y = yOf(i);
    const words = (text, kind) => drawn("text", { class: kind, x: x + 12, y: y + 4 }, shortened(text, 60));
    const cross = () => drawn("path", { class: "cross", d: `M ${x - 5} ${y - 5} l 10 10 m 0 -10 l -10 10` });
    if (s.k === "failure") return [cross(), words(s.x, "bad")];
    if (s.k === "over" && s.h === "committed") return [drawn("circle", { class: "commit", cx: x, cy: y, r: 5 })];
    if (s.k === "over" && s.h === "failed") return [cross(), words("failed", "bad")];
    if (s.k === "over" && s.h) return [words(s.h, "note")];
    if (s.k === "undone") return [cross(), words("undone", "bad")];
    if (s.k === "collided") return [words("collided", "bad")];
    if (s.k === "unserved") return [words("dead letter", "bad")];
    if (s.k === "marked") return [words(s.x, "note")];
    if (s.k === "waits") return [words("waits", "note")];
    if (s.k === "became") return [words("becomes", "note")];
    if (s.k === "ends") return [drawn("path", { class: "end", d: `M ${x - 6} ${y} h 12` }), words("ends", s.u ? "undone" : "note")];
    if (s.k === "created") return [drawn("circle", { class: "birth", cx: xOf(s.o), cy: y, r: 4.5 }), words(`creates ${nameOf(s.o)}`, s.u ? "undone" : "note")];
    return [];
  }

  function draw() {
    const [first, last] = visibleRows();
    const rows = [];
    for (let i = first; i <= last; i += 1) rows.push(rowOf(i));
    byId("rows").replaceChildren(...rows);
    const seen = (from, to) => from <= last && to >= first;
    const chart = byId("chart");
    const top = Math.max(0, first - 1) * rowHeight;
    const height = (last - first + 3) * rowHeight;
    chart.style.left = `${traceWidth}px`;
    chart.style.top = `${headHeight + top}px`;
    chart.setAttribute("width", chartWidth);
    chart.setAttribute("height", height);
    chart.setAttribute("viewBox", `0 ${top} ${chartWidth} ${height}`);
    const parts = columns.map((c, n) => drawLife(n, first, last));
    for (const bar of bars) if (seen(bar.row, bar.end)) parts.push(drawBar(bar));
    const near = arrows.filter((a) => seen(a.row, Math.max(a.row, a.end)));
    near.sort((a, b) => (a.m === chosen) - (b.m === chosen));
    parts.push(...near.map(drawArrow));
    for (let i = first; i <= last; i += 1) {
      for (const mark of drawMark(steps[i], i)) {
        if (i > now) mark.classList.add("later");
        parts.push(mark);
      }
    }
    parts.push(...near.filter((a) => seen(a.row, a.row)).map(drawLabel));
    chart.replaceChildren(...parts);
  }

  // -- going from step to step

  function showPlace() {
    byId("place").textContent = `${now + 1 + run.before} of ${steps.length + run.before + run.after}`;
    byId("go-first").disabled = byId("go-back").disabled = now === 0;
    byId("go-last").disabled = byId("go-on").disabled = now === steps.length - 1;
  }

  function bringIntoView() {
    const y = now * rowHeight;
    const room = scroller.clientHeight - headHeight;
    const margin = Math.min(4 * rowHeight, room / 4);
    if (y < scroller.scrollTop + margin) scroller.scrollTop = y - margin;
    if (y + rowHeight > scroller.scrollTop + room - margin) scroller.scrollTop = y + rowHeight - room + margin;
    const column = steps[now].c;
    if (column === undefined) return;
    const width = scroller.clientWidth - traceWidth;
    const x = column * columnWidth;
    if (x < scroller.scrollLeft) scroller.scrollLeft = x;
    if (x + columnWidth > scroller.scrollLeft + width) scroller.scrollLeft = x + columnWidth - width;
  }

  // A step that is about no message is seen as a part of what was done last.
  function messageOf(step) {
    while (step > 0 && !steps[step].m) step -= 1;
    return steps[step].m ?? 0;
  }

  function go(step, message = undefined) {
    now = Math.min(Math.max(step, 0), steps.length - 1);
    chosen = message ?? messageOf(now);
    showPlace();
    bringIntoView();
    draw();
    showStep();
    showStates();
    showCauses();
  }

  const keys = {
    ArrowRight: () => now + 1,
    ArrowDown: () => now + 1,
    ArrowLeft: () => now - 1,
    ArrowUp: () => now - 1,
    PageDown: () => now + 20,
    PageUp: () => now - 20,
    Home: () => 0,
    End: () => steps.length - 1,
    f: () => (run.failure >= 0 ? run.failure : now),
  };

  function hearKey(event) {
    const target = keys[event.key];
    if (!target || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    go(target());
  }

  async function copyCode() {
    try {
      await navigator.clipboard.writeText(run.code);
    } catch {
      const all = document.createRange(); // a browser that gives pages no clipboard
      all.selectNodeContents(byId("code"));
      getSelection().removeAllRanges();
      getSelection().addRange(all);
      document.execCommand("copy");
    }
    byId("copy").textContent = "Copied";
    setTimeout(() => { byId("copy").textContent = "Copy"; }, 1500);
  }

  // -- once

  function showHead() {
    const failed = run.what !== null;
    document.title = failed ? `Failed: ${run.what}` : "A run, step by step";
    byId("title").textContent = failed ? `Failed: ${run.what}` : "This run did not fail";
    byId("title").classList.toggle("failed", failed);
    const count = steps.length + run.before + run.after;
    byId("summary").textContent = `${count} steps, seed ${run.seed}, ${run.switches} switches of threads`;
    byId("code").textContent = run.code;
    const remarks = [...run.remarks];
    if (run.before) remarks.push(`The first ${run.before} steps are left out.`);
    if (run.after) remarks.push(`The last ${run.after} steps are left out.`);
    byId("remarks").replaceChildren(...remarks.map((r) => paragraph("", r)));
    byId("go-failure").hidden = run.failure < 0 || run.failure >= steps.length;
  }

  function layOut() {
    traceWidth = Math.min(520, Math.max(260, scroller.clientWidth * 0.42));
    byId("trace-head").style.width = `${traceWidth}px`;
    byId("sheet").style.width = `${traceWidth + chartWidth}px`;
    byId("sheet").style.minWidth = "100%";
    byId("sheet").style.height = `${headHeight + (steps.length + 1) * rowHeight}px`;
    byId("names").replaceChildren(...columns.map((c, n) => {
      const head = element("span", { class: c.outside ? "outside" : "", title: c.n }, c.n);
      head.style.left = `${xOf(n)}px`;
      head.style.maxWidth = `${columnWidth - 12}px`;
      return head;
    }));
  }

  function listen() {
    const buttons = { "go-first": "Home", "go-back": "ArrowLeft", "go-on": "ArrowRight", "go-last": "End", "go-failure": "f" };
    for (const [id, key] of Object.entries(buttons)) byId(id).addEventListener("click", () => go(keys[key]()));
    byId("copy").addEventListener("click", copyCode);
    document.addEventListener("keydown", hearKey);
    scroller.addEventListener("scroll", () => requestAnimationFrame(draw), { passive: true });
    addEventListener("resize", () => { layOut(); draw(); });
  }

  lookAtSteps();
  showHead();
  layOut();
  listen();
  if (steps.length) go(0);
  globalThis.tactRun = { run, go, stateAt: (step) => [...stateAt(step)].map(([m, w]) => [m, w.to]) };
})();
