/**
 * A large hall inserted in SQL, like after months of sales: every place with its ticket, orders
 * of one to four, phones with their tokens.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { Pool } from '#db/engine/dialect.ts';
import { insertMany } from '#db/engine/statements.ts';
import type { EventRow, OrderRow, PlaceRow, TicketRow } from '#db/rows.ts';
import { transact } from '#db/engine/transact.ts';
import { newLinkKey } from '#server/services/order/order-link.ts';
import type { CodeMaker } from './proof.ts';
import { benchEvent } from '#tests/bench/booking-hall.ts';

export interface DoorHall {
  event_id: string;
  labels: string[];
  tokens: string[];
  /** The data from which its codes are made. */
  codes: CodeMaker;
  phone_ids: string[];
}

export interface HallSize {
  places: number;
  phones: number;
  event_id?: string;
  event?: Partial<EventRow>;
  /** One of this many places is unsold. */ unsoldEach?: number;
  supervisors?: number;
}

const sections = ['Platea', 'Galleria', 'Palchi I ordine', 'Loggione'];
const [rows, seats] = [50, 50];
const id = () => randomBytes(21).toString('base64url');

/** Buyers have names as long as real ones. */
const people = [
  'Ada Rossi',
  'Bruno Bianchi',
  'Carla Esposito',
  'Dario De Luca',
  'Elena Ferraris',
  'Fabio Lo Monaco',
  'Giulia Conti',
  'Ugo Marchetti-Sanna',
];

export async function fillHall(
  db: Pool,
  { places, phones, event_id = 'hall', event = {}, unsoldEach = 0, supervisors = 0 }: HallSize,
): Promise<DoorHall> {
  const now = Date.now();
  const labels: string[] = [];
  const made = {
    places: [] as Partial<PlaceRow>[],
    orders: [] as Partial<OrderRow>[],
    tickets: [] as Partial<TicketRow>[],
  };
  let left = 0;
  let order = '';
  for (let at = 0; at < places; at += 1) {
    const perSection = rows * seats;
    const section = `${sections[Math.floor(at / perSection) % sections.length]}${at < perSection * sections.length ? '' : ` ${Math.floor(at / perSection / sections.length) + 1}`}`;
    const [row, seat] = [
      String(Math.floor((at % perSection) / seats) + 1),
      String((at % seats) + 1),
    ];
    const place = `${section}-${row}-${seat}`;
    const sold = unsoldEach === 0 || at % unsoldEach !== 0;
    labels.push(place);
    made.places.push({
      event_id,
      place,
      object_label: place,
      kind: 'seat',
      category: section.split(' ')[0]!,
      category_key: section.split(' ')[0]!,
      section,
      row,
      seat,
      position: 1,
      issued: sold ? 1 : 0,
      feed_seq: at + 1,
    });
    if (!sold) continue;
    if (left === 0) {
      order = id();
      left = 1 + (at % 4);
      made.orders.push({
        id: order,
        number: order.slice(0, 8).toUpperCase(),
        link_key: newLinkKey(),
        event_id,
        state: 'confirmed',
        hold_token: order,
        selection: '[]',
        total_cents: 0,
        created_at: now,
        pay_by: now,
        confirmed_at: now,
        idempotency_key: order,
        search_text: '',
        buyer_name: people[at % people.length]!,
        buyer_email: `buyer${at}@example.it`,
        buyer_phone: `+39 333 ${at}`,
        paid_by: 'free',
      });
    }
    left -= 1;
    made.tickets.push({
      id: id(),
      order_id: order,
      event_id,
      place,
      revision: 1,
      state: 'valid',
      ticket_type: 'intero',
      type_label: at % 5 === 0 ? 'Ridotto' : 'Intero',
      price_cents: 4_321,
      reentry: event.reentry ?? 1,
      // The time of the sale, months before the evening.
      issued_at: now - 60 * 86_400_000,
    });
  }
  const tokens = Array.from({ length: phones }, () => randomBytes(32).toString('base64url'));
  const phoneRows = tokens.map((token, at) => ({
    id: id(),
    name: `Varco ${at + 1}`,
    gate: `Varco ${at + 1}`,
    token_hash: createHash('sha256').update(token).digest('base64url'),
    created_at: now,
    paired_at: now,
    last_seen_at: now,
    role: at < supervisors ? 'supervisor' : 'steward',
  }));
  const codes = { ...benchEvent(sections, 'price'), ...event };
  await transact(db, async (trx) => {
    await trx('events').insert({
      ...codes,
      id: event_id,
      seatsio_event_key: event_id,
      feed_seq: places,
      feed_epoch: 'e1',
      // The evening is today, and the door is open.
      starts_at: now + 30 * 60_000,
      ...event,
    });
    await insertMany(trx, 'phones', phoneRows);
    await insertMany(
      trx,
      'phone_events',
      phoneRows.map((phone) => ({ phone_id: phone.id, event_id })),
    );
  });
  for (const [table, all] of Object.entries(made)) {
    for (let start = 0; start < all.length; start += 2_000)
      await transact(db, (trx) => insertMany(trx, table, all.slice(start, start + 2_000)));
  }
  return { event_id, labels, tokens, codes, phone_ids: phoneRows.map((phone) => phone.id) };
}
