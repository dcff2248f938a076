/**
 * Helpers for tests of moved tickets: a paid order with its tickets, a request to move them, and
 * the owner of each seat at the seat map.
 */
import { getOrder } from '#server/contract/order/orders.ts';
import { moveTickets, quoteMove } from '#server/contract/order/moves.ts';
import type { Asked, ReplyOf } from '#server/contract/endpoint.ts';
import { makePaidOrder } from './buyer.ts';
import { ask, callOk, demoEvent, type Answered, type Chosen } from './make.ts';
import type { TestServer } from './server.ts';

export type Office = { cookie: string };
type MoveBody = Asked<typeof moveTickets>['body'];

export interface Sold {
  order_id: string;
  /** In the order of `seats`. */ tickets: string[];
  codes: string[];
  seats: string[];
}

/** Bought on the web and paid at Stripe. */
export async function makeSold(
  server: TestServer,
  options: { count?: number; nth?: number; selected_objects?: Chosen[]; email?: string } = {},
): Promise<Sold> {
  const { email = 'anna@example.it', ...wanted } = options;
  const { order_id } = await makePaidOrder(server, { email }, { event: demoEvent, ...wanted });
  await server.runDue();
  return soldOf(server, order_id);
}

/** The present tickets of the order. */
export async function soldOf(server: TestServer, order_id: string): Promise<Sold> {
  const rows: { id: string; place: string }[] = await server.house.ctx
    .db('tickets')
    .join('order_lines', 'order_lines.place', 'tickets.place')
    .where({ 'tickets.order_id': order_id, 'order_lines.order_id': order_id })
    .orderBy('order_lines.position')
    .select('tickets.id', 'tickets.place');
  const page = await callOk(server, getOrder, { params: { orderId: order_id } });
  const codes = new Map(page.tickets.map(({ ticket_id, code }) => [ticket_id, code]));
  return {
    order_id,
    tickets: rows.map(({ id }) => id),
    codes: rows.map(({ id }) => codes.get(id)!),
    seats: rows.map(({ place }) => place),
  };
}

export function wishesOf({ tickets }: Sold, objects: readonly string[]): MoveBody['tickets'] {
  return objects.map((object, at) => ({ ticket_id: tickets[at]!, object }));
}

export async function quoteOf(
  server: TestServer,
  office: Office,
  sold: Sold,
  objects: readonly string[],
): Promise<ReplyOf<typeof quoteMove>> {
  const params = { orderId: sold.order_id };
  return callOk(server, quoteMove, { params, body: { tickets: wishesOf(sold, objects) } }, office);
}

/** Moves without a price difference and without a mail, unless `body` says otherwise. */
export function tryMove(
  server: TestServer,
  office: Office,
  sold: Sold,
  objects: readonly string[],
  body: Partial<MoveBody> = {},
): Promise<Answered> {
  return ask(server, 'POST', `/api/admin/orders/${sold.order_id}/moves`, {
    body: { tickets: wishesOf(sold, objects), expected_cents: 0, tell_buyer: false, ...body },
    headers: office,
  });
}

/** The status of each seat and, if it is booked, its order. */
export async function whoHas(
  server: TestServer,
  labels: readonly string[],
): Promise<(string | null)[]> {
  const found = await server.house.ctx.seats.read(demoEvent, labels);
  return labels.map((label) => {
    const { status, order_id } = found.get(label)!;
    return status === 'booked' ? order_id : status;
  });
}
