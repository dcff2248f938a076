/**
 * Entries against the book: a phone that had not heard let in a guest whose ticket had ended, or a
 * ticket ended while its guest was inside (RULES A20).
 */
import { conflictAnswers, standingOf, type CountedScan } from './admission.ts';

/** What the house knew that spoke against an entry which a phone without signal let in. */
export const againstReasons = ['refunded', 'void', 'replaced'] as const;
export type Against = (typeof againstReasons)[number];

/** What a person found out: the guest is out, or stays; or nobody came in with this ticket. */
export const againstAnswers = ['left', 'stays', 'mistake'] as const;
export type AgainstAnswer = (typeof againstAnswers)[number];

/** All that a person may have said of a scan, here or of a second way in. */
export const settledAnswers = [...conflictAnswers, 'left', 'stays'] as const;

/** Until a person decides, and while the guest stays, the place is not sold. */
export const keepingAnswer: AgainstAnswer = 'stays';

interface GuestScan extends CountedScan {
  conflict_with: string | null;
}

/** When a ticket ended; `over`: the evening was over by then, or was called off. */
interface TicketEnd {
  at: number;
  over: boolean;
}

/**
 * The entries of one ended ticket that a person must look at: those after its end, and the one
 * with which its guest was inside then. Second ways in are conflicts, which are told already.
 */
export function entriesAgainst<S extends GuestScan>(scans: readonly S[], end: TicketEnd): S[] {
  const own = scans.filter(({ undone, conflict_with }) => !undone && conflict_with === null);
  const inside = end.over ? null : entryInside(own);
  return own.filter(
    (scan) => scan === inside || (scan.direction === 'in' && scan.corrected_at >= end.at),
  );
}

/** The entry since which the guest of these scans is inside; null: the guest is not. */
export function entryInside<S extends CountedScan>(scans: readonly S[]): S | null {
  // The codes of a moved ticket are one guest's, so an exit with one ends an entry with another.
  const { first, last } = standingOf(scans.map((scan) => ({ ...scan, revision: 0, scan })));
  return last?.direction === 'in' && first !== null ? first.scan : null;
}

/** Why an entry is against the book, by the state of its ticket. */
export function againstOf(ticket: { state: string; let_go: boolean }): Against {
  if (ticket.state === 'refunded') return 'refunded';
  return ticket.state === 'void' || ticket.let_go ? 'void' : 'replaced';
}
