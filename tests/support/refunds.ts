/**
 * Helpers for tests of refunds: paid orders with fees, Stripe's dashboard, and the invariants of
 * the books.
 */
import { expect } from 'vitest';
import { invariants } from '#db/reconcile/invariants.ts';
import { makeRefund, orderRefunds, quoteRefund } from '#server/contract/order/refunds.ts';
import { saleTerms, type SaleTerms } from '#server/domain/order/terms.ts';
import type { RefundRow } from '#db/rows.ts';
import { makePaidOrder } from './buyer.ts';
import { callOk, demoEvent, type Chosen } from './make.ts';
import type { TestServer } from './server.ts';

/**
 * The event is in four weeks, with a presale fee of 1,50 € a ticket; full price is 28,00 € in the
 * stalls.
 */
export const feeEvent = 'concerto-di-natale';

interface PaidOptions {
  count?: number;
  nth?: number;
  payment_method?: string;
  selected_objects?: Chosen[];
  event?: string;
}
export interface PaidOrder {
  order_id: string;
  link_key: string;
  payment_intent: string;
  tickets: string[];
  selected_objects: Chosen[];
}

/** A booked, paid and confirmed order; its tickets are in the order of their lines. */
export async function makePaid(server: TestServer, options: PaidOptions = {}): Promise<PaidOrder> {
  const { payment_method = 'pm_card_visa', ...wanted } = options;
  const { order_id, link_key, selected_objects } = await makePaidOrder(
    server,
    { email: null, method: payment_method },
    { event: feeEvent, ...wanted },
  );
  await server.runDue();
  const { payment_intent } = await server.house.ctx.db('orders').where({ id: order_id }).first();
  const { lines } = await callOk(server, orderRefunds, { params: { orderId: order_id } });
  return {
    order_id,
    link_key,
    payment_intent,
    tickets: lines.map((line) => line.ticket_id!),
    selected_objects,
  };
}

/** Does the waiting work of more than a day, as the worker would. */
export async function passTime(server: TestServer, ms: number): Promise<void> {
  server.clock.advance(ms);
  await server.house.standins!.stripe!.tick();
  await server.runDue();
}

export async function refundRows(server: TestServer, order_id: string): Promise<RefundRow[]> {
  return server.house.ctx
    .db<RefundRow>('refunds')
    .where({ order_id })
    .orderBy(['created_at', 'id']);
}

export async function seatStatuses(
  server: TestServer,
  { selected_objects }: Pick<PaidOrder, 'selected_objects'>,
  event = feeEvent,
): Promise<string[]> {
  const objects = await server.house.ctx.seats.read(
    event,
    selected_objects.map((object) => object.object_id),
  );
  return selected_objects.map((object) => objects.get(object.object_id)!.status);
}

export async function expectSoundBooks(server: TestServer): Promise<void> {
  const { db, now } = server.house.ctx;
  const broken = await Promise.all(
    invariants
      .filter((invariant) => invariant.always)
      .map(async (invariant) => [invariant.name, await invariant.find(db, now())] as const),
  );
  expect(broken.filter(([, rows]) => rows.length > 0)).toEqual([]);
}

/**
 * An order seen from outside: its money, tickets, refunds, and the mails to its buyer besides the
 * tickets.
 */
export async function stateOf(server: TestServer, { order_id }: { order_id: string }) {
  const { db } = server.house.ctx;
  const { refunded_cents, paid_cents, needs_attention, state } = await db('orders')
    .where({ id: order_id })
    .first();
  const tickets: string[] = await db('tickets').where({ order_id }).orderBy('place').pluck('state');
  const mails: string[] = await db('mails')
    .where({ order_id })
    .whereNot({ kind: 'tickets' })
    .orderBy('kind')
    .pluck('kind');
  return {
    state,
    paid_cents,
    refunded_cents,
    needs_attention,
    tickets,
    mails,
    refunds: (await refundRows(server, order_id)).map((refund) => refund.state),
  };
}

interface OfficeWish {
  ticket_ids?: string[];
  with_fees?: boolean;
  with_money?: boolean;
  voids_tickets?: boolean;
  frees_seats?: boolean;
  amount_cents?: number;
  handed_back?: boolean;
  gives_codes_back?: boolean;
}

/** The office sees a quote and presses the button under it. */
export async function refundByOffice(
  server: { url: string },
  admin: { cookie: string },
  { order_id }: { order_id: string },
  wish: OfficeWish = {},
) {
  const { ticket_ids, with_fees, with_money, amount_cents } = wish;
  const params = { orderId: order_id };
  const query = {
    ticket_ids: ticket_ids?.join(),
    with_fees: with_fees === undefined ? undefined : String(with_fees),
    with_money: with_money === undefined ? undefined : String(with_money),
    amount_cents: amount_cents?.toString(),
  };
  const quote = await callOk(
    server,
    quoteRefund,
    { params, query } as Parameters<typeof callOk<typeof quoteRefund>>[2],
    admin,
  );
  return callOk(
    server,
    makeRefund,
    {
      params,
      body: {
        ...wish,
        expected_cents: quote.amount_cents,
        expected_left_cents: quote.left_cents,
        reason: 'Richiesta telefonica',
      },
    },
    admin,
  );
}

/** Changes an event and the terms of its orders, as if they had been sold so. */
export async function setPolicy(
  server: TestServer,
  policy: object,
  event = feeEvent,
): Promise<void> {
  const { db } = server.house.ctx;
  await db('events').where({ id: event }).update(policy);
  const terms = saleTerms.filter((name) => name in policy);
  const sold = Object.fromEntries(terms.map((name) => [name, (policy as SaleTerms)[name]]));
  if (terms.length > 0) await db('orders').where({ event_id: event }).update(sold);
  const { reentry } = sold;
  if (reentry !== undefined) await db('tickets').where({ event_id: event }).update({ reentry });
}

/** From now on the category's only ticket is free. */
export async function sellGifts(
  server: TestServer,
  category: string,
  event = demoEvent,
): Promise<void> {
  const product = { lookup_key: 'omaggio', product: 'Omaggio', unit_amount: 0 };
  const price_id = await server.house.ctx.payments.ensurePrice(product);
  const ticketTypes = [{ price_id, ticketType: 'intero', label: 'Omaggio' }];
  const seat_pricing = JSON.stringify([{ category, ticketTypes }]);
  await setPolicy(server, { seat_pricing }, event);
}
