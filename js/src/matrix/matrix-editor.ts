/** A covariance matrix under edit: switch, grid, colour key with handle, line about validity, actions, summaries. */
import { Drafts } from "../table/editing";
import { createMenu, createSegments, type SegmentsProps } from "../ui/choosing";
import { button, h, icon, listen, MORE, setAttr, type Component } from "../ui/dom";
import { historyKey, type DragPhase } from "../ui/gestures";
import { createGrid, type Range } from "../ui/grid";
import { createLine, type LineProps } from "../ui/lines";
import { quoted } from "../ui/number-entry";
import type { Fault } from "../ui/protocol";
import { fromCorrelation, independent, readNumber, sizeOf, withCell, type Numbers } from "./editing";
import {
  draftKey,
  gridProps,
  isReadOnly,
  limited,
  matrixDecimals,
  moved,
  nameOf,
  pasteBlock,
  placeAt,
  valueAt,
  type MatrixView,
  type Place,
} from "./grid-view";
import { createImportPanel, fromBlock, readMatrix, type Imported } from "./import";
import { createKeyStrip } from "./key-strip";
import { capital, createStatus, createSummaries, matrixMessage, type StatusProps } from "./status";
import { check, culprit, validRange, type Check, type Culprit, type Interval } from "./validity";
import { clipped, shortNames, signedDomain, squared } from "./words";

export interface MatrixEditorProps {
  /** Changes with the tuples: what the hand began for other ones is given up. */
  since: number;
  names: string[];
  unit: string;
  numbers: Numbers;
  loaded: Numbers;
  /** The last valid matrix of these tuples as Python knows it; null when there was none. */
  sound: Float64Array | null;
  /** What Python says of these very numbers; null while it has not answered. */
  kernel: Check | null;
  correlation: boolean;
  fault: Fault | null;
  /** Position of the attacked tuple, in an explorer. */
  target?: number | null;
  dark: boolean;
  disabled: boolean;
}

export interface MatrixEditorCallbacks {
  /** `commit` is false while a drag goes on; one committed edit is one undo step. */
  onEdit(numbers: Numbers, how: { commit: boolean }): void;
  onCorrelation(correlation: boolean): void;
  /** Python is to find the nearest valid matrix: one undo step when it comes. */
  onNearest(): void;
  /** A matrix of other tuples; no names where the pasted block had none. */
  onImport(names: string[] | null, cov: Float64Array): void;
  onUndo?(): void;
  onRedo?(): void;
  /** Takes the message to a line above the panel; false: the editor shows it itself. */
  onMessage?(message: LineProps | null): boolean | void;
}

/** From this width on, the summaries stand beside the matrix. */
const BESIDE = 640;
const SUMMARIES = 364;
const WIDEST_KEY = 420;

