/** Slack, shares and factors as people read them. */
import { fixed, parameter, scientific } from "../ui/format";

/** Rounding of a binary number below its decimal one. */
const ROUNDING = 1e-9;
/** Powers of ten begin below these: what would be written 1.0e−3 is not. */
const LEAST = 0.000995;
const LEAST_UP = 0.00099;
/** Of a larger exponent the factor is no number of a computer. */
const MOST_EXPONENT = 700;

/** A slack: three decimals, four below 0.01, powers of ten below 0.001; a bound is rounded up. */
export function slackText(value: number, up = false): string {
  if (!Number.isFinite(value) || value === 0 || value === 1) return fixed(value, 0);
  const size = Math.abs(value);
  if (size < (up ? LEAST_UP : LEAST)) return powerText(value, up);
  if (size >= 1e12) return scientific(value, 2);
  const digits = size < 0.01 ? 4 : 3;
  const steps = value * 10 ** digits;
  const whole = up ? Math.ceil(steps - ROUNDING) : Math.sign(value) * Math.floor(Math.abs(steps) + 0.5);
  const shown = whole / 10 ** digits;
  if (shown === 1 && value < 1 && !up) return fixed(Math.floor(value * 1e4) / 1e4, 4);
  return fixed(shown, digits);
}

/** A power of ten with one decimal. */
function powerText(value: number, up: boolean): string {
  let power = Math.floor(Math.log10(Math.abs(value)));
  if (!up || power < -300) return scientific(value, 1);
  let tenths = Math.ceil(value / 10 ** (power - 1) - 1e-6);
  if (tenths >= 100) [tenths, power] = [10, power + 1];
  return `${Math.floor(tenths / 10)}.${tenths % 10}e−${-power}`;
}

/** A budget ε, nats. */
export function budgetText(epsilon: number): string {
  return Number.isFinite(epsilon) ? parameter(epsilon) : fixed(epsilon, 0);
}

/** A share in per cent, as few digits as it takes, at most two. */
export function percent(share: number): string {
  const hundredths = Math.floor(10000 * share + 0.5);
  return `${(hundredths / 100).toFixed(2).replace(/\.?0+$/, "")} %`;
}

/** The factor e^ε. */
export function factorText(epsilon: number): string {
  if (epsilon > MOST_EXPONENT) return `e^${parameter(epsilon)}`;
  const factor = Math.exp(epsilon);
  return factor < 100 ? fixed(factor, 2) : factor < 1e6 ? fixed(factor, 0) : scientific(factor);
}
