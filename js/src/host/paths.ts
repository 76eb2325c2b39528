/** Paths in few letters. */
export const round = (value: number): number => Math.round(value * 100) / 100;

/** Points of a line that lie this near to it are left out, px. */
const TOLERANCE = 0.1;

/** Points that a line needs to be seen as it is. */
function thinned(points: readonly [number, number][]): [number, number][] {
  const kept = new Set([0, points.length - 1]);
  const parts: [number, number][] = [[0, points.length - 1]];
  for (let part = parts.pop(); part; part = parts.pop()) {
    const [from, to] = part;
    const [[ax, ay], [bx, by]] = [points[from], points[to]] as [[number, number], [number, number]];
    const length = Math.hypot(bx - ax, by - ay);
    let [far, at] = [TOLERANCE, 0];
    for (let k = from + 1; k < to; k++) {
      const [x, y] = points[k] as [number, number];
      const off = length ? Math.abs((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / length : Math.hypot(x - ax, y - ay);
      // What turns back on its own line is no point of it.
      const along = length ? ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length : 0;
      const away = Math.max(off, -along, along - length);
      if (away > far) [far, at] = [away, k];
    }
    if (at) {
      kept.add(at);
      parts.push([from, at], [at, to]);
    }
  }
  return points.filter((_, k) => kept.has(k));
}

interface Line {
  points: [number, number][];
  closed: boolean;
}

/** Lines of a path, with their points as places. */
function linesIn(d: string): Line[] {
  const lines: Line[] = [];
  let [x, y] = [0, 0];
  for (const [, command = "", rest = ""] of d.matchAll(/([MLHVZmlhvz])([^MLHVZmlhvz]*)/g)) {
    const kind = command.toUpperCase();
    const relative = kind !== command;
    const last = lines[lines.length - 1];
    if (kind === "Z") {
      if (last) [last.closed, [x, y]] = [true, last.points[0] as [number, number]];
      continue;
    }
    const numbers = rest.match(/-?(?:\d+\.?\d*|\.\d+)/g)?.map(Number) ?? [];
    const step = kind === "H" || kind === "V" ? 1 : 2;
    for (let k = 0; k + step <= numbers.length; k += step) {
      const [a, b] = [numbers[k] as number, numbers[k + step - 1] as number];
      [x, y] = [kind === "V" ? x : a + (relative ? x : 0), kind === "H" ? y : b + (relative ? y : 0)];
      // What goes on after a line was closed begins where that began.
      if ((kind === "M" && k === 0) || lines[lines.length - 1]?.closed !== false) lines.push({ points: [], closed: false });
      lines[lines.length - 1]?.points.push([x, y]);
    }
  }
  return lines;
}

const put = (tenths: number): string => String(tenths / 10).replace(/^(-?)0\./, "$1.");
const pair = (x: number, y: number): string => `${put(x)} ${put(y)}`.replace(" -", "-");

/** Lines of a path as steps from point to point, to a tenth of a pixel. */
export function shortPath(d: string): string {
  if (!/^[MLHVZmlhvz\d., -]+$/.test(d)) return d.replace(/-?\d+\.\d+/g, (number) => put(Math.round(Number(number) * 10)));
  let [x, y] = [0, 0];
  let out = "";
  for (const { points, closed } of linesIn(d)) {
    if (points.length < 2) continue;
    const [[left, top], ...rest] = thinned(points).map(([a, b]) => [Math.round(a * 10), Math.round(b * 10)]) as [[number, number], ...[number, number][]];
    const [there, on] = [`M${pair(left, top)}`, `m${pair(left - x, top - y)}`];
    out += out && on.length < there.length ? on : there;
    [x, y] = [left, top];
    let last = "";
    for (const [a, b] of rest) {
      const [dx, dy] = [a - x, b - y];
      if (dx === 0 && dy === 0) continue;
      const kind = dy === 0 ? "h" : dx === 0 ? "v" : "l";
      const step = kind === "h" ? put(dx) : kind === "v" ? put(dy) : pair(dx, dy);
      out += kind !== last ? `${kind}${step}` : step.startsWith("-") ? step : ` ${step}`;
      [x, y, last] = [a, b, kind];
    }
    // A point is seen by its round ends.
    if (!last) out += "h0";
    if (closed) {
      out += "z";
      [x, y] = [left, top];
    }
  }
  return out;
}
