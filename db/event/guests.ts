/** Every ticket of an event with its holder, in SQL, for the list of guests. */
import type { TicketState } from '#server/domain/door/admission.ts';
import type { Db } from '#db/engine/dialect.ts';
import { samePlaceAs, sealsOfTickets, seatColumns } from '#db/joins.ts';
import { newestFirst, type Page } from '#db/engine/page.ts';
import type { OrderRow, PlaceRow, TicketRow, TicketSealRow } from '#db/rows.ts';

export interface GuestRow
  extends
    Pick<
      TicketRow,
      'id' | 'order_id' | 'state' | 'type_label' | 'price_cents' | 'holder' | 'issued_at'
    >,
    Pick<PlaceRow, 'kind' | 'category' | 'section' | 'row' | 'seat'>,
    Pick<OrderRow, 'buyer_name' | 'buyer_email'> {
  order_number: string;
  /** The direction of the last passage; null if the ticket was never scanned in or out. */
  last_direction: 'in' | 'out' | null;
  revision: number;
  /** The printed revision, or null. */
  printed_revision: number | null;
  /** The seal of the fiscal title, as another system issued it. */
  seal: TicketSealRow['seal'] | null;
  progressive: TicketSealRow['progressive'];
  card: TicketSealRow['card'];
}

export interface GuestFilter {
  state?: TicketState;
  inside?: boolean;
  printed?: boolean;
}

/** Lists the newest tickets first. */
export async function listGuests(
  db: Db,
  event_id: string,
  { page, ...filter }: GuestFilter & { page: Page },
): Promise<GuestRow[]> {
  const query = guests(db, event_id, filter);
  newestFirst(query, { table: 'tickets', time: 'issued_at' }, page);
  return query;
}

/** All guests of an event, unordered. */
export async function allGuests(
  db: Db,
  event_id: string,
  filter: GuestFilter,
): Promise<GuestRow[]> {
  return guests(db, event_id, filter);
}

function guests(db: Db, event_id: string, { state, inside, printed }: GuestFilter) {
  const lastPassage = db('admissions')
    .select('direction')
    .whereRaw('admissions.ticket_id = tickets.id')
    .where({ counts: 1 })
    .whereNull('conflict_with')
    .whereNull('annulled_by')
    .orderBy([
      { column: 'corrected_at', order: 'desc' },
      { column: 'received_at', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .limit(1);
  const query = db('tickets')
    .join('places', samePlaceAs('tickets'))
    .join('orders', 'orders.id', 'tickets.order_id')
    .leftJoin('ticket_seals', sealsOfTickets)
    .where('tickets.event_id', event_id)
    .select(
      'tickets.id',
      'tickets.order_id',
      'tickets.state',
      'tickets.type_label',
      'tickets.price_cents',
      'tickets.holder',
      'tickets.issued_at',
      'places.category',
      ...seatColumns,
      'orders.number as order_number',
      'orders.buyer_name',
      'orders.buyer_email',
      lastPassage.clone().as('last_direction'),
      'tickets.revision',
      'tickets.printed_revision',
      'ticket_seals.seal',
      'ticket_seals.progressive',
      'ticket_seals.card',
    );
  if (state !== undefined) query.where('tickets.state', state);
  if (inside !== undefined)
    query.whereRaw(`COALESCE((?), 'out') ${inside ? '=' : '<>'} 'in'`, [lastPassage.clone()]);
  if (printed === true) query.whereRaw('tickets.printed_revision = tickets.revision');
  if (printed === false)
    query.whereRaw('COALESCE(tickets.printed_revision, 0) <> tickets.revision');
  return query;
}
