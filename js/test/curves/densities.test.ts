// @vitest-environment jsdom
import { describe, expect, it, vi } from "vitest";
import { createDensities, type DensitiesProps } from "../../src/curves/densities";
import { createPosterior } from "../../src/curves/posterior";
import type { Chosen } from "../../src/ui/protocol";

const chosen: Chosen = {
  target: 1,
  known: [0],
  instance: [0, 0],
  value: 1.397631,
  determined: false,
  paper: 1.36384,
  group_bound: 2,
  promise: 1,
  attained: { r: 2, side: ">=", pair: [1, 0] },
  prior: [0.157895, 0.842105],
  mixtures: [
    { label: "wrong", centres: [0, 1], weights: [0.75, 0.25] },
    { label: "right", centres: [1, 2], weights: [0.34375, 0.65625] },
  ],
  edges: [],
  support: 0.076,
};
const props: DensitiesProps = {
  chosen,
  scale: 1,
  names: ["item 1", "item 5"],
  labels: [
    ["wrong", "right"],
    ["wrong", "right"],
  ],
  r: 3.2,
  showPaper: true,
  width: 476,
  note: "drag r",
  busy: false,
  disabled: false,
};
const handle = (el: Element): Element => el.querySelector('[role="slider"]')!;
const press = (el: Element, key: string, shiftKey = false): void => {
  el.dispatchEvent(new KeyboardEvent("keydown", { key, shiftKey, bubbles: true, cancelable: true }));
};

describe("densities", () => {
  it("mark the attained maximum, the paper's end and the promise in words", () => {
    const { el } = createDensities(props, { onR: vi.fn() });
    const words = el.textContent ?? "";
    expect(words).toContain("1.398 attained, r ≥ 2");
    expect(words).toContain("1.364: the paper looks only here");
    expect(words).toContain("promise ±1.000");
    expect(words).toContain("log ratio, right over wrong, nats");
  });

  it("write nothing over the axis of r where the attained value is the lowest", () => {
    const low: Chosen = { ...chosen, attained: { r: 0, side: "<=", pair: [0, 1] } };
    const { el } = createDensities({ ...props, chosen: low }, { onR: vi.fn() });
    const y = (part: Element | undefined, name: string): number => Number(part?.getAttribute(name));
    const label = [...el.querySelectorAll("text")].find((one) => one.textContent?.includes("attained"));
    const axis = Math.max(...[...el.querySelectorAll("line")].map((line) => y(line, "y1")));
    expect(y(label, "y")).toBeLessThanOrEqual(axis - 3);
  });

  it("show nothing of the paper unless asked", () => {
    const { el } = createDensities({ ...props, showPaper: false }, { onR: vi.fn() });
    expect(el.textContent).not.toContain("paper");
  });

  it("draw the two labels with different dashes", () => {
    const { el } = createDensities(props, { onR: vi.fn() });
    const lines = [...el.querySelectorAll('path[stroke="var(--a)"], path[stroke="var(--b)"]')];
    expect(new Set(lines.map((l) => l.getAttribute("stroke-dasharray"))).size).toBe(2);
  });

  it("move r with the keyboard and reach both ends", () => {
    const onR = vi.fn();
    const part = createDensities(props, { onR });
    press(handle(part.el), "Home");
    expect(onR).toHaveBeenLastCalledWith(-2);
    press(handle(part.el), "End");
    expect(onR).toHaveBeenLastCalledWith(4);
    press(handle(part.el), "ArrowLeft", true);
    expect(onR).toHaveBeenLastCalledWith(2.6);
    part.update({ ...props, r: 2.6 });
    expect(handle(part.el).getAttribute("aria-valuetext")).toBe("r = 2.60");
  });

  it("keep the handle's element across updates, so that focus and a drag survive", () => {
    const part = createDensities(props, { onR: vi.fn() });
    const before = handle(part.el);
    part.update({ ...props, r: 0, scale: 2 });
    expect(handle(part.el)).toBe(before);
  });

  it("carry no number while numbers are awaited", () => {
    const { el } = createDensities({ ...props, busy: true }, { onR: vi.fn() });
    expect(el.querySelector("svg")?.textContent).not.toMatch(/1\.398|1\.364|±/);
    const after = createPosterior({ chosen, scale: 1, names: props.names, labels: props.labels, r: 3.2, rDecimals: 2, busy: true });
    expect(after.el.textContent).not.toMatch(/0\.956|0\.842/);
  });

  it("say which label cannot be", () => {
    const one: Chosen = { ...chosen, determined: true, attained: null, value: 0, prior: [0, 1], mixtures: [{ label: "wrong", centres: [], weights: [] }, chosen.mixtures[1]!] };
    const { el } = createDensities({ ...props, chosen: one }, { onR: vi.fn() });
    expect(el.textContent).toContain("item 5 cannot be wrong here");
    expect(el.textContent).toContain("Only one label is possible");
  });

  it("write labels as text, never as markup", () => {
    const evil = '<img src=x onerror="x">';
    const { el } = createDensities({ ...props, labels: [["a"], [evil, "b"]] }, { onR: vi.fn() });
    expect(el.querySelector("img")).toBeNull();
  });
});

describe("posterior", () => {
  const base = { chosen, scale: 1, names: props.names, labels: props.labels, r: 3.2, rDecimals: 2, busy: false };

  it("say the odds before and after, and the factor as a power of e", () => {
    const { el } = createPosterior(base);
    expect(el.textContent).toContain("r = 3.20: odds that item 5 is right");
    expect(el.textContent).toContain("5.33 → 21.58, that is × 4.05 = e1.398");
    expect(el.textContent).toContain("0.956");
  });

  it("turn to the label that r speaks for", () => {
    const { el } = createPosterior({ ...base, r: -1 });
    expect(el.textContent).toContain("odds that item 5 is wrong");
    expect(el.textContent).toContain("e1.364");
  });

  it("never write Infinity", () => {
    const { el } = createPosterior({ ...base, scale: 1e-8 });
    expect(el.textContent).not.toMatch(/Infinity|NaN/);
  });
});
