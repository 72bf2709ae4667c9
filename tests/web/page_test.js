// The page of a run, as a reader uses it: page_test.js FOLDER PAGE LOST_DEPOSIT. In the folder TACT_PICTURES
// it makes the picture of the docs anew.
"use strict";

const assert = require("node:assert/strict");
const { execFileSync } = require("node:child_process");
const { mkdirSync } = require("node:fs");
const path = require("node:path");
const { inBrowser } = require("./browser.js");

const [folder, program, lostDeposit] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });

function pageOf(name, make) {
  const file = path.resolve(folder, name);
  make(file);
  return `file://${file}`;
}

const wandering = (kind, most) => pageOf(`${kind}.html`, (file) => execFileSync(program, [kind, "3", file, String(most)]));

// What a reader sees at the step.
const seen = (page) =>
  page.evaluate(() => {
    const now = [...document.querySelectorAll(".row.now")];
    const chosen = [...document.querySelectorAll("#chart .arrow.chosen")].map((a) => a.parentNode.dataset.message);
    const box = now[0]?.getBoundingClientRect();
    const view = document.getElementById("run").getBoundingClientRect();
    return {
      rows: now.length,
      step: Number(now[0]?.dataset.step),
      line: now[0]?.querySelector(".line").textContent,
      isInView: Boolean(box) && box.top >= view.top && box.bottom <= view.bottom,
      place: document.getElementById("place").textContent,
      chosen,
      running: document.getElementById("running").textContent,
      waiting: document.getElementById("waiting").textContent,
      why: document.querySelectorAll("#why li").length,
    };
  });

const press = async (page, ...all) => {
  for (const key of all) await page.keyboard.press(key);
  // A scroll is drawn in the next frame.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
};

const dataOf = (page) => page.evaluate(() => globalThis.tactRun.run);

