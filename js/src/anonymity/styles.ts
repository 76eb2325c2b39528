/** Every style sheet the parts of the explorer of k-anonymity need. */
import curves from "../curves/curves.css";
import explorer from "../explorer/explorer.css";
import meaning from "../meaning/meaning.css";
import dragNumber from "../ui/drag-number.css";
import lines from "../ui/lines.css";
import menu from "../ui/menu.css";
import numberEntry from "../ui/number-entry.css";
import panel from "../ui/panel.css";
import segments from "../ui/segments.css";
import slider from "../ui/slider.css";
import anonymity from "./anonymity.css";

export const STYLES = [panel, lines, numberEntry, slider, dragNumber, segments, menu, curves, meaning, explorer, anonymity];
