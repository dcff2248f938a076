/** Helpers for tests of a change of hall: a proposal, the run, and the checks at its end. */
import { expect } from 'vitest';
import type { Db } from '#db/engine/dialect.ts';
import { ProviderUnavailable } from '#server/adapters/provider.ts';
import {
  proposeRehousing,
  readRehousing,
  seatByHand,
  startRehousing,
} from '#server/contract/rehousings.ts';
import { getEvent } from '#server/contract/events.ts';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { callOffMs } from '#server/domain/seat/rehousing.ts';
import { ask, callOk, demoEvent, type Answered } from './make.ts';
import type { Office, Sold } from './move.ts';
import { expectSoundBooks } from './refunds.ts';
import type { TestServer } from './server.ts';
import { standingArea } from './standing.ts';

export const hallOf = { eventId: demoEvent };
/** A hall with the same seat names. */
export const newHall = 'teatro-dell-opera';
export const twoStanding = {
  selected_objects: [{ object_id: standingArea, ticket_type: 'intero', quantity: 2 }],
};
export type Plan = ReplyOf<typeof proposeRehousing>;

/** `cheap`: every place of the new hall costs as much as the cheapest category of the old one. */
export async function propose(
  server: TestServer,
  office: Office,
  chart_key: string,
  cheap = false,
): Promise<Plan> {
  const asked = (body: { chart_key: string; categories?: Record<string, string> }) =>
    callOk(server, proposeRehousing, { params: hallOf, body }, office);
  const plan = await asked({ chart_key });
  if (!cheap) return plan;
  const cheapest = plan.sold_categories.at(-1)!;
  const categories = Object.fromEntries(plan.categories.map(({ key }) => [key, cheapest]));
  return asked({ chart_key, categories });
}

export function start(
  server: TestServer,
  office: Office,
  { version, counts }: Plan,
  refunds = false,
): Promise<Plan> {
  const lost = refunds ? counts.lost_with_refunds : counts.lost_without;
  const body = { version, refunds, mails: counts.mails, lost };
  return callOk(server, startRehousing, { params: hallOf, body }, office);
}

/** Starts the change and returns any answer. */
export function tryStart(
  server: TestServer,
  office: Office,
  { version, mails }: { version: number; mails: number },
): Promise<Answered> {
  const body = { version, refunds: false, mails, lost: 0 };
  return ask(server, 'POST', `/api/admin/events/${demoEvent}/rehousing/start`, {
    headers: office,
    body,
  });
}

export function seat(
  server: TestServer,
  office: Office,
  body: { version: number; lines: { line_id: string; object: string }[] },
): Promise<Plan> {
  const asked = { params: hallOf, body: { ...body, locked: true } };
  return callOk(server, seatByHand, asked, office);
}

export async function openOne(server: TestServer, office: Office): Promise<Plan | null> {
  return (await callOk(server, readRehousing, { params: hallOf }, office)).rehousing;
}

/** The next places are taken at the seat map, but its answer is lost. */
export function loseOneAnswer({ house }: TestServer): void {
  const { seats } = house.ctx;
  const take = seats.take;
  seats.take = async (...asked) => {
    seats.take = take;
    await take(...asked);
    throw new ProviderUnavailable('seats.io', 'the answer was lost', null);
  };
}

/** Passes the time in which the change can be cancelled. */
export async function finish(server: TestServer): Promise<void> {
  await server.runDue();
  server.clock.advance(callOffMs + 1_000);
  for (let at = 0; at < 3; at += 1) await server.runDue();
}

export const eventRow = (server: TestServer) =>
  server.house.ctx.db('events').where({ id: demoEvent }).first();

/** The order has exactly the seats of its tickets at the seat map. */
export async function expectSeatsAt(server: TestServer, sold: Sold): Promise<void> {
  const { seatsio_event_key } = await eventRow(server);
  const found = await server.house.ctx.seats.read(seatsio_event_key, sold.seats);
  // The seat map remembers the last order of a free seat.
  const there = sold.seats.map((label) => found.get(label)!);
  expect(there.map(({ status, order_id }) => [status, order_id])).toEqual(
    sold.seats.map(() => ['booked', sold.order_id]),
  );
}

