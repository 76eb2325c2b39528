// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { curvesNote, type CurvesProps } from "../../src/prior/curves";
import { createTableSummary, type SummaryProps } from "../../src/table/table-summary";
import type { ProgressState, Running } from "../../src/ui/protocol";
import { createRunningDesk, createRunningLine } from "../../src/ui/explorer-shell";
import type { Model } from "../../src/ui/session";

const viewOf = (running: Running | null): { running: Running | null } => ({ running });

class Kernel {
  progress: ProgressState = {};
  sent: unknown[] = [];
  private heard: (() => void)[] = [];
  get = (name: string): unknown => (name === "_progress" ? this.progress : undefined);
  set = (): void => undefined;
  save_changes = (): void => undefined;
  on = (_event: string, callback: () => void): void => void this.heard.push(callback);
  off = (_event: string, callback: () => void): void => {
    this.heard = this.heard.filter((one) => one !== callback);
  };
  send = (content: unknown): void => void this.sent.push(content);
  tell(progress: ProgressState): void {
    this.progress = progress;
    this.heard.forEach((callback) => callback());
  }
  get listeners(): number {
    return this.heard.length;
  }
}

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
  document.body.replaceChildren();
});

describe("a computation", () => {
  it("shows once it has lasted, and one that takes its place goes on waiting", () => {
    const kernel = new Kernel();
    const came = vi.fn();
    const desk = createRunningDesk(kernel as unknown as Model, came);
    const first = { number: 1, paper: false };
    expect(desk.shown(viewOf(first))).toBeNull();
    vi.advanceTimersByTime(150);
    const second = { number: 2, paper: false };
    expect(desk.shown(viewOf(second))).toBeNull();
    expect(came).not.toHaveBeenCalled();
    vi.advanceTimersByTime(60);
    expect(came).toHaveBeenCalledTimes(1);
    expect(desk.shown(viewOf(second))).toBe(second);
    expect(desk.shown(viewOf(null))).toBeNull();
    // The next one begins anew.
    expect(desk.shown(viewOf({ number: 3, paper: false }))).toBeNull();
    desk.shown(viewOf(null));
    vi.advanceTimersByTime(1000);
    expect(came).toHaveBeenCalledTimes(1);
    desk.destroy();
    expect(kernel.listeners).toBe(0);
  });

  it("tells the share of this one and of no other", () => {
    const kernel = new Kernel();
    const came = vi.fn();
    const desk = createRunningDesk(kernel as unknown as Model, came);
    kernel.tell({ of: 4, share: 0.5 });
    expect(came).toHaveBeenCalledTimes(1);
    expect(desk.share({ number: 4, paper: false })).toBe(0.5);
    expect(desk.share({ number: 5, paper: false })).toBe(0);
    desk.cancel({ number: 4, paper: false });
    desk.resume();
    expect(kernel.sent).toEqual([{ cancel: 4 }, { resume: true }]);
    desk.destroy();
  });

  it("has a line with a progress bar, said once", () => {
    const cancelled = vi.fn();
    const line = createRunningLine({ running: null, share: 0 }, cancelled);
    document.body.append(line.el);
    expect(line.el.hidden).toBe(true);
    const running = { number: 7, paper: false };
    line.update({ running, share: 0.426 });
    const said = line.el.querySelector("[role=status]")!;
    const words = said.textContent;
    const bar = line.el.querySelector("[role=progressbar]")!;
    expect(bar.getAttribute("aria-valuenow")).toBe("42");
    line.update({ running, share: 0.9 });
    expect(said.textContent).toBe(words);
    expect(line.el.textContent).toContain("90 %");
    line.el.querySelector("button")!.click();
    expect(cancelled).toHaveBeenCalledWith(running);
    line.update({ running: { ...running, paper: true }, share: 0 });
    expect(said.textContent).toContain("paper’s estimate");
    line.update({ running: null, share: 0 });
    expect([line.el.hidden, said.textContent]).toEqual([true, ""]);
  });
});

describe("curves of grouped centres", () => {
  it("say that they are not exact", () => {
    const props = { chosen: { grouped: { of: 32768, drawn: 1000 } }, busy: false, stale: "" } as CurvesProps;
    expect(curvesNote(props)).toBe("curves drawn from 1,000 groups of 32,768 centres, not exact");
    expect(curvesNote({ ...props, busy: true })).toBe("being computed");
    expect(curvesNote({ ...props, chosen: null })).toBe("drag r");
  });
});

describe("a table in a few numbers", () => {
  const evil = "<img src=x onerror=alert(1)>";
  const props: SummaryProps = {
    spec: { title: "", names: ["q1", "q2", "q3"], labels: [["0", "1"], ["0", "1"], ["0", "1", "2"]], records: null },
    summary: {
      cells: 4096,
      possible: 12,
      marginals: [
        { labels: [0, 1], values: [0.25, 0.75], others: 0 },
        { labels: [0, 1], values: [1, 0], others: 0 },
        { labels: [0, 2], values: [0.5, 0.25], others: 4 },
      ],
      pairs: [
        [[0, 2], -0.4, true],
        [[0, 1], "NaN", false],
      ],
      pairs_count: 3,
      rows: [
        [[1, 0, 0], 0.5],
        [[0, 0, 2], 0.125],
      ],
    },
    fit: { known: [0], instance: [1, 0, 0] },
  };

  it("lists marginals, correlations and the rows that fit what is known", () => {
    const { el, update } = createTableSummary(props);
    expect(el.textContent).toContain("3 tuples, 4,096 cells, 12 can occur.");
    expect(el.textContent).toContain("Most probable rows, 2 of 12");
    expect([...el.querySelectorAll(".ts-rows thead th")].map((th) => th.textContent)).toEqual(["q1", "q2", "q3", "P"]);
    expect([...el.querySelectorAll("tbody tr.ts-fits")].map((tr) => tr.textContent)).toEqual(["1000.5000"]);
    expect(el.textContent).toContain("q3 4 other labels");
    expect(el.textContent).toContain("Correlation (±0.5)q1, q3−0.400");
    expect(el.textContent).toContain("Association, 0 to 1");
    expect(el.textContent).toContain("−0.400");
    expect(el.textContent).toContain("undefined");
    expect(el.textContent).toContain("2 largest of 3 pairs");
    update({ ...props, spec: { ...props.spec, records: 80, names: [evil, "b", "c"] }, fit: { known: [], instance: [] } });
    expect(el.querySelector("img")).toBeNull();
    expect(el.querySelector(".ts-fits")).toBeNull();
    expect(el.textContent).toContain("from 80 records");
    expect([...el.querySelectorAll(".ts-p")].map((td) => td.textContent)).toEqual(["40", "10"]);
  });

  it("calls long names by their place, and lists them with it", () => {
    const names = ["marital status", "occupation of the person", "country of birth"];
    const { el } = createTableSummary({ ...props, spec: { ...props.spec, names } });
    expect([...el.querySelectorAll(".ts-rows thead th")].map((th) => th.textContent)).toEqual(["1", "2", "3", "P"]);
    expect(el.querySelector(".ts-rows th")!.getAttribute("title")).toBe("marital status");
    expect(el.querySelector(".jt-bars th")!.textContent).toContain("1 marital status");
  });
});
