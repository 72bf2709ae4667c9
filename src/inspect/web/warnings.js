// Sentences about what looks wrong, each with what helps. A healthy program gets none: each rule wants much of a thing,
// and for some seconds.
import { plural, short, time } from "./dom.js";

const seconds = 8;
const keptLong = 10000;  // ms

const difference = (now, old, name) => now.all[name] - old.all[name];

function growing(now, old, history) {
  const waits = history.samples.filter((x) => x.at >= old.at).map((x) => x.all.in_flight), more = waits.at(-1) - waits[0];
  if (more <= 10000 || !waits.every((n, i) => i === 0 || n >= waits[i - 1])) return [];
  return [fanOut(now, old, waits.at(-1), more) ??
    { what: `${short(waits.at(-1))} messages wait, and they only become more.`,
      help: "More is sent than is handled: give the actors that are slow a tact::mailbox_limit, or let the receiver ask for more." }];
}

// The type whose handlers have sent so much more than they took that half of what has come to wait is theirs.
function fanOut(now, old, wait, more) {
  const before = new Map(old.snapshot.types.map((t) => [t.actor, t]));
  const [worst] = now.snapshot.types.filter((t) => t.sent != null)
    .map((t) => ({ actor: t.actor, sent: t.sent - (before.get(t.actor)?.sent ?? 0), took: t.messages - (before.get(t.actor)?.messages ?? 0) }))
    .filter((t) => t.took > 0 && t.sent > 1.2 * t.took && t.sent - t.took > more / 2)
    .sort((a, b) => b.sent - b.took - (a.sent - a.took));
  return worst &&
    { what: `Handlers of ${worst.actor} send ${(worst.sent / worst.took).toFixed(1)} messages for each that they take; ${short(wait)} messages wait, and they only become more.`,
      help: "Let a handler send the next messages when those before are done (a tact::pool, or a receiver that asks for more), and end work that is known already." };
}

function keptRequests(now) {
  const byActor = new Map();  // the oldest of each actor is first
  for (const r of (now.snapshot.kept ?? []).filter((r) => r.kept_ms >= keptLong)) byActor.set(r.actor, [...(byActor.get(r.actor) ?? []), r]);
  return [...byActor].slice(0, 5).map(([actor, all]) => (
    { what: `${actor} has not answered a ${all[0].message} that it took ${time(all[0].kept_ms * 1e3)} ago` +
        (all.length > 1 ? `, nor ${all.length - 1} more that are known from samples.` : "."),
      help: "Answer each request that was deferred, also when what it waits for fails (otherwise), and give asks a time limit." }));
}

function neverAnswers(now, old) {
  const before = new Map(old.snapshot.types.map((t) => [t.actor, t.unanswered ?? 0]));
  return now.snapshot.types
    .filter((t) => t.unanswered >= 5 && t.answered * 10 <= t.unanswered && t.unanswered > (before.get(t.actor) ?? 0))
    .slice(0, 5)
    .map((t) => ({ what: `${t.actor} answers ${t.answered === 0 ? "no" : "few"} requests: of ${t.answered + t.unanswered} samples that are over, ${t.answered === 0 ? "none" : t.answered} had an answer.`,
                   help: "Those that asked are told of a failure, or wait up to their time limit: let each handler of a request call self.reply, or defer the request and answer it later." }));
}

function mailboxes(now, old, history) {
  const between = history.samples.filter((x) => x.snapshot && x.at >= old.at).map((x) => new Map(x.snapshot.mailboxes.map((m) => [m.actor, m.messages])));
  return now.snapshot.mailboxes.flatMap((m) => {
    const depths = between.map((x) => x.get(m.actor) ?? 0);
    const grows = depths.length > 1 && depths.every((n, i) => i === 0 || n >= depths[i - 1]) && m.messages >= depths[0] + 10;
    if (grows) {
      return [{ what: `The mailbox of ${m.actor} only grows: ${short(m.messages)} messages wait, the first for ${time(m.oldest_ms * 1e3)}.`,
                help: "Its handlers are slower than its senders: make it tact::heavy, spread its work over several actors, or let senders wait (when_full::hold_back)." }];
    }
    const refused = m.refused - (old.snapshot.mailboxes.find((o) => o.actor === m.actor)?.refused ?? m.refused);
    return refused > 0
      ? [{ what: `${m.actor} has refused ${plural(refused, "message")} in the last seconds, because its mailbox is full.`,
           help: "Raise its tact::mailbox_limit, or let senders wait (when_full::hold_back)." }]
      : [];
  });
}

