// A page in headless Chromium, for tests. What the page prints as an error, throws, or asks of the network is a failure.
"use strict";

const puppeteer = require("puppeteer-core");

const where = process.env.CHROMIUM ?? "/usr/bin/chromium";

// Opens the address, runs the test with the page, and closes the browser. The folder of the profile is the browser's own.
async function inBrowser({ address, width = 1440, height = 900, scheme = "light", scale = 1 }, test) {
  const browser = await puppeteer.launch({
    executablePath: where,
    headless: true,
    // As root there is no sandbox; in a container /dev/shm is small.
    args: ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--hide-scrollbars", "--disable-lcd-text"],
  });
  try {
    const page = await browser.newPage();
    const wrong = [];
    page.on("console", (m) => {
      if (m.type() === "error" || m.type() === "warn") wrong.push(`console: ${m.text()}`);
    });
    page.on("pageerror", (e) => wrong.push(`exception: ${e.message}`));
    page.on("request", (r) => {
      if (!/^(file|data|blob):/.test(r.url()) && !r.url().startsWith(new URL(address).origin)) wrong.push(`request: ${r.url()}`);
    });
    await page.setViewport({ width, height, deviceScaleFactor: scale });
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
    await page.goto(address, { waitUntil: "load" });
    await test(page);
    if (wrong.length) throw new Error(wrong.join("\n"));
  } finally {
    await browser.close();
  }
}

module.exports = { inBrowser };
