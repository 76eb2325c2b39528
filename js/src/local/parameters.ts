/** Parameters of a mechanism beside its budget: the noise of RAPPOR, the groups of hashing, the size of sets. */
import type { Parameters } from "../compute/local-mechanisms";
import { h, type Component } from "../ui/dom";
import { createNumberEntry, parseNumber, type NumberEntryProps, type Parsed } from "../ui/number-entry";
import { own } from "../ui/wire";

type Name = keyof Parameters;

export interface ParametersProps {
  mechanism: string;
  parameters: Parameters;
  disabled: boolean;
}

export interface ParametersEvents {
  onChange(parameters: Parameters): void;
  onRefused(reason: string | null): void;
}

interface Field {
  label: string;
  title: string;
  /** A whole number from here on, or nothing: then the mechanism chooses. */
  least?: number;
}

const FIELDS: Record<string, Partial<Record<Name, Field>>> = {
  RAPPOR: {
    f: { label: "f", title: "A memoised bit is drawn anew with this probability" },
    p: { label: "p", title: "Probability of reporting 1 for a memoised 0" },
    q: { label: "q", title: "Probability of reporting 1 for a memoised 1" },
  },
  OLH: { g: { label: "groups g", title: "Number of groups; auto takes the rounded exponential of ε, plus 1", least: 2 } },
  SS: { omega: { label: "set size ω", title: "Labels in a reported set; auto takes k over (exp ε + 1), rounded down", least: 1 } },
};

function readWhole(text: string): Parsed {
  // NaN stands for: let the mechanism choose.
  return /^\s*(auto)?\s*$/i.test(text) ? { ok: true, value: NaN } : parseNumber(text);
}

export function createParameters(initial: ParametersProps, events: ParametersEvents): Component<ParametersProps> {
  let props = initial;
  let drawn = "";
  let entries: { name: Name; field: Field; entry: Component<NumberEntryProps> }[] = [];
  const el = h("div", { class: "lx-parameters", role: "group", "aria-label": "Parameters of the mechanism" });

  function entryProps(name: Name, field: Field): NumberEntryProps {
    const value = props.parameters[name] ?? NaN;
    const base = { label: `${field.label}: ${field.title}`, value, disabled: props.disabled, width: 56 };
    const { least } = field;
    if (least !== undefined) {
      return {
        ...base,
        format: (now) => (Number.isNaN(now) ? "auto" : String(now)),
        read: readWhole,
        refuse: (now, typed) =>
          Number.isNaN(now) || (Number.isInteger(now) && now >= least)
            ? null
            : `${field.label} ${typed.trim()} is refused. Enter a whole number from ${least} on, or auto.`,
      };
    }
    return {
      ...base,
      format: String,
      refuse: (now, typed) => (now >= 0 && now <= 1 ? orderFault(name, now) : `${field.label} ${typed.trim()} is refused. Enter a probability from 0 to 1.`),
    };
  }

  function orderFault(name: Name, now: number): string | null {
    const set: Parameters = { ...props.parameters, [name]: now };
    return (set.q ?? 1) < (set.p ?? 0) ? `${name} ${now} is refused. q must not be below p.` : null;
  }

  function draw(): void {
    const fields = Object.entries(own(FIELDS, props.mechanism) ?? {}) as [Name, Field][];
    el.hidden = fields.length === 0;
    if (drawn !== props.mechanism) {
      drawn = props.mechanism;
      entries.forEach(({ entry }) => entry.destroy());
      entries = fields.map(([name, field]) => ({
        name,
        field,
        entry: createNumberEntry(entryProps(name, field), {
          onCommit: (value) => events.onChange({ ...props.parameters, [name]: Number.isNaN(value) ? null : value }),
          onRefused: events.onRefused,
        }),
      }));
      el.replaceChildren(
        ...entries.map(({ field, entry }) =>
          h(
            "span",
            { class: "lx-parameter", title: field.title },
            h("span", { class: "label", "aria-hidden": "true" }, field.label),
            entry.el,
          ),
        ),
      );
    }
    entries.forEach(({ name, field, entry }) => entry.update(entryProps(name, field)));
  }

  draw();
  return {
    el,
    update(next) {
      props = next;
      draw();
    },
    destroy() {
      entries.forEach(({ entry }) => entry.destroy());
      el.remove();
    },
  };
}
