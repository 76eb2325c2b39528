// @vitest-environment jsdom
import { givenValues } from "../../src/explorer/words";
import { describe, expect, it, vi } from "vitest";
import { createRelease, type ReleaseProps } from "../../src/explorer/release";
import { enoughScale } from "../../src/ui/scale";

const props: ReleaseProps = {
  naming: { names: ["x", "y"], labels: [["0", "1"], ["0", "1"]], noun: "tuple" },
  choices: [
    { key: "sum", label: "Sum" },
    { key: "count:1", label: "<b>1</b>" },
    { key: "weights", label: "Weighted sum" },
  ],
  chosen: "sum",
  weights: [1, -2],
  text: "Sum of 2 tuples",
  scale: 1,
  promise: 1,
  goal: 1,
  enough: undefined,
  disabled: false,
};

function make(more: Partial<ReleaseProps> = {}) {
  const on = { onScale: vi.fn(), onGoal: vi.fn(), onQuery: vi.fn(), onRefused: vi.fn() };
  const part = createRelease({ ...props, ...more }, on);
  const select = part.el.querySelector("select")!;
  const weights = (): HTMLInputElement[] => [...part.el.querySelectorAll<HTMLInputElement>(".px-weights input")];
  const enough = part.el.querySelector<HTMLButtonElement>(".px-goal button")!;
  const type = (input: HTMLInputElement, text: string): void => {
    input.value = text;
    input.dispatchEvent(new Event("input", { bubbles: true }));
    input.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
  };
  return { on, part, select, weights, enough, type };
}

describe("the query", () => {
  it("is picked by name, names are text, and the line below says what it adds up", () => {
    const { on, part, select } = make();
    expect(select.getAttribute("aria-label")).toBe("Query");
    expect([...select.options].map((o) => o.textContent)).toEqual(["Sum", "<b>1</b>", "Weighted sum"]);
    expect(select.querySelector("b")).toBeNull();
    expect(part.el.querySelector(".px-query")?.textContent).toBe("Sum of 2 tuples");
    select.selectedIndex = 1;
    select.dispatchEvent(new Event("change"));
    expect(on.onQuery).toHaveBeenLastCalledWith("count:1", [1, -2]);
  });

  it("has one weight for each tuple, by name, only while weights are in use", () => {
    const { on, part, weights, type } = make();
    expect(weights()).toHaveLength(0);
    part.update({ ...props, chosen: "weights" });
    expect(weights().map((w) => [w.getAttribute("aria-label"), w.value])).toEqual([
      ["Weight of x", "1"],
      ["Weight of y", "−2"],
    ]);
    type(weights()[1]!, "-0,5");
    expect(on.onQuery).toHaveBeenLastCalledWith("weights", [1, -0.5]);
    part.update({ ...props, chosen: "weights", weights: [1e-8, 0] });
    expect(weights().map((w) => w.value)).toEqual(["1e−8", "0"]);
  });

  it("keeps a weight that is no number out and says which one stays", () => {
    const { on, weights, type } = make({ chosen: "weights" });
    type(weights()[0]!, "two");
    expect(on.onQuery).not.toHaveBeenCalled();
    expect(on.onRefused).toHaveBeenLastCalledWith('"two" is not a number. Enter a number such as 0.25. The weight stays 1.');
    type(weights()[0]!, "2");
    expect(on.onRefused).toHaveBeenLastCalledWith(null);
    expect(on.onQuery).toHaveBeenLastCalledWith("weights", [2, -2]);
  });
});

describe("the scale that is enough for all", () => {
  it("is rounded up to what is shown, and the click takes that number", () => {
    expect(enoughScale(1.405626)).toBe(1.41);
    expect(enoughScale(1.41)).toBe(1.41);
    expect(enoughScale(1.4100000001)).toBe(1.41);
    expect(enoughScale(9.991)).toBe(10);
    expect(enoughScale(0.00012341)).toBe(0.000124);
    for (const value of [1.41 * (1 + 1e-8), 123.4001, 7e-9]) expect(enoughScale(value)).toBeGreaterThanOrEqual(value * (1 - 1e-9));
    const { on, enough } = make({ enough: { scale: 1.405626, why: null } });
    expect(enough.textContent).toBe("1.41");
    expect(enough.getAttribute("aria-label")).toBe("At scale 1.41 no adversary learns more than 1.000 nats: set this scale");
    enough.click();
    expect(on.onScale).toHaveBeenLastCalledWith(1.41, { commit: true });
  });

  it("says for which known values it is enough", () => {
    const { part, enough } = make({ enough: { scale: 1.4, why: null }, given: givenValues(false) });
    const whom = (): HTMLElement => part.el.querySelector(".px-goal > span:not([class])") as HTMLElement;
    expect(whom().textContent).toBe(" nats, given these values: ");
    expect(whom().title).toBe("For all adversaries, given the known values set below");
    expect(enough.title).toBe("At scale 1.40, given the known values set below, no adversary learns more than 1.000 nats");
    part.update({ ...props, given: givenValues(true), enough: { scale: 1.6, why: null } });
    expect(whom().textContent).toBe(" nats, in the worst case: ");
    expect(enough.title).toBe("At scale 1.60, whatever the known values are, no adversary learns more than 1.000 nats");
    part.update(props);
    expect(whom().textContent).toBe(" nats: ");
  });

  it("reads … while awaited, and says why there is none", () => {
    const { part, enough } = make();
    expect([enough.textContent, enough.disabled]).toEqual(["…", true]);
    part.update({ ...props, enough: { scale: null, why: null } });
    expect([enough.textContent, enough.disabled]).toEqual(["any", true]);
    part.update({ ...props, enough: { scale: null, why: "Too much work." } });
    expect([enough.textContent, enough.title]).toEqual(["–", "Too much work."]);
    part.update({ ...props, enough: { scale: 0.9991, why: null } });
    // Set already: off, and still where the focus is.
    expect([enough.textContent, enough.disabled, enough.getAttribute("aria-disabled")]).toEqual(["1.00", false, "true"]);
  });
});
