/** WHGGraph: the leakage of every adversary, one of them chosen. */
import type { Component } from "../ui/component";
import { h, setText } from "../ui/dom";
import { count, leakage } from "../ui/format";
import { createLine, NO_KERNEL, SILENT_KERNEL, type LineProps } from "../ui/lines";
import linesCss from "../ui/lines.css";
import type { Ack, ChosenEdge, Fault, GraphState } from "../ui/protocol";
import panelCss from "../ui/panel.css";
import { createSession, type Model, type Wish } from "../ui/session";
import { createRoot } from "../ui/theme";
import type { LeakageData } from "../graph/data";
import { decodeGraph } from "../graph/decode";
import graphCss from "../graph/graph.css";
import { createLeakageGraph, type LeakageGraphProps } from "../graph/leakage-graph";
import widgetCss from "./whg_graph.css";

interface View {
  revision: number;
  since: number;
  ack: Ack | null;
  graph: GraphState | null;
  /** Increments beside the chosen adversary, where the graph does not carry them all (n > 7). */
  edges: ChosenEdge[] | null;
  target: number;
  known: number[];
  show_paper: boolean;
  threshold: number | null;
  disabled: boolean;
  fault: Fault | null;
}

interface Request {
  origin: string;
  seq: number;
  base: number;
  target: number;
  known: number[];
  show_paper: boolean;
  threshold: number | null;
}

const EMPTY = "No graph yet. Give the widget a graph or an analysis: assign its value in Python.";

function wish({ target, known, show_paper, threshold }: View): Wish<Request> {
  return { target, known, show_paper, threshold };
}

function render({ model, el }: { model: unknown; el: HTMLElement }): () => void {
  const session = createSession<View, Request>(model as Model, { request: wish, el });
  const theme = createRoot(el, [panelCss, linesCss, graphCss, widgetCss]);
  const about = h("span", { class: "muted" });
  const line = createLine({ kind: "info", text: "" });
  const frame = h(
    "section",
    { class: "wg", "aria-label": "Weighted hierarchical graph" },
    h("header", { class: "wg-head" }, h("h2", {}, "Weighted hierarchical graph"), about),
    h("div", { class: "wg-line" }, line.el),
  );
  theme.root.append(frame);

  let from: GraphState | null = null;
  let data: LeakageData | null = null;
  let graph: Component<LeakageGraphProps> | null = null;

  function message(fault: Fault | null): LineProps {
    if (!session.connected()) return NO_KERNEL;
    if (session.silent()) return SILENT_KERNEL;
    return fault ? { kind: "error", text: fault.text } : { kind: "info", text: "" };
  }

  function draw(): void {
    const view = session.view();
    const asked = session.desired();
    // Bytes are read once for each answer, not on every frame of a gesture.
    if (view.graph !== from) data = view.graph ? decodeGraph(view.graph) : null;
    from = view.graph;
    const props: LeakageGraphProps = {
      graph: data,
      target: asked.target,
      known: asked.known,
      showPaper: asked.show_paper,
      threshold: asked.threshold,
      dark: theme.dark(),
      disabled: view.disabled || !session.connected(),
      // Choosing and the threshold change no number; only the paper's estimate has to be waited for.
      edges: view.edges,
      busy: session.busy() && asked.show_paper !== view.show_paper,
      emptyText: EMPTY,
    };
    setText(
      about,
      data ? `${count(data.n, "tuple")}, ${count(data.exact.length, "adversary", "adversaries")}, promise ${leakage(data.promise)} nats` : "",
    );
    line.update(message(view.fault));
    if (graph) {
      graph.update(props);
      return;
    }
    graph = createLeakageGraph(props, {
      onChoose: (target, known) => session.propose({ target, known }, { commit: true }),
      onShowPaper: (show_paper) => session.propose({ show_paper }, { commit: true }),
      onThreshold: (threshold, how) => session.propose({ threshold }, how),
    });
    frame.append(graph.el);
  }

  const release = [session.subscribe(draw), theme.onChange(draw)];
  draw();

  return () => {
    for (const stop of release) stop();
    graph?.destroy();
    session.destroy();
    theme.destroy();
  };
}

export default { render };
