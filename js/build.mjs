// Bundles every widget entry into pdp_widgets/static: one self-contained ES module each.
import { context, build } from "esbuild";
import { readdirSync } from "node:fs";

const entries = readdirSync("src/widgets").filter((f) => f.endsWith(".ts"));
const options = {
  entryPoints: entries.map((f) => `src/widgets/${f}`),
  outdir: "../pdp_widgets/static",
  bundle: true,
  format: "esm",
  target: "es2022",
  minify: !process.argv.includes("--watch"),
  loader: { ".css": "text" },
  legalComments: "none",
  logLevel: "info",
};
if (process.argv.includes("--watch")) await (await context(options)).watch();
else await build(options);
