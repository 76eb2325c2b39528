import { beforeEach, describe, expect, it, vi } from "vitest";
import { createPlayer, TOLD_EVERY, type Player } from "../../src/stream/player";
import type { StreamView } from "../../src/stream/protocol";
import { chunk, Other, streamView } from "./python";

let other: Other;
let player: Player;
let time = 0;
let due: (() => void) | null = null;
const changed = vi.fn();
const ended = vi.fn();

function make(view: StreamView = streamView()): void {
  other = new Other(view);
  player = createPlayer(other, view, {
    changed,
    ended,
    now: () => time,
    frame(callback) {
      due = callback;
      return () => (due = null);
    },
  });
}

/** Frames of 20 ms. */
function pass(ms: number): void {
  for (const end = time + ms; time < end; ) {
    time += 20;
    const callback = due;
    due = null;
    callback?.();
  }
}

beforeEach(() => {
  time = 1000;
  due = null;
  changed.mockClear();
  ended.mockClear();
  make();
});

describe("the clock", () => {
  it("asks ahead of time, plays at its speed, and tells Python now and then", () => {
    expect(player.position()).toBe(40);
    player.run(true, 50, false);
    expect(other.asked).toEqual([{ run: 7, from: 40, count: 125 }]);
    other.give();
    pass(1000);
    expect(player.position()).toBe(90);
    expect(other.told.length).toBeGreaterThanOrEqual(3);
    expect(other.told.length).toBeLessThanOrEqual(1000 / TOLD_EVERY + 1);
    player.run(false, 50, false);
    expect(other.told.at(-1)).toBe(90);
    pass(1000);
    expect(player.position()).toBe(90);
  });
  it("asks for the next chunk before the last one is used up, one at a time", () => {
    player.run(true, 100, false);
    other.give();
    pass(3000);
    expect(other.asked.length).toBe(2);
    expect(other.asked[1]!.from).toBe(290);
    expect(player.position()).toBeGreaterThan(285);
  });
  it("waits for steps that are late, and does not make up for them", () => {
    player.run(true, 100, false);
    pass(2000);
    expect(player.position()).toBe(40);
    expect(player.waiting()).toBe(true);
    other.give();
    pass(100);
    expect(player.position()).toBeLessThanOrEqual(51);
    expect(player.waiting()).toBe(false);
  });
  it("asks again for an answer that was lost, and not at once where none are there yet", () => {
    player.run(true, 10, false);
    pass(4000);
    expect(other.asked.length).toBe(2);
    other.give(0);
    pass(100);
    expect(other.asked.length).toBe(2);
    pass(300);
    expect(other.asked.length).toBe(3);
  });
  it("ends with the data", () => {
    make(streamView({}, { most: 50 }));
    player.run(true, 100, false);
    expect(other.asked[0]).toEqual({ run: 7, from: 40, count: 10 });
    other.give();
    pass(500);
    expect(player.position()).toBe(50);
    expect(ended).toHaveBeenCalledTimes(1);
    expect(other.told.at(-1)).toBe(50);
    const asked = other.asked.length;
    player.step();
    expect(player.position()).toBe(50);
    expect(other.asked.length).toBe(asked);
  });
  it("goes on waiting for a live source, and takes what comes", () => {
    const source = { kind: "live" as const, text: "a sensor", steps: null, waiting: 0 };
    make(streamView({}, { most: 45, source }));
    player.run(true, 100, false);
    other.give(5);
    pass(500);
    expect(player.position()).toBe(45);
    expect(ended).not.toHaveBeenCalled();
    // It is asked now and then: Python hears that somebody looks, and is not flooded.
    const before = other.asked.length;
    for (let k = 0, answered = before - 1; k < 40; k++) {
      if (other.asked.length > answered) other.give(0);
      answered = other.asked.length;
      pass(50);
    }
    expect(other.asked.length - before).toBeGreaterThanOrEqual(4);
    expect(other.asked.length - before).toBeLessThanOrEqual(10);
    expect(player.waiting()).toBe(false);
    pass(300);
    other.view = streamView({}, { most: 48, source });
    other.give(3);
    pass(100);
    expect(player.position()).toBe(48);
  });
  it("stands still while it is held, and goes on without a leap", () => {
    player.run(true, 50, false);
    other.give();
    player.run(true, 50, true);
    pass(1000);
    expect(player.position()).toBe(40);
    player.run(true, 50, false);
    pass(100);
    expect(player.position()).toBe(45);
  });
  it("makes one step by the hand, at once or as soon as it is there", () => {
    player.step();
    expect(player.position()).toBe(40);
    other.give();
    expect(player.position()).toBe(41);
    player.step();
    expect(player.position()).toBe(42);
    expect(other.told).toEqual([41, 42]);
  });
});

