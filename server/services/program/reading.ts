/** What other programs may read: their token's events, with sales and admissions (RULES Q1). */
import { usesOfRules } from '#db/event/code-desk.ts';
import { countByEvent, findEvent } from '#db/event/events.ts';
import { placesLeft } from '#db/seat/places-left.ts';
import type { Page } from '#db/engine/page.ts';
import {
  admissionsForPrograms,
  eventsForPrograms,
  linesForPrograms,
  ordersForPrograms,
  sumOrders,
  sumTickets,
  ticketsForPrograms,
  type LineWithPlace,
} from '#db/program/lists.ts';
import type { EventRow, OrderRow } from '#db/rows.ts';
import { salesStateOf } from '#server/domain/event/event.ts';
import type { OrderState } from '#server/domain/order/order.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { seatName } from '#server/domain/seat/seat-name.ts';
import { requireValue } from '#server/domain/require-value.ts';
import type { Ctx } from '#server/services/context.ts';
import { rulesDesk } from '#server/services/event/rule-list.ts';
import { readPage } from '#server/services/kit/page.ts';
import type { ProgramInCall } from './tokens.ts';

interface PageAsk {
  limit?: number;
  cursor?: string;
}
type SeqAsk = PageAsk & { after_seq?: number };

const usualRows = 50;

async function pageOf<Row extends { id: string }, Item>(
  { limit = usualRows, cursor }: PageAsk,
  read: (page: Page) => Promise<Row[]>,
  { at, show }: { at: (row: Row) => number; show: (rows: Row[]) => Item[] | Promise<Item[]> },
) {
  const { rows, next_cursor } = await readPage({ limit, cursor }, read, at);
  return { items: await show(rows), next_cursor };
}

export async function eventsOf(
  ctx: Ctx,
  program: ProgramInCall,
  { changed_since, ...ask }: PageAsk & { changed_since?: number },
) {
  const filter = { changed_since, id: program.event_id ?? undefined };
  return pageOf(ask, (page) => eventsForPrograms(ctx.db, filter, page), {
    at: ({ starts_at }) => starts_at,
    show: (rows) => rows.map((row) => eventFor(ctx, row)),
  });
}

function eventFor(ctx: Ctx, event: EventRow) {
  return {
    ...event,
    url: `${ctx.publicUrl}/event/${encodeURIComponent(event.id)}`,
    updated_at: event.updated_at || event.created_at,
    sales: {
      state: salesStateOf(event, ctx.now()),
      opens_at: event.sales_opens_at,
      closes_at: event.sales_closes_at ?? event.starts_at,
    },
  };
}

/**
 * Refuses an event that the token does not cover, a draft and a rehearsal, as if they did not
 * exist.
 * @throws Refusal event_not_found
 */
async function knownTo(ctx: Ctx, program: ProgramInCall, id: string): Promise<EventRow> {
  const isTheirs = program.event_id === null || program.event_id === id;
  const event = isTheirs ? await findEvent(ctx.db, id) : undefined;
  if (event === undefined || event.rehearsal === 1 || event.status === 'draft')
    throw new Refusal('event_not_found');
  return event;
}

export async function eventOf(ctx: Ctx, program: ProgramInCall, id: string) {
  return eventFor(ctx, await knownTo(ctx, program, id));
}

export async function availabilityOf(ctx: Ctx, program: ProgramInCall, id: string) {
  await knownTo(ctx, program, id);
  const rows = await placesLeft(ctx.db, [id]);
  const categories = rows
    .map((row) => ({ ...row, left: Math.max(0, row.left) }))
    .toSorted((one, other) => (one.category < other.category ? -1 : 1));
  return { event_id: id, counted_at: ctx.now(), categories };
}

interface OrdersAsk extends PageAsk {
  event_id?: string;
  state?: OrderState;
  created_since?: number;
  changed_since?: number;
}

