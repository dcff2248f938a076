/**
 * The number of the wire between server and phones, and what is left out for a phone or a server
 * of the release before.
 *
 * What may change without a new number: a field, a column or a list of texts is added; a reader
 * that does not know it ignores it, and one that misses it takes its empty value. A state of a
 * ticket is added: a phone that does not know it says VERIFICA with the ticket's `note`, and only a
 * supervisor lets in (`other`). A verdict is added: a server that does not know it stores `verify`.
 * Another kind of item than a scan gets an address of its own. Every other change takes the next
 * number and a row in `spoken`, and the oldest number is no longer spoken.
 */
import type { Verdict, VerifyPolicy } from './admission.ts';
import type { ListedPlace, ListedTicket } from './door-list.ts';

/** The oldest number that is still spoken comes first. */
export const wires = [4, 5] as const;
export type Wire = (typeof wires)[number];
export const previousWire = wires[0];
export const wireVersion = wires[1];

interface Spoken {
  event: <E extends { moved_policy: VerifyPolicy }>(
    event: E,
  ) => Omit<E, 'moved_policy'> & { moved_policy?: VerifyPolicy | undefined };
  place: (place: ListedPlace) => ListedPlace;
  /** For a server of this number. */
  verdict: (scan: { verdict: Verdict; counts: boolean }) => Verdict;
}

/** The present number says everything. */
const whole: Spoken = {
  event: (event) => event,
  place: (place) => place,
  verdict: ({ verdict }) => verdict,
};

/** A phone of number 4 finds nobody by the buyer's name, so it does not get it. */
function withoutNews(ticket: ListedTicket): ListedTicket {
  const { buyer: _, door_note: __, ...known } = ticket;
  return { ...known, reentry: null, note: null, moved_from: [] };
}

export const spoken: Record<Wire, Spoken> = {
  /** It has no codes from before a move, and re-entry by the event only; JSON omits `undefined`. */
  4: {
    event: (event) => ({ ...event, moved_policy: undefined }),
    place: ({ ticket, ...place }) => ({
      ...place,
      ticket: ticket && withoutNews(ticket),
    }),
    verdict: ({ verdict, counts }) => {
      if (verdict !== 'moved') return verdict;
      return counts ? 'admit' : 'verify';
    },
  },
  5: whole,
};
