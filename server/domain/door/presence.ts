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

/** What a phone told at its last contact, which may be older than what has arrived since. */
export interface ToldQueue {
  queue_length: number | null;
  shelf_length: number | null;
  /** The number of its next scan; null: it never told. */
  next_seq: number | null;
}

/** The numbers of its scans that have arrived. */
export interface ArrivedScans {
  /** The highest, or -1. */
  top: number;
  count: number;
}

/** `absent` scans were made and have not arrived: `unsent` of them wait on the phone. */
export interface Reckoned {
  absent: number;
  unsent: number;
  missing: number;
}

/**
 * A phone tells the length of its queue before it is sent, so the numbers of the scans decide: what
 * has arrived waits no more.
 */
export function reckonQueue(
  { queue_length, shelf_length, next_seq }: ToldQueue,
  { top, count }: ArrivedScans,
): Reckoned {
  const told = (queue_length ?? 0) + (shelf_length ?? 0);
  const made = Math.max(top + 1, next_seq ?? 0);
  // A phone that never told a number may have made as many scans beyond the last as it told of.
  const absent = Math.max(0, made - count) + (next_seq === null ? told : 0);
  const unsent = Math.min(told, absent);
  return { absent, unsent, missing: absent - unsent };
}

/**
 * The most people who may be inside: `unheard` entries are not known yet, but no more guests can
 * come in than have a ticket.
 */
export function mostInside({
  inside,
  ticketed,
  unheard,
  heads,
  unheardHeads,
}: {
  /** Guests with a ticket who are inside. */
  inside: number;
  /** Places that have or had a ticket, or whose guest is inside. */
  ticketed: number;
  unheard: number;
  /** People without a ticket. */
  heads: number;
  unheardHeads: number;
}): number {
  return Math.max(inside, Math.min(inside + unheard, ticketed)) + Math.max(0, heads) + unheardHeads;
}