function runsInVain(now, old) {
  const vain = difference(now, old, "collisions"), done = difference(now, old, "commits");
  if (vain < 1000 || vain < done) return [];
  const before = new Map(old.snapshot.types.map((t) => [t.actor, t.collisions]));
  const worst = now.snapshot.types.map((t) => ({ actor: t.actor, n: t.collisions - (before.get(t.actor) ?? 0) })).sort((a, b) => b.n - a.n)[0];
  return [{ what: `${short(vain)} runs were thrown away in the last seconds, and ${short(done)} took effect` + (worst?.n > 0 ? `; most of them of ${worst.actor}.` : "."),
            help: "Create such an actor without tact::parallel if most of its messages become, or split its state into several actors." }];
}

// The key that most of them have, and how many that are.
function most(all, key) {
  const counts = new Map();
  for (const x of all) counts.set(key(x), (counts.get(key(x)) ?? 0) + (x.count ?? 1));
  return [...counts].sort((a, b) => b[1] - a[1])[0] ?? [null, 0];
}

// Who sends them is known where a trace was read.
function deadLetters(now, old, history, trace) {
  if (difference(now, old, "dead_letters") < 10) return [];
  const [target, n] = most(now.snapshot.dead, (d) => d.target);
  const [message] = most(now.snapshot.dead.filter((d) => d.target === target), (d) => d.message);
  const type = /([^ (]+)@[^@]*$/.exec(target ?? "")?.[1];
  const [sender] = most((trace?.sends ?? []).filter((s) => s.message === message && s.to === type), (s) => s.from);
  return n >= 10
    ? [{ what: `${n} of the last ${now.snapshot.dead.length} dead letters were for ${target}, most of them ${message}${sender ? `, sent by ${sender}` : ""}.`,
         help: "The actor has ended, and others still know its address: let them watch it (engine.monitor), or end it when its senders are done." }]
    : [];
}

function imbalance(now, old) {
  const running = now.all.running, names = now.snapshot.worker_figures, at = names.indexOf("commits");
  if (running < 2) return [];
  const done = now.snapshot.workers.slice(0, running).map((w, i) => w[at] - (old.snapshot.workers[i]?.[at] ?? 0));
  const sum = done.reduce((a, b) => a + b, 0), most = Math.max(...done), least = Math.min(...done);
  if (sum < 20000 || most < 0.8 * sum || least > (0.25 * sum) / running || now.all.in_flight < 1000) return [];
  return [{ what: `Worker ${done.indexOf(most)} handled ${Math.round((100 * most) / sum)} % of the messages in the last seconds, and ${short(now.all.in_flight)} wait.`,
            help: "What waits lies behind one actor: make it tact::heavy, or tact::parallel if it seldom changes, or divide it by a router." }];
}

function smallChunks(now, old) {
  const messages = difference(now, old, "published"), chunks = difference(now, old, "chunks_published");
  if (chunks < 100000 || messages > 4 * chunks) return [];
  return [{ what: `Messages cross between workers ${(messages / chunks).toFixed(1)} at a time; a full chunk holds about 126.`,
            help: "Put actors that send each other much into one, send several small messages as one larger, or run fewer workers." }];
}

function slowHandlers(trace) {
  return (trace?.kinds ?? [])
    .filter((k) => k.count >= 20 && k.longest > 50000 && k.longest > 50 * k.median)
    .slice(0, 5)
    .map((k) => ({ what: `A handler of ${k.actor} took ${time(k.longest)} for ${k.message}; usually it takes ${time(k.median)}.`,
                   help: "What waits belongs into a tact::blocking actor, and what computes long into a tact::heavy one." }));
}

export function warnings(history, trace) {
  const now = history.samples.at(-1), old = history.ago(seconds);
  const ofTrace = slowHandlers(trace);
  if (!now?.snapshot || !old) return ofTrace;
  return [mailboxes, growing, keptRequests, neverAnswers, runsInVain, deadLetters, imbalance, smallChunks].flatMap((rule) => rule(now, old, history, trace)).concat(ofTrace);
}
