/**
 * Python and the front end are made for each other. Where they are of different versions, as after an update while
 * the kernel runs, both are named and nothing is drawn; the picture beside the view stays.
 */
import { version } from "../../package.json";
import { guarded, tell, type Render } from "./guarded";
import type { Model } from "./session";

/** Draws only for a Python of this version, and what can be drawn. A page without a kernel has no Python, and names none. */
export function sameVersion(render: Render<Model>): Render<Model> {
  return (host) => {
    const python = host.model.get("_package");
    if (python === undefined || python === version) return guarded(render)(host);
    const text =
      `Python runs ${String(python)}, this front end is of ${version}. Restart the kernel and run the notebook ` +
      "again. In a clone, run make build first.";
    return tell(host.el, "Two versions of pdp_widgets.", text);
  };
}
