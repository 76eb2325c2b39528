/** The top of an explorer: its head with undo, redo and the picture, the line that says what was refused, and that of a computation. */
import { h, icon, INFO, setText, type Component } from "../ui/dom";
import { createRunningLine, type RunningDesk } from "../ui/explorer-shell";
import { createHead, type HeadProps, type HeadWords } from "../ui/head";
import { createLine, lossLine, silenceLine, type LineProps, type OtherEnd } from "../ui/lines";
import type { Fault, Running } from "../ui/protocol";
import type { Model } from "../ui/session";
import { belongs } from "./words";

// Saving the picture: Python draws it as it does for a saved notebook, the page hands it over as a file.

export interface Saver {
  /** Ask Python for the picture; one at a time. */
  save(): void;
  destroy(): void;
}

interface Answer {
  picture?: { asked?: unknown; svg?: unknown; name?: unknown; fault?: unknown };
}

let askers = 0;

/** `failed` gets the reason in words, or null when the next attempt starts. */
function createSaver(model: Model, failed: (reason: string | null) => void): Saver {
  askers += 1;
  // Other views of this model hear the answer too.
  const asker = `${Math.random().toString(36)}-${askers}`;
  const take = (content?: unknown): void => {
    const picture = (content as Answer | undefined)?.picture;
    if (!picture || picture.asked !== asker) return;
    if (typeof picture.svg !== "string") return failed(String(picture.fault ?? "Python sent no picture."));
    handOver(picture.svg, typeof picture.name === "string" ? picture.name : "picture.svg");
  };
  model.on("msg:custom", take);
  return {
    save() {
      failed(null);
      model.send?.({ picture: asker });
    },
    destroy: () => model.off("msg:custom", take),
  };
}

