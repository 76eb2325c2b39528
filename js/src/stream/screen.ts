/** One look at the state: what the view says, what the hand asks for, and what follows for each part. */
import { faultLine } from "../explorer/top";
import { lossLine, silenceLine, type LineProps } from "../ui/lines";
import type { Bytes } from "../ui/protocol";
import type { Session, Wish } from "../ui/session";
import { floats, number, sameBytes } from "../ui/wire";
import type { Lane, MechanismChoice, StreamRequest, StreamView, Wired } from "./protocol";
import { linesOf } from "./words";

export type StreamSession = Session<StreamView, StreamRequest>;

/** What undo and redo cover. */
export type Edit = Pick<Wish<StreamRequest>, "start" | "transitions" | "epsilon" | "delta" | "seed" | "distance" | "lanes">;

export interface Screen {
  view: StreamView;
  wish: Wish<StreamRequest>;
  states: readonly string[];
  epsilon: number;
  /** Null where nothing can be edited in a browser. */
  transitions: Float64Array | null;
  start: Float64Array;
  loaded: Float64Array;
  /** Mechanisms of the run that is shown, in its order. */
  lanes: readonly Lane[];
  disabled: boolean;
}

/** A number as it travels. */
export function wired(value: number): Wired {
  return Number.isFinite(value) ? value : String(value);
}

/** The request that asks for exactly what a view shows. */
export function wishOf(view: StreamView): Wish<StreamRequest> {
  const { chain } = view;
  return {
    position: view.position,
    playing: view.playing,
    speed: view.speed,
    start: chain.editable ? chain.start : null,
    transitions: chain.editable ? chain.transitions : null,
    epsilon: view.epsilon,
    delta: view.delta,
    seed: view.seed,
    distance: view.distance,
    lanes: view.lanes.map(({ key }) => key),
  };
}

export function editOf({ start, transitions, epsilon, delta, seed, distance, lanes }: Wish<StreamRequest>): Edit {
  return { start, transitions, epsilon, delta, seed, distance, lanes };
}

function sameArrays(a: Bytes | null, b: Bytes | null): boolean {
  return a === null || b === null ? a === b : sameBytes(a, b);
}

const alike = {
  start: (a: Edit, b: Edit) => sameArrays(a.start, b.start),
  transitions: (a: Edit, b: Edit) => sameArrays(a.transitions, b.transitions),
  epsilon: (a: Edit, b: Edit) => a.epsilon === b.epsilon,
  delta: (a: Edit, b: Edit) => a.delta === b.delta,
  seed: (a: Edit, b: Edit) => a.seed === b.seed,
  distance: (a: Edit, b: Edit) => a.distance === b.distance,
  lanes: (a: Edit, b: Edit) => a.lanes.join() === b.lanes.join(),
};

export function sameEdit(a: Edit, b: Edit): boolean {
  return Object.values(alike).every((same) => same(a, b));
}

/** The parts of an edit that are others than they are now: nothing else is run again. */
export function difference(now: Edit, wanted: Edit): Partial<Edit> {
  const names = (Object.keys(alike) as (keyof Edit)[]).filter((name) => !alike[name](now, wanted));
  return Object.fromEntries(names.map((name) => [name, wanted[name]])) as Partial<Edit>;
}

export function look(session: StreamSession): Screen {
  const view = session.view();
  const wish = session.desired();
  const choices = new Map(view.menu.map((choice) => [choice.key, choice]));
  const unknown = (key: string): MechanismChoice => ({ key, label: key, short: key, private: true, why: null });
  const lines = linesOf(view.lanes);
  return {
    view,
    wish,
    states: view.states,
    epsilon: number(wish.epsilon),
    transitions: wish.transitions === null ? null : floats(wish.transitions),
    start: floats(wish.start ?? view.chain.start),
    loaded: floats(view.chain.loaded),
    lanes: view.lanes.map(({ key }) => ({ ...(choices.get(key) ?? unknown(key)), line: lines[key] as number })),
    disabled: view.disabled || !session.connected(),
  };
}

/** The chance to stay, where both of two states have the same. */
export function symmetric(transitions: Float64Array | null): number | null {
  if (!transitions || transitions.length !== 4) return null;
  const [stay, go, back, other] = transitions as unknown as [number, number, number, number];
  return stay === other && go === back && stay >= 0 && stay <= 1 ? stay : null;
}

const BELONGS = "What is shown belongs to the last valid inputs.";

/** The one line that matters most: no kernel, then what is wrong, then what was given up, then who is slow. */
export function chooseLine(session: StreamSession, said: LineProps | null, waiting: boolean, resume: () => void): LineProps {
  const view = session.view();
  const lost = lossLine(session);
  if (lost) return lost;
  if (said?.kind === "error") return said;
  if (view.fault) return faultLine(view.fault, view.current ? "" : BELONGS);
  const silence = silenceLine(session);
  if (silence) return silence;
  if (view.stopped !== null) return { kind: "info", text: view.stopped, action: { label: "Compute", run: resume } };
  if (view.running !== null) return { kind: "info", text: "" };
  if (waiting && view.source.kind === "live" && !session.busy()) return { kind: "info", text: "Waiting for the source." };
  if (session.busy() || waiting) return { kind: "busy", text: "Computing the next steps." };
  return said ?? { kind: "info", text: "" };
}
