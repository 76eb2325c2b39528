/** The top of an explorer: its head with undo, redo and the picture, and the line that says what was refused. */
import type { Component } from "../ui/component";
import { createHead, type HeadProps, type HeadWords } from "../ui/head";
import { createLine, type LineProps } from "../ui/lines";
import type { Model } from "../ui/session";
import type { Steps } from "../ui/steps";
import { createSaver } from "./save";
import { splitFault } from "./screen";

export interface TopOptions<E extends object> {
  model: Model;
  about: HeadWords;
  session: { canSave(): boolean };
  history: Steps<E>;
  title(): string;
  disabled(): boolean;
  /** A drag goes on: nothing is undone meanwhile. */
  dragged(): boolean;
  /** Undo or redo leads here. */
  take(edit: E): void;
  /** The line that matters most, with what the explorer itself has to say. */
  choose(said: LineProps | null): LineProps;
}

export interface Top {
  header: Component<HeadProps>;
  line: Component<LineProps>;
  /** What was tried and refused, or what was done; null when it is over. */
  say(message: LineProps | null): void;
  /** Why what was typed is refused; null when it is in order again. */
  onRefused(reason: string | null): void;
  travel(way: "undo" | "redo"): void;
  update(): void;
  destroy(): void;
}

const failure = (reason: string): LineProps => ({ kind: "error", ...splitFault(reason) });

export function createTop<E extends object>(options: TopOptions<E>): Top {
  const { model, about, session, history } = options;
  let said: LineProps | null = null;
  /** Why there is no picture. */
  let unsaved: string | null = null;

  const saver = createSaver(model, (reason) => {
    unsaved = reason;
    showLine();
  });
  const header = createHead(about, headerProps(), { onUndo: () => travel("undo"), onRedo: () => travel("redo"), onSave: saver.save });
  const line = createLine({ kind: "info", text: "" });

  function headerProps(): HeadProps {
    return { title: options.title(), canUndo: history.canUndo, canRedo: history.canRedo, canSave: session.canSave(), disabled: options.disabled() };
  }

  function travel(way: "undo" | "redo"): void {
    if (options.disabled() || options.dragged()) return;
    const edit = way === "undo" ? history.undo() : history.redo();
    if (edit) options.take(edit);
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
    say,
    onRefused: (reason) => say(reason === null ? null : failure(reason)),
    travel,
    update() {
      header.update(headerProps());
      showLine();
    },
    destroy() {
      header.destroy();
      line.destroy();
      saver.destroy();
    },
  };
}
