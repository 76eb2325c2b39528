import { describe, expect, it } from "vitest";
import { AHEAD, buffersOf, KEPT, StepRecord, Totals } from "../../src/stream/step-record";
import { BREAK, chunk, laneStates } from "./python";

function filled(from: number, count: number, states = 2): StepRecord {
  const record = new StepRecord(states, 2);
  record.take(from, count, buffersOf(chunk(1, from, count, { states })));
  return record;
}

const add = (record: StepRecord, from: number, count: number, states = 2): boolean => record.take(from, count, buffersOf(chunk(1, from, count, { states })));
const linear = (record: StepRecord): number[] => Array.from(record.linear.slice(0, record.count));
const steps = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, k) => (from + k + 1) * 0.5);

describe("steps that a page holds", () => {
  it("follow each other, and what is there already is passed over", () => {
    const record = filled(0, 10);
    expect(add(record, 5, 10)).toBe(true);
    expect([record.first, record.end]).toEqual([0, 15]);
    expect(linear(record)).toEqual(steps(0, 15));
    expect(add(record, 3, 10)).toBe(false);
    expect(record.end).toBe(15);
  });
  it("begin anew after a gap", () => {
    const record = filled(0, 10);
    add(record, 50, 5);
    expect([record.first, record.end]).toEqual([50, 55]);
    expect(linear(record)).toEqual(steps(50, 55));
    expect(record.has(50)).toBe(false);
    expect(record.has(51)).toBe(true);
  });
  it("are put before those that are there, with all beliefs of each", () => {
    const record = filled(100, 20, 3);
    add(record, 40, 60, 3);
    expect([record.first, record.end]).toEqual([40, 120]);
    expect(linear(record)).toEqual(steps(40, 120));
    expect(record.symbols[record.at(101)]).toBe(101 % 3);
    expect(Array.from(record.lanes[1]!.belief.slice(0, 3))).toEqual([1 / 3, 1 / 3, 1 / 3]);
  });
  it("are bounded, whatever comes", () => {
    const record = filled(0, 1000);
    for (let from = 1000; from < 20_000; from += 500) add(record, from, 500);
    expect(record.end).toBe(20_000);
    expect(record.count).toBeLessThanOrEqual(KEPT + AHEAD);
    expect(record.count).toBeGreaterThanOrEqual(KEPT);
    expect(linear(record)).toEqual(steps(record.first, 20_000));
  });
  it("are forgotten from a step on", () => {
    const record = filled(20, 30);
    record.cut(35);
    expect(record.end).toBe(35);
    add(record, 35, 5);
    expect(linear(record)).toEqual(steps(20, 40));
    record.cut(0);
    expect(record.count).toBe(0);
  });
  it("are refused where bytes are missing", () => {
    const record = filled(0, 10);
    const buffers = buffersOf(chunk(1, 10, 5));
    expect(record.take(10, 6, buffers)).toBe(false);
    expect(record.take(10, 5, buffers.slice(1))).toBe(false);
    expect(record.end).toBe(10);
  });
});

describe("what the lanes have come to", () => {
  it("is counted on from what Python said", () => {
    const totals = new Totals();
    totals.reset(laneStates(["crr", "optimum"], 40), 40);
    const record = filled(30, 30);
    expect(totals.reach(record, BREAK - 1)).toEqual([]);
    expect(totals.reach(record, BREAK + 4)).toEqual([0]);
    expect(totals.lanes[0]).toEqual({ largest: 0.6, over: 5, first: BREAK });
    expect(totals.lanes[1]).toEqual({ largest: 0.5, over: 0, first: null });
    expect(totals.reach(record, BREAK + 5)).toEqual([]);
    expect(totals.lanes[0]?.over).toBe(6);
  });
});
