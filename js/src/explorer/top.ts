/** The top of an explorer: its head with undo, redo and the picture, the line that says what was refused, and that of a computation. */
import type { Component } from "../ui/dom";
import { createHead, type HeadProps, type HeadWords } from "../ui/head";
import { createLine, createRunningLine, type LineProps, type RunningDesk } from "../ui/lines";
import type { Running } from "../ui/protocol";
import type { Model } from "../ui/session";
import { createSaver } from "./save";
import { splitFault } from "./screen";

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
  const header = createHead(about, headerProps(), { onUndo: () => hand.travel("undo"), onRedo: () => hand.travel("redo"), onSave: saver.save });
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
      for (const part of [header, line, running, saver]) part.destroy();
    },
  };
}