/** Queries that find faults of a run that has just ended, before any purchase, move or refund. */
const wrongs: Record<string, string> = {
  'neither in the plan nor listed': `SELECT l.id AS subject FROM order_lines l JOIN rehousings r ON r.event_id = l.event_id AND r.state = 'done'
    WHERE l.released_at IS NULL AND NOT EXISTS (SELECT 1 FROM rehoused_lines x WHERE x.rehousing_id = r.id AND x.line_id = l.id)`,
  'not at the place of the plan': `SELECT l.id AS subject FROM rehousings r JOIN rehoused_lines x ON x.rehousing_id = r.id JOIN order_lines l ON l.id = x.line_id
    WHERE r.state = 'done' AND l.released_at IS NULL AND (x.taken = 0 OR x.to_object IS NULL OR x.to_object <> l.object_label)`,
  'a seat given twice': `SELECT l.object_label AS subject FROM order_lines l JOIN places p ON p.event_id = l.event_id AND p.place = l.place
    WHERE l.released_at IS NULL AND p.kind <> 'area' GROUP BY l.object_label HAVING count(*) > 1`,
  'a ticket that neither moved nor stayed': `SELECT t.id AS subject FROM tickets t JOIN order_lines l ON l.order_id = t.order_id AND l.place = t.place AND l.released_at IS NULL
    LEFT JOIN moved_tickets m ON m.ticket_id = t.id WHERE t.state = 'valid' AND m.ticket_id IS NOT NULL AND m.to_place <> t.place`,
  'paid above the list of a cheaper place, and nothing went back': `SELECT l.id AS subject FROM order_lines l JOIN orders o ON o.id = l.order_id JOIN rehousings r ON r.event_id = l.event_id
    AND r.state = 'done' AND r.refunds = 1 JOIN list_prices c ON c.category = l.category AND c.ticket_type = l.ticket_type
    WHERE l.released_at IS NULL AND o.state = 'confirmed' AND o.paid_by <> 'free' AND l.price_cents > c.cents`,
};

/**
 * No seat is given twice, every ticket is moved or kept as planned, cheaper places are refunded;
 * the seat map agrees with the books.
 */
export async function expectRehoused(server: TestServer): Promise<void> {
  const { ctx } = server.house;
  const prices = await listPrices(server);
  for (const [wrong, sql] of Object.entries(wrongs))
    expect([wrong, await found(ctx.db, sql.replace('list_prices', prices))]).toEqual([wrong, []]);
  const { seatsio_event_key } = await eventRow(server);
  const objects = await ctx.seats.objects(seatsio_event_key);
  const booked = objects.filter(({ status, kind }) => status === 'booked' && kind !== 'area');
  const sold: string[] = await ctx
    .db('order_lines')
    .join('places', (on) =>
      on.on('places.event_id', 'order_lines.event_id').on('places.place', 'order_lines.place'),
    )
    .where({ 'order_lines.event_id': demoEvent, 'order_lines.released_at': null })
    .whereNot({ 'places.kind': 'area' })
    .pluck('order_lines.object_label');
  expect(booked.map(({ label }) => label).toSorted()).toEqual(sold.toSorted());
  await expectSoundBooks(server);
}

async function found(db: Db, sql: string): Promise<string[]> {
  return db.from(db.raw(`(${sql}) AS wrong`)).pluck('subject');
}

/** The present price of each ticket type in each category, as a table. */
async function listPrices(server: TestServer): Promise<string> {
  const { event, prices } = await callOk(server, getEvent, { params: hallOf });
  const cents = new Map(prices.map(({ id, unit_amount }) => [id, unit_amount]));
  const rows = event.attributes.seat_pricing.flatMap(({ category, ticketTypes }) =>
    ticketTypes.map(
      ({ ticketType, price_id }) =>
        `SELECT '${category}' AS category, '${ticketType}' AS ticket_type, ${cents.get(price_id)} AS cents`,
    ),
  );
  return `(${rows.join(' UNION ALL ')})`;
}
