// Runs the browser's computation in node: reads a list of [name of a function in js/test/compute/in-node.ts, arguments...] from
// standard input and writes the list of answers. Numbers that JSON has not travel as words, bytes as {"base64": ...}.
//   node tests/publish/browser_numbers.mjs < questions.json
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const js = fileURLToPath(new URL("../../js/", import.meta.url));
const { build } = createRequire(`${js}package.json`)("esbuild");
const bundle = await build({
  entryPoints: [`${js}test/compute/in-node.ts`],
  bundle: true,
  format: "esm",
  target: "es2022",
  write: false,
});
const core = await import(`data:text/javascript;base64,${Buffer.from(bundle.outputFiles[0].contents).toString("base64")}`);

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

const questions = JSON.parse(readFileSync(0, "utf8"), read);
process.stdout.write(JSON.stringify(questions.map(([name, ...given]) => core[name](...given)), written));
