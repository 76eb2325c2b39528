/** Saving the picture: Python draws it as it does for a saved notebook, the page hands it over as a file. */
import type { Model } from "../ui/session";

export interface Saver {
  /** Ask Python for the picture; one at a time. */
  save(): void;
  destroy(): void;
}

interface Answer {
  picture?: { asked?: unknown; svg?: unknown; name?: unknown; fault?: unknown };
}

let askers = 0;

/** `failed` gets the reason in words, or null when the next attempt starts. */
export function createSaver(model: Model, failed: (reason: string | null) => void): Saver {
  askers += 1;
  // Other views of this model hear the answer too.
  const asker = `${Math.random().toString(36)}-${askers}`;
  const take = (content?: unknown): void => {
    const picture = (content as Answer | undefined)?.picture;
    if (!picture || picture.asked !== asker) return;
    if (typeof picture.svg !== "string") return failed(String(picture.fault ?? "Python sent no picture."));
    handOver(picture.svg, typeof picture.name === "string" ? picture.name : "picture.svg");
  };
  model.on("msg:custom", take);
  return {
    save() {
      failed(null);
      model.send?.({ picture: asker });
    },
    destroy: () => model.off("msg:custom", take),
  };
}

/** A file of the page's own making: no request leaves it. */
function handOver(svg: string, name: string): void {
  const url = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The browser reads the file after the click has returned.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
