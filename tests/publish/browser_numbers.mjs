// Runs the browser's computation in node. Every line of standard input is a list of [name of a function in
// js/test/compute/in-node.ts, arguments...]; it is answered by a line {"answers": [...]}, or {"error": text}. Numbers that JSON
// has not travel as words, bytes as {"base64": ...}.
//   node tests/publish/browser_numbers.mjs < questions.jsonl
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const js = fileURLToPath(new URL("../../js/", import.meta.url));
const { buildSync } = createRequire(`${js}package.json`)("esbuild");
const bundle = buildSync({
  entryPoints: [`${js}test/compute/in-node.ts`],
  bundle: true,
  format: "iife",
  globalName: "core",
  target: "es2022",
  write: false,
});
// Made anew for every line: no answer hangs on what was asked before, as if each had a process of its own.
const made = new Function(`${bundle.outputFiles[0].text}\nreturn core;`);

const WORDS = new Map([["NaN", NaN], ["Infinity", Infinity], ["-Infinity", -Infinity]]);

function read(_, value) {
  if (WORDS.has(value)) return WORDS.get(value);
  if (typeof value?.base64 !== "string") return value;
  const bytes = Uint8Array.from(Buffer.from(value.base64, "base64"));
  return new DataView(bytes.buffer);
}

function written(_, value) {
  if (typeof value === "number" && !Number.isFinite(value)) return String(value);
  if (value instanceof DataView) return { base64: Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("base64") };
  return ArrayBuffer.isView(value) ? Array.from(value) : value;
}

function answered(line) {
  try {
    const core = made();
    const answers = JSON.parse(line, read).map(([name, ...given]) => core[name](...given));
    return JSON.stringify({ answers }, written);
  } catch (error) {
    return JSON.stringify({ error: String(error?.stack ?? error) });
  }
}

for await (const line of createInterface({ input: process.stdin })) process.stdout.write(`${answered(line)}\n`);
