/** CovarianceEditor: means and covariances of Gaussian data, edited. */
import type { MatrixState, Numbers } from "../matrix/editing";
import { createEmpty, type EmptyProps } from "../matrix/import";
import { createMatrixEditor, type MatrixEditorProps } from "../matrix/matrix-editor";
import matrixCss from "../matrix/matrix.css";
import tableCss from "../table/joint-table.css";
import { button, h, icon, listen, REDO, setText, UNDO, type Component } from "../ui/dom";
import { count } from "../ui/format";
import gridCss from "../ui/grid.css";
import { createLine, lossLine, silenceLine, type LineProps } from "../ui/lines";
import linesCss from "../ui/lines.css";
import menuCss from "../ui/menu.css";
import type { Bytes, Fault } from "../ui/protocol";
import { createRoot, sameVersion, type Host } from "../ui/root";
import segmentsCss from "../ui/segments.css";
import { createSession, type Model, type Session, type Wish } from "../ui/session";
import { editedTitle, isEdited, Steps } from "../ui/undo";
import { floats, number, sameBytes, toBytes } from "../ui/wire";
import widgetCss from "./covariance_editor.css";
import shape from "shape:./covariance_editor#View";

interface View {
  revision: number;
  since: number;
  ack: { origin: string; seq: number } | null;
  fault: Fault | null;
  matrix: MatrixState | null;
  correlation: boolean;
  disabled: boolean;
}

/** What Python is asked to do, beside taking the numbers: nothing, or one of these. */
type Command = "" | "nearest" | "import";

interface Request {
  origin: string;
  seq: number;
  base: number;
  cov: Bytes;
  mean: Bytes;
  weights: Bytes | null;
  correlation: boolean;
  command: Command;
  /** Of an import: names of the tuples, none when the block had none, and its numbers. */
  names: string[];
  import: Bytes;
}

/** What undo brings back. */
type Step = Pick<Wish<Request>, "cov" | "mean" | "weights">;

const NARROW = 521;
const NOTHING: DataView = new DataView(new ArrayBuffer(0));

const sameWeights = (a: Bytes | null, b: Bytes | null): boolean => (a && b ? sameBytes(a, b) : a === b);
const sameStep = (a: Step, b: Step): boolean => sameBytes(a.cov, b.cov) && sameBytes(a.mean, b.mean) && sameWeights(a.weights, b.weights);

function wish(view: View): Wish<Request> {
  const { matrix, correlation } = view;
  return {
    cov: matrix?.cov ?? NOTHING,
    mean: matrix?.mean ?? NOTHING,
    weights: matrix?.weights ?? null,
    correlation,
    command: "",
    names: [],
    import: NOTHING,
  };
}

const bytesOf = ({ cov, mean, weights }: Numbers): Step => ({ cov: toBytes(cov), mean: toBytes(mean), weights: weights && toBytes(weights) });

