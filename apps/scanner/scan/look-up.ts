/** Looks at a ticket without letting its holder in: nothing is stored. */
import type { Verdict } from '#server/domain/door/admission.ts';
import type { EndedCode } from '#server/domain/door/ended-code.ts';
import { decideReading, type ReadPlace } from './known.ts';
import { correctedNow } from '#apps/scanner/kit/clock.ts';
import type { Place } from '#apps/scanner/list/image.ts';
import type { KnownScan, ReadScan } from '#apps/scanner/list/list.ts';
import { partyOf, type Party } from './companions.ts';
import { catchUp, type Phone } from '#apps/scanner/list/memory.ts';
import { openName, type Recognised } from '#apps/scanner/list/recognise.ts';
import type { OtherEvent } from '#apps/scanner/kit/store.ts';

export interface Passage extends Omit<ReadScan, 'conflict_with'> {
  conflict: boolean;
}

/**
 * `verdict`, `counts`: what an entry scan would give now; `ticket`: the revision that was read,
 * with the name where this phone may see it.
 */
export interface TicketView {
  verdict: Verdict;
  counts: boolean;
  place: ReadPlace | null;
  /** The seat that is printed on a ticket from before its move; null: it has not moved. */
  left: string | null;
  /** How the code that was read ended. */
  ended: EndedCode | null;
  ticket: Place['ticket'];
  name: string | null;
  order_number: string | null;
  history: Passage[];
  /** The scan that says whether the guest is inside, by whatever code it was made. */
  last: KnownScan | null;
  party: Party;
  other_event: OtherEvent | null;
}

export async function lookUp(
  phone: Phone,
  event_id: string,
  recognised: Recognised,
): Promise<TicketView> {
  const { code, other_event } = recognised;
  if (!phone.memory.lists.has(event_id)) await catchUp(phone, event_id);
  const { device, clock, events, lists } = phone.memory;
  const list = lists.get(event_id);
  const event = events.get(event_id);
  if (!device || !list || !event?.facts) throw new Error('There is no list of this event');
  const { facts } = event;
  const { known, decision } = decideReading(
    { device, list, event: { ...event, facts }, ...correctedNow(phone, clock) },
    recognised,
    { direction: 'in', override: null },
  );
  const { ticket } = known;
  const opened =
    code !== null && ticket?.sealed_name
      ? await openName(facts.salt, code, ticket.sealed_name)
      : null;
  const history = known.scans.map(({ conflict_with, ...scan }): Passage => ({
    ...scan,
    by: scan.by === '' && scan.phone_id === device.phone_id ? device.name : scan.by,
    conflict: conflict_with !== null,
  }));
  return {
    verdict: decision.verdict,
    counts: decision.counts,
    place: known.place,
    left: known.left,
    ended: known.ended,
    ticket,
    name: opened ?? ticket?.name ?? null,
    order_number: ticket?.order_number ?? null,
    history: history.sort((a, b) => b.at - a.at),
    last: known.last,
    party: partyOf(list, known.place?.place ?? '', {
      order_group: known.place?.ticket?.order_group ?? '',
      event: facts,
      now: correctedNow(phone, clock).corrected,
    }),
    other_event,
  };
}
