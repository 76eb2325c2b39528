/** The one line that matters most in an explorer: no kernel, then what is wrong, then what was given up, then who is slow. */
import { NO_KERNEL, SILENT_KERNEL, type LineProps } from "../ui/lines";
import type { Fault, Running } from "../ui/protocol";
import { splitFault } from "./screen";

/** What the results belong to while something in the controls is wrong. */
export const LAST_VALID = "the last valid inputs";
const BELONGS = "The results belong to the last valid inputs.";

interface Told {
  fault: Fault | null;
  stopped: string | null;
  running: Running | null;
  current: boolean;
  results: unknown;
  disabled: boolean;
}

interface Conversation {
  view(): Told;
  connected(): boolean;
  silent(): boolean;
}

/** `said` is what the browser has to say itself; `view` stands for another one than Python's newest. */
export function chooseLine(session: Conversation, said: LineProps | null, busy: boolean, resume: () => void, view: Told = session.view()): LineProps {
  if (!session.connected()) return NO_KERNEL;
  if (said) return said;
  if (view.fault) {
    const { title, text } = splitFault(view.fault.text);
    return { kind: "error", title, text: [text, view.current || !view.results ? "" : BELONGS].filter(Boolean).join(" ") };
  }
  if (session.silent()) return SILENT_KERNEL;
  if (view.stopped !== null) return { kind: "info", text: view.stopped, action: view.disabled ? null : { label: "Compute", run: resume } };
  // A computation has a line of its own.
  if (busy && view.running === null) return { kind: "busy", text: "Computing. Numbers return when all are new." };
  return { kind: "info", text: "" };
}
