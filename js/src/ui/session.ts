/**
 * One view's conversation with Python. The hand's own edit is seen at once; what travels is the latest of
 * every part the hand set and Python has not answered, and nothing else, so that a change from Python is not
 * undone by an edit of another part. Answers are taken in order, an older one is never drawn over a newer one.
 */
import { askedOf, onPreferences, preferences } from "./preferences";
import type { Ack } from "./protocol";
import { heard, misfit, type Shape } from "./wire";

// The end of the kernel that made a model. anywidget tells its modules nothing of it, and JupyterLab's
// widget manager marks a restart only; the kernel itself says it, as far as the host lets it be seen.

interface Signal {
  connect(slot: (sender: unknown, value: unknown) => void): unknown;
  disconnect(slot: (sender: unknown, value: unknown) => void): unknown;
}

interface Kernel {
  statusChanged?: Signal;
  connectionStatusChanged?: Signal;
  disposed?: Signal;
}

/** Why nobody answers any more: what became of the kernel, or of the widget in a kernel that lives on. */
export type Loss = "restarted" | "died" | "dead" | "shut down" | "closed" | "none";
/** The way to the kernel: lost and tried again, or given up. What is sent waits meanwhile. */
export type Way = "open" | "tried" | "given up";

/** After any of these the kernel knows none of the models it had, even if it comes back. */
const ENDS: Record<string, Loss> = { restarting: "restarted", autorestarting: "died", terminating: "shut down", dead: "dead" };
const WAYS: Record<string, Way> = { connected: "open", connecting: "tried", disconnected: "given up" };

export interface KernelListener {
  /** The kernel has ended; comes once. */
  ended(how: Loss): void;
  way(now: Way): void;
}

/** Listen to the kernel; returns how to stop. Where no kernel is seen, nothing is heard. */
export function onKernel(model: unknown, { ended, way }: KernelListener): () => void {
  const manager = (model as { widget_manager?: { kernel?: Kernel | null } } | null)?.widget_manager;
  const kernel = manager?.kernel;
  if (!kernel?.statusChanged?.connect) return () => {};
  const { statusChanged, connectionStatusChanged, disposed } = kernel;
  /** What was heard last. */
  let heard: Loss | null = null;
  let later: ReturnType<typeof setTimeout> | undefined;
  const stop = (): void => {
    clearTimeout(later);
    statusChanged.disconnect(look);
    connectionStatusChanged?.disconnect(lookAtWay);
    disposed?.disconnect(dispose);
  };
  function end(how: Loss): void {
    stop();
    ended(how);
  }
  function look(_: unknown, status: unknown): void {
    const how = ENDS[String(status)];
    if (!how) return;
    // One that died is called restarting first, and then by what the server does.
    if (heard === null) later = setTimeout(() => end(heard ?? how));
    heard = how;
  }
  function lookAtWay(_: unknown, status: unknown): void {
    way(WAYS[String(status)] ?? "open");
  }
  function dispose(): void {
    // One that is dead is disposed of too.
    end(heard ?? "shut down");
  }
  statusChanged.connect(look);
  connectionStatusChanged?.connect(lookAtWay);
  disposed?.connect(dispose);
  return stop;
}

/** What a host must offer. Notebooks give anywidget's model; pages without a kernel a local one. */
export interface Model {
  get(name: string): unknown;
  set(name: string, value: unknown): void;
  save_changes(): void;
  on(event: string, callback: () => void): void;
  off(event: string, callback: () => void): void;
  send?(content: unknown): void;
  /** Hosts that know it say so: false when nothing listens at the other end. */
  comm_live?: boolean;
  /** Hosts without a kernel: whether they hold no picture of what is shown now. */
  no_picture?(): boolean;
}

export interface AnyView {
  revision: number;
  /** The first revision with these tuples and labels. */
  since: number;
  ack: Ack | null;
}

export interface AnyRequest {
  origin: string;
  seq: number;
  /** Revision of the view under the hand: positions and cells mean what they mean there. */
  base: number;
}