export function createMatrixEditor(first: MatrixEditorProps, on: MatrixEditorCallbacks): Component<MatrixEditorProps> {
  let props = first;
  let width = 264;
  /** Width of the colour key and what stands below it. */
  let room = 264;
  let note: LineProps | null = null;
  /** The numbers before the drag, and the scale that stays under the hand. */
  let drag: { numbers: Numbers; place: Place; domain: number } | null = null;
  let drafts = new Drafts();
  let drawing = false;
  let again = false;
  /** The last numbers of these tuples that were all in order. */
  let sound: Numbers | null = null;
  let now: { check: Check; culprit: Culprit | null; view: MatrixView };
  let ranged: { key: Float64Array; place: Place; range: Interval | null } | null = null;
  const n = (): number => sizeOf(props.numbers);
  const start = (): [number, number] => [props.numbers.weights ? 1 : 0, Math.min(1, n() - 1)];
  let chosen = placeAt(props.numbers, ...start());
  /** The entry that the hand changed last: the first to be blamed. */
  let touched: [number, number] | null = null;
  const place = (r: number, c: number): Place => placeAt(props.numbers, r, c);

  const el = h("div", { class: "jt mx" });
  now = look();
  const menu = createMenu(el, "Matrix");
  const segments = createSegments(switchProps(), (kind) => on.onCorrelation(kind === "correlation"));
  const grid = createGrid(
    gridProps(now.view),
    {
      editText: (r, c) => textOf(place(r, c)),
      onCommit: (r, c, text) => commitCell(place(r, c), text),
      onBlock: commitBlock,
      onDrag: (r, c, phase, steps) => dragCell(place(r, c), phase, steps),
      onMenu: (cell, range, at) => menu.open(cell, [{ label: "Copy", title: "Every digit, tab separated (Ctrl+C)", run: () => copy(range) }], at),
      onMove(r, c) {
        const next = place(r, c);
        if (next.part === chosen.part && next.i === chosen.i && next.j === chosen.j) return;
        chosen = next;
        if (drawing) again = true;
        else draw();
      },
      onEscape() {
        say(null);
        if (!Number.isNaN(valueAt(now.view, chosen)) || props.disabled || !sound) return;
        edited(put(chosen, valueAt({ ...now.view, numbers: sound, correlation: false }, chosen)));
      },
    },
    start(),
  );
  const strip = createKeyStrip({
    onChange(value, { commit }) {
      drag ??= { numbers: props.numbers, place: chosen, domain: now.view.domain };
      const held = drag;
      if (commit) drag = null;
      edited(value === null ? held.numbers : put(held.place, limited(held.place, value, props.correlation), held.numbers), commit);
    },
  });
  const status = createStatus(statusProps(), on.onNearest);
  const independentButton = button("Independent", { title: "Same variances, no dependence" });
  const importButton = button("Import…", { title: "Paste a matrix, with or without names" });
  const moreButton = button("", { class: "button jt-more", title: "More", "aria-haspopup": "menu", "aria-expanded": "false" });
  moreButton.append(icon(MORE));
  const line = createLine({ kind: "info", text: "" });
  const summaries = createSummaries({ names: first.names, cov: null, unit: first.unit, stale: false });
  const panel = createImportPanel((text) => take(readMatrix(text)), grid.focus);
  const foot = h("div", { class: "jt-foot" }, summaries.el, h("div", { class: "jt-says" }, line.el), panel.el);
  const head = h("div", { class: "mx-head" }, h("h3", {}, "Matrix"), segments.el);
  const actions = h("div", { class: "jt-buttons" }, independentButton, importButton, moreButton);
  const main = h("div", { class: "jt-main" }, head, grid.el, strip.el as unknown as HTMLElement, status.el, actions);
  el.append(h("div", { class: "jt-body" }, main, foot));

  /** What stands in the cells, judged: Python's word where it has spoken about these numbers. */
  function look(): { check: Check; culprit: Culprit | null; view: MatrixView } {
    const { numbers, correlation } = props;
    const found = props.kernel ?? check(numbers.cov, n());
    const blamed = found.valid ? null : culprit(numbers.cov, n(), touched);
    const domain = drag?.domain ?? (correlation ? 1 : signedDomain(numbers.cov));
    const { names, target, dark, disabled } = props;
    return {
      check: found,
      culprit: blamed,
      view: { names, numbers, correlation, domain, chosen, culprit: blamed, drafts, target: target ?? null, dark, disabled, width },
    };
  }

  function switchProps(): SegmentsProps<"covariance" | "correlation"> {
    return {
      label: "What the cells hold",
      options: [
        { value: "covariance", text: "covariance" },
        { value: "correlation", text: "correlation" },
      ],
      value: props.correlation ? "correlation" : "covariance",
      disabled: props.disabled,
    };
  }

  function statusProps(): StatusProps {
    return { check: now.check, culprit: now.culprit, names: shortNames(props.names), disabled: props.disabled, width: room };
  }

  /** What an editor starts from: every digit, or the text that could not be read. */
  function textOf(at: Place): string {
    const value = at.part === "entry" && at.i === at.j && props.correlation ? 1 : valueAt(now.view, at);
    return drafts.at(draftKey(n(), at), value)?.text ?? (Number.isNaN(value) ? "" : String(value));
  }

  /** The numbers with one cell set, in the terms that are shown. */
  function put(at: Place, value: number, from: Numbers = props.numbers): Numbers {
    touched = at.part === "entry" ? [at.i, at.j] : touched;
    const set = (values: Float64Array): Float64Array => values.map((x, k) => (k === at.j ? value : x));
    if (at.part === "mean") return { ...from, mean: set(from.mean) };
    if (at.part === "weight") return { ...from, weights: from.weights && set(from.weights) };
    const covariance = props.correlation ? fromCorrelation(from.cov, n(), at.i, at.j, value) : value;
    return { ...from, cov: withCell(from.cov, n(), at.i, at.j, covariance) };
  }

  function say(message: LineProps | null): void {
    note = message;
    drawMessage();
  }

  function edited(numbers: Numbers, commit = true): void {
    note = null;
    on.onEdit(numbers, { commit });
    // One text that is no number in place of another changes no entry, and nobody else would draw it.
    if ([numbers.cov, numbers.mean, numbers.weights].every((values) => values?.every(Number.isFinite) ?? true)) drawMessage();
    else draw();
  }

  function commitCell(at: Place, text: string): void {
    if (props.disabled || isReadOnly(now.view, at)) return;
    const read = readNumber(text);
    drafts.keep(draftKey(n(), at), text, read as Parameters<Drafts["keep"]>[2]);
    edited(put(at, read.value));
  }

  function commitBlock(r: number, c: number, block: string[][]): void {
    if (props.disabled) return;
    // More than fits, and names with it: that is a whole matrix.
    if (
      block.length > 1 &&
      block.length === block[0]?.length &&
      Number.isNaN(readNumber(block[0]?.[1] ?? "0").value) &&
      Number.isNaN(readNumber(block[1]?.[0] ?? "0").value)
    ) {
      return take(fromBlock(block));
    }
    const { numbers, correlation } = props;
    const pasted = pasteBlock(block, { row: r, column: c, numbers, correlation, names: clipped(props.names) }, drafts);
    if (pasted.ok) {
      touched = null;
      edited(pasted.numbers);
    } else say({ kind: "error", ...pasted });
  }

  function take(imported: Imported): void {
    if (props.disabled) return;
    if (!imported.ok) return say({ kind: "error", title: imported.title, text: imported.text });
    const { names, cov } = imported;
    const same = cov.length === props.numbers.cov.length && (names === null || names.every((name, k) => name === props.names[k]));
    if (same) edited({ ...props.numbers, cov });
    else on.onImport(names, cov);
  }

  function dragCell(at: Place, phase: DragPhase, steps: number): void {
    if (phase === "start") {
      drag = Number.isFinite(valueAt(now.view, at)) ? { numbers: props.numbers, place: at, domain: now.view.domain } : null;
      return;
    }
    if (!drag || props.disabled) return;
    const held = drag;
    if (phase !== "move") drag = null;
    // Back where it began: the gesture ends, and a history that compares states takes no step.
    if (phase === "cancel" || steps === 0) return edited(held.numbers, phase !== "move");
    const view = { numbers: held.numbers, correlation: props.correlation, domain: held.domain };
    const value = moved(view, at, steps);
    edited(put(at, limited(at, value, props.correlation), held.numbers), phase === "end");
  }

  function openMore(): void {
    const { disabled, loaded } = props;
    const top = props.numbers.weights ? 1 : 0;
    menu.open(moreButton, [
      {
        label: "Reset to loaded",
        disabled,
        title: "Matrix and means as they were given",
        run: () => edited({ ...props.numbers, cov: loaded.cov, mean: loaded.mean }),
      },
      {
        label: "Copy matrix",
        title: "Every digit, tab separated",
        separated: true,
        run: () => copy({ top, left: 0, bottom: top + n() - 1, right: n() - 1 }),
      },
    ]);
  }

  function copy(range: Range): void {
    // Pages that are not secure have no clipboard object; the keys work everywhere.
    const written = navigator.clipboard?.writeText(grid.copied(range)) ?? Promise.reject();
    written.then(
      () => say({ kind: "info", title: "Copied.", text: "Every digit, tab separated." }),
      () => say({ kind: "error", title: "The browser did not allow copying.", text: "Select the cells and press Ctrl+C." }),
    );
  }

  listen(independentButton, "click", () => edited({ ...props.numbers, cov: independent(props.numbers.cov, n()) }));
  listen(importButton, "click", panel.open);
  listen(moreButton, "click", openMore);
  listen(el, "keydown", (event) => {
    const target = event.target as HTMLElement;
    // A switch is no text to take back.
    if (target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.type !== "radio")) return;
    const which = event.defaultPrevented ? null : historyKey(event);
    if (which === "undo") on.onUndo?.();
    else if (which === "redo") on.onRedo?.();
    else return;
    event.preventDefault();
  });

  function unread(): { name: string; reason: string } | null {
    const rows = n() + 1 + (props.numbers.weights ? 1 : 0);
    for (let r = 0; r < rows; r++) {
      for (let c = 0; c < n(); c++) {
        const at = place(r, c);
        const value = at.part === "entry" ? (props.numbers.cov[at.i * n() + at.j] as number) : valueAt(now.view, at);
        if (Number.isFinite(value)) continue;
        const reason = drafts.at(draftKey(n(), at), value)?.reason ?? "There is no number. Enter one such as 0.25.";
        return { name: nameOf({ ...now.view, correlation: props.correlation && at.i !== at.j }, at), reason };
      }
    }
    return null;
  }

  function drawMessage(): void {
    const { line: message, told } = matrixMessage({
      note,
      unread: unread(),
      check: now.check,
      culprit: now.culprit,
      names: clipped(props.names),
      fault: props.fault,
    });
    const above = on.onMessage !== undefined && on.onMessage(message) !== false;
    const own = above || told ? null : message;
    line.update(own ?? { kind: "info", text: "" });
    setAttr(foot, "data-says", own !== null);
  }

  /** The values that cell may hold, in the terms that are shown; they change with the others only. */
  function rangeOf(at: Place): Interval | null {
    const { cov } = props.numbers;
    if (!ranged || ranged.key !== cov || ranged.place !== at) ranged = { key: cov, place: at, range: validRange(cov, n(), at.i, at.j) };
    if (!ranged.range || !props.correlation) return ranged.range;
    const unit = fromCorrelation(cov, n(), at.i, at.j, 1);
    return unit > 0 ? [ranged.range[0] / unit, ranged.range[1] / unit] : null;
  }

  function drawStrip(): void {
    const { view } = now;
    const short = shortNames(props.names).map((name) => clipped([name])[0]?.slice(0, 14) ?? "");
    const value = valueAt(view, chosen);
    const diagonal = chosen.i === chosen.j;
    const shown = chosen.part === "entry" && !(diagonal && props.correlation) && Number.isFinite(value);
    const range = shown ? rangeOf(chosen) : null;
    strip.update({
      domain: view.domain,
      unit: props.correlation ? "" : squared(props.unit),
      cell: shown
        ? {
            label: capital(nameOf(view, chosen)),
            short: diagonal ? (short[chosen.i] as string) : `${short[chosen.i]}, ${short[chosen.j]}`,
            value,
            range,
            readOnly: isReadOnly(view, chosen),
            wrong: !now.check.valid && (!range || value < range[0] || value > range[1]),
          }
        : null,
      decimals: matrixDecimals(view),
      dark: props.dark,
      disabled: props.disabled,
      width: room,
    });
  }

  function draw(): void {
    drawing = true;
    now = look();
    const { numbers, disabled } = props;
    const orderly = now.check.valid && [...numbers.mean, ...(numbers.weights ?? [])].every(Number.isFinite);
    if (orderly) sound = numbers;
    segments.update(switchProps());
    // Beside the summaries while the roomy form fits there, else above them with all the width.
    const beside = width >= BESIDE ? gridProps({ ...now.view, width: width - SUMMARIES }) : null;
    const shown = beside && !beside.compact ? beside : gridProps(now.view);
    setAttr(el, "data-beside", shown === beside);
    grid.update(shown);
    const heads = shown.corner[0]?.width ?? 0;
    const full = heads + shown.columnCount * shown.cellWidth.most;
    el.style.setProperty("--jt-width", `${full}px`);
    const wide = shown === beside ? width - SUMMARIES : width;
    room = Math.min(wide, Math.max(240, full), WIDEST_KEY);
    main.style.setProperty("--mx-width", `${Math.max(room, Math.min(wide, full))}px`);
    drawStrip();
    status.update(statusProps());
    status.el.style.maxWidth = actions.style.maxWidth = `${room}px`;
    independentButton.disabled = importButton.disabled = disabled;
    const kept = sound?.cov ?? props.sound;
    summaries.update({ names: props.names, cov: kept?.length === numbers.cov.length ? kept : null, unit: props.unit, stale: !orderly });
    drawMessage();
    drawing = false;
    if (again) {
      again = false;
      draw();
    }
  }

  const observer =
    typeof ResizeObserver === "undefined"
      ? null
      : new ResizeObserver(() => {
          const now = el.clientWidth;
          if (now <= 0 || now === width) return;
          width = now;
          draw();
        });
  observer?.observe(el);
  draw();

  return {
    el,
    update(next) {
      // A new value from elsewhere settles a remark about the old one.
      if (note?.kind === "error" && next.numbers.cov.some((x, k) => !Object.is(x, props.numbers.cov[k]))) note = null;
      const another = next.since !== props.since;
      const typed = another ? grid.abandon() : null;
      props = next;
      if (another) {
        drag = note = sound = touched = null;
        drafts = new Drafts();
        menu.close();
        if (n() <= Math.max(chosen.i, chosen.j)) chosen = placeAt(props.numbers, ...start());
        if (typed !== null) note = { kind: "info", title: `${quoted(typed)} was not taken.`, text: "Another matrix stands here now." };
      }
      draw();
    },
    destroy() {
      observer?.disconnect();
      menu.destroy();
      grid.destroy();
      segments.destroy();
      el.remove();
    },
  };
}
