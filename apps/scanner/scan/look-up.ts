/** Looking at a ticket without letting anybody in: nothing is stored. */
import { decideAdmission, type Direction, type Verdict } from '#server/domain/admission.ts';
import { whatIsKnown } from './admit.ts';
import { correctedNow } from '#apps/scanner/sync/clock.ts';
import type { Place } from '#apps/scanner/list/image.ts';
import { matesOf, type Mate } from './mates.ts';
import { catchUp, type Phone } from '#apps/scanner/list/memory.ts';
import { openName, type Recognised } from '#apps/scanner/list/recognise.ts';
import type { OtherEvent } from '#apps/scanner/list/store.ts';

export interface Passage {
  admission_id: string;
  direction: Direction;
  at: number;
  gate: string | null;
  by: string;
  phone_id: string | null;
  revision: number;
  undone: boolean;
  conflict: boolean;
}

/** `verdict` if it were read now on the way in; `ticket` is of the revision that was read, with the name where this phone may know it. */
export interface TicketView {
  verdict: Verdict;
  place: (Place & { revision: number }) | null;
  ticket: Place['ticket'];
  name: string | null;
  order_number: string | null;
  history: Passage[];
  mates: Mate[];
  other_event: OtherEvent | null;
}

export async function lookUp(
  phone: Phone,
  event_id: string,
  { reading, code, other_event }: Recognised,
): Promise<TicketView> {
  if (!phone.memory.lists.has(event_id)) await catchUp(phone, event_id);
  const { device, clock, events, lists } = phone.memory;
  const list = lists.get(event_id);
  const facts = events.get(event_id)?.facts;
  if (!device || !list || !facts) throw new Error('There is no list of this event');
  const known = whatIsKnown(list, reading);
  const { verdict } = decideAdmission(
    {
      reading,
      event: facts,
      ticket: known.place?.ticket ?? null,
      newest: known.newest,
      last: known.last,
    },
    {
      now: correctedNow(phone, clock).corrected,
      direction: 'in',
      phone_id: device.phone_id,
      gate: device.gate,
      override: null,
    },
  );
  const ticket =
    known.place?.ticket?.revision === known.revision ? (known.place?.ticket ?? null) : null;
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
    verdict,
    place:
      reading.kind === 'place' && known.place
        ? { ...known.place, revision: reading.revision }
        : null,
    ticket,
    name: opened ?? ticket?.name ?? null,
    order_number: ticket?.order_number ?? null,
    history: history.sort((a, b) => b.at - a.at),
    mates: known.place?.ticket
      ? matesOf(list, known.place.place, known.place.ticket.order_group, facts.reentry)
      : [],
    other_event,
  };
}
