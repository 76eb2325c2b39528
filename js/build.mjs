// Bundles the front end. Every widget entry becomes one self-contained ES module in pdp_widgets/static, and what
// answers for Python in published pages becomes page.json, the parts of their scripts. The JupyterLab extension
// becomes lib/lab/index.js, which `npm run build:lab` then packs for JupyterLab.
//   node build.mjs            minified, once
//   node build.mjs --watch    readable widget modules, again at every change
import { build, context } from "esbuild";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { pack } from "./pack.mjs";
import { minify } from "terser";
import { docsSections } from "./docs-sections.mjs";
import { pageParts } from "./page-parts.mjs";
import { shapes } from "./shapes.mjs";

const watch = process.argv.includes("--watch");
const staticDir = "../pdp_widgets/static";
/** The parts of pages, and the entry that starts one. */
const PAGE = "page.json";
const LAST = "entry";
const STILL = "still.js";
const LAB = "lib/lab";
/** A browser that knows no nested rules: for it they are written flat, as the drawings' own reader wants them. */
const FLAT = "chrome100";

const entries = readdirSync("src/widgets").filter((file) => file.endsWith(".ts"));
const widgets = {
  entryPoints: entries.map((file) => join("src/widgets", file)),
  outdir: staticDir,
  bundle: true,
  format: "esm",
  target: "es2022",
  minify: !watch,
  // A true minus as one sign, not as an escape of six letters.
  charset: "utf8",
  loader: { ".css": "text" },
  plugins: [minifiedCss(!watch), shapes],
  legalComments: "none",
  logLevel: "info",
};

// Widgets that answer in published pages, by their modules: some_widget where there is src/page/some-widget.ts.
const inPages = entries.map((file) => [basename(file, ".ts"), join("src/page", file.replaceAll("_", "-"))]).filter(([, file]) => existsSync(file));
const page = {
  ...widgets,
  entryPoints: {
    ...Object.fromEntries(inPages),
    [LAST]: "src/page/entry.ts",
  },
  splitting: true,
  chunkNames: "[hash]",
  metafile: true,
  write: false,
  plugins: [...widgets.plugins, pageParts(join(staticDir, PAGE))],
};

/** What Python draws with where there is no browser: the same widgets, and a document that is no page. */
const still = {
  ...widgets,
  entryPoints: undefined,
  stdin: {
    contents: [`export { draw } from "./host/still";`, ...inPages.map(([, file]) => `import "./${file.slice("src/".length)}";`)].join("\n"),
    resolveDir: "src",
    loader: "ts",
  },
  outdir: undefined,
  outfile: join(staticDir, STILL),
  format: "iife",
  globalName: "pdpStill",
  inject: ["src/host/engine.ts"],
  plugins: [minifiedCss(!watch, FLAT), shapes],
};

const lab = {
  ...widgets,
  entryPoints: ["src/lab/index.ts"],
  outdir: LAB,
  // What shows a document is loaded when one is opened, each explorer when a document holds it.
  splitting: true,
  chunkNames: "[name]-[hash]",
  minify: false,
  // JupyterLab shares its own packages with every extension.
  external: ["@jupyterlab/*", "@lumino/*"],
  loader: { ...widgets.loader, ".svg": "text" },
  plugins: [...widgets.plugins, notebookSources(), docsSections],
};

/** Style sheets travel as text inside a module; without this they would travel with their comments and spaces. */
function minifiedCss(minify, target = undefined) {
  return {
    name: "minified-css",
    setup(bundler) {
      bundler.onLoad({ filter: /\.css$/ }, async ({ path }) => {
        const source = await readFile(path, "utf8");
        if (!minify && !target) return { contents: source, loader: "text", watchFiles: [path] };
        const { code } = await bundler.esbuild.transform(source, { loader: "css", minify: true, target });
        // The values of custom properties are kept as written, spaces and all.
        return { contents: code.trim().replace(/(--[\w-]+:) +/g, "$1").replace(/, +/g, ","), loader: "text", watchFiles: [path] };
      });
    },
  };
}

/** A notebook as it was before it ran: no outputs, no counts, no saved widget state. */
function notebookSources() {
  return {
    name: "notebook-sources",
    setup(bundler) {
      bundler.onLoad({ filter: /\.ipynb$/ }, async ({ path }) => {
        const notebook = JSON.parse(await readFile(path, "utf8"));
        for (const cell of notebook.cells) {
          cell.metadata = {};
          if (cell.cell_type === "code") Object.assign(cell, { outputs: [], execution_count: null });
        }
        delete notebook.metadata.widgets;
        return { contents: JSON.stringify(notebook), loader: "json", watchFiles: [path] };
      });
    },
  };
}

if (watch) {
  await Promise.all([widgets, page, still].map(async (options) => (await context(options)).watch()));
} else {
  rmSync(LAB, { recursive: true, force: true });
  await Promise.all([build(widgets), build(page), build(still), build(lab)]);
  const { outputFiles: [loader] } = await build({ ...widgets, entryPoints: ["src/host/loader.ts"], write: false });
  for (const file of entries) {
    const module = join(staticDir, file.replace(".ts", ".js"));
    // A saved notebook stores it with every instance: names that this minifier chooses pack better.
    const { code } = await minify(readFileSync(module, "utf8"), { module: true, compress: false });
    writeFileSync(module, pack(loader.text, code));
  }
  // A module whose entry is gone must not stay in the package.
  const built = new Set([...entries.map((file) => basename(file, ".ts") + ".js"), PAGE, STILL]);
  for (const file of readdirSync(staticDir)) {
    if (!built.has(file)) rmSync(join(staticDir, file), { recursive: true });
  }
}
