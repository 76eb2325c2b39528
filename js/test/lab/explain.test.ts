import { beforeEach, describe, expect, it, vi } from "vitest";
import { sectionsOf } from "../../docs-sections.mjs";
import { explained, textOf } from "../../src/lab/explain";
import { createHead } from "../../src/ui/head";
import { h } from "../../src/ui/dom";
import { inlineMark, type Mark } from "../../src/ui/marks";
import { auditCell } from "../../src/ui/numline";

vi.mock("@jupyterlab/apputils", () => ({ MainAreaWidget: class {} }));
vi.mock("@lumino/widgets", () => ({ Panel: class {} }));

declare global {
  interface ImportMeta {
    glob(files: string, options: object): Record<string, string>;
  }
}
const SOURCES = import.meta.glob("../../src/*/*.ts", { query: "?raw", import: "default", eager: true });
const EQUATIONS = Object.values(SOURCES).flatMap((text) => [...text.matchAll(/^ {2}equation: "(.*)",$/gm)].map(([, section]) => section as string));
const MARKS: readonly Mark[] = ["exact", "limit", "promise", "bound", "paper", "estimate"];

function explorer(equation: string, ...parts: Node[]): HTMLElement {
  const legend = [["exact", "exact: the supremum itself"]] as const;
  const head = createHead(
    { name: "", about: [], legend, paper: "", equation: equation as "concepts#leakage" },
    { title: "", canUndo: false, canRedo: false, canSave: false, disabled: false },
    { onUndo() {}, onRedo() {}, onSave() {}, onCopy() {} },
  );
  const root = h("div", { class: "pdp" }, head.el, ...parts);
  document.body.replaceChildren(root);
  return root;
}

/** Throws where the documentation has no such section. */
const lengthOf = (section: string): number => textOf({ words: "", meaning: "", sections: [section as "concepts#leakage"] }).length;

describe("a number is explained", () => {
  beforeEach(() => document.body.replaceChildren());

  it("by sections that the documentation has, whatever its mark and explorer", () => {
    expect(EQUATIONS.length).toBeGreaterThanOrEqual(7);
    for (const equation of new Set(EQUATIONS)) {
      for (const kind of MARKS) {
        const cell = auditCell(kind, kind);
        explorer(equation, h("section", {}, cell.el));
        const { sections } = explained(cell.value);
        expect(sections.length).toBeGreaterThan(0);
        for (const section of sections) expect(lengthOf(section)).toBeGreaterThan(150);
        if (kind === "exact") expect(sections[0]).toBe(equation);
      }
    }
  });

  it("by its own mark, with its words and those of the legend", () => {
    const [exact, bound] = [auditCell("exact", "Exact worst"), auditCell("bound", "Group bound")];
    exact.value.textContent = "1.493";
    explorer("papers/prior#exact-leakage", h("section", {}, exact.el, bound.el));
    expect(explained(exact.value)).toMatchObject({ words: "Exact worst 1.493", meaning: "exact: the supremum itself" });
    expect(explained(bound.note).sections).not.toContain("papers/prior#exact-leakage");
  });

  it("by the mark before it where its part of the screen has several", () => {
    const [first, second] = [h("b", {}, "1"), h("b", {}, "2")];
    explorer("papers/prior#exact-leakage", h("section", {}, h("p", {}, inlineMark("exact"), first, inlineMark("promise"), second)));
    expect(explained(first).sections[0]).toBe("papers/prior#exact-leakage");
    expect(explained(second).sections[0]).toBe("concepts#promise");
  });

  it("by its panel where it has no mark, and by the guide where there is nothing", () => {
    const number = h("b", {}, "3");
    explorer("papers/local#exact-leakage", h("section", { "aria-label": "Adversary" }, number));
    expect(explained(number).sections).toContain("concepts#adversary");
    number.closest("section")?.setAttribute("aria-label", "Something else");
    expect(explained(number).sections).toEqual(["papers/local#what-it-is-about", "papers/local#exact-leakage"]);
    for (const panel of ["Joint distribution", "Matrix", "Model", "Release", "Adversary"]) {
      number.closest("section")?.setAttribute("aria-label", panel);
      for (const section of [...explained(number).sections, ...explained(null).sections]) expect(lengthOf(section)).toBeGreaterThan(150);
    }
  });

  it("with words of the screen that Markdown does not read", () => {
    const text = textOf({ words: "a_b* <img src=x> $x$ [1](2)", meaning: "", sections: [] });
    expect(text).toBe("# a\\_b\\* \\<img src=x\\> \\$x\\$ \\[1\\](2)");
  });
});

it("a page is read without what only the site makes of it", () => {
  const page = sectionsOf("# T\n\n## One (of *two*)\n\nSee {doc}`papers/prior` and {doc}`that <x/y>`.\n\n```{run}\na\n\nb\n```\n\nIt is {{ x }}.\n\n## B\n\nEnd.\n");
  expect(page).toEqual({
    title: "T",
    sections: { "one-of-two": { heading: "One (of *two*)", text: "See `papers/prior` and `that`." }, b: { heading: "B", text: "End." } },
  });
});
