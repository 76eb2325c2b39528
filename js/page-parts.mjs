// Writes the parts of which Python puts the script of a page together. esbuild splits the widgets' code into chunks, so
// that what several of them use is there once; but chunks import each other from files, and a page that opens from a
// disk, under the hash of its one script, has none. So each chunk becomes a function of a classic script.
import { writeFileSync } from "node:fs";
import { basename } from "node:path";

const nameOf = (path) => basename(path, ".js");

const HEAD = '(()=>{"use strict";const parts={};const require=(name)=>parts[name];const part=(name,make)=>{const module={};make(require,module);parts[name]=module.exports};\n';
const TAIL = "})();\n";

/** A chunk, run where it stands, and its exports kept under its name for those that come after it. */
const wrapped = (name, code) => `part(${JSON.stringify(name)},(require,module)=>{${code.trim()}\n});\n`;

/**
 * Plugin: `file` gets { head, parts, tail, needs }. `parts` are texts by name; `needs` says for every entry which of
 * them it is made of, in the order in which they run, itself last.
 */
export function pageParts(file) {
  return {
    name: "page-parts",
    setup(bundler) {
      bundler.onEnd(async ({ outputFiles, metafile }) => {
        if (!metafile) return;
        const parts = {};
        for (const { path, text } of outputFiles) {
          const { minify, charset, target } = bundler.initialOptions;
          const { code } = await bundler.esbuild.transform(text, { format: "cjs", minify, charset, target });
          parts[nameOf(path)] = wrapped(nameOf(path), code.replace(/\brequire\("\.\/([^"]+)\.js"\)/g, 'require("$1")'));
        }
        const imports = Object.fromEntries(Object.entries(metafile.outputs).map(([path, output]) => [nameOf(path), output.imports.map(({ path: to }) => nameOf(to))]));
        const needs = {};
        for (const [path, { entryPoint }] of Object.entries(metafile.outputs)) {
          if (entryPoint) needs[nameOf(path)] = inOrder(nameOf(path), imports);
        }
        writeFileSync(file, JSON.stringify({ head: HEAD, parts, tail: TAIL, needs }));
      });
    },
  };
}

/** A part after all that it imports. */
function inOrder(name, imports, found = new Set()) {
  for (const needed of imports[name]) inOrder(needed, imports, found);
  return [...found.add(name)];
}
