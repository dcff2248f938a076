/** Counts the people inside from the scans of the door, for a phone and for the office alike. */
import type { ListedState } from './admission.ts';
import { isSameGate } from './gate.ts';
import { isGood } from './kept.ts';

/**
 * `sold` and `places` count the whole event or the part; `inside` lacks the scans that phones
 * have not sent yet.
 */
export interface PresenceFigures {
  inside: number;
  entered: number;
  sold: number;
  places: number;
}
export interface PresencePart extends PresenceFigures {
  name: string;
}

/** The section in which a place is counted; a standing area has none, so its category counts. */
export function sectionOf({
  section,
  category,
}: {
  section: string | null;
  category: string;
}): string {
  return section ?? category;
}

/**
 * How many guests went in and out at a gate, and how many tickets name it; `expected` null: no
 * ticket does.
 */
export interface GateFigures {
  name: string | null;
  in: number;
  out: number;
  expected: number | null;
}

/**
 * Sorted by name, scans without a gate last; a gate that tickets name is listed before its first
 * guest.
 */
export function gateFigures(
  passed: Iterable<readonly [name: string | null, { in: number; out: number }]>,
  expected: Iterable<readonly [name: string, tickets: number]>,
): GateFigures[] {
  const gates: GateFigures[] = [];
  const at = (name: string | null) => {
    let gate = gates.find(
      (known) =>
        known.name === name ||
        (known.name !== null && name !== null && isSameGate(known.name, name)),
    );
    if (!gate) gates.push((gate = { name, in: 0, out: 0, expected: null }));
    return gate;
  };
  for (const [name, tickets] of expected)
    if (tickets > 0) at(name).expected = (at(name).expected ?? 0) + tickets;
  for (const [name, ways] of passed) {
    if (ways.in === 0 && ways.out === 0) continue;
    const gate = at(name);
    gate.in += ways.in;
    gate.out += ways.out;
  }
  return gates.sort((a, b) =>
    (a.name ?? '\uffff').localeCompare(b.name ?? '\uffff', 'it', { numeric: true }),
  );
}

/**
 * A ticket of this state belongs to an expected guest; one that has ended or was let go does not.
 */
export function isSold(state: ListedState): boolean {
  return isGood(state) || state === 'unpaid' || state === 'trial';
}

/** The total is a lower bound if a phone has unsent scans or was silent for this long. */
export const staleMs = 120_000;

/** How many more may be inside: the scans that the phones reported as still unsent. */
export function unsentOf(phones: readonly { queue_length: number | null }[]): number {
  return phones.reduce((sum, { queue_length }) => sum + (queue_length ?? 0), 0);
}