async function lostDepositIsShown(page) {
  const { steps, failure, messages, what } = await dataOf(page);
  assert.equal(what, "a deposit was lost");
  assert.match(await page.title(), /a deposit was lost/);
  // Forward to the end by the key, and back: each step marks its line, and the arrow of its message.
  const onTheWay = [];
  const isEndOfArrow = (n) => steps[n].m && ["sent", "begun"].includes(steps[n].k);
  for (let n = 0; n < steps.length; n += 1) {
    const now = await seen(page);
    assert.deepEqual([now.rows, now.step, now.isInView], [1, n, true], `step ${n}`);
    if (steps[n].l) assert.equal(now.line, steps[n].x);
    if (isEndOfArrow(n)) assert.deepEqual(now.chosen, [String(steps[n].m)], `the arrow of step ${n}`);
    onTheWay.push(now);
    await press(page, "ArrowRight");
  }
  assert.equal((await seen(page)).step, steps.length - 1, "no step follows the last one");
  for (let n = steps.length - 1; n > 0; n -= 1) {
    const { chosen, ...now } = await seen(page);
    const { chosen: before, ...then } = onTheWay[n];
    assert.deepEqual(now, then, `step ${n} is the same on the way back`);
    if (isEndOfArrow(n)) assert.deepEqual(chosen, before, `so is its arrow`);
    await press(page, "ArrowLeft");
  }
  await press(page, "ArrowLeft");
  assert.equal((await seen(page)).step, 0, "no step is before the first one");
  // The state: both deposits wait once they are sent; then both handlers have asked, and wait.
  assert.match(onTheWay[1].waiting, /teller@1 deposit #1.*teller@2 deposit #2/);
  assert.ok(onTheWay.some((s) => /teller@1 waits for an answer.*teller@2 waits for an answer/.test(s.running)));
  assert.ok(onTheWay.some((s) => /worker \d: account@3 set_balance #\d/.test(s.running)));
  await press(page, "f");
  const failed = await seen(page);
  assert.equal(failed.step, failure);
  assert.equal(failed.line, "Failed: a deposit was lost");
  assert.equal((await page.$$("#chart .cross")).length, 1);
  await press(page, "Home");
  assert.equal((await seen(page)).step, 0);
  await press(page, "End");
  assert.equal((await seen(page)).step, steps.length - 1);
  // A message that was sent because of others names them.
  const last = messages.find((m) => m.y === "set_balance");
  await page.evaluate((m) => document.querySelector(`#chart [data-message="${m}"] .grip`).dispatchEvent(new MouseEvent("click")), last.i);
  const chain = await seen(page);
  assert.equal(steps[chain.step].m, last.i);
  assert.equal(steps[chain.step].k, "sent");
  assert.equal(chain.why, 2, "set_balance because of deposit");
}

async function linesAndButtonsLead(page) {
  const { steps, code } = await dataOf(page);
  await page.click("#go-last");
  assert.equal((await seen(page)).step, steps.length - 1);
  await page.click("#go-back");
  assert.equal((await seen(page)).step, steps.length - 2);
  await page.click("#go-on");
  await page.click("#go-first");
  assert.equal((await seen(page)).step, 0);
  assert.ok(await page.$eval("#go-back", (b) => b.disabled));
  await page.click('.row[data-step="5"] .text');
  assert.equal((await seen(page)).step, 5);
  await page.click("#go-failure");
  assert.equal((await seen(page)).line, "Failed: a deposit was lost");
  // The real mouse on an arrow, where nothing else lies over it.
  const point = await page.evaluate(() => {
    for (const grip of document.querySelectorAll("#chart .grip")) {
      const at = grip.getPointAtLength(grip.getTotalLength() / 2).matrixTransform(grip.getScreenCTM());
      if (document.elementFromPoint(at.x, at.y) === grip) return { x: at.x, y: at.y, m: grip.parentNode.dataset.message };
    }
    return null;
  });
  await page.mouse.click(point.x, point.y);
  assert.deepEqual((await seen(page)).chosen, [point.m]);
  assert.equal(await page.$eval("#code", (c) => c.textContent), code);
  await page.click("#copy");
  await page.waitForFunction(() => document.getElementById("copy").textContent === "Copied");
}

async function oddTextsAreTexts(page) {
  const { steps, what } = await dataOf(page);
  assert.equal(await page.$eval("#title", (t) => t.textContent), `Failed: ${what}`);
  assert.equal(await page.$eval("body", (b) => b.querySelectorAll("script, b").length), 2, "no text has become an element");
  await press(page, "f");
  assert.equal((await seen(page)).line, `Failed: ${what}`);
  // What the page works out for each step is what its data says.
  const states = await page.evaluate((n) => Array.from({ length: n }, (_, i) => globalThis.tactRun.stateAt(i)), steps.length);
  const now = new Map();
  steps.forEach((s, i) => {
    for (const [m, to] of s.d ?? []) now.set(m, to);
    assert.deepEqual(new Map(states[i]), now, `step ${i}`);
  });
}

async function longRunIsQuick(page) {
  const { steps, before, after } = await dataOf(page);
  assert.equal(steps.length, 5000);
  const remark = await page.$eval("#remarks", (r) => r.textContent);
  assert.match(remark, new RegExp(`${before || after} steps are left out`));
  // A reader does not notice a tenth of a second; a step takes some milliseconds.
  const slowest = await page.evaluate(() => {
    const { go, run } = globalThis.tactRun;
    const times = [];
    for (const at of [0, 1, 2, 2500, 2501, run.steps.length - 2, run.steps.length - 1]) {
      const began = performance.now();
      go(at);
      document.body.getBoundingClientRect();
      times.push(performance.now() - began);
    }
    return { times, rows: document.querySelectorAll(".row").length };
  });
  console.log(`a step of ${steps.length} takes, in ms: ${slowest.times.map((t) => t.toFixed(1)).join(" ")}`);
  assert.ok(slowest.rows < 200, `${slowest.rows} rows are drawn`);
  const median = slowest.times.sort((a, b) => a - b)[3];
  assert.ok(median < 100, `a step takes ${median} ms`);
}

async function fineRunIsShown(page) {
  assert.equal(await page.$eval("#title", (t) => t.textContent), "This run did not fail");
  assert.ok(await page.$eval("#go-failure", (b) => b.hidden));
  const { steps } = await dataOf(page);
  await press(page, "f", "End");
  assert.equal((await seen(page)).step, steps.length - 1);
}

async function main() {
  const lost = pageOf("lost_deposit.html", (file) => execFileSync(lostDeposit, [file], { stdio: "ignore" }));
  const failing = wandering("failing", 5000);
  const tests = [
    ["steps lead forward, back and to the failure, and mark their line and arrow", { address: lost }, lostDepositIsShown],
    ["lines, arrows and buttons lead to their steps", { address: lost, scheme: "dark" }, linesAndButtonsLead],
    ["texts are shown as they are, and run nothing", { address: failing }, oddTextsAreTexts],
    ["a run of 5,000 steps is stepped through without delay", { address: wandering("long", 5000) }, longRunIsQuick],
    ["a run that did not fail", { address: wandering("fine", 5000), width: 700 }, fineRunIsShown],
    ["the picture of the docs", { address: lost, width: 1360, height: 760 }, async (page) => {
      await press(page, "f");
      await page.screenshot({ path: path.join(process.env.TACT_PICTURES ?? folder, "explore_page.webp"), type: "webp", quality: 88 });
    }],
  ];
  for (const [name, settings, test] of tests) {
    await inBrowser(settings, test);
    console.log(`ok: the page of a run: ${name}`);
  }
}

main().catch((e) => {
  console.error(e);
  process.exitCode = 1;
});
