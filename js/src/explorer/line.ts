/** The one line that matters most in an explorer: no kernel, then what is wrong, then what was given up, then who is slow. */
import { lossLine, silenceLine, type LineProps, type OtherEnd } from "../ui/lines";
import type { Fault, Running } from "../ui/protocol";
import { splitFault } from "./screen";

/** What the results belong to while something in the controls is wrong. */
export const LAST_VALID = "the last valid inputs";
const BELONGS = "The results belong to the last valid inputs.";

interface Told {
  fault: Fault | null;
  stopped: string | null;
  cost?: string;
  running: Running | null;
  current: boolean;
  results: unknown;
  disabled: boolean;
}

interface Conversation extends OtherEnd {
  view(): Told;
}

/** `said` is what the browser has to say itself; `view` stands for another one than Python's newest. */
export function chooseLine(session: Conversation, said: LineProps | null, busy: boolean, resume: () => void, view: Told = session.view()): LineProps {
  const lost = lossLine(session) ?? said;
  if (lost) return lost;
  if (view.fault) return faultLine(view.fault, view.current || !view.results ? "" : BELONGS);
  return silenceLine(session) ?? stoppedLine(view, resume) ?? busyLine(view, busy);
}

/** The same beside a table or a matrix that speaks itself: what is wrong in it comes before what was refused, the rest of what it says last. */
export function chooseLineBeside(
  what: "table" | "matrix",
  session: Conversation,
  own: LineProps | null,
  refusal: LineProps | null,
  busy: boolean,
  resume: () => void,
): LineProps {
  const view = session.view();
  const belongs = `The results belong to the last valid ${what}.`;
  const said = own?.kind === "error" ? own : (refusal ?? own);
  const lost = lossLine(session);
  if (lost) return lost;
  if (said?.kind === "error") return said;
  if (view.fault) return faultLine(view.fault, view.current || /last valid/i.test(view.fault.text) ? "" : belongs);
  const stopped = silenceLine(session) ?? stoppedLine(view, resume);
  if (stopped) return stopped;
  if (!view.current && view.results) return { kind: "info", text: belongs };
  return said ?? busyLine(view, busy);
}

/** A fault, and what is shown meanwhile. */
export function faultLine(fault: Fault, shown: string): LineProps {
  const { title, text } = splitFault(fault.text);
  return { kind: "error", title, text: [text, shown].filter(Boolean).join(" ") };
}

/** What was given up can be computed after all, where somebody can; what was refused too, once its cost is known. */
function stoppedLine({ stopped, cost, disabled }: Told, resume: () => void): LineProps | null {
  if (stopped === null) return null;
  const label = cost ? `Compute anyway, ${cost}` : "Compute";
  return { kind: "info", text: stopped, action: disabled ? null : { label, run: resume } };
}

/** A computation has a line of its own. */
function busyLine({ running }: Told, busy: boolean): LineProps {
  return busy && running === null ? { kind: "busy", text: "Computing. Numbers return when all are new." } : { kind: "info", text: "" };
}
