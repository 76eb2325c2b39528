import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { PageModel, readState, type Joined, type PageOptions } from "../../src/page/page-model";
import { createSession, type AnyRequest, type AnyView } from "../../src/ui/session";

interface View extends AnyView {
  a: number;
  b: number;
  disabled?: boolean;
  fault?: unknown;
}

interface Request extends AnyRequest {
  a: number;
  b: number;
}

const published: View = { revision: 1, since: 1, ack: null, a: 1, b: 2 };
const state = { module: "toy", traits: { _view: published }, embedded: {} };

function toy(more: Partial<Joined<View, Request>> = {}, options: PageOptions = {}) {
  const answer = vi.fn((view: View, { a = view.a, b = view.b }: Partial<Request>): View => ({ ...view, a, b }));
  const joined: Joined<View, Request> = { render: () => () => undefined, needsKernel: () => null, answer, ...more };
  const model = new PageModel(joined, state, options);
  const session = createSession<View, Request>(model, { shape: "?", request: ({ a, b }) => ({ a, b }) });
  return { model, session, answer };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("a model of the page's own", () => {
  it("answers what the hand asks for, under a new revision and with its stamp", () => {
    const { session } = toy();
    session.propose({ a: 7 }, { commit: true });
    expect(session.view().a).toBe(1);
    expect(session.desired().a).toBe(7);
    vi.runAllTimers();
    expect(session.view()).toMatchObject({ revision: 2, since: 1, a: 7, b: 2, ack: { seq: 1 } });
    expect(session.pending()).toBe(false);
    expect(session.connected()).toBe(true);
  });

  it("tells every listener of a change, and the page too, when one of them fails", () => {
    const said = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const changed = vi.fn();
    const heard = vi.fn();
    const { model, session } = toy({}, { changed, picture: () => "<svg/>" });
    model.on("change:_view", () => {
      throw new RangeError("toFixed() digits");
    });
    model.on("change:_view", heard);
    model.on("msg:custom", heard);
    session.propose({ a: 7 }, { commit: true });
    vi.runAllTimers();
    expect(model.view.a).toBe(7);
    expect(heard).toHaveBeenCalledTimes(1);
    expect(changed).toHaveBeenCalledTimes(1);
    expect(said).toHaveBeenCalledTimes(1);
    // The published picture shows something else now.
    model.send({ picture: 1 });
    vi.runAllTimers();
    expect(heard.mock.lastCall?.[0]).toMatchObject({ picture: { fault: expect.stringContaining("Reload it") } });
  });

  it("computes the last of many moves only, and loses no part", () => {
    const { session, answer } = toy();
    for (let a = 10; a < 40; a++) session.propose({ a }, { commit: false });
    session.propose({ b: 5 }, { commit: true });
    vi.runAllTimers();
    expect(session.view()).toMatchObject({ a: 39, b: 5 });
    expect(answer.mock.calls.length).toBeLessThanOrEqual(2);
  });

  it("answers each of two views, the later one on top of the earlier one", () => {
    const { model, session } = toy();
    const other = createSession<View, Request>(model, { shape: "?", request: ({ a, b }) => ({ a, b }) });
    session.propose({ a: 3 }, { commit: true });
    vi.runAllTimers();
    other.propose({ b: 4 }, { commit: true });
    vi.runAllTimers();
    for (const each of [session, other]) expect(each.view()).toMatchObject({ revision: 3, a: 3, b: 4 });
  });

  it("says so when an answer cannot be computed, and keeps the last view", () => {
    const logged = vi.spyOn(console, "error").mockReturnValue();
    const { session } = toy({
      answer() {
        throw new Error("no luck.");
      },
    });
    session.propose({ a: 3 }, { commit: true });
    vi.runAllTimers();
    expect(session.view()).toMatchObject({ a: 1, fault: { text: expect.stringContaining("no luck. The last results stay.") as string } });
    expect(session.pending()).toBe(false);
    expect(logged).toHaveBeenCalledOnce();
  });

  it("switches controls off where a kernel is needed, and takes nothing", () => {
    const { model, session, answer } = toy({ needsKernel: () => "Too large." });
    expect(model.reason).toBe("Too large.");
    expect(session.view().disabled).toBe(true);
    session.propose({ a: 3 }, { commit: true });
    vi.runAllTimers();
    expect(answer).not.toHaveBeenCalled();
    expect(session.view()).toMatchObject({ a: 1, disabled: true });
  });

  it("opens without what waited for the kernel", () => {
    const { session } = toy({ opened: (view) => ({ ...view, b: 9 }) });
    expect(session.view().b).toBe(9);
  });

  it("hands the published picture over until something has changed", () => {
    const changed = vi.fn();
    const { model, session } = toy({ picture: "toy.svg" }, { picture: () => "<svg/>", changed });
    const heard: unknown[] = [];
    model.on("msg:custom", (content) => heard.push(content));
    expect(session.canSave()).toBe(true);
    model.send({ picture: "me" });
    vi.runAllTimers();
    session.propose({ a: 2 }, { commit: true });
    vi.runAllTimers();
    expect(session.canSave()).toBe(false);
    model.send({ picture: "me" });
    vi.runAllTimers();
    expect(heard).toEqual([
      { picture: { asked: "me", svg: "<svg/>", name: "toy.svg" } },
      { picture: { asked: "me", fault: expect.stringContaining("no kernel") as string } },
    ]);
    expect(changed).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ a: 2 }));
  });

  it("says nothing any more once it is destroyed", () => {
    const { model, session, answer } = toy();
    session.propose({ a: 2 }, { commit: true });
    model.destroy();
    vi.runAllTimers();
    expect(answer).not.toHaveBeenCalled();
  });
});

describe("a state in a page", () => {
  it("gives bytes back where they stood, and leaves words and text alone", () => {
    const text = JSON.stringify({ version: 1, module: "toy", traits: { _view: { x: [{ base64: "AQID" }], y: "Infinity", z: { base64: 3 } } } });
    const { traits, embedded } = readState(text);
    const { x, y, z } = traits["_view"] as { x: DataView[]; y: string; z: unknown };
    expect([...new Uint8Array((x[0] as DataView).buffer)]).toEqual([1, 2, 3]);
    expect([y, z, embedded]).toEqual(["Infinity", { base64: 3 }, {}]);
  });

  it.each(['{"version":2,"module":"toy","traits":{}}', '{"version":1,"traits":{}}', '{"version":1,"module":"toy","traits":[]}'])("refuses %s", (text) => {
    expect(() => readState(text)).toThrow(/state/);
  });
});
