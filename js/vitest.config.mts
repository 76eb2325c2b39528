import { readFile } from "node:fs/promises";
import { defineConfig } from "vitest/config";
import { docsInTests } from "./docs-sections.mjs";
import { shapesInTests } from "./shapes.mjs";

// Not a style sheet by its name any more: those are emptied for tests.
const MARK = ".js";

export default defineConfig({
  plugins: [
    shapesInTests,
    docsInTests,
    {
      // As in the bundle, `import css from "./part.css"` gives the text of the style sheet.
      name: "css-as-text",
      enforce: "pre",
      async resolveId(source, importer) {
        if (!source.endsWith(".css")) return null;
        const found = await this.resolve(source, importer, { skipSelf: true });
        return found && found.id + MARK;
      },
      async load(id) {
        if (!id.endsWith(`.css${MARK}`)) return null;
        const text = await readFile(id.slice(0, -MARK.length), "utf8");
        return `export default ${JSON.stringify(text)};`;
      },
    },
  ],
  test: {
    environment: "jsdom",
    include: ["test/**/*.test.ts"],
    restoreMocks: true,
    // For what never comes, not for how fast it comes: a busy machine is no failure.
    testTimeout: 120_000,
    // A file still has globals and a document of its own, but no process of its own: that one read jsdom and
    // all modules anew, which took several times as long as the tests.
    pool: "vmThreads",
    vmMemoryLimit: "700MB",
  },
});
