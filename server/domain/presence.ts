/** Who is inside: counted from the scans of the door, for a phone and for the office alike. */
import type { Direction, TicketState } from './admission.ts';

/** One ticket that has passed a door: where it is now, and through which gate it came last. */
export interface Passage { category: string; section: string | null; gate: string | null; direction: Direction }

/** `sold` and `places` are of the whole event or of the part; `inside` is known, not guessed: what phones have not sent yet is missing. */
export interface PresenceFigures { inside: number; entered: number; sold: number; places: number }
export interface PresencePart extends PresenceFigures { name: string }

/** A ticket of this state is somebody who may come: void and refunded ones are none. */
export function isSold(state: TicketState): boolean {
  return state === 'valid' || state === 'unpaid';
}

/** A phone that has something to send, or was not heard for so long, makes the figures of the others a lower bound. */
export const staleMs = 120_000;

/** How many more may be inside than is known: what the phones said they still had to send. */
export function unsentOf(phones: readonly { queue_length: number | null }[]): number {
  return phones.reduce((sum, { queue_length }) => sum + (queue_length ?? 0), 0);
}