function render({ model, el }: Host<Model>): () => void {
  const session: Session<View, Request> = createSession<View, Request>(model, { request: wish, shape, el });
  const theme = createRoot(el, [gridCss, linesCss, menuCss, segmentsCss, tableCss, matrixCss, widgetCss]);
  const about = h("span", { class: "muted" });
  const tool = (name: "undo" | "redo", title: string): HTMLButtonElement => {
    const made = button("", { class: "icon-button", "aria-label": title, title });
    made.append(icon(name === "undo" ? UNDO : REDO));
    listen(made, "click", () => travel(name));
    return made;
  };
  const undo = tool("undo", "Undo (Ctrl+Z)");
  const redo = tool("redo", "Redo (Ctrl+Shift+Z)");
  const line = createLine({ kind: "info", text: "" });
  const body = h("div", { class: "cw-body" });
  const head = h("header", { class: "cw-head" }, h("h2", {}, "Gaussian data"), about, h("span", { class: "cw-tools" }, undo, redo));
  theme.root.append(h("section", { class: "cw", "aria-label": "Gaussian data" }, head, h("div", { class: "cw-line" }, line.el), body));

  const now = (): Step => {
    const { cov, mean, weights } = session.desired();
    return { cov, mean, weights };
  };
  const history = new Steps<Step>(now(), sameStep, session.elsewhere());
  let editor: Component<MatrixEditorProps> | null = null;
  let empty: Component<EmptyProps> | null = null;
  let message: LineProps | null = null;
  let since = -1;
  /** A drag goes on: what Python answers meanwhile is no state to undo to. */
  let dragging = false;
  /** The numbers that Python was asked for come as a step of the hand. */
  let asked = false;

  function travel(way: "undo" | "redo"): void {
    if (way === "undo" && asked) {
      // What was asked for has not come: what was typed stands again, whatever comes.
      asked = false;
      session.propose({ ...now(), command: "" }, { commit: true });
    } else {
      const step = history[way]();
      if (step) session.propose(step, { commit: true });
    }
    draw();
  }

  function props(state: MatrixState): MatrixEditorProps {
    const view = session.view();
    const wished = session.desired();
    const weights = wished.weights && floats(wished.weights);
    const loaded = { cov: floats(state.loaded_cov), mean: floats(state.loaded_mean), weights };
    const settled = sameStep(wished, state);
    return {
      since: view.since,
      names: state.names,
      unit: state.unit,
      numbers: kept(wished, weights),
      loaded,
      sound: state.sound && floats(state.sound),
      kernel: sameBytes(wished.cov, state.cov) ? { valid: state.valid, smallest: number(state.smallest) } : null,
      correlation: wished.correlation,
      fault: settled ? view.fault : null,
      dark: theme.dark(),
      disabled: view.disabled || !session.connected(),
    };
  }

  /** The same arrays while the bytes are the same: what was computed of them holds. */
  let last: { step: Step; numbers: Numbers } | null = null;
  function kept(wished: Step, weights: Float64Array | null): Numbers {
    if (!last || !sameStep(last.step, wished)) {
      const { cov, mean } = wished;
      last = { step: { cov, mean, weights: wished.weights }, numbers: { cov: floats(cov), mean: floats(mean), weights } };
    }
    return last.numbers;
  }

  function bring(names: string[] | null, cov: Float64Array): void {
    session.propose({ command: "import", names: names ?? [], import: toBytes(cov) }, { commit: true });
  }

  function mount(state: MatrixState): Component<MatrixEditorProps> {
    const made = createMatrixEditor(props(state), {
      onEdit(numbers, { commit }) {
        dragging = !commit;
        const step = bytesOf(numbers);
        if (commit) history.record(step);
        session.propose(step, { commit });
      },
      onCorrelation: (correlation) => session.propose({ correlation }, { commit: true }),
      onNearest() {
        asked = true;
        session.propose({ command: "nearest" }, { commit: true });
      },
      onImport: bring,
      onUndo: () => travel("undo"),
      onRedo: () => travel("redo"),
      onMessage(next) {
        // In a narrow view a message needs several lines: the editor then shows it where nothing moves.
        const narrow = theme.root.clientWidth < NARROW;
        message = narrow ? null : next;
        drawLine();
        return !narrow;
      },
    });
    body.replaceChildren(made.el);
    return made;
  }

  function drawLine(): void {
    line.update(lossLine(session) ?? silenceLine(session) ?? message ?? { kind: "info", text: "" });
  }

  function drawEmpty(): void {
    const view = session.view();
    editor?.destroy();
    editor = null;
    const shown = { disabled: view.disabled || !session.connected() };
    if (empty) empty.update(shown);
    else {
      empty = createEmpty(shown, bring);
      body.replaceChildren(empty.el);
    }
    message = view.fault && { kind: "error", title: view.fault.text, text: "" };
  }

  function headline({ title, names, records, unit, loaded_cov, loaded_mean }: MatrixState): string {
    const { cov, mean } = session.desired();
    const edited = isEdited(floats(cov), floats(loaded_cov)) || isEdited(floats(mean), floats(loaded_mean));
    const from = records === null || edited ? "" : `from ${count(records, "record")}`;
    return [editedTitle(title, edited), count(names.length, "tuple"), from, unit].filter(Boolean).join(", ");
  }

  function draw(): void {
    const view = session.view();
    const state = view.matrix;
    setText(about, state ? headline(state) : "");
    const another = view.since !== since;
    if (another) dragging = asked = false;
    since = view.since;
    const pending = session.pending();
    // What Python was asked for is a step of the hand once it has come.
    const came = asked && !dragging && !pending;
    if (came) history.record(now());
    const act = history.follow(now(), { another, dragging, pending, acts: session.elsewhere() });
    if (came || act) asked = false;
    if (state) {
      empty?.destroy();
      empty = null;
      if (editor) editor.update(props(state));
      else editor = mount(state);
    } else drawEmpty();
    const off = view.disabled || !session.connected();
    undo.disabled = off || !(history.canUndo || asked);
    redo.disabled = off || !history.canRedo;
    drawLine();
  }

  const release = [session.subscribe(draw), theme.onChange(draw)];
  draw();

  return () => {
    for (const stop of release) stop();
    editor?.destroy();
    empty?.destroy();
    session.destroy();
    theme.destroy();
  };
}

export default { render: sameVersion(render) };
