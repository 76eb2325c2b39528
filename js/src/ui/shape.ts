/** Whether what Python said is what a view must be: a saved notebook may be damaged. */

/** What a view must look like, written down from its type: see shapes.mjs. */
export type Shape = string | readonly Shape[] | { readonly [name: string]: unknown };

const WORDS: readonly unknown[] = ["NaN", "Infinity", "-Infinity"];

function isSimple(value: unknown, kind: string): boolean {
  if (kind === "n") return typeof value === "number" || WORDS.includes(value);
  if (kind === "s") return typeof value === "string";
  if (kind === "b") return typeof value === "boolean";
  if (kind === "y") return ArrayBuffer.isView(value) || value instanceof ArrayBuffer;
  return kind === "?" || value === null;
}

/** The first place where a value is not of this shape, or null. */
export function misfit(value: unknown, shape: Shape, place = ""): string | null {
  if (typeof shape === "string") return isSimple(value, shape) ? null : place;
  const all = (values: readonly unknown[], of: (k: number) => Shape): string | null => {
    for (let k = 0; k < values.length; k++) {
      const found = misfit(values[k], of(k), `${place}.${k}`);
      if (found !== null) return found;
    }
    return null;
  };
  if (Array.isArray(shape)) return Array.isArray(value) ? all(value, () => shape[0] as Shape) : place;
  const { "|": either, "=": words, "()": exactly, "*": any, ...parts } = shape as Record<string, Shape & Shape[]>;
  if (words) return words.includes(value as Shape) ? null : place;
  if (exactly) return Array.isArray(value) && value.length === exactly.length ? all(value, (k) => exactly[k] as Shape) : place;
  if (either) {
    const found = either.map((one) => misfit(value, one, place));
    // Of several that do not fit, the one that came furthest says where.
    return found.includes(null) ? null : (found as string[]).reduce((far, at) => (at.length > far.length ? at : far));
  }
  if (typeof value !== "object" || value === null || Array.isArray(value) || ArrayBuffer.isView(value)) return place;
  const held = value as Record<string, unknown>;
  const names = any ? Object.keys(held) : Object.keys(parts);
  for (const name of names) {
    const key = name.replace(/\?$/, "");
    if (!any && key !== name && held[key] === undefined) continue;
    const found = misfit(held[key], any ?? (parts[name] as Shape), `${place}.${key}`);
    if (found !== null) return found;
  }
  return null;
}
