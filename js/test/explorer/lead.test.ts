import { describe, expect, it } from "vitest";
import { createLead, type LeadProps } from "../../src/explorer/lead";

const props: LeadProps = {
  query: "A noisy sum",
  naming: { noun: "answer", names: ["item 1"], domains: [[0, 1]] } as unknown as LeadProps["naming"],
  scale: 1, promise: 1, largest: null, instance: [0], busy: false, disabled: false,
};

describe("the lead", () => {
  it("says what to know before the number is believed, and nothing where there is nothing", () => {
    const lead = createLead(props, { onScale: () => undefined });
    const note = lead.el.querySelector('[role="note"]') as HTMLElement;
    expect([note.hidden, note.textContent]).toEqual([true, ""]);
    lead.update({ ...props, caution: "3 records in 4 cells" });
    expect([note.hidden, note.textContent]).toEqual([false, "Caution: 3 records in 4 cells."]);
    lead.update({ ...props, caution: "" });
    expect(note.hidden).toBe(true);
  });
});
