/** What the hand does at an explorer of two numbers: what is sent, and what undo and redo lead to. */
import { describe, expect, it, vi } from "vitest";
import { createHand } from "../../src/explorer/hand";

interface Edit {
  a: number;
  b: number;
}

/** `stands` is what the controls show: they follow the hand at once. */
function held(more: { take?: (edit: Edit) => void } = {}) {
  const here = { stands: { a: 1, b: 1 } as Edit, disabled: false, pending: false };
  const send = vi.fn((patch: Partial<Edit>) => void (here.stands = { ...here.stands, ...patch }));
  const acts = vi.fn(() => 0);
  const session = { view: () => ({ since: 1 }), pending: () => here.pending, elsewhere: acts, propose: send };
  const hand = createHand<Edit>(session, { edit: () => here.stands, same: (x, y) => x.a === y.a && x.b === y.b, disabled: () => here.disabled, ...more });
  return { here, hand, send, acts };
}

const done = { commit: true };
const going = { commit: false };

describe("the hand at an explorer", () => {
  it("sends every move, and has one step of a drag", () => {
    const { here, hand, send } = held();
    for (const a of [2, 3, 4]) hand.propose({ a }, going);
    expect([hand.dragging(), hand.canUndo]).toEqual([true, false]);
    hand.propose({ a: 5 }, done);
    expect(send.mock.calls.map(([patch]) => patch.a)).toEqual([2, 3, 4, 5]);
    expect(hand.dragging()).toBe(false);
    hand.travel("undo");
    expect(here.stands).toEqual({ a: 1, b: 1 });
    expect([hand.canUndo, hand.canRedo]).toEqual([false, true]);
    hand.travel("redo");
    expect(here.stands).toEqual({ a: 5, b: 1 });
  });

  it("undoes nothing in a drag, nor where controls are off", () => {
    const { here, hand, send } = held();
    hand.propose({ a: 2 }, done);
    hand.propose({ b: 7 }, going);
    hand.travel("undo");
    expect(here.stands).toEqual({ a: 2, b: 7 });
    hand.propose({ b: 8 }, done);
    here.disabled = true;
    hand.travel("undo");
    expect(send).toHaveBeenCalledTimes(3);
    here.disabled = false;
    hand.travel("undo");
    expect(here.stands).toEqual({ a: 2, b: 1 });
  });

  it("has what another view's hand did as a step, a drag there as one", () => {
    const { here, hand, acts } = held();
    for (const b of [5, 6, 7]) {
      acts.mockReturnValue(b);
      here.stands = { a: 1, b };
      hand.follow(false);
    }
    hand.travel("undo");
    expect(here.stands).toEqual({ a: 1, b: 1 });
    hand.travel("redo");
    expect(here.stands).toEqual({ a: 1, b: 7 });
  });

  it("takes over what comes from elsewhere as no step, but not in a drag or before its own answer", () => {
    const { here, hand } = held();
    hand.propose({ a: 2 }, done);
    here.stands = { a: 2, b: 9 };
    here.pending = true;
    hand.follow(false);
    hand.propose({ a: 3 }, done);
    hand.travel("undo");
    // What came was not taken over before the answer.
    expect(here.stands).toEqual({ a: 2, b: 1 });
    here.pending = false;
    here.stands = { a: 2, b: 9 };
    hand.follow(false);
    hand.propose({ a: 4 }, done);
    hand.travel("undo");
    expect(here.stands).toEqual({ a: 2, b: 9 });
    hand.propose({ a: 5 }, going);
    hand.follow(false);
    hand.propose({ a: 6 }, done);
    hand.travel("undo");
    expect(here.stands).toEqual({ a: 2, b: 9 });
  });

  it("begins anew with another subject, which ends a drag", () => {
    const { here, hand } = held();
    hand.propose({ a: 2 }, done);
    expect(hand.moved(1)).toBe(false);
    hand.propose({ a: 3 }, going);
    here.stands = { a: 70, b: 80 };
    const moved = hand.moved(4);
    expect([moved, hand.dragging(), hand.moved(4)]).toEqual([true, false, false]);
    hand.follow(moved);
    expect([hand.canUndo, hand.canRedo]).toEqual([false, false]);
    hand.propose({ a: 71 }, done);
    hand.travel("undo");
    expect(here.stands).toEqual({ a: 70, b: 80 });
  });

  it("records what is sent otherwise, and leads undo where that is wanted", () => {
    const take = vi.fn();
    const { here, hand, send } = held({ take });
    hand.propose({ a: 2 }, going);
    hand.record({ b: 5 });
    expect(hand.dragging()).toBe(false);
    expect(send).toHaveBeenCalledTimes(1);
    here.stands = { a: 2, b: 5 };
    hand.travel("undo");
    expect(take.mock.calls).toEqual([[{ a: 1, b: 1 }]]);
    hand.travel("redo");
    expect(take.mock.lastCall).toEqual([{ a: 2, b: 5 }]);
    expect(send).toHaveBeenCalledTimes(1);
  });
});
