/** What takes longer is cut into steps so small that a hand waits for none: the cells that each looks at are counted. */
import { expect, it } from "vitest";
import type { AttackView } from "../../src/attack/protocol";
import { attackAnswer, attackPage, lateResults, type AttackPage } from "../../src/compute/attack-answer";
import { AT_ONCE, drawsOf, LEVELS } from "../../src/compute/attack-means";
import { toBytes } from "../../src/ui/wire";
import { cityView } from "../attack/city";

/** How often the map was gone over: everything that looks at cells reads the middles of the cells once. */
let passes = 0;

const whole = (numbers: number[]): DataView => new DataView(Uint16Array.from(numbers).buffer);

/** A city of many users on 20 x 20 cells, of whom nothing is computed yet. */
function cityOf(users: number, grid: number, k: number): [AttackView, AttackPage] {
  const listed = Array.from({ length: users }, (_, user) => user);
  const places = listed.flatMap((user) => [40 + ((user * 7919) % 1000) / 1000, -74 + ((user * 104729) % 997) / 997]);
  const view = cityView();
  const made: AttackView = { ...view, results: null, city: { ...view.city, users, grid, clusters: k, victims: listed.map((user) => ({ label: String(user), friends: 2 })) } };
  const page = attackPage(made, {
    places: toBytes(Float64Array.from(places)),
    box: toBytes(Float64Array.of(40, -74, 41, -73)),
    edges: whole(listed.flatMap((user) => [user, (user + 1) % users])),
    largest_component: users,
    local: 0.05,
    assign: whole(listed.map((user) => user % k)),
    centroids: toBytes(Float64Array.from({ length: 2 * k }, (_, at) => ((at * 37) % 100) / 100)),
    order: whole(listed),
    seed: "17",
    weight: 10,
    known: 1,
  });
  const { city } = page as AttackPage;
  const { middle } = city;
  Object.defineProperty(city, "middle", {
    get() {
      passes += 1;
      return middle;
    },
  });
  return [made, page as AttackPage];
}

it.each([[2311, 20, 8], [155, 20, 8], [200, 50, 40]])("%s users on %s cells a side with %s centres", (users, grid, k) => {
  const [first, page] = cityOf(users, grid, k);
  passes = 0;
  const view = attackAnswer(first, { epsilon: 20 }, page);
  // The hand itself waits for one victim.
  expect(passes).toBeLessThanOrEqual(5);
  const steps = lateResults(view, page);
  // A release is looked at in the cells where somebody is; of a victim the nearest centres of all cells are looked for.
  const [inhabited, ofVictim] = [new Set(page.city.cells).size - 1, grid ** 2 * k];
  const most = 2 * Math.max(AT_ONCE / inhabited, 3 * Math.max(1, AT_ONCE / ofVictim));
  let [all, shares, done] = [0, 0, false];
  const told: number[] = [];
  // Of the curves of a large city the first steps are enough.
  for (let step = 0; !done && step < 400; step++) {
    passes = 0;
    const next = steps.next();
    done = next.done ?? false;
    expect(passes).toBeLessThanOrEqual(most);
    all += passes;
    if (typeof next.value === "number") told.push(next.value);
    shares += 1;
  }
  // It is cut at all, and says how far it is.
  expect(all).toBeGreaterThan(10 * most);
  expect(shares).toBeGreaterThanOrEqual(20);
  expect(told.every((share, at) => share >= (told[at - 1] ?? 0) && share <= 1)).toBe(true);
  if (done && told.length > 1) expect(told.at(-1)).toBeCloseTo(1);
});

it("tells shares that end at 1 for the whole of a small city", () => {
  const [first, page] = cityOf(60, 8, 3);
  const view = attackAnswer(first, {}, page);
  const told = [...lateResults(view, page)].filter((value) => typeof value === "number") as number[];
  expect(drawsOf(page.city) * (LEVELS.length + 1)).toBe(76);
  expect(told.length).toBeGreaterThanOrEqual(76);
  expect(told.at(-1)).toBeCloseTo(1);
});
