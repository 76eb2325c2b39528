// Packs a widget's module behind the loader. A saved notebook stores both once for every instance, and evaluates the
// loader at once, so the widget travels packed. Python sends the last line apart, as bytes (widgets/base.py).
import { gzipSync } from "node:zlib";

/** The text of a file: a module that loads the widget, and on the last line, after a mark, the widget. */
export function pack(loader, source) {
  return `${loader.trim()}\n//${gzipSync(Buffer.from(source), { level: 9 }).toString("base64")}`;
}
