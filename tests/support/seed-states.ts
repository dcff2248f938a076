/**
 * An order in every state that office staff may meet, created through real actions on the
 * stand-ins.
 */
import type { RefundRequest } from '#server/domain/payment/refund.ts';
import { ProviderUnavailable } from '#server/adapters/provider.ts';
import { cancelCheckout } from '#server/contract/order/orders.ts';
import { askRefund, orderRefunds } from '#server/contract/order/refunds.ts';
import { quoteForOffice, refundByOffice } from '#server/services/refund/desk.ts';
import { confirmByOffice } from '#server/services/office/decide-order.ts';
import { payAs } from './buyer.ts';
import { callOk, makeOrder, type Booked } from './make.ts';
import { endBehindOurBack, payLate, rowOf } from './order-end.ts';
import { feeEvent } from './refunds.ts';
import type { TestServer } from './server.ts';
import { settle } from './till.ts';

/** The actor in the books. */
const user_id = 'seed';
const payTimeMs = 16 * 60_000;

/** The names of the states, in the order of their creation. */
export const seededStates = [
  'booking, the seat map did not answer',
  'awaiting payment',
  'deleted by the visitor',
  'deleted after the time to pay',
  'confirmed',
  'confirmed in cash',
  'refund asked for',
  'refunded in part',
  'refunded whole',
  'refund failed, needs attention',
  'disputed, needs attention',
  'paid late, money given back',
] as const;
type SeededState = (typeof seededStates)[number];

/**
 * Creates one order in each state and returns their ids by state; moves the clock of the server.
 */
export async function seedStates(server: TestServer): Promise<Record<SeededState, string>> {
  const { ctx } = server.house;
  const ids: Partial<Record<SeededState, string>> = {};
  let nth = 0;
  const book = async (state: SeededState): Promise<Booked> => {
    const order = await makeOrder(server, { nth: nth++, event: feeEvent });
    ids[state] = order.order_id;
    return order;
  };
  const sell = async (state: SeededState, name: string, method?: string): Promise<Booked> => {
    const order = await book(state);
    const email = `${name.toLowerCase().replace(' ', '.')}@example.it`;
    await payAs(server, order, { name, email, ...(method && { method }) });
    await settle(server, order);
    return order;
  };

  await sell('confirmed', 'Ada Bianchi');
  const cash = await book('confirmed in cash');
  await confirmByOffice(ctx, cash.order_id, {
    user_id,
    reason: 'Pagato al botteghino',
    method: 'cash',
    expected_cents: (await rowOf(server, cash)).total_cents,
  });
  // Other buyers of the event are refunded immediately; for this one the office decides.
  const wishes = async (refund_request: RefundRequest) =>
    ctx.db('events').where({ id: feeEvent }).update({ refund_request });
  await wishes('office');
  await askBack(server, await sell('refund asked for', 'Bruno Conti'));
  await wishes('automatic');
  await giveBack(server, await sell('refunded in part', 'Carla Dini'), 1);
  await giveBack(server, await sell('refunded whole', 'Dario Elmi'), 2);
  await giveBack(
    server,
    await sell('refund failed, needs attention', 'Elsa Ferri', 'pm_card_refundFail'),
    2,
  );
  await sell('disputed, needs attention', 'Fabio Galli', 'pm_card_createDispute');
  // Simulates another process that ended it, after which another buyer bought its seats.
  const late = await makeOrder(server);
  ids['paid late, money given back'] = late.order_id;
  await endBehindOurBack(server, late);
  await makeOrder(server, {
    seats: late.selected_objects.map((object) => object.object_id),
  });
  await payLate(server, late);

  const over = await book('deleted after the time to pay');
  server.clock.advance(payTimeMs);
  await server.runDue();
  if ((await rowOf(server, over)).state !== 'deleted') throw new Error('the order is still open');
  const left = await book('deleted by the visitor');
  await callOk(server, cancelCheckout, { params: { orderId: left.order_id } });
  // These two expire a quarter of an hour after their creation, so they are created last.
  server.clock.advance(Math.max(0, Date.now() - server.clock.now()));
  await book('awaiting payment');
  await bookInVain(server, () => book('booking, the seat map did not answer'));
  const stuck = await ctx.db('orders').where({ state: 'booking' }).first();
  ids['booking, the seat map did not answer'] = stuck.id;
  return ids as Record<SeededState, string>;
}

/** The buyer asks for a refund of one ticket. */
async function askBack(server: TestServer, { order_id }: Booked): Promise<void> {
  const params = { orderId: order_id };
  const { lines } = await callOk(server, orderRefunds, { params });
  const ticket_ids = [lines[0]!.ticket_id!];
  const query = { ticket_ids: ticket_ids.join(',') };
  const { amount_cents } = await callOk(server, orderRefunds, { params, query });
  const body = { ticket_ids, expected_cents: amount_cents, reason: 'Sono malata' };
  await callOk(server, askRefund, { params, body });
}

/** The office refunds the first `count` tickets, and Stripe completes the refund. */
async function giveBack(server: TestServer, { order_id }: Booked, count: number): Promise<void> {
  const { ctx } = server.house;
  const { lines } = await callOk(server, orderRefunds, { params: { orderId: order_id } });
  const ticket_ids = lines.slice(0, count).map((line) => line.ticket_id!);
  const quote = await quoteForOffice(ctx, order_id, { ticket_ids });
  await refundByOffice(ctx, order_id, {
    user_id,
    role: 'office',
    ticket_ids,
    expected_cents: quote.amount_cents,
    expected_left_cents: quote.left_cents,
    reason: 'Un amico malato',
  });
  await settle(server, { order_id });
}

/** The seat map does not answer, so the order is stored and the worker completes it later. */
async function bookInVain(server: TestServer, book: () => Promise<Booked>): Promise<void> {
  const { seats } = server.house.ctx;
  const { book: real } = seats;
  seats.book = () => Promise.reject(new ProviderUnavailable('seats.io', 'seeded silence', null));
  await book().catch(() => null);
  seats.book = real;
}