/** All that a hand can set. */
export type Wish<R extends AnyRequest> = Omit<R, "origin" | "seq" | "base">;

export interface SessionOptions<V extends AnyView, R extends AnyRequest> {
  /** What a view shows of the parts that the hand can set. */
  request(view: V): Wish<R>;
  /** What a view must look like. */
  shape: Shape;
  /** The element the host gave: hosts built on ipywidgets mark it when the comm is dead. */
  el?: HTMLElement;
}

export interface Session<V, R extends AnyRequest> {
  /** The newest view of Python. */
  view(): V;
  /** What the controls should show: the view, with whatever the hand did since laid over it. */
  desired(): Wish<R>;
  /** `commit: false` while a gesture goes on: travels at most once a frame. */
  propose(patch: Partial<Wish<R>>, how: { commit: boolean }): void;
  /** Something the hand did has not been answered yet; the views of Python do not hold it. */
  pending(): boolean;
  /** How many answers to the hand at other views have come: what they changed is a step here too. */
  elsewhere(): number;
  subscribe(callback: () => void): () => void;
  /** An own request has been unanswered for more than 200 ms. */
  busy(): boolean;
  /** The other end exists. When false, controls are off and what was typed is kept. */
  connected(): boolean;
  /** Whether there is somebody who has or draws the picture. */
  canSave(): boolean;
  /** Connected as far as the host knows, yet silent for ten seconds: busy elsewhere, or gone. */
  silent(): boolean;
  /** Why it is not connected, or null. */
  loss(): Loss | null;
  /** The way to the kernel, while that is not known to have ended. */
  way(): Way;
  /** The number of the cell that shows this view, where its notebook says it. */
  cell(): string | null;
  destroy(): void;
}

export const BUSY_AFTER = 200;
export const SILENT_AFTER = 10_000;
/** A request whose answer got lost must not hold the next one back for ever. */
const RESEND_AFTER = 2_000;
/** One frame, in milliseconds. */
const LEAST_REST = 16;
/** For those who look for the reason. */
export const CANNOT_SHOW = "pdp_widgets cannot show a state.";
/** In place of a view that is none. */
const DAMAGED = { text: "This state is damaged. It cannot be shown: you see the last one that can. Run the cell again.", where: null };
const DEAD = "jupyter-widgets-disconnected";

let views = 0;

function newOrigin(): string {
  views += 1;
  return `${Math.random().toString(36)}-${views}`;
}

