/**
 * The clock of one view: which step it shows, which it asks Python for, and how far it tells Python that it is.
 * Steps come ahead of time in chunks, so that a frame never waits for the kernel.
 */
import type { Bytes } from "../ui/protocol";
import type { Model } from "../ui/session";
import type { ShownElsewhere, StepsGiven, StreamView } from "./protocol";
import { AHEAD, KEPT, StepRecord, buffersOf } from "./step-record";

/** Told to Python so often while it plays, ms. */
export const TOLD_EVERY = 250;
/** An answer that does not come is asked for again, ms. */
const ASKED_AGAIN = 3000;
/** A live source is asked again so soon, ms. */
const LIVE_AGAIN = 100;
/** A page that was away for longer goes on where it was, ms. */
const LONGEST_FRAME = 250;
/** Steps that are asked for at least, and how much playing they are to be enough for, ms. */
const LEAST_ASKED = 60;
const ENOUGH_FOR = 2500;
/** Chunks of the past, where more of it is to be shown. */
const PAST = 1000;
/** States up to which every belief is sent. */
export const MOST_SHOWN = 12;

export interface PlayerOptions {
  /** Another step is shown, or more of them are there. */
  changed(): void;
  /** No steps are left. */
  ended(): void;
  now?(): number;
  /** Calls back with the next drawing of the page; returns how to call that off. */
  frame?(callback: () => void): () => void;
}

export interface Player {
  readonly record: StepRecord;
  /** Steps that have been shown. */
  position(): number;
  /** A new view of Python. */
  follow(view: StreamView): void;
  /** Whether the clock runs, and how fast; held it waits for Python without stopping. */
  run(on: boolean, speed: number, held: boolean): void;
  /** The clock of this view runs. */
  running(): boolean;
  /** One step by the hand. */
  step(): void;
  /** Steps that are to be on screen: what is missing of them is asked for. */
  wish(steps: number, ahead: number): void;
  /** Another view has shown steps of this run a moment ago. */
  led(): boolean;
  /** Steps were asked for and have not come. */
  waiting(): boolean;
  destroy(): void;
}

/** So many of its own words are waited for: some seconds' worth. */
const MOST_ECHOES = 100;

function nextFrame(callback: () => void): () => void {
  const id = requestAnimationFrame(callback);
  return () => cancelAnimationFrame(id);
}

