/** Numbers and words that sentences of several explorers share. */
import { fixed, leakage } from "./format";

const NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];

/** "four": as words up to twelve. */
export function inWords(n: number): string {
  return NUMBERS[n] ?? fixed(n, 0);
}

/** With a capital where the name begins a sentence, in quotation marks or not. */
export function capital(text: string): string {
  return text.replace(/^(“?)(.)/su, (_, mark: string, first: string) => mark + first.toUpperCase());
}

/** A leakage beside the budget; infinite where nothing bounds it. */
export function nats(value: number, beside?: number): string {
  return Number.isFinite(value) ? leakage(value, beside !== undefined && Number.isFinite(beside) ? beside : undefined) : fixed(value, 3);
}
