/**
 * A month of one show with two evenings: bookings online, sales at the till in every way, exchanges
 * each way, returns, and at its end one evening that is called off.
 */
import { expect } from 'vitest';
import { makeSale } from '#server/contract/counter.ts';
import { bookSeats } from '#server/contract/order/orders.ts';
import { quoteOwnExchange } from '#server/contract/order/exchanges.ts';
import { cancelEvent, previewCancellation } from '#server/contract/order/refunds.ts';
import { askPayouts } from '#server/contract/payouts.ts';
import { closeShift, readShift } from '#server/contract/shifts.ts';
import { newSaleKey, openDrawer, sellAtCounter } from './counter.ts';
import { comeBack, payAs } from './buyer.ts';
import { quoteOf } from './exchange.ts';
import {
  aBuyer,
  callOk,
  comeAgain,
  demoEvent,
  holdSeats,
  makeAdmin,
  recordOf,
  type Chosen,
} from './make.ts';
import {
  feeEvent,
  makePaid,
  passTime,
  refundByOffice,
  setPolicy,
  type PaidOrder,
} from './refunds.ts';
import { asRole } from './roles.ts';
import type { TestServer } from './server.ts';

const hour = 3_600_000;
const day = 24 * hour;
/** What one seat of the stalls costs at either evening, with its presale fee. */
const seatCents: Record<string, number> = { [demoEvent]: 3_200, [feeEvent]: 2_950 };
const feeOfExchange = 100;

type Office = { cookie: string };
type Sold = Pick<PaidOrder, 'order_id' | 'tickets'>;

interface Month {
  server: TestServer;
  /** Comes in anew each day. */
  office: Office;
}

/** Both evenings are dates of one show that is played after this month. */
async function announce(server: TestServer): Promise<void> {
  const { db } = server.house.ctx;
  const { show_id } = await db('events').where({ id: demoEvent }).first('show_id');
  await db('events').where({ id: feeEvent }).update({ show_id });
  for (const [nth, event] of [demoEvent, feeEvent].entries())
    await setPolicy(
      server,
      {
        starts_at: server.clock.now() + (50 + nth) * day,
        vat_percent: 10,
        fee_vat_percent: 22,
        service_vat_percent: 4,
        exchange: 1,
        exchange_until_hours: 1,
        exchange_fee_cents: feeOfExchange,
      },
      event,
    );
}

async function ticketsOf(server: TestServer, order_id: string): Promise<Sold> {
  const { db } = server.house.ctx;
  return {
    order_id,
    tickets: await db('tickets').where({ order_id }).orderBy('place').pluck('id'),
  };
}

/** Free seats of the stalls, side by side, that leave no single seat. */
async function seatsAt({ server }: Month, event: string, many = 2): Promise<Chosen[]> {
  const objects = await server.house.ctx.seats.objects(event);
  const isFree = (label: string | null) =>
    objects.some(
      (one) =>
        one.label === label && one.status === 'free' && one.for_sale && one.category === 'Platea',
    );
  const rightOf = (label: string | null) =>
    objects.find((one) => one.label === label)?.right ?? null;
  const rows = objects
    .filter(({ kind, left, accessible }) => kind === 'seat' && left === null && !accessible)
    .map(({ label }) => {
      const row: (string | null)[] = [label];
      while (row.length < many + 2) row.push(rightOf(row.at(-1)!));
      return row;
    });
  const row = rows.find((seats) => seats.every(isFree))!;
  return row.slice(0, many).map((object_id) => ({ object_id: object_id!, ticket_type: 'intero' }));
}

async function hold(month: Month, event: string, many: number) {
  const selected_objects = await seatsAt(month, event, many);
  return holdSeats(month.server, { selected_objects, event });
}

async function book(month: Month, event: string): Promise<PaidOrder> {
  return makePaid(month.server, { event, selected_objects: await seatsAt(month, event) });
}

async function sell(month: Month, methods: ('cash' | 'pos')[]): Promise<Sold> {
  const { server, office } = month;
  const part = 6_400 / methods.length;
  const payments = methods.map((method, at) => ({
    method,
    // Not by halves, so that sums that are shared have odd cents.
    amount_cents: methods.length === 1 ? part : part + (at === 0 ? -1_111 : 1_111),
  }));
  const selected_objects = await seatsAt(month, demoEvent);
  const { order_id } = await sellAtCounter(server, office, { selected_objects, payments });
  return ticketsOf(server, order_id);
}

interface Change {
  to: string;
  many?: number;
}

/** At the till; what is due is paid by card, what is left over goes back as it came. */
async function exchange(month: Month, old: Sold, { to, many = 2 }: Change): Promise<Sold> {
  const { server, office } = month;
  const ticket_ids = old.tickets.slice(0, many);
  const wanted = { order_id: old.order_id, ticket_ids };
  const { worth_cents, fee_cents } = await quoteOf(server, office, wanted);
  const expected_cents = many * seatCents[to]! + fee_cents;
  const due = Math.max(0, expected_cents - worth_cents);
  const body = {
    ...(await hold(month, to, many)),
    sale_key: newSaleKey(),
    event_id: to,
    expected_cents,
    payments: due === 0 ? [] : [{ method: 'pos' as const, amount_cents: due }],
    exchange: { ...wanted, expected_worth_cents: worth_cents },
  };
  return ticketsOf(server, (await callOk(server, makeSale, { body }, office)).order_id);
}

