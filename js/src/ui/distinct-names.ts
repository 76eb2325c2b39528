/** Names without the first and last words that all of them share, where the rest still tells them apart. */
export function distinctNames(names: readonly string[]): string[] {
  const words = names.map((name) => name.trim().split(/\s+/));
  const least = Math.min(...words.map(({ length }) => length));
  const same = (at: (list: string[]) => string | undefined): boolean => words.every((list) => at(list) === at(words[0] ?? []));
  let [first, last] = [0, 0];
  while (first < least - 1 && same((list) => list[first])) first += 1;
  while (last < least - 1 - first && same((list) => list[list.length - 1 - last])) last += 1;
  const cut = (from: number): string[] => words.map((list) => list.slice(from, list.length - last).join(" "));
  // A bare number beside numbers would be taken for one of them.
  const short = cut(first > 0 && cut(first).some((name) => /^[\d.,−-]+$/.test(name)) ? first - 1 : first);
  return names.length > 1 && new Set(short).size === names.length ? short : [...names];
}
