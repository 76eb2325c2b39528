/** Every style sheet the parts of the stream simulator need. */
import curves from "../curves/curves.css";
import explorer from "../explorer/explorer.css";
import meaning from "../meaning/meaning.css";
import chips from "../ui/chips.css";
import dragNumber from "../ui/drag-number.css";
import grid from "../ui/grid.css";
import lines from "../ui/lines.css";
import menu from "../ui/menu.css";
import numberEntry from "../ui/number-entry.css";
import panel from "../ui/panel.css";
import segments from "../ui/segments.css";
import slider from "../ui/slider.css";
import stream from "./stream.css";

export const STYLES = [panel, lines, numberEntry, slider, dragNumber, chips, segments, grid, menu, curves, meaning, explorer, stream];
