/** Sealed answers: what pdp_widgets/publish/questions.py has encrypted, opened where there is no kernel. */

/** A reply, and for each part of the answer that is a number its grid: where cells begin, in widths, and how wide they are. */
export interface Reply {
  sealed: string;
  cells: Record<string, [number, number]>;
}

export interface Sealed {
  name: string;
  kind: "number" | "choice" | "text" | "explorer";
  prompt: string;
  salt: string;
  replies: Reply[];
  otherwise: string;
  hints: string[];
  model: string;
  points: number;
  unit: string;
  options: string[];
  least: number;
  module: string;
  parts: string[];
}

/** `right` is null where a person has to read the answer. */
export interface Verdict {
  right: boolean | null;
  text: string;
}

/** What stands as an answer; an explorer's has the parts of its view that count. */
export type Answer = number | string | Record<string, unknown> | null;

const ROUNDS = 2000;
const [TAG, BLOCK] = [8, 64];
const ROUNDING = 1e-6;

// SHA-256 (FIPS 180-4), HMAC (RFC 2104) and PBKDF2 (RFC 8018): a page from disk has no cryptography of the browser's own.

/** The first 32 bits behind the point of roots of the first primes. */
function rootBits(count: number, root: number): Uint32Array {
  const found: number[] = [];
  for (let n = 2; found.length < count; n++) {
    let prime = true;
    for (let d = 2; d * d <= n; d++) if (n % d === 0) prime = false;
    const value = n ** (1 / root);
    if (prime) found.push((value - Math.floor(value)) * 2 ** 32);
  }
  return Uint32Array.from(found);
}

const START = rootBits(8, 2);
const STEPS = rootBits(64, 3);
const words = new Uint32Array(64);

/** Takes 64 bytes into a state of eight words. */
function mix(state: Uint32Array, bytes: Uint8Array, at: number): void {
  for (let k = 0; k < 16; k++) {
    const j = at + 4 * k;
    words[k] = (bytes[j]! << 24) | (bytes[j + 1]! << 16) | (bytes[j + 2]! << 8) | bytes[j + 3]!;
  }
  for (let k = 16; k < 64; k++) {
    const [x, y] = [words[k - 15]!, words[k - 2]!];
    const low = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
    const high = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
    words[k] = words[k - 16]! + low + words[k - 7]! + high;
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number];
  for (let k = 0; k < 64; k++) {
    const turned = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const first = (h + turned + ((e & f) ^ (~e & g)) + STEPS[k]! + words[k]!) | 0;
    const other = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const second = (other + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, k) => (state[k] = state[k]! + word));
}

function inBytes(state: Uint32Array): Uint8Array {
  return Uint8Array.from({ length: 32 }, (_, k) => (state[k >> 2]! >>> (24 - 8 * (k & 3))) & 255);
}

/** Goes on from a state that has taken `before` bytes, to the end of a message. */
function finish(from: Uint32Array, before: number, message: Uint8Array): Uint8Array {
  const padded = new Uint8Array(Math.ceil((message.length + 9) / BLOCK) * BLOCK);
  padded.set(message);
  padded[message.length] = 128;
  new DataView(padded.buffer).setUint32(padded.length - 4, 8 * (before + message.length));
  const state = from.slice();
  for (let at = 0; at < padded.length; at += BLOCK) mix(state, padded, at);
  return inBytes(state);
}

export function sha256(message: Uint8Array): Uint8Array {
  return finish(START, 0, message);
}

type Hmac = (message: Uint8Array) => Uint8Array;

function hmacOf(key: Uint8Array): Hmac {
  const block = new Uint8Array(BLOCK);
  block.set(key.length > BLOCK ? sha256(key) : key);
  const begun = (sign: number): Uint32Array => {
    const state = START.slice();
    mix(state, block.map((byte) => byte ^ sign), 0);
    return state;
  };
  const [inner, outer] = [begun(0x36), begun(0x5c)];
  return (message) => finish(outer, BLOCK, finish(inner, BLOCK, message));
}

const utf8 = (text: string): Uint8Array => {
  // The drawings' own engine has no TextEncoder.
  const escaped = encodeURIComponent(text);
  return Uint8Array.from(escaped.match(/%..|./g) ?? [], (sign) => (sign.length > 1 ? Number.parseInt(sign.slice(1), 16) : sign.charCodeAt(0)));
};

const textOf = (bytes: Uint8Array): string => decodeURIComponent([...bytes].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join(""));

function keyOf(salt: string, answer: string, rounds: number): Hmac {
  const hmac = hmacOf(utf8(answer));
  const first = utf8(salt);
  let last = hmac(Uint8Array.from([...first, 0, 0, 0, 1]));
  const key = last.slice();
  for (let round = 1; round < rounds; round++) {
    last = hmac(last);
    for (let k = 0; k < key.length; k++) key[k]! ^= last[k]!;
  }
  return hmacOf(key);
}

/** What was sealed with this key, or null where it was another one. */
function opened(key: Hmac, sealed: string): string | null {
  const data = Uint8Array.from(atob(sealed), (sign) => sign.charCodeAt(0));
  const hidden = data.slice(TAG);
  const tag = key(Uint8Array.from([...utf8("tag"), ...hidden]));
  if (data.slice(0, TAG).some((byte, k) => byte !== tag[k])) return null;
  let stream = new Uint8Array();
  return textOf(
    hidden.map((byte, k) => {
      if (k % 32 === 0) stream = Uint8Array.from(key(utf8(`stream${k / 32}`)));
      return byte ^ stream[k % 32]!;
    }),
  );
}

const veil = (salt: string): Hmac => keyOf(salt, "", 1);

/** The first hints of a question. */
export function told({ salt, hints }: Sealed, count: number): string[] {
  return hints.slice(0, count).map((one) => opened(veil(salt), one) ?? "");
}

/** An answer as its key is made of it: a number as its cell, at an edge as either of two; none where it cannot be one. */
export function spelled(parts: Record<string, unknown>, cells: Reply["cells"]): string[] {
  let all = [""];
  for (const [name, value] of Object.entries(parts)) {
    let written = [JSON.stringify(value)];
    if (Object.hasOwn(cells, name)) {
      if (typeof value !== "number" || !Number.isFinite(value)) return [];
      const [begin, width] = cells[name]!;
      const place = value / width - begin;
      written = [...new Set([Math.floor(place + ROUNDING), Math.floor(place - ROUNDING)])].map((cell) => String(cell));
    }
    all = all.flatMap((before) => written.map((text) => `${before}${name}=${text}\n`));
  }
  return all;
}

/** Whether an answer is right, and what is said to it. */
export function judge(question: Sealed, answer: Exclude<Answer, null>): Verdict {
  const { kind, salt, replies, otherwise } = question;
  if (kind === "text") return { right: null, text: opened(veil(salt), question.model) ?? "" };
  const parts = kind === "explorer" ? (answer as Record<string, unknown>) : { answer };
  for (const { sealed, cells } of replies) {
    for (const text of spelled(parts, cells)) {
      const said = opened(keyOf(salt, text, ROUNDS), sealed);
      if (said !== null) return JSON.parse(said) as Verdict;
    }
  }
  return { right: false, text: otherwise };
}
