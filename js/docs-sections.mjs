// The documentation as JupyterLab shows it beside a number: a page is its title and its sections, by their anchors.
import { readFile } from "node:fs/promises";

const anchorOf = (heading) => heading.toLowerCase().replace(/[^\w]+/g, "-").replace(/^-|-$/g, "");

/** A page in MyST: what its directives and computed numbers make of it is only in the site, and left out here. */
export function sectionsOf(text) {
  const plain = text
    .replace(/^(```|:::)\{[^]*?^\1 *$/gm, "")
    .replace(/\{[\w:]+\}`([^`<]*?)(?: *<[^>]*>)?`/g, "`$1`")
    .split(/\n{2,}/)
    .filter((paragraph) => !paragraph.includes("{{"))
    .join("\n\n");
  const [head, ...parts] = plain.split(/^## /m);
  const sections = parts.map((part) => {
    const [heading, ...lines] = part.split("\n");
    return [anchorOf(heading), { heading, text: lines.join("\n").trim() }];
  });
  return { title: /^# (.*)/m.exec(head)?.[1] ?? "", sections: Object.fromEntries(sections) };
}

/** As in the bundle, for tests. */
export const docsInTests = {
  name: "docs-in-tests",
  enforce: "pre",
  async resolveId(source, importer) {
    const found = source.endsWith(".md") ? await this.resolve(source, importer, { skipSelf: true }) : null;
    return found && `${found.id}.js`;
  },
  async load(id) {
    return id.endsWith(".md.js") ? `export default ${JSON.stringify(sectionsOf(await readFile(id.slice(0, -".js".length), "utf8")))};` : null;
  },
};

export const docsSections = {
  name: "docs-sections",
  setup(bundler) {
    bundler.onLoad({ filter: /\/docs\/.*\.md$/ }, async ({ path }) => ({
      contents: JSON.stringify(sectionsOf(await readFile(path, "utf8"))),
      loader: "json",
      watchFiles: [path],
    }));
  },
};
