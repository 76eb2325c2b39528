/** Every style sheet the explorer's parts need. */
import curves from "../curves/curves.css";
import graph from "../graph/graph.css";
import meaning from "../meaning/meaning.css";
import table from "../table/joint-table.css";
import chips from "../ui/chips.css";
import dragNumber from "../ui/drag-number.css";
import grid from "../ui/grid.css";
import lines from "../ui/lines.css";
import menu from "../ui/menu.css";
import numberEntry from "../ui/number-entry.css";
import panel from "../ui/panel.css";
import segments from "../ui/segments.css";
import slider from "../ui/slider.css";
import explorer from "./explorer.css";

export const STYLES = [panel, lines, menu, numberEntry, slider, dragNumber, chips, segments, grid, table, graph, curves, meaning, explorer];
