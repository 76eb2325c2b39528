/** One hundred made-up patients: the view that Python would send, computed by the page. */
import { anonymityAnswer } from "../../src/compute/anonymity-answer";
import { anonymityPage } from "../../src/compute/anonymity-results";
import type { AnonymityView } from "../../src/anonymity/protocol";
import { toBytes } from "../../src/ui/wire";
import { ILL, PATIENTS } from "./sketch";

export function clinicView(more: Partial<AnonymityView> = {}): AnonymityView {
  const age = Float64Array.from(PATIENTS, ([years]) => years);
  const weight = Float64Array.from(PATIENTS, ([, kilograms]) => kilograms);
  const diabetes = Float64Array.from(PATIENTS, (_, k) => Number(ILL.includes(k)));
  const bare: AnonymityView = {
    revision: 1,
    since: 1,
    ack: null,
    title: "clinic",
    noun: "patient",
    records: age.length,
    sampled: null,
    columns: [
      { name: "age", labels: null, ordered: true, values: toBytes(age) },
      { name: "weight", labels: null, ordered: true, values: toBytes(weight) },
      { name: "diabetes", labels: ["no", "yes"], ordered: true, values: toBytes(diabetes) },
    ],
    quasi: [0, 1],
    drawn: [0, 1],
    secret: 2,
    k: 5,
    release: "count:yes",
    releases: [],
    n: null,
    neighbour: "value",
    group_change: 1,
    shift: null,
    level: "III",
    known: 0.3,
    neighbours: 1,
    epsilon: 1,
    events: "halfline",
    delta1: null,
    printed: true,
    reading: "t1:statement",
    readings: [],
    fault: null,
    running: null,
    stopped: null,
    current: true,
    results: null,
    disabled: false,
    ...more,
  };
  return anonymityAnswer(bare, {}, anonymityPage(bare));
}
