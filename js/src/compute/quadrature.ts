/** Integrals of smooth functions, by Gauss and Legendre with 40 nodes. */
const N = 40;
let rule: { nodes: Float64Array; weights: Float64Array } | null = null;

/** Nodes in [-1, 1], by Newton's method on the recursion of the polynomials. */
function made(): { nodes: Float64Array; weights: Float64Array } {
  const [nodes, weights] = [new Float64Array(N), new Float64Array(N)];
  for (let k = 0; k < N; k++) {
    let x = Math.cos((Math.PI * (k + 0.75)) / (N + 0.5));
    let slope = 1;
    for (let step = 0; step < 8; step++) {
      let [last, now] = [1, x];
      for (let n = 2; n <= N; n++) [last, now] = [now, ((2 * n - 1) * x * now - (n - 1) * last) / n];
      slope = (N * (x * now - last)) / (x * x - 1);
      x -= now / slope;
    }
    nodes[k] = x;
    weights[k] = 2 / ((1 - x * x) * slope * slope);
  }
  return { nodes, weights };
}

/** How many scales from both ends of a long way what is integrated has fallen to nothing. */
const FAR = 60;

/** The integral of what falls like Laplace noise of this scale between two points, in pieces of at most two scales. */
export function integral(f: (r: number) => number, low: number, high: number, scale: number): number {
  if (high - low > 2 * FAR * scale) return integral(f, low, low + FAR * scale, scale) + integral(f, high - FAR * scale, high, scale);
  rule ??= made();
  const { nodes, weights } = rule;
  const pieces = Math.max(1, Math.ceil((high - low) / (2 * scale)));
  const half = (high - low) / pieces / 2;
  let sum = 0;
  for (let k = 0; k < pieces; k++) {
    const middle = low + (2 * k + 1) * half;
    for (let n = 0; n < N; n++) sum += (weights[n] as number) * f(middle + half * (nodes[n] as number));
  }
  return half * sum;
}
