/** A season made of chance: evenings with orders of every kind, refunds, gifts, counter sales and scans, as rows copied from one real order. */
import type { Pool } from '#db/engine/dialect.ts';

const hour = 3_600_000;

/** The same seed is the same season. */
function chance(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761 + 1;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Four dates of one show, the last still to come; ids of the events. */
export async function makeSeason(
  db: Pool,
  { seed, order_id, now }: { seed: number; order_id: string; now: number },
): Promise<string[]> {
  const below = chance(seed);
  const order = await db('orders').where({ id: order_id }).first();
  const event = await db('events').where({ id: order.event_id }).first();
  const show = await db('shows').where({ id: event.show_id }).first();
  const line = await db('order_lines').where({ order_id }).first();
  const place = await db('places').where({ event_id: event.id, place: line.place }).first();
  const ticket = await db('tickets').where({ order_id }).first();
  const show_id = `spettacolo-${seed}`;
  await db('shows').insert({ ...show, id: show_id });
  const ids: string[] = [];
  for (let nth = 0; nth < 4; nth += 1) {
    const id = `serata-${seed}-${nth}`;
    ids.push(id);
    const starts_at = now + (nth - 3) * 9 * 24 * hour + 30 * hour;
    const doors_at = starts_at - hour;
    const code_tag = `${seed % 10}Z${nth}Q`;
    const own = { id, starts_at, doors_at, seatsio_event_key: id, code_tag, show_id };
    await db('events').insert({ ...event, ...own });
    const seats = Array.from({ length: 24 }, (_, at) => `F-${at + 1}`);
    await db('places').insert(
      seats.map((label, at) => ({
        ...place,
        event_id: id,
        place: label,
        object_label: label,
        category: ['Platea', 'Galleria', 'Palchi'][at % 3],
      })),
    );
    for (let at = 0; at < seats.length - 4; at += 2)
      await addOrder(db, {
        key: `${seed}-${nth}-${at}`,
        pair: seats.slice(at, at + 2),
        rows: { order, line, ticket },
        event: { id, starts_at },
        past: nth < 3,
        below,
      });
  }
  return ids;
}

interface Making {
  key: string;
  pair: string[];
  rows: Record<'order' | 'line' | 'ticket', Record<string, unknown>>;
  event: { id: string; starts_at: number };
  past: boolean;
  below: (below: number) => number;
}

async function addOrder(db: Pool, { key, pair, rows, event, past, below }: Making): Promise<void> {
  const kind = below(8);
  const isGift = kind === 0;
  const state = ['confirmed', 'confirmed', 'confirmed', 'confirmed', 'awaiting_payment', 'deleted'][
    below(6)
  ]!;
  const price_cents = isGift ? 0 : 1_000 + below(5) * 500;
  const fee_cents = isGift ? 0 : 150;
  const total_cents = 2 * (price_cents + fee_cents);
  const confirmed_at = event.starts_at - below(75 * 24 * 60) * 60_000;
  const id = `ordine-${key}`;
  const isSold = state === 'confirmed';
  const gone = isSold && !isGift && below(4) === 0;
  await db('orders').insert({
    ...rows.order,
    id,
    number: `${key.replaceAll('-', '')}00000000`.slice(0, 9),
    event_id: event.id,
    state,
    hold_token: id,
    idempotency_key: id,
    session_id: null,
    payment_intent: null,
    receipt_number: null,
    total_cents,
    channel: below(3) === 0 ? 'counter' : 'web',
    created_at: confirmed_at - 60_000,
    confirmed_at: isSold ? confirmed_at : null,
    deleted_at: state === 'deleted' ? confirmed_at : null,
    paid_cents: isSold ? total_cents : 0,
    refunded_cents: 0,
  });
  for (const [nth, place] of pair.entries()) {
    await db('order_lines').insert({
      ...rows.line,
      id: `${id}-${nth}`,
      order_id: id,
      event_id: event.id,
      place,
      object_label: place,
      type_label: below(2) === 0 ? 'Intero' : 'Ridotto',
      price_cents,
      fee_cents,
      released_at: state === 'deleted' || (gone && nth === 0) ? confirmed_at + hour : null,
    });
    if (!isSold) continue;
    const ticket_id = `biglietto-${id}-${nth}`;
    await db('tickets').insert({
      ...rows.ticket,
      id: ticket_id,
      order_id: id,
      event_id: event.id,
      place,
      revision: 1,
      state: gone && nth === 0 ? 'refunded' : 'valid',
      price_cents,
      issued_at: confirmed_at,
    });
    if (past) await addScans(db, { ticket_id, place, event, below });
  }
  if (isSold && !isGift) await addMoney(db, { id, total_cents, confirmed_at, gone, below });
}

type Money = Pick<Making, 'below'> & {
  id: string;
  total_cents: number;
  confirmed_at: number;
  gone: boolean;
};

/** In one or two parts; of what went back some are refused or failed. */
async function addMoney(db: Pool, { id, total_cents, confirmed_at, gone, below }: Money) {
  const first = below(3) === 0 ? 500 : total_cents;
  for (const [nth, amount_cents] of [first, total_cents - first].entries())
    if (amount_cents > 0)
      await db('payments').insert({
        id: `${id}-${nth}`,
        order_id: id,
        kind: 'manual',
        method: ['cash', 'pos', 'transfer'][below(3)],
        amount_cents,
        actor: 'user:u',
        disputed: 0,
        paid_at: confirmed_at + nth * 26 * hour,
      });
  if (!gone) return;
  await db('refunds').insert({
    id,
    order_id: id,
    state: ['succeeded', 'pending', 'failed', 'asked'][below(4)],
    origin: 'office',
    kind: 'manual',
    amount_cents: total_cents / 2,
    fee_cents: 150,
    voids_tickets: 1,
    frees_seats: 1,
    idempotency_key: id,
    actor: 'user:u',
    created_at: confirmed_at + below(90) * hour,
    decided_at: below(2) === 0 ? confirmed_at + 99 * hour : null,
  });
}

interface Scans extends Pick<Making, 'event' | 'below'> {
  ticket_id: string;
  place: string;
}

/** Nobody, one way in, out and in again, a conflict, one that was taken back, a refused one. */
async function addScans(db: Pool, { ticket_id, place, event, below }: Scans): Promise<void> {
  const began = event.starts_at - (5 + below(70)) * 60_000 - below(60_000);
  const what = below(7);
  const scan = (nth: number, changes: object) =>
    db('admissions').insert({
      id: `${ticket_id}-${nth}`,
      event_id: event.id,
      place,
      revision: 1,
      ticket_id,
      direction: 'in',
      verdict: 'admit',
      counts: 1,
      gate: [null, 'Varco A', 'Varco B'][below(3)],
      offline: 0,
      scanned_at: began + nth * 60_000,
      corrected_at: began + nth * 60_000,
      received_at: began + nth * 60_000,
      ...changes,
    });
  if (what === 0) return;
  if (what === 1) return void (await scan(0, { verdict: 'not_yet', counts: 0 }));
  await scan(
    0,
    what === 2
      ? { annulled_by: `${ticket_id}-1` }
      : { override: what === 3 ? 'Era in fila' : null },
  );
  if (what === 2) await scan(1, { verdict: 'undone', counts: 0, annuls: `${ticket_id}-0` });
  if (what === 4) await scan(1, { conflict_with: `${ticket_id}-0` });
  if (what === 5) {
    await scan(1, { direction: 'out', verdict: 'out' });
    await scan(2, {});
  }
}
