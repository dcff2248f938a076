/**
 * A random season: evenings with orders of every kind, moves, refunds, gifts, counter sales and
 * scans, as rows copied from one real order.
 */
import type { Pool } from '#db/engine/dialect.ts';
import { addMoney, givenBack, handedOver, type Chance } from './random-money.ts';

const hour = 3_600_000;

/** The same seed gives the same season. */
function chance(seed: number): Chance {
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
  const shift_ids = [`turno-${seed}-0`, `turno-${seed}-1`];
  await db('shifts').insert(
    shift_ids.map((id, nth) => ({
      id,
      user_id: id,
      till_id: id,
      till_name: 'Cassa',
      float_cents: 0,
      opened_at: now - nth * hour,
    })),
  );
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
    const spare = seats.splice(-4);
    for (let at = 0; at < seats.length; at += 2)
      await addOrder(db, {
        key: `${seed}-${nth}-${at}`,
        pair: seats.slice(at, at + 2),
        rows: { order, line, ticket },
        event: { id, starts_at },
        past: nth < 3,
        spare,
        shift_ids,
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
  /** Free seats for moves. */
  spare: string[];
  shift_ids: string[];
  below: Chance;
}

async function addOrder(
  db: Pool,
  { key, pair, rows, event, past, spare, shift_ids, below }: Making,
): Promise<void> {
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
    link_key: key.slice(0, 22),
    hold_token: id,
    idempotency_key: id,
    session_id: null,
    payment_intent: null,
    receipt_number: null,
    total_cents,
    channel: below(3) === 0 ? 'counter' : 'web',
    gift_reason: isGift ? ['Stampa', 'Compagnia'][below(2)] : null,
    fee_cents: 2 * fee_cents,
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
      position: nth,
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
  if (isGift) return;
  // Money may arrive too late, for an order that was deleted.
  if (isSold || below(4) === 0)
    await addMoney(db, { id, total_cents, at: confirmed_at, gone, shift_ids, below });
  if (!isSold || gone || below(2) === 0) return;
  // Some tickets move a second time.
  for (let [from, at] = [pair[1]!, confirmed_at]; spare.length > 0;) {
    const to = spare.pop()!;
    at += (1 + below(40)) * hour;
    await addMove(db, { order_id: id, event_id: event.id, at, from, to, below });
    from = to;
    if (below(3) > 0) return;
  }
}

interface Moving {
  order_id: string;
  event_id: string;
  at: number;
  from: string;
  to: string;
  below: Chance;
}

/** A dearer seat is paid for or the difference is waived; for a cheaper one money is refunded. */
async function addMove(db: Pool, { order_id, event_id, at, from, to, below }: Moving) {
  const line = await db('order_lines').where({ order_id, place: from }).first();
  const ticket = await db('tickets').where({ order_id, place: from }).first();
  const [difference_cents, difference_end] = (
    [
      [0, 'none'],
      [500, 'paid'],
      [500, 'waived'],
      [-500, 'refunded'],
    ] as const
  )[below(4)]!;
  const id = `${order_id}-${to}`;
  const price_cents = line.price_cents + (difference_end === 'waived' ? 0 : difference_cents);
  await db('order_lines')
    .where({ id: line.id })
    .update({ place: to, object_label: to, price_cents });
  await db('tickets').where({ id: ticket.id }).update({ place: to, price_cents });
  await db('moves').insert({
    id,
    order_id,
    event_id,
    state: 'done',
    actor: 'user:u',
    difference_cents,
    difference_end,
    created_at: at,
    moved_at: at,
  });
  await db('moved_tickets').insert({
    move_id: id,
    ticket_id: ticket.id,
    event_id,
    position: 0,
    from_place: from,
    from_object: from,
    from_revision: 1,
    to_object: to,
    to_place: to,
    to_revision: 1,
  });
  if (difference_end === 'paid')
    await db('payments').insert(handedOver(id, order_id, { amount_cents: 500, paid_at: at }));
  if (difference_end === 'refunded')
    await db('refunds').insert(
      givenBack(id, order_id, {
        amount_cents: 500,
        created_at: at,
        voids_tickets: 0,
        frees_seats: 0,
      }),
    );
}

interface Scans extends Pick<Making, 'event' | 'below'> {
  ticket_id: string;
  place: string;
}

/**
 * Adds no scan, an entry, an entry with an exit and another entry, a conflict, an undone entry, or
 * a refused one.
 */
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