describe("what Python says", () => {
  it("keeps the steps that a new run shares with the old one", () => {
    player.run(true, 50, false);
    other.give();
    pass(1000);
    const view = streamView({ position: 90 }, { run: 8, same: 90, window: chunk(8, 0, 90, { promise: 2 }) });
    player.follow(view);
    expect([player.position(), player.record.end]).toEqual([90, 90]);
    expect(player.record.promise[player.record.at(90)]).toBe(0.5);
    other.give();
    // Steps of the old run are none of the new one.
    expect(player.record.end).toBe(90);
    pass(40);
    expect(other.asked.at(-1)).toMatchObject({ run: 8, from: 90 });
  });
  it("does not go back to a view that is behind, but for another run", () => {
    player.run(true, 50, false);
    other.give();
    pass(1000);
    player.follow(streamView({ position: 60 }));
    expect(player.position()).toBe(90);
    player.follow(streamView({ position: 60 }, { run: 9, same: 60, window: chunk(9, 0, 60) }));
    expect(player.position()).toBe(60);
    expect(player.record.end).toBe(60);
  });
  it("begins anew with other lanes", () => {
    player.follow(streamView({ lanes: ["grr"] }, { run: 8, same: 0, window: chunk(8, 0, 40, { lanes: ["grr"] }) }));
    expect(player.record.lanes.length).toBe(1);
    expect(player.record.end).toBe(40);
  });
  it("follows another view of the run that is further", () => {
    other.emit("msg:custom", { at: { run: 7, position: 70 } });
    expect(other.asked).toEqual([{ run: 7, from: 40, count: 30 }]);
    expect(player.position()).toBe(40);
    other.give();
    expect(player.position()).toBe(70);
    expect(player.led()).toBe(true);
    pass(2000);
    expect(player.led()).toBe(false);
    other.emit("msg:custom", { at: { run: 6, position: 90 } });
    expect(player.position()).toBe(70);
  });
  it("takes no echo of its own words for another view", () => {
    player.step();
    other.give();
    other.emit("msg:custom", { at: { run: 7, position: 41 } });
    expect(player.led()).toBe(false);
  });
  it("takes no late echo for one either, when it has told more since", () => {
    player.run(true, 50, false);
    other.give();
    pass(1000);
    const told = [...other.told];
    expect(told.length).toBeGreaterThan(2);
    for (const position of told) other.emit("msg:custom", { at: { run: 7, position } });
    expect(player.led()).toBe(false);
    // Said once more, somebody else says it.
    other.emit("msg:custom", { at: { run: 7, position: told[1] } });
    expect(player.led()).toBe(true);
  });
  it("sends more of the past where more is to be on screen", () => {
    make(streamView({ position: 5000 }));
    player.wish(2000, 0);
    expect(other.asked).toEqual([{ run: 7, from: 3880, count: 1000 }]);
    other.give();
    expect(other.asked[1]).toEqual({ run: 7, from: 3000, count: 880 });
    other.give();
    expect([player.record.first, player.record.end]).toEqual([3000, 5000]);
    expect(other.asked.length).toBe(2);
  });
  it("leaves no listener behind", () => {
    expect(other.live).toBe(1);
    player.destroy();
    expect(other.live).toBe(0);
  });
});