export function createSession<V extends AnyView, R extends AnyRequest>(
  model: Model,
  options: SessionOptions<V, R>,
): Session<V, R> {
  const origin = newOrigin();
  const listeners = new Set<() => void>();
  let view = admitted();
  /** The last view that everybody could draw. */
  let drawn = view;
  let pending: Partial<Wish<R>> = {};
  /** The request that last carried each pending part. */
  const sentIn = new Map<keyof Wish<R>, number>();
  let seq = 0;
  /** The highest own request that Python has answered. */
  let answered = 0;
  /** Something of `pending` has not been sent yet. */
  let unsent = false;
  /** A gesture goes on, and nothing is asked for before its end. */
  let held = false;
  let others = 0;
  let sentAt = 0;
  let waitingSince: number | null = null;
  let loss: Loss | null = null;
  let way: Way = "open";
  /** What the host's own model said last; anywidget hides that model, but calls back in its view's name. */
  let told: boolean | null = null;
  let live = isLive();
  let frame: ReturnType<typeof setTimeout> | null = null;
  let resend: ReturnType<typeof setTimeout> | null = null;
  let again: ReturnType<typeof setTimeout> | null = null;
  let wake: ReturnType<typeof setTimeout> | null = null;
  /** A stream of views from elsewhere is drawn as fast as leaves the page half of its time. */
  let drawLater: ReturnType<typeof setTimeout> | null = null;
  let restUntil = 0;

  function isLive(): boolean {
    if (loss !== null || told === false || model.comm_live === false) return false;
    return !(options.el?.closest(`.${DEAD}`) ?? null);
  }

  /** The newest view, or an error that says where it is none. */
  function admitted(): V {
    const next = heard(model, "_view");
    const wrong = misfit(next, options.shape);
    if (wrong !== null || !Number.isSafeInteger((next as V).revision)) throw new TypeError(`A damaged state: _view${wrong ?? ".revision"}`);
    return next as V;
  }

  /** What has the right shape may still hold what does not belong together: the last one that could be drawn stays. */
  function tell(): void {
    try {
      for (const callback of [...listeners]) callback();
      drawn = view;
    } catch (error) {
      if (view === drawn) throw error;
      refuse(error);
    }
  }

  function refuse(error: unknown): void {
    console.error(CANNOT_SHOW, error);
    view = drawn = { ...drawn, revision: view.revision, ack: view.ack, fault: DAMAGED };
    for (const callback of [...listeners]) callback();
  }

  const notify = (): void => {
    if (drawLater !== null) clearTimeout(drawLater);
    drawLater = null;
    const begin = Date.now();
    tell();
    const end = Date.now();
    restUntil = end + Math.max(LEAST_REST, end - begin);
  };
  /** Nobody waits for this view: when the last drawing is fresh, the newest one is drawn a little later. */
  function notifySoon(): void {
    const rest = restUntil - Date.now();
    if (rest <= 0) notify();
    else drawLater ??= setTimeout(notify, rest);
  }
  const elapsed = (): number => (waitingSince === null ? 0 : Date.now() - waitingSince);

  /** Listeners hear when waiting turns into busy, and busy into silent. */
  function scheduleWake(): void {
    if (wake !== null) clearTimeout(wake);
    wake = null;
    if (waitingSince === null) return;
    const next = [BUSY_AFTER, SILENT_AFTER].find((limit) => elapsed() < limit);
    if (next === undefined) return;
    wake = setTimeout(() => {
      notify();
      scheduleWake();
    }, next - elapsed());
  }

  const desired = (): Wish<R> => ({ ...options.request(view), ...pending });

  /** One request is under way at a time; what comes meanwhile waits and only its latest state is sent. */
  function send(atOnce = false): void {
    if (frame !== null) clearTimeout(frame);
    frame = null;
    if (!unsent || !live || (held && !atOnce)) return;
    const inFlight = seq > answered;
    const age = Date.now() - sentAt;
    if (inFlight && age < RESEND_AFTER && !atOnce) {
      resend ??= setTimeout(() => {
        resend = null;
        send();
      }, RESEND_AFTER - age);
      return;
    }
    seq += 1;
    sentAt = Date.now();
    unsent = false;
    // Python passes over a request that a newer one has overtaken: each carries all that is unanswered.
    for (const part of Object.keys(pending) as (keyof Wish<R>)[]) sentIn.set(part, seq);
    model.set("_request", { ...pending, origin, seq, base: view.revision });
    model.save_changes();
  }

  /** Take out what the answered requests carried, unless the hand has set it anew since. */
  function settle(): void {
    for (const [part, sent] of sentIn) {
      if (sent > answered) continue;
      sentIn.delete(part);
      delete pending[part];
    }
  }

  /** Another view's request may have taken the place of ours before it left the page: ask again. */
  function askAgain(): void {
    again ??= setTimeout(
      () => {
        again = null;
        if (seq <= answered || !live) return;
        unsent = true;
        send();
      },
      Math.max(0, RESEND_AFTER - (Date.now() - sentAt)),
    );
  }

  function receive(): void {
    let next: V;
    try {
      next = admitted();
    } catch (error) {
      return refuse(error);
    }
    if (next === view || next.revision < view.revision) return;
    // An edit of one table, or a choice in one graph, means nothing for another.
    if (view.revision < next.since) {
      pending = {};
      sentIn.clear();
      unsent = false;
      waitingSince = null;
    }
    const before = view.ack;
    view = next;
    const ack = next.ack;
    if (ack && ack.origin !== origin && (ack.origin !== before?.origin || ack.seq !== before.seq)) others += 1;
    const own = ack !== null && ack.origin === origin && ack.seq > answered;
    if (own) {
      answered = ack.seq;
      for (const timer of [resend, again]) if (timer !== null) clearTimeout(timer);
      resend = again = null;
      settle();
      if (answered >= seq && (!unsent || held)) {
        waitingSince = null;
      } else {
        waitingSince = Date.now();
        send();
      }
      scheduleWake();
    } else if (ack && ack.origin !== origin && seq > answered) {
      askAgain();
    }
    if (own) notify();
    else notifySoon();
  }

  function lookAtComm(): void {
    const now = isLive();
    if (now === live) return;
    live = now;
    // What the hand asked for before the line broke is asked for again once it is back.
    if (live && (unsent || seq > answered)) {
      unsent = true;
      answered = seq;
      send();
    }
    if (!live) waitingSince = null;
    scheduleWake();
    notify();
  }

  function commLive(this: unknown): void {
    const said = (this as { model?: { comm_live?: unknown } } | undefined)?.model?.comm_live;
    if (typeof said === "boolean") told = said;
    lookAtComm();
  }

  function lost(how: Loss): void {
    // The host may have said before that it is gone, but not why.
    const before = loss;
    loss ??= how;
    if (live) lookAtComm();
    else if (before === null) notify();
  }

  const commClosed = (): void => lost("closed");

  model.on("change:_view", receive);
  model.on("comm_live_update", commLive);
  model.on("comm:close", commClosed);
  const forgetKernel = onKernel(model, {
    ended: lost,
    way(now) {
      way = now;
      notify();
    },
  });
  // The mark may be set after our listener ran, or on a host that triggers no event we can hear.
  const observer = options.el ? new MutationObserver(lookAtComm) : null;
  for (let node = options.el ?? null, k = 0; node && k < 3; node = node.parentElement, k++) {
    observer?.observe(node, { attributes: true, attributeFilter: ["class"] });
  }

  // A host that restores its widgets while they change may lay an older state over the model: ask for what is newer.
  if (live) model.send?.({ shows: view.revision });

  function propose(patch: Partial<Wish<R>>, { commit }: { commit: boolean }): void {
    pending = { ...pending, ...patch };
    for (const part of Object.keys(patch) as (keyof Wish<R>)[]) sentIn.delete(part);
    unsent = true;
    held = !commit && !preferences().refresh;
    if (live && !held) {
      waitingSince ??= Date.now();
      scheduleWake();
      if (commit) send();
      else frame ??= setTimeout(() => send(), 16);
    }
    notify();
  }

  const forgetPreferences = onPreferences((now, before) => {
    const asked = askedOf(desired(), now, before);
    if (Object.keys(asked).length > 0) propose(asked as Partial<Wish<R>>, { commit: true });
  });

  return {
    view: () => view,
    desired,
    propose,
    pending: () => unsent || seq > answered,
    elsewhere: () => others,
    subscribe(callback) {
      listeners.add(callback);
      return () => listeners.delete(callback);
    },
    busy: () => live && waitingSince !== null && elapsed() >= BUSY_AFTER,
    connected: () => live,
    canSave: () => live && !(model.no_picture?.() ?? false),
    silent: () => live && waitingSince !== null && elapsed() >= SILENT_AFTER,
    loss: () => (live ? null : (loss ?? "none")),
    way: () => way,
    cell: () => /\d+/.exec(options.el?.closest(".jp-Cell")?.querySelector(".jp-InputArea-prompt")?.textContent ?? "")?.[0] ?? null,
    destroy() {
      send(true);
      model.off("change:_view", receive);
      model.off("comm_live_update", commLive);
      model.off("comm:close", commClosed);
      observer?.disconnect();
      forgetKernel();
      forgetPreferences();
      for (const timer of [frame, resend, again, wake, drawLater]) if (timer !== null) clearTimeout(timer);
      listeners.clear();
    },
  };
}
