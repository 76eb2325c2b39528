/** The lead in every case that it tells apart. */
// @vitest-environment jsdom
import { describe, expect, it, vi } from "vitest";
import shared from "./lead-cases.json";
import { createLead } from "../../src/stream/lead";
import { number } from "../../src/ui/wire";

describe("the lead, in every case", () => {
  it.each(shared.cases.map((c) => [c.text.slice(0, 200), c] as const))("%s", (_, c) => {
    const totals = c.lanes.map(({ largest, over, first_over }) => ({ largest: number(largest), over, first: first_over }));
    const leaks = c.lanes.map(({ last }) => (last === null ? NaN : number(last)));
    const lead = createLead(
      { epsilon: number(c.epsilon), promise: number(c.promise), states: c.states, stay: c.stay, position: c.steps, lanes: c.lanes, totals, leaks, change: c.change, editable: true, disabled: false },
      { onEpsilon: vi.fn(), onStay: vi.fn() },
    );
    for (const hidden of lead.el.querySelectorAll("[hidden]")) hidden.remove();
    expect(lead.el.textContent).toBe(c.text);
    lead.destroy();
  });
});
