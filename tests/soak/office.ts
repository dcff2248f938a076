/** The office and the counter of a soak: sells, refunds, moves people to other seats, reads its lists and reports, opens another evening. */
import { randomUUID } from 'node:crypto';
import { makeSale } from '#server/contract/counter.ts';
import { addressOf } from '#server/contract/endpoint.ts';
import { duplicateEvent, publishEvent, readEvent } from '#server/contract/event-desk.ts';
import { moveTickets, proposeMove, quoteMove } from '#server/contract/order/moves.ts';
import { listOrders, readOrder } from '#server/contract/order/orders.ts';
import { makeRefund, quoteRefund } from '#server/contract/order/refunds.ts';
import { readReport } from '#server/contract/reports.ts';
import type { Answered } from '#tests/support/make.ts';
import { holdPair } from './visitors.ts';
import type { World } from './world.ts';

/** Two full tickets of the stalls. */
const pairCents = 6_400;

type Verb = 'GET' | 'POST';

async function call(
  { ledger, admin }: World,
  method: Verb,
  path: string,
  body?: unknown,
): Promise<Answered> {
  // The office has an address of its own for each of its acts: it is many people.
  return ledger.send(method, path, {
    body,
    headers: admin,
    from: `10.251.0.${ledger.counts.size}`,
  });
}

/** One act of the office. */
export async function workInOffice(world: World): Promise<void> {
  const acts = [sell, sell, refund, refund, move, look];
  await acts[world.chance(acts.length)]!(world);
}

/** Two tickets for cash; the id of their order, null if nothing was sold. */
export async function sell(world: World): Promise<string | null> {
  const { ledger } = world;
  const held = await holdPair(world);
  if (held === null) return null;
  const { event_id, hold_token, selected_objects } = held;
  const body = {
    sale_key: randomUUID(),
    event_id,
    hold_token,
    selected_objects,
    expected_cents: pairCents,
    payments: [{ method: 'cash', amount_cents: pairCents }],
  };
  const sold = await call(world, 'POST', makeSale.path, body);
  ledger.count(sold.status === 200 ? 'counter sales' : 'counter sales refused');
  if (sold.status !== 200) return null;
  const { order_id } = sold.body as { order_id: string };
  ledger.orders.set(order_id, {
    event_id,
    places: selected_objects.map(({ object_id }) => object_id),
    said: 'sold',
  });
  return order_id;
}

/** A confirmed order that nobody has refunded yet. */
async function somebody({ house, chance }: World): Promise<string | null> {
  const ids: string[] = await house
    .db('orders')
    .where({ state: 'confirmed', refunded_cents: 0, paid_by: 'stripe' })
    .orderBy('created_at', 'desc')
    .limit(50)
    .pluck('id');
  return ids[chance(Math.max(ids.length, 1))] ?? null;
}

async function refund(world: World): Promise<void> {
  const { ledger } = world;
  const orderId = await somebody(world);
  if (orderId === null) return;
  const quoted = await call(world, 'GET', addressOf(quoteRefund, { orderId }));
  if (quoted.status !== 200) return;
  const quote = quoted.body as {
    lines: { ticket_id: string | null }[];
    amount_cents: number;
    left_cents: number;
  };
  const made = await call(world, 'POST', addressOf(makeRefund, { orderId }), {
    ticket_ids: quote.lines.flatMap(({ ticket_id }) => ticket_id ?? []),
    expected_cents: quote.amount_cents,
    expected_left_cents: quote.left_cents,
    reason: 'Un amico malato',
  });
  ledger.count(made.status === 200 ? 'refunds' : 'refunds refused');
  if (made.status === 200) ledger.refunds.add((made.body as { refund_id: string }).refund_id);
}

async function move(world: World): Promise<void> {
  const { house, ledger } = world;
  const orderId = await somebody(world);
  if (orderId === null) return;
  const ticket_ids: string[] = await house
    .db('tickets')
    .where({ order_id: orderId, state: 'valid' })
    .pluck('id');
  if (ticket_ids.length === 0) return;
  const proposed = await call(world, 'POST', addressOf(proposeMove, { orderId }), { ticket_ids });
  const { tickets } = proposed.body as { tickets?: { ticket_id: string; object: string }[] };
  if (proposed.status !== 200 || tickets === undefined || tickets.length === 0) return;
  const quoted = await call(world, 'POST', addressOf(quoteMove, { orderId }), { tickets });
  const { difference_cents } = quoted.body as { difference_cents: number };
  if (quoted.status !== 200 || difference_cents !== 0) return;
  const moved = await call(world, 'POST', addressOf(moveTickets, { orderId }), {
    tickets,
    expected_cents: 0,
    rules_reason: 'Prova di durata',
    tell_buyer: false,
  });
  ledger.count(moved.status === 200 ? 'moves' : 'moves refused');
  if (moved.status === 200) ledger.moves.add((moved.body as { move_id: string }).move_id);
}

async function look(world: World): Promise<void> {
  const { events, chance, ledger } = world;
  const event_id = events[chance(events.length)]!;
  for (const report of ['sales', 'hall', 'door', 'money'])
    await call(world, 'GET', addressOf(readReport, { report }, { event_id }));
  const list = await call(world, 'GET', addressOf(listOrders, {}, { event_id }));
  const [first] = (list.body as { items?: { order_id: string }[] }).items ?? [];
  if (first) await call(world, 'GET', addressOf(readOrder, { orderId: first.order_id }));
  ledger.count('looks at lists and reports');
}

/** The same evening once more. What is repeated because its answer was lost may be refused: what counts is that it is on sale. */
export async function openEvening(world: World): Promise<void> {
  const { events, ledger, house } = world;
  const id = `replica-${events.length}`;
  const starts_at = new Date(house.now() + (20 + events.length) * 86_400_000).toISOString();
  const copy = { id, starts_at };
  await call(world, 'POST', addressOf(duplicateEvent, { eventId: events[0]! }), copy);
  const read = await call(world, 'GET', addressOf(readEvent, { eventId: id }));
  const { version } = read.body as { version: number };
  await call(world, 'POST', addressOf(publishEvent, { eventId: id }), { version });
  const row = (await house.db('events').where({ id }).first('status')) as { status: string };
  if (row?.status !== 'published') {
    ledger.fault(`another evening could not be opened: ${JSON.stringify(read.body)}`);
    return;
  }
  events.push(id);
  ledger.count('evenings opened');
}