export function createPlayer(model: Model, first: StreamView, options: PlayerOptions): Player {
  const now = options.now ?? ((): number => performance.now());
  const frame = options.frame ?? nextFrame;
  let record = new StepRecord(1, 0);
  let run = -1;
  let position = 0;
  let most = 0;
  /** More may come after the last step. */
  let live = false;
  let running = false;
  let held = false;
  let speed = 10;
  /** Part of the next step that has gone by. */
  let phase = 0;
  let last = 0;
  let cancel: (() => void) | null = null;
  let shown = 0;
  let ahead = 0;
  let asked: { from: number; count: number; at: number } | null = null;
  let told = 0;
  let toldAt = -Infinity;
  /** What was told and has not come back: Python tells all views, and a busy one tells them late. */
  let echoes: number[] = [];
  /** Where another view is, and when it said so. */
  let elsewhere = 0;
  let heardAt = -Infinity;
  let owed = false;

  function take(view: StreamView): void {
    const columns = view.states.length <= MOST_SHOWN ? view.states.length : 1;
    const alike = record.columns === columns && record.lanes.length === view.window.lanes.length;
    if (view.run !== run) {
      if (alike && view.same > 0) record.cut(view.same);
      else record = new StepRecord(columns, view.window.lanes.length);
      run = view.run;
      position = view.position;
      asked = null;
      told = elsewhere = position;
      echoes = [];
      phase = 0;
      owed = false;
    } else if (view.position > position) {
      position = view.position;
    }
    // An older window than what is held says nothing new, and must not leave a gap.
    const { from, count } = view.window;
    if (record.count === 0 || from + count > record.end) record.take(from, count, buffersOf(view.window));
    most = view.most;
    live = view.source.kind === "live";
  }

  function ask(from: number, count: number): void {
    asked = { from, count, at: now() };
    model.send?.({ steps: { run, from, count } });
  }

  /** Asks for what is missing: one chunk at a time, the future before the past. */
  function want(): void {
    if (asked && now() - asked.at < ASKED_AGAIN) return;
    // What a live source has by now, Python alone knows; that it is asked tells it that somebody looks.
    const reach = Math.min(
      live && running ? Infinity : most,
      Math.max(
        elsewhere,
        position +
          (running
            ? Math.min(AHEAD - 100, Math.max(LEAST_ASKED, Math.ceil((speed * ENOUGH_FOR) / 1000)))
            : owed
              ? LEAST_ASKED
              : ahead),
      ),
    );
    const left = record.end - position;
    const need = running ? reach - position > left && left < (reach - position) / 2 + 1 : reach > record.end;
    if (need) return ask(record.end, Math.min(reach - record.end, KEPT));
    const back = Math.max(0, position - shown);
    if (shown > 0 && record.first > back && record.end - record.first < KEPT) ask(Math.max(back, record.first - PAST), Math.min(PAST, record.first - back));
  }

  function tell(at: number): void {
    if (position === told) return;
    told = position;
    toldAt = at;
    echoes = [...echoes.slice(-MOST_ECHOES), position];
    model.send?.({ at: { run, position } });
  }

  function tick(): void {
    cancel = null;
    if (!running) return;
    const time = now();
    const passed = Math.min(LONGEST_FRAME, Math.max(0, time - last));
    last = time;
    if (!held) {
      phase += (passed * speed) / 1000;
      const steps = Math.min(Math.floor(phase), record.end - position);
      // Steps that are not there yet are not made up for.
      phase = Math.min(phase - steps, 1);
      if (steps > 0) {
        position += steps;
        options.changed();
      }
      if (time - toldAt >= TOLD_EVERY) tell(time);
      if (position >= most && !live) {
        running = false;
        tell(time);
        options.ended();
        return;
      }
      want();
    }
    // What was changed or ended may have stopped the clock.
    if (running) cancel ??= frame(tick);
  }

  function hear(content?: unknown, buffers?: unknown): void {
    const given = (content as Partial<StepsGiven> | undefined)?.steps;
    if (given && given.run === run && given.lanes === record.lanes.length) {
      // Where there are none yet, the next question waits a moment.
      if (asked?.from === given.from) {
        const rest = given.count === 0 ? TOLD_EVERY : live && given.count < asked.count ? LIVE_AGAIN : 0;
        asked = rest > 0 ? { ...asked, from: -1, at: now() - ASKED_AGAIN + rest } : null;
      }
      record.take(given.from, given.count, buffers as Bytes[]);
      if (owed && record.end > position) {
        owed = false;
        position += 1;
        tell(now());
      }
      if (elsewhere > position && record.end > position) position = Math.min(elsewhere, record.end);
      if (given.count > 0) want();
      options.changed();
    }
    const at = (content as Partial<ShownElsewhere> | undefined)?.at;
    if (!at || at.run !== run) return;
    const echo = echoes.indexOf(at.position);
    // They come in their order; those before this one were passed over.
    if (echo >= 0) echoes = echoes.slice(echo + 1);
    if (echo >= 0 || at.position === told) return;
    heardAt = now();
    if (at.position > position) {
      elsewhere = at.position;
      if (record.end >= elsewhere) {
        position = elsewhere;
        options.changed();
      } else want();
    }
  }

  const listener = hear as () => void;
  model.on("msg:custom", listener);
  take(first);

  return {
    get record() {
      return record;
    },
    position: () => position,
    follow: take,
    run(on, pace, wait) {
      speed = pace;
      held = wait;
      if (on && !running) {
        running = true;
        last = now();
        phase = 0;
        want();
        cancel ??= frame(tick);
      } else if (!on && running) {
        running = false;
        cancel?.();
        cancel = null;
        tell(now());
      }
    },
    running: () => running,
    step() {
      if (position >= most && !live) return options.ended();
      if (record.end > position) {
        position += 1;
        tell(now());
        options.changed();
      } else owed = true;
      want();
    },
    wish(steps, more) {
      shown = Math.min(KEPT, steps);
      ahead = more;
      want();
    },
    led: () => now() - heardAt < 4 * TOLD_EVERY,
    waiting: () => asked !== null && now() - asked.at > TOLD_EVERY && record.end <= position,
    destroy() {
      running = false;
      cancel?.();
      model.off("msg:custom", listener);
    },
  };
}