/** A file of the page's own making: no request leaves it. */
function handOver(svg: string, name: string): void {
  const url = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The browser reads the file after the click has returned.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Asks Python for a cell that makes the explorer again, and puts it where the next paste takes it from. */
function createCopier(model: Model, told: (message: LineProps) => void): { copy(): void; destroy(): void } {
  const asker = `python-${Math.random().toString(36)}`;
  const take = async (content?: unknown): Promise<void> => {
    const { written } = (content ?? {}) as { written?: { asked?: unknown; text?: unknown; fault?: unknown } };
    if (written?.asked !== asker) return;
    try {
      if (typeof written.text !== "string") throw new Error(String(written.fault));
      await navigator.clipboard.writeText(written.text);
      told({ kind: "info", text: "Copied as Python: paste it into a cell." });
    } catch (error) {
      told(failure(`Nothing was copied: ${(error as Error).message}`));
    }
  };
  model.on("msg:custom", take);
  return { copy: () => model.send?.({ write: { asked: asker, python: true } }), destroy: () => model.off("msg:custom", take) };
}

// The one line that matters most in an explorer: no kernel, then what is wrong, then what was given up, then who is
// slow.

/** What the results belong to while something in the controls is wrong. */
export const LAST_VALID = "the last valid inputs";
const BELONGS = "The results belong to the last valid inputs.";

interface Told {
  fault: Fault | null;
  stopped: string | null;
  cost?: string;
  running: Running | null;
  current: boolean;
  results: unknown;
  disabled: boolean;
}

interface Conversation extends OtherEnd {
  view(): Told;
}

/** `said` is what the browser has to say itself; `view` stands for another one than Python's newest. */
export function chooseLine(session: Conversation, said: LineProps | null, busy: boolean, resume: () => void, view: Told = session.view()): LineProps {
  const lost = lossLine(session) ?? said;
  if (lost) return lost;
  if (view.fault) return faultLine(view.fault, view.current || !view.results ? "" : BELONGS);
  return silenceLine(session) ?? stoppedLine(view, resume) ?? busyLine(view, busy);
}

/** The same beside a table or a matrix that speaks itself: what is wrong in it comes before what was refused, the rest of what it says last. */
export function chooseLineBeside(
  what: "table" | "matrix",
  session: Conversation,
  own: LineProps | null,
  refusal: LineProps | null,
  busy: boolean,
  resume: () => void,
): LineProps {
  const view = session.view();
  const belong = `The results belong to the last valid ${what}.`;
  const said = own?.kind === "error" ? own : (refusal ?? own);
  const lost = lossLine(session);
  if (lost) return lost;
  if (said?.kind === "error") return said;
  if (view.fault) return faultLine(view.fault, view.current || /last valid/i.test(view.fault.text) ? "" : belong);
  const stopped = silenceLine(session) ?? stoppedLine(view, resume);
  if (stopped) return stopped;
  if (!view.current && view.results) return { kind: "info", text: belong };
  return said ?? busyLine(view, busy);
}

/** A fault, and what is shown meanwhile. */
export function faultLine(fault: Fault, shown: string): LineProps {
  const { title, text } = splitFault(fault.text);
  return { kind: "error", title, text: [text, shown].filter(Boolean).join(" ") };
}

/** What was given up can be computed after all, where somebody can; what was refused too, once its cost is known. */
function stoppedLine({ stopped, cost, disabled }: Told, resume: () => void): LineProps | null {
  if (stopped === null) return null;
  const label = cost ? `Compute anyway, ${cost}` : "Compute";
  return { kind: "info", text: stopped, action: disabled ? null : { label, run: resume } };
}

/** A computation has a line of its own. */
function busyLine({ running }: Told, busy: boolean): LineProps {
  return busy && running === null ? { kind: "busy", text: "Computing. Numbers return when all are new." } : { kind: "info", text: "" };
}

export interface TopOptions {
  model: Model;
  about: HeadWords;
  session: { canSave(): boolean; connected(): boolean };
  desk: Pick<RunningDesk, "share" | "cancel">;
  hand: { readonly canUndo: boolean; readonly canRedo: boolean; travel(way: "undo" | "redo"): void };
  title(): string;
  disabled(): boolean;
  /** The line that matters most, with what was refused, or why there is no picture. */
  choose(said: LineProps | null): LineProps;
}

export interface Top {
  header: Component<HeadProps>;
  line: Component<LineProps>;
  running: { el: HTMLElement };
  /** What was tried and refused, or what was done; null when it is over. */
  say(message: LineProps | null): void;
  /** Why what was typed is refused; null when it is in order again. */
  onRefused(reason: string | null): void;
  showLine(): void;
  /** `working`: a computation that has lasted. */
  update(working: Running | null): void;
  destroy(): void;
}

const failure = (reason: string): LineProps => ({ kind: "error", ...splitFault(reason) });

export function createTop(options: TopOptions): Top {
  const { model, about, session, desk, hand } = options;
  let said: LineProps | null = null;
  /** Why there is no picture. */
  let unsaved: string | null = null;

  const saver = createSaver(model, (reason) => {
    unsaved = reason;
    showLine();
  });
  const copier = createCopier(model, say);
  const header = createHead(about, headerProps(), {
    onUndo: () => hand.travel("undo"),
    onRedo: () => hand.travel("redo"),
    onSave: saver.save,
    onCopy: copier.copy,
  });
  const line = createLine({ kind: "info", text: "" });
  const running = createRunningLine({ running: null, share: 0 }, desk.cancel);

  function headerProps(): HeadProps {
    return { title: options.title(), canUndo: hand.canUndo, canRedo: hand.canRedo, canSave: session.canSave(), disabled: options.disabled() };
  }

  function showLine(): void {
    line.update(options.choose(said ?? (unsaved === null ? null : failure(`There is no picture: ${unsaved}`))));
  }

  function say(message: LineProps | null): void {
    said = message;
    showLine();
  }

  return {
    header,
    line,
    running,
    say,
    onRefused: (reason) => say(reason === null ? null : failure(reason)),
    showLine,
    update(working) {
      header.update(headerProps());
      // First what stands in the place of a computation that has ended: who pressed its button goes on there.
      showLine();
      running.update({ running: session.connected() ? working : null, share: working ? desk.share(working) : 0 });
    },
    destroy() {
      for (const part of [header, line, running, saver, copier]) part.destroy();
    },
  };
}

/** A fault in two parts: its first clause names the culprit and stands out. */
export function splitFault(text: string): { title: string; text: string } {
  const cut = /^([\s\S]{1,120}?(?:[!?:]|\.))\s+([\s\S]+)$/.exec(text.trim());
  return cut ? { title: cut[1] as string, text: cut[2] as string } : { title: text.trim(), text: "" };
}

// The mark of old results: a sign and a sentence that says what they belong to; all panels of results lose their
// colour.

export interface Stale {
  el: HTMLElement;
  /** `stale`: what the results belong to instead of what stands in the controls; empty when they belong to that. */
  say(stale: string): void;
}

/** Panels that show results: the sheet takes their colour while those are old. */
export function results(...panels: HTMLElement[]): HTMLElement[] {
  for (const panel of panels) panel.classList.add("px-result");
  return panels;
}

export function createStale(): Stale {
  const words = h("span");
  const el = h("p", { class: "small px-stale" }, icon(INFO, 12), words);
  return {
    el,
    say(stale) {
      el.hidden = stale === "";
      setText(words, belongs(stale));
    },
  };
}
