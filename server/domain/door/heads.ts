/**
 * People without a ticket, counted in and out by hand (RULES A15): why they are there, how many
 * are inside, and who takes a count back.
 */
import { undoMs, type Direction } from './admission.ts';

/** Why somebody without a ticket is in the house. Reasons are only added. */
export const headReasons = [
  'artists',
  'staff',
  'press',
  'fire',
  'medical',
  'suppliers',
  'guests',
  'other',
] as const;
export type HeadReason = (typeof headReasons)[number];

export const headReasonNames: Record<HeadReason, string> = {
  artists: 'Artisti',
  staff: 'Personale',
  press: 'Stampa',
  fire: 'Vigili del fuoco',
  medical: 'Soccorso',
  suppliers: 'Tecnici e fornitori',
  guests: 'Ospiti della casa',
  other: 'Altro',
};

/** The reason in words: "Stampa: RAI". */
export function sayHeadReason({
  reason,
  words,
}: {
  reason: HeadReason;
  words?: string | null;
}): string {
  const own = words ?? '';
  if (own === '') return headReasonNames[reason];
  return reason === 'other' ? own : `${headReasonNames[reason]}: ${own}`;
}

/** The most people of one count: a coach; more at once is a slip of the finger. */
export const mostHeads = 99;

/** The most people that one phone says it has counted in at an event: more than any hall has. */
export const mostHeadsTold = 100_000;

/** One act of counting, as far as sums need it. */
export interface CountedHeads {
  direction: Direction;
  people: number;
  undone: boolean;
}

export interface HeadFigures {
  /** May be below zero where the exits of one phone arrive before the entries of another. */
  inside: number;
  in: number;
  out: number;
}

export function sumHeads(counts: Iterable<CountedHeads>): HeadFigures {
  const sums = { inside: 0, in: 0, out: 0 };
  for (const { direction, people, undone } of counts) {
    if (undone) continue;
    sums[direction] += people;
    sums.inside += direction === 'in' ? people : -people;
  }
  return sums;
}

/** How many of `people` would leave without being known as inside. */
export function beyondInside(
  { inside }: Pick<HeadFigures, 'inside'>,
  { direction, people }: Pick<CountedHeads, 'direction' | 'people'>,
): number {
  return direction === 'out' ? Math.max(0, people - Math.max(0, inside)) : 0;
}

/** The phone that counted may take it back for ten minutes, a supervisor or the office always. */
export function mayUndoHeads(
  count: { undone: boolean; phone_id: string | null; at: number },
  by: { phone_id: string | null; supervisor: boolean; now: number },
): boolean {
  if (count.undone) return false;
  const isOwn = count.phone_id !== null && count.phone_id === by.phone_id;
  return by.supervisor || (isOwn && by.now - count.at <= undoMs);
}

/** A count as every phone of the event hears of it: without the words that a person added. */
export interface ListedHeads extends CountedHeads {
  head_id: string;
  reason: HeadReason;
  at: number;
  gate: string | null;
  phone_id: string | null;
  by: string;
}
