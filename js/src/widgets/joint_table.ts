/** JointTable: one joint distribution, edited. */
import type { Fit } from "../table/grid-view";
import { createJointTable, type JointTableProps } from "../table/joint-table";
import tableCss from "../table/joint-table.css";
import { button, h, icon, listen, REDO, setText, UNDO, type Component } from "../ui/dom";
import { count } from "../ui/format";
import gridCss from "../ui/grid.css";
import { createLine, lossLine, silenceLine, type LineProps } from "../ui/lines";
import linesCss from "../ui/lines.css";
import menuCss from "../ui/menu.css";
import type { Bytes, Fault, TableState } from "../ui/protocol";
import { createRoot, sameVersion, type Host } from "../ui/root";
import { createSession, type Model, type Session, type Wish } from "../ui/session";
import { editedTitle, isEdited, Steps } from "../ui/undo";
import { flags, floats, sameBytes, toBytes } from "../ui/wire";
import widgetCss from "./joint_table.css";
import shape from "shape:./joint_table#View";

interface View {
  revision: number;
  since: number;
  ack: { origin: string; seq: number } | null;
  table: TableState | null;
  fault: Fault | null;
  current: boolean;
  /** In a table linked to an explorer: what its adversary knows. */
  fit: Fit | null;
  disabled: boolean;
}

interface Request {
  origin: string;
  seq: number;
  base: number;
  entries: Bytes;
  locks: Bytes;
  keep_sum: boolean;
  rows: number[];
  columns: number[];
}

/** What undo brings back. */
type Step = Pick<Wish<Request>, "entries" | "locks">;

const NARROW = 521;
const NOTHING: DataView = new DataView(new ArrayBuffer(0));

const sameStep = (a: Step, b: Step): boolean => sameBytes(a.entries, b.entries) && sameBytes(a.locks, b.locks);

function wish(view: View): Wish<Request> {
  const table = view.table;
  return {
    entries: table?.entries ?? NOTHING,
    locks: table?.locks ?? NOTHING,
    keep_sum: table?.keep_sum ?? true,
    rows: table?.rows ?? [],
    columns: table?.columns ?? [],
  };
}

function render({ model, el }: Host<Model>): () => void {
  const session: Session<View, Request> = createSession<View, Request>(model, { request: wish, shape, el });
  const theme = createRoot(el, [gridCss, linesCss, menuCss, tableCss, widgetCss]);
  const title = h("h2", {}, "Joint distribution");
  const about = h("span", { class: "muted" });
  const tool = (name: "undo" | "redo", title: string): HTMLButtonElement => {
    const made = button("", { class: "icon-button", "aria-label": title, title });
    made.append(icon(name === "undo" ? UNDO : REDO));
    listen(made, "click", () => restore(history[name]()));
    return made;
  };
  const undo = tool("undo", "Undo (Ctrl+Z)");
  const redo = tool("redo", "Redo (Ctrl+Shift+Z)");
  const line = createLine({ kind: "info", text: "" });
  const place = h("div", { class: "jw-line" }, line.el);
  const body = h("div", { class: "jw-body" });
  theme.root.append(
    h(
      "section",
      { class: "jw", "aria-label": "Joint distribution" },
      h("header", { class: "jw-head" }, title, about, h("span", { class: "jw-tools" }, undo, redo)),
      place,
      body,
    ),
  );

  const now = (): Step => {
    const { entries, locks } = session.desired();
    return { entries, locks };
  };
  const history = new Steps<Step>(now(), sameStep, session.elsewhere());
  let table: Component<JointTableProps> | null = null;
  let message: LineProps | null = null;
  let since = -1;
  /** A drag goes on: what Python answers meanwhile is no state to undo to. */
  let dragging = false;

  function restore(step: Step | null): void {
    if (step) session.propose(step, { commit: true });
    draw();
  }

  function props(state: TableState): JointTableProps {
    const view = session.view();
    const asked = session.desired();
    return {
      since: view.since,
      spec: state.spec,
      entries: floats(asked.entries),
      locks: flags(asked.locks),
      loaded: floats(state.loaded),
      keepSum: asked.keep_sum,
      rows: asked.rows,
      columns: asked.columns,
      fit: view.fit,
      fault: sameBytes(asked.entries, state.entries) ? view.fault : null,
      disabled: view.disabled || state.disabled || !session.connected(),
    };
  }

  function mount(state: TableState): Component<JointTableProps> {
    const made = createJointTable(props(state), {
      onEdit(next, { commit }) {
        dragging = !commit;
        const step = { entries: toBytes(next.entries), locks: toBytes(next.locks) };
        if (commit) history.record(step);
        session.propose(step, { commit });
      },
      onKeepSum: (keep_sum) => session.propose({ keep_sum }, { commit: true }),
      onPivot: (rows, columns) => session.propose({ rows, columns }, { commit: true }),
      onUndo: () => restore(history.undo()),
      onRedo: () => restore(history.redo()),
      onMessage(next) {
        // In a narrow view a message needs several lines: the table then shows it where nothing moves.
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

  function draw(): void {
    const view = session.view();
    const state = view.table;
    if (state) {
      const another = view.since !== since;
      if (another) dragging = false;
      history.follow(now(), { another, dragging, pending: session.pending(), acts: session.elsewhere() });
      since = view.since;
      const edited = isEdited(floats(session.desired().entries), floats(state.loaded));
      const records = edited ? null : state.spec.records;
      setText(about, [editedTitle(state.spec.title, edited), records === null ? "" : count(records, "record")].filter(Boolean).join(", "));
      if (table) table.update(props(state));
      else table = mount(state);
    }
    const off = view.disabled || !session.connected();
    undo.disabled = off || !history.canUndo;
    redo.disabled = off || !history.canRedo;
    drawLine();
  }

  const release = [session.subscribe(draw), theme.onChange(draw)];
  draw();

  return () => {
    for (const stop of release) stop();
    table?.destroy();
    session.destroy();
    theme.destroy();
  };
}

export default { render: sameVersion(render) };
