/** Drawing without a page: selectors, rules of style, canvases, paths and words as SVG. */
import { describe, expect, it } from "vitest";
import { StillContext } from "../../src/host/canvas";
import { still, type StillElement } from "../../src/host/document";
import { shortPath } from "../../src/host/paths";
import { drawingOf, linesOf, readStyles, type Figure, type Theme } from "../../src/host/picture";

const SVG = "http://www.w3.org/2000/svg";

function node(name: string, attrs: Record<string, string> = {}, ...children: (StillElement | string)[]): StillElement {
  const made = ["svg", "g", "path", "rect", "line", "text", "circle"].includes(name) ? still.createElementNS(SVG, name) : still.createElement(name);
  for (const [key, value] of Object.entries(attrs)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

function drawn(children: StillElement[], css = "", theme: Theme = "screen"): string {
  const main = node("svg", { width: "200", height: "100", "aria-label": "A chart" }, ...children);
  const figure: Figure = { layers: [{ element: main, x: 0, y: 0, colour: "" }], main, width: 200, height: 100 };
  return drawingOf(figure, readStyles([css], theme))?.svg ?? "";
}

describe("selectors", () => {
  const inner = node("b", { class: "one two", "data-on": "yes" });
  node("section", { id: "top", class: "panel" }, node("i"), node("div", {}, node("em"), inner));
  it.each([
    ["b", true],
    [".one.two", true],
    [".one.three", false],
    ["#top .one", true],
    [".panel > .one", false],
    [".panel > div > b", true],
    ["em + b", true],
    ["i ~ b", false],
    ["[data-on=yes]", true],
    ['[data-on^="n"]', false],
    ["b:not(.three):last-child", true],
    [":is(a, b)", true],
    ["b:hover", false],
    ["a, .two", true],
  ])("%s holds: %s", (selector, holds) => {
    expect(inner.matches(selector)).toBe(holds);
  });
});

describe("a drawing", () => {
  it("brings the rules of what it shows, the heavier one last, and nothing else", () => {
    const css = ".a{fill:red}.b.a{fill:blue}.unseen{fill:lime}@media print{.a{fill:black}}";
    const svg = drawn([node("circle", { class: "a b", r: "2" })], css);
    expect(svg).toContain("{fill:blue}");
    expect(svg).not.toMatch(/lime|red|black/);
  });

  it("names its colours for light and dark, and those of paper alone for paper", () => {
    const css = ".pdp{--ink:#222;--bg:#fff}[data-jp-theme-light=false] .pdp{--ink:#eee;--bg:#111}.a{fill:var(--ink)}";
    const circle = (): StillElement[] => [node("circle", { class: "a", r: "2" })];
    expect(drawn(circle(), css)).toMatch(/svg\{--g:#fff;--i:#222;.*prefers-color-scheme:dark\)\{svg\{--g:#111;--i:#eee;/);
    expect(drawn(circle(), css, "print")).toContain("--i:#000;");
    expect(drawn(circle(), css, "print")).not.toContain("prefers-color-scheme");
  });

  it("takes labels as letters only and leaves out what is hidden", () => {
    const svg = drawn([node("text", { x: "1" }, '</text><script>"&'), node("text", { hidden: "" }, "gone"), node("g", {}, node("path", { style: "display:none", d: "M0 0L9 9" }))]);
    expect(svg).toContain("&lt;/text&gt;&lt;script&gt;");
    expect(svg).not.toMatch(/gone|L9|<g>/);
  });

  it("says one look once", () => {
    const lines = [10, 20, 30].map((y) => node("line", { x1: "0", x2: "9.04", y1: String(y), y2: String(y), stroke: "red" }));
    expect(drawn(lines)).toContain('<path d="M0 10h9M0 20h9M0 30h9" stroke="red"/>');
    const cells = [1, 2, 3].map((k) => node("rect", { x: String(k), y: "0", width: "1", height: "1", fill: `rgb(${k},0,0)`, stroke: "blue" }));
    expect(drawn(cells)).toContain('<g stroke="blue"><path d="M1 0h1v1h-1z" fill="#010000"/>');
  });

  it("paints a band of many colours with a gradient", () => {
    const band = Array.from({ length: 64 }, (_, k) => node("rect", { x: String(3 * k), y: "0", width: "3.5", height: "8", fill: `rgb(${4 * k},0,0)` }));
    const svg = drawn(band);
    expect(svg.match(/<rect|<path/g)).toHaveLength(1);
    expect(svg).toMatch(/<stop offset="0.01" stop-color="#000000".*stop-color="#fc0000"/);
  });

  it("is none where nothing is drawn", () => {
    expect(drawn([node("g")])).toBe("");
  });
});

describe("words beside a drawing", () => {
  const texts = (element: StillElement, width = 400): string[] => linesOf(element, width).layers.map((layer) => ("text" in layer ? layer.text : "mark"));
  it("stand in lines with their marks", () => {
    const legend = node("p", {}, node("span", {}, node("svg", { width: "11", height: "11" }), " exact"), node("span", {}, node("svg", { width: "11", height: "11" }), " bound"), ".");
    expect(texts(legend)).toEqual(["mark", "exact", "mark", "bound."]);
    expect(linesOf(legend, 60).height).toBeGreaterThan(linesOf(legend, 400).height);
  });
  it("leave out buttons and what is hidden", () => {
    expect(texts(node("p", {}, "shown ", node("button", {}, "press"), node("span", { hidden: "" }, "gone")))).toEqual(["shown"]);
  });
});

describe("paths", () => {
  it("are thinned to a tenth of a pixel, keep their corners, and are written in steps", () => {
    const sine = Array.from({ length: 400 }, (_, k) => [k / 2, 50 + 40 * Math.sin(k / 40)] as const);
    const short = shortPath(`M${sine.map(([x, y]) => `${x} ${y}`).join("L")}`);
    expect(short.length).toBeLessThan(600);
    expect(shortPath("M0 0L5 0L10 0L10 5L10 10Z")).toBe("M0 0h10v10z");
  });
  it("keep lines that run back on themselves, and curves as they are", () => {
    expect(shortPath("M0 0L10 0L2 0")).toBe("M0 0h10-8");
    expect(shortPath("M0 0a5 5 0 1 0 10.123 0")).toBe("M0 0a5 5 0 1 0 10.1 0");
  });
});

describe("a canvas", () => {
  const painted = (paint: (context: StillContext) => void): string => {
    const context = new StillContext(still.createElement("canvas"));
    paint(context);
    return context.svg;
  };
  it("joins marks of one look and begins anew where the look changes", () => {
    const svg = painted((context) => {
      context.fillStyle = "red";
      context.fillRect(0, 0, 1, 1);
      context.fillRect(2, 0, 1, 1);
      context.globalAlpha = 0.12;
      context.fillRect(4, 0, 1, 1);
    });
    expect(svg).toBe('<path fill="red" d="M0 0h1v1h-1zM2 0h1v1h-1z"/><path fill="red" opacity="0.12" d="M4 0h1v1h-1z"/>');
  });
  it("writes letters once with their halo, and never as markup", () => {
    const svg = painted((context) => {
      context.strokeStyle = "white";
      context.strokeText("a < b", 1, 2);
      context.fillText("a < b", 1, 2);
    });
    expect(svg.match(/<text/g)).toHaveLength(1);
    expect(svg).toMatch(/paint-order="stroke" stroke="white".*>a &lt; b</);
  });
  it("clips what is painted until it is restored", () => {
    const svg = painted((context) => {
      context.save();
      context.rect(0, 0, 5, 5);
      context.clip();
      context.fillRect(0, 0, 9, 9);
      context.restore();
      context.fillRect(1, 1, 2, 2);
    });
    expect(svg).toMatch(/<g clip-path="url\(#\w+\)"><path[^>]*\/><\/g><path/);
  });
  it("begins anew when it is cleared", () => {
    expect(painted((context) => (context.fillRect(0, 0, 1, 1), context.clearRect()))).toBe("");
  });
});