/** By the buyer; `pays` false: the checkout expires. */
async function exchangeOnline(
  month: Month,
  old: PaidOrder,
  { to, many = 2, pays = true }: Change & { pays?: boolean },
): Promise<Sold> {
  const { server } = month;
  const ticket_ids = old.tickets.slice(0, many);
  const params = { orderId: old.link_key };
  const { worth_cents } = await callOk(server, quoteOwnExchange, { params, body: { ticket_ids } });
  const body = {
    ...(await hold(month, to, many)),
    buyer: aBuyer,
    exchange: { order_id: old.link_key, ticket_ids, expected_worth_cents: worth_cents },
  };
  const booked = await callOk(server, bookSeats, { params: { eventId: to }, body });
  const order_id = await recordOf(server, booked);
  const { state } = await server.house.ctx.db('orders').where({ id: order_id }).first('state');
  if (pays && state === 'awaiting_payment') {
    await payAs(server, booked, { email: null });
    expect(await comeBack(server, booked)).toEqual({ confirmed: true });
  }
  return ticketsOf(server, order_id);
}

/** Three days with a drawer that is open for the first of them. */
async function threeDays(month: Month, run: () => Promise<void>): Promise<void> {
  const { server } = month;
  month.office = await asRole(server, 'office');
  const { shift_id } = await openDrawer(server, month.office);
  await run();
  await server.runDue();
  const { report } = await callOk(
    server,
    readShift,
    { params: { shiftId: shift_id } },
    month.office,
  );
  const expected_cents = report.expected_cents!;
  const cents = Math.max(0, expected_cents);
  const pieces = { 100: Math.floor(cents / 100), 1: cents % 100 };
  const body = { pieces, expected_cents };
  await callOk(server, closeShift, { body }, month.office);
  for (const ms of [2 * hour, 3 * day - 2 * hour]) await passTime(server, ms);
}

async function callOff({ server }: Month, event: string): Promise<void> {
  const admin = await comeAgain(server);
  const params = { eventId: event };
  const preview = await callOk(server, previewCancellation, { params }, admin);
  const body = {
    expected_cents: preview.sum_cents,
    expected_orders: preview.orders,
    reason: 'Malattia',
  };
  await callOk(server, cancelEvent, { params, body }, admin);
}

/** Ends with all money read from Stripe, which has sent it to the bank. */
export async function playMonth(server: TestServer): Promise<void> {
  await makeAdmin(server);
  await announce(server);
  const month: Month = { server, office: { cookie: '' } };
  const sold: Record<string, Sold> = {};
  const online: Record<string, PaidOrder> = {};
  await threeDays(month, async () => {
    sold['cash'] = await sell(month, ['cash']);
    sold['card'] = await sell(month, ['pos']);
    sold['mixed'] = await sell(month, ['cash', 'pos']);
    online['fee'] = await book(month, feeEvent);
    online['demo'] = await book(month, demoEvent);
  });
  // At the till: to a cheaper evening, and from one that was paid online to a dearer one.
  await threeDays(month, async () => {
    sold['cheaper'] = await exchange(month, sold['cash']!, { to: feeEvent });
    sold['dearer'] = await exchange(month, online['fee']!, { to: demoEvent });
    online['late'] = await book(month, feeEvent);
    online['left'] = await book(month, feeEvent);
  });
  // By their buyers: one ticket for less, both for more, and one that never pays.
  await threeDays(month, async () => {
    sold['one'] = await exchangeOnline(month, online['demo']!, { to: feeEvent, many: 1 });
    sold['both'] = await exchangeOnline(month, online['late']!, { to: demoEvent });
    await exchangeOnline(month, online['left']!, { to: demoEvent, pays: false });
  });
  await threeDays(month, async () => {
    const { office } = month;
    await refundByOffice(server, office, sold['both']!);
    const [first] = sold['mixed']!.tickets;
    await refundByOffice(server, office, sold['mixed']!, {
      ticket_ids: [first!],
      handed_back: true,
    });
    await refundByOffice(server, office, sold['dearer']!, {
      ticket_ids: sold['dearer']!.tickets.slice(0, 1),
    });
    sold['chain'] = await exchange(month, sold['cheaper']!, { to: demoEvent });
  });
  await threeDays(month, async () => {
    await sell(month, ['cash', 'pos']);
    sold['half'] = await exchange(month, sold['card']!, { to: feeEvent, many: 1 });
    await refundByOffice(server, month.office, sold['chain']!, {
      amount_cents: 1_234,
      handed_back: true,
    });
    await refundByOffice(server, month.office, online['left']!, {
      ticket_ids: online['left']!.tickets.slice(0, 1),
      with_fees: true,
    });
  });
  await threeDays(month, () => callOff(month, feeEvent));
  for (const ms of [hour, 8 * day, 2 * hour, 2 * day]) await passTime(server, ms);
  month.office = await asRole(server, 'office');
  await callOk(server, askPayouts, {}, month.office);
  await server.runDue();
}