/** @throws Refusal event_not_found */
export async function ordersOf(
  ctx: Ctx,
  program: ProgramInCall,
  { limit, cursor, event_id, ...rest }: OrdersAsk,
) {
  if (event_id !== undefined) await knownTo(ctx, program, event_id);
  const filter = { ...rest, event_id: event_id ?? program.event_id ?? undefined };
  return pageOf({ limit, cursor }, (page) => ordersForPrograms(ctx.db, filter, page), {
    at: ({ created_at }) => created_at,
    show: (rows) => ordersFor(ctx, program, rows),
  });
}

async function ordersFor(ctx: Ctx, { scopes }: ProgramInCall, orders: readonly OrderRow[]) {
  const ids = orders.map(({ id }) => id);
  const lines = Map.groupBy(await linesForPrograms(ctx.db, ids), ({ order_id }) => order_id);
  const mayKnow = scopes.includes('buyers');
  return orders.map((order) => ({
    ...order,
    buyer:
      mayKnow && order.buyer_forgotten_at === null
        ? { name: order.buyer_name, email: order.buyer_email }
        : null,
    lines: (lines.get(order.id) ?? []).map(lineFor),
  }));
}

function lineFor(line: LineWithPlace) {
  return { ...line, seat: seatName(line), released: line.released_at !== null };
}

/** @throws Refusal order_not_found */
export async function orderOf(ctx: Ctx, program: ProgramInCall, number: string) {
  const filter = { number, event_id: program.event_id ?? undefined };
  const [order] = await ordersForPrograms(ctx.db, filter, { limit: 1, after: null });
  if (order === undefined) throw new Refusal('order_not_found');
  const [shown] = await ordersFor(ctx, program, [order]);
  return requireValue(shown, 'order');
}

/** @throws Refusal event_not_found */
export async function ticketsOf(
  ctx: Ctx,
  program: ProgramInCall,
  { event_id, after_seq, ...ask }: SeqAsk & { event_id: string },
) {
  await knownTo(ctx, program, event_id);
  return pageOf(ask, (page) => ticketsForPrograms(ctx.db, { event_id, after_seq }, page), {
    at: ({ seq }) => seq,
    show: (rows) => rows.map((row) => ({ ...row, seat: seatName(row) })),
  });
}

/** @throws Refusal event_not_found */
export async function admissionsOf(
  ctx: Ctx,
  program: ProgramInCall,
  { event_id, after_seq, ...ask }: SeqAsk & { event_id: string },
) {
  await knownTo(ctx, program, event_id);
  return pageOf(ask, (page) => admissionsForPrograms(ctx.db, { event_id, after_seq }, page), {
    at: ({ seq }) => seq,
    show: (rows) =>
      rows.map((row) => ({
        ...row,
        offline: row.offline === 1,
        at: row.corrected_at,
        undone: row.annulled_by !== null,
        conflict: row.conflict_with !== null,
      })),
  });
}

/** @throws Refusal event_not_found */
export async function figuresOf(ctx: Ctx, program: ProgramInCall, id: string) {
  await knownTo(ctx, program, id);
  const counts = requireValue((await countByEvent(ctx.db, [id])).get(id), 'count');
  return {
    event_id: id,
    counted_at: ctx.now(),
    places: counts.places,
    inside: counts.inside,
    tickets: counts.sold,
    ...(await sumOrders(ctx.db, id)),
    by_type: await sumTickets(ctx.db, id),
  };
}

/** @throws Refusal event_not_found */
export async function priceRulesOf(ctx: Ctx, program: ProgramInCall, id: string) {
  await knownTo(ctx, program, id);
  const { rules } = await rulesDesk(ctx, { event_id: id, show_id: null });
  const uses = new Map((await usesOfRules(ctx.db)).map(({ rule_id, ...of }) => [rule_id, of]));
  return {
    event_id: id,
    counted_at: ctx.now(),
    rules: rules.map(({ rule_id, of, rule: { kind, name }, sentence, given }) => ({
      rule_id,
      of,
      kind,
      name,
      sentence,
      tickets: given.tickets,
      off_cents: given.cents,
      codes: uses.get(rule_id) ?? { live: 0, orders: 0, tickets: 0 },
    })),
  };
}
