/** The lead in every case that it tells apart. */
import { describe, expect, it, vi } from "vitest";

import shared from "./lead-cases.json";
import { createLead } from "../../src/explorer/lead";
import { about, briefly } from "../../src/explorer/words";

describe("the lead", () => {
  it.each(shared.cases.map((c) => [c.text.slice(0, 160), c] as const))("%s", (_, c) => {
    const naming = { names: c.names, labels: c.values.map((value) => [value]), noun: c.noun ?? "tuple" };
    const instance = c.names.map(() => 0);
    const { el, destroy } = createLead(
      {
        query: `A noisy ${c.query}`,
        naming,
        scale: c.scale,
        promise: c.promise,
        largest: { target: c.target, known: c.known, value: c.leakage },
        instance,
        busy: false,
        disabled: false,
      },
      { onScale: vi.fn() },
    );
    expect(el.textContent).toBe(c.text);
    expect(about(naming, c.target, c.known, instance)).toBe(c.heading);
    expect(briefly(naming, c.target, c.known)).toBe(c.short);
    destroy();
  });
});
