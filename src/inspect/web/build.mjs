// Makes page.html of the sources beside it: build.mjs MODULES OUTPUT, where MODULES has node_modules.
import { createRequire } from "node:module";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const [modules, output] = process.argv.slice(2).map((path) => resolve(path));
const here = dirname(fileURLToPath(import.meta.url));
const require = createRequire(join(modules, "package.json"));
const esbuild = require("esbuild");
const read = (...path) => readFileSync(join(...path), "utf8");

const common = { bundle: true, minify: true, lineLimit: 160, write: false, charset: "utf8", target: "es2020", nodePaths: [join(modules, "node_modules")], absWorkingDir: here, legalComments: "none", logLevel: "error" };
const script = esbuild.buildSync({ ...common, entryPoints: ["main.js"], format: "iife" }).outputFiles[0].text;
const style = esbuild.buildSync({ ...common, entryPoints: ["all.css"] }).outputFiles[0].text;
const uplot = JSON.parse(read(modules, "node_modules/uplot/package.json"));
const licences = `This page was made by ./dev web; its sources are in src/inspect/web. It has in itself uPlot ${uplot.version}:\n\n${read(modules, "node_modules/uplot/LICENSE").trim()}`;
if (/<\/(script|style)|<!--/.test(script + style)) throw new Error("the script or the style would end its element");

const parts = { style: style.trim(), script: script.trim(), licences };
writeFileSync(output, read(here, "index.html").replace(/@(style|script|licences)@/g, (_, name) => parts[name]));
