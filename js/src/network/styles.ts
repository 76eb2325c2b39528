/** Every style sheet the network explorer's parts need. */
import curves from "../curves/curves.css";
import explorer from "../explorer/explorer.css";
import dragNumber from "../ui/drag-number.css";
import lines from "../ui/lines.css";
import menu from "../ui/menu.css";
import numberEntry from "../ui/number-entry.css";
import panel from "../ui/panel.css";
import segments from "../ui/segments.css";
import slider from "../ui/slider.css";
import network from "./network.css";

export const STYLES = [panel, lines, menu, numberEntry, slider, dragNumber, segments, curves, explorer, network];
