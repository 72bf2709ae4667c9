// What the live page warns of: warnings_test.mjs FOLDER_OF_ITS_SOURCES. A healthy program gets no warning, and each rule
// has a history in which it speaks.
import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { resolve } from "node:path";

const folder = pathToFileURL(resolve(process.argv[2]) + "/");
const { History } = await import(new URL("history.js", folder));
const { warnings } = await import(new URL("warnings.js", folder));
const { layers, outside } = await import(new URL("graph.js", folder));

const figures = ["commits"];
const zero = { commits: 0, collisions: 0, dead_letters: 0, in_flight: 0, published: 0, chunks_published: 0, running: 2 };

// A snapshot each quarter of a second for so long; `at(s)` says what differs from an idle engine after s seconds.
function historyOf(at, seconds = 12) {
  const h = new History();
  for (let s = 0; s <= seconds; s += 0.25) {
    const { all = {}, workers = [[0], [0]], ...rest } = at(s);
    h.add({ at: s + 1, all: { ...zero, ...all }, worker_figures: figures, workers, types: [], mailboxes: [], dead: [], ...rest });
  }
  return h;
}
const told = (at, trace = null, seconds = 12) => warnings(historyOf(at, seconds), trace).map((w) => w.what + " " + w.help);

const mailbox = (messages, refused = 0) => ({ actor: "slow (account@7f#1)", messages, refused, fill: 0.5, oldest_ms: 10 });
const letters = Array.from({ length: 20 }, (_, i) => ({ target: "account@7f#1", message: i < 15 ? "deposit" : "close" }));
const kept = (ms, actor = "bank@7f#1") => ({ actor, message: "request<load>", kept_ms: ms });
const idle = () => ({});
const tests = {
  "an idle program gets no warning": () => assert.deepEqual(told(idle), []),
  "a busy and balanced program gets no warning": () =>
    assert.deepEqual(told((s) => ({ all: { commits: 2e6 * s, in_flight: 4000 + 3000 * Math.sin(s), published: 1e6 * s, chunks_published: 2e4 * s, collisions: 100 * s },
                                    workers: [[1e6 * s], [1e6 * s]], mailboxes: [mailbox(50 + 40 * Math.sin(s))] })), []),
  "the first seconds of a program get no warning": () =>
    assert.deepEqual(told((s) => ({ all: { in_flight: 1e5 * s }, mailboxes: [mailbox(100 * s)] }), null, 5), []),
  "a mailbox that only grows is named": () => assert.match(told((s) => ({ mailboxes: [mailbox(Math.floor(10 * s))] }))[0], /slow \(account@7f#1\) only grows: 120 messages.*tact::heavy/),
  "a mailbox that grew once, and stands, is not": () => assert.deepEqual(told((s) => ({ mailboxes: [mailbox(s < 3 ? 0 : 7)] })), []),
  "a full mailbox that refuses messages is named": () => assert.match(told((s) => ({ mailboxes: [mailbox(10, Math.floor(s))] }))[0], /has refused 8 messages.*mailbox_limit/),
  "messages that only become more": () => assert.match(told((s) => ({ all: { in_flight: 1e5 * s } }))[0], /1\.2 M messages wait, and they only become more\..*tact::mailbox_limit/),
  "messages that become more because handlers send more than they take": () => {
    const types = (s) => [{ actor: "spider", messages: 1e5 * s, sent: 2e5 * s }, { actor: "page", messages: 5e4 * s, sent: 0 }];
    const [one, ...others] = told((s) => ({ all: { in_flight: 1e5 * s }, types: types(s) }));
    assert.match(one, /Handlers of spider send 2\.0 messages for each that they take; 1\.2 M messages wait.*tact::pool/);
    assert.deepEqual(others, []);
  },
  "a fan-out whose messages are handled and gathered gets no warning": () =>
    assert.deepEqual(told((s) => ({ all: { in_flight: 1e5 + 9e4 * Math.sin(s) }, types: [{ actor: "spider", messages: 1e3 * s, sent: 1e6 * s }, { actor: "page", messages: 1e6 * s, sent: 1e6 * s }] })), []),
  "messages that become more by threads outside are not blamed on handlers that send little more than they take": () =>
    assert.match(told((s) => ({ all: { in_flight: 1e5 * s }, types: [{ actor: "spider", messages: 1e4 * s, sent: 2e4 * s }] }))[0], /^1\.2 M messages wait, and they only become more\./),
  "requests that an actor has not answered for long": () => {
    assert.match(told((s) => ({ kept: [kept(1e3 * s)] }))[0], /bank@7f#1 has not answered a request<load> that it took 12\.00 s ago\..*time limit/);
    const [first, second] = told((s) => ({ kept: [kept(1e3 * s), kept(1e3 * s - 1, "other@8#2"), kept(1e3 * s - 2), kept(1)] }));
    assert.match(first, /bank@7f#1 .*, nor 1 more/);
    assert.match(second, /other@8#2 /);
  },
  "requests that are answered late get no warning": () => assert.deepEqual(told((s) => ({ kept: [kept((1e3 * s) % 5000)] })), []),
  "a type that never answers": () => {
    const type = (answered) => (s) => ({ types: [{ actor: "bank", answered, unanswered: Math.floor(2 * s) }, { actor: "account", answered: 3 * s, unanswered: s }] });
    assert.match(told(type(0))[0], /bank answers no requests: of 24 samples that are over, none had an answer\..*self\.reply/);
    assert.match(told(type(2))[0], /bank answers few requests: of 26 samples that are over, 2 had an answer/);
    assert.deepEqual(told(type(20)), []);
  },
  "requests that had no answer long ago get no warning": () => assert.deepEqual(told(() => ({ types: [{ actor: "bank", answered: 0, unanswered: 50 }] })), []),
  "runs in vain, with the type that has most of them": () =>
    assert.match(told((s) => ({ all: { commits: 1e3 * s, collisions: 2e3 * s }, types: [{ actor: "rates", collisions: 2e3 * s }, { actor: "account", collisions: 0 }] }))[0],
                 /16\.0 k runs were thrown away.*8,000 took effect; most of them of rates\..*tact::parallel/),
  "dead letters to one address": () =>
    assert.match(told((s) => ({ all: { dead_letters: 20 * s }, dead: letters }))[0], /20 of the last 20 dead letters were for account@7f#1, most of them deposit\..*engine\.monitor/),
  "dead letters with their sender, where a trace was read": () => {
    const send = (from, to, message, count) => ({ from, to, message, count });
    const trace = { kinds: [], sends: [send("bank", "account", "deposit", 5), send("teller", "account", "deposit", 9), send("bank", "account", "close", 70), send("bank", "rates", "deposit", 70)] };
    for (const target of ["account@7f#1", "the (old) one (account@7f#1)"])
      assert.match(told((s) => ({ all: { dead_letters: 20 * s }, dead: letters.map((d) => ({ ...d, target })) }), trace)[0], /most of them deposit, sent by teller\./);
  },
  "dead letters of long ago are none": () =>
    assert.deepEqual(told(() => ({ all: { dead_letters: 20 }, dead: Array.from({ length: 20 }, () => ({ target: "account@7f#1" })) })), []),
  "one worker that has all the work": () =>
    assert.match(told((s) => ({ all: { commits: 1e5 * s, in_flight: 5000 }, workers: [[1e3 * s], [99e3 * s]] }))[0], /Worker 1 handled 99 %.*tact::heavy/),
  "a program that one worker can do alone gets no warning": () => assert.deepEqual(told((s) => ({ all: { commits: 1e5 * s, in_flight: 3 }, workers: [[1e3 * s], [99e3 * s]] })), []),
  "chunks with few messages": () => assert.match(told((s) => ({ all: { published: 3e4 * s, chunks_published: 2e4 * s } }))[0], /1\.5 at a time.*fewer workers/),
  "a handler that took long": () => {
    const kind = { actor: "account", message: "deposit", count: 100, sum: 0, median: 10, longest: 70000 };
    assert.match(told(idle, { kinds: [kind] })[0], /account took 70\.00 ms for deposit; usually it takes 10\.0 µs\..*tact::blocking/);
    assert.deepEqual(told(idle, { kinds: [{ ...kind, median: 60000 }] }), []);
  },
  "the graph goes from senders to receivers, also where they send in a circle": () => {
    const send = (from, to, count = 1) => ({ from, to, count });
    const { columns } = layers([send(outside, "teller", 9), send("teller", "account"), send("account", "teller"), send(outside, "account"), send("teller", "teller")]);
    assert.deepEqual(columns, [[outside], ["teller"], ["account"]]);
    assert.deepEqual(layers([]), { columns: [], left: 0 });
    assert.equal(layers(Array.from({ length: 60 }, (_, i) => send(outside, "type " + i))).left, 21);
  },
};

let failed = 0;
for (const [name, test] of Object.entries(tests)) {
  try {
    test();
  } catch (error) {
    ++failed;
    console.log(`FAILED: ${name}\n${error.message}`);
  }
}
console.log(`${Object.keys(tests).length - failed} passed, ${failed} failed`);
process.exitCode = failed ? 1 : 0;
