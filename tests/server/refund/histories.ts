/** Random histories of one order's money: office, buyer, dashboard, failing banks, lost answers and time, in any order; after every step the books are sound, at the end they are Stripe's. */
import * as fc from 'fast-check';
import { expect } from 'vitest';
import type { MailRow, RefundRow, TicketRow } from '#db/rows.ts';
import { mailsOf } from '#tests/support/mail-day.ts';
import { ask, makeAdmin } from '#tests/support/make.ts';
import {
  expectSoundBooks,
  makePaid,
  passTime,
  refundRows,
  setPolicy,
  type PaidOrder,
} from '#tests/support/refunds.ts';
import { atStripe } from '#tests/support/stripe-desk.ts';
import type { TestServer } from '#tests/support/server.ts';

const minute = 60_000;

type Step =
  | {
      do: 'office';
      tickets: number[];
      with_fees: boolean;
      with_money: boolean;
      frees_seats: boolean;
    }
  | { do: 'amount'; cents: number }
  | { do: 'ask'; tickets: number[] }
  | {
      do: 'withdraw' | 'approve' | 'refuse' | 'retry' | 'handed_back' | 'restore' | 'keep' | 'void';
      nth: number;
    }
  | { do: 'dashboard'; cents: number }
  | { do: 'trouble'; action: 'lose_answer' | '500' | 'saved_500' | '429' }
  | { do: 'wait'; ms: number };

const some = fc.subarray([0, 1, 2], { minLength: 1 });
const one = <const T extends string>(...names: T[]) => fc.constantFrom(...names);
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: one('office'),
      tickets: some,
      with_fees: fc.boolean(),
      with_money: fc.boolean(),
      frees_seats: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: one('amount'), cents: fc.integer({ min: 1, max: 3_000 }) }),
  },
  { weight: 3, arbitrary: fc.record({ do: one('ask'), tickets: some }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: one('withdraw', 'approve', 'refuse', 'retry', 'handed_back', 'restore', 'keep', 'void'),
      nth: fc.nat(5),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: one('dashboard'), cents: fc.integer({ min: 1, max: 5_000 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: one('trouble'),
      action: one('lose_answer', '500', 'saved_500', '429'),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: one('wait'), ms: fc.constantFrom(1_000, minute, 10 * minute) }),
  },
);

async function take(
  server: TestServer,
  step: Step,
  { order, admin }: { order: PaidOrder; admin: { cookie: string } },
): Promise<void> {
  const base = `/api/admin/orders/${order.order_id}`;
  const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
    expect((await ask(server, 'POST', path, { body, headers })).status).toBeLessThan(500);
  };
  const named = (tickets: number[]) => tickets.map((ticket) => order.tickets[ticket]!);
  const quoted = async (path: string, headers: Record<string, string> = {}) =>
    (await ask(server, 'GET', path, { headers })).body as {
      amount_cents: number;
      left_cents: number;
    };
  switch (step.do) {
    case 'office': {
      const { tickets, with_fees, with_money, frees_seats } = step;
      const quote = await quoted(
        `${base}/refund_quote?ticket_ids=${named(tickets).join()}&with_fees=${with_fees}&with_money=${with_money}`,
        admin,
      );
      return post(
        `${base}/refunds`,
        {
          ticket_ids: named(tickets),
          with_fees,
          with_money,
          frees_seats,
          expected_cents: quote.amount_cents,
          expected_left_cents: quote.left_cents,
          reason: 'x',
        },
        admin,
      );
    }
    case 'amount': {
      const quote = await quoted(`${base}/refund_quote?amount_cents=${step.cents}`, admin);
      return post(
        `${base}/refunds`,
        {
          amount_cents: step.cents,
          expected_cents: step.cents,
          expected_left_cents: quote.left_cents,
          reason: 'x',
        },
        admin,
      );
    }
    case 'ask': {
      const quote = await quoted(
        `/api/orders/${order.order_id}/refund_quote?ticket_ids=${named(step.tickets).join()}`,
      );
      return post(`/api/orders/${order.order_id}/refunds`, {
        ticket_ids: named(step.tickets),
        expected_cents: quote.amount_cents,
      });
    }
    case 'dashboard':
      await atStripe(server, 'POST', 'refunds', {
        payment_intent: order.payment_intent,
        amount: String(step.cents),
      }).catch(() => {});
      return;
    case 'trouble':
      server.house.standins!.stripe!.faults.add({
        on: 'request',
        method: 'POST',
        path: '/v1/refunds',
        action: step.action,
        times: 3,
      });
      return;
    case 'wait':
      return passTime(server, step.ms);
    default: {
      const rows = await refundRows(server, order.order_id);
      const id = rows[step.nth % Math.max(1, rows.length)]?.id ?? 'none';
      if (step.do === 'withdraw') {
        expect(
          (await ask(server, 'DELETE', `/api/orders/${order.order_id}/refunds/${id}`)).status,
        ).toBeLessThan(500);
        return;
      }
      const path = `/api/admin/refunds/${id}`;
      if (step.do === 'approve' || step.do === 'refuse')
        return post(`${path}/decide`, { decision: step.do }, admin);
      return step.do === 'retry'
        ? post(`${path}/retry`, {}, admin)
        : post(`${path}/settle`, { decision: step.do }, admin);
    }
  }
}

/** What is counted as given back is what Stripe gave back, and what hands gave. */
async function expectStripesBooks(server: TestServer, order: PaidOrder): Promise<void> {
  const rows = await refundRows(server, order.order_id);
  const { refunded_cents } = await server.house.ctx
    .db('orders')
    .where({ id: order.order_id })
    .first();
  const { refunds } = await server.house.ctx.payments.payment(order.payment_intent);
  const sum = (cents: number[]) => cents.reduce((total, one) => total + one, 0);
  const byHand = sum(
    rows
      .filter((row) => row.kind === 'manual' && row.state === 'succeeded')
      .map((row) => row.amount_cents),
  );
  expect(refunded_cents).toBe(
    byHand +
      sum(refunds.filter((refund) => refund.status !== 'failed').map((refund) => refund.amount)),
  );
  expect(rows.filter((row) => row.state === 'requested' && row.kind === 'stripe')).toEqual([]);
}

/** Each ticket that has ended: told once to the buyer since, and once to its holder. */
async function expectTold(server: TestServer, { order_id }: PaidOrder): Promise<void> {
  const { db } = server.house.ctx;
  const tickets = await db<TicketRow>('tickets').where({ order_id }).whereNotNull('ended_at');
  const mails = (await mailsOf(server, order_id)).filter(({ text }) => ending.test(text ?? ''));
  for (const { id, place, holder_email, ended_at } of tickets) {
    const refunds = await db<RefundRow>('refunds')
      .join('refund_lines', 'refund_lines.refund_id', 'refunds.id')
      .join('order_lines', 'order_lines.id', 'refund_lines.line_id')
      .where({ 'refunds.order_id': order_id, place });
    // A letter of which only a part had not ended before names that part.
    const isAbout = ({ key, text }: MailRow) =>
      refunds.some(
        ({ refund_id, decided_at }) =>
          refund_id === key && (!text!.includes('Da ora non val') || ended_at! >= decided_at!),
      );
    const since = mails.filter(({ created_at }) => created_at >= ended_at!);
    const toBuyer = since.filter(isAbout);
    const toHolder = since.filter(({ key }) => key.endsWith(`.${id}`));
    expect([place, toBuyer.length, toHolder.length]).toEqual([place, 1, holder_email ? 1 : 0]);
  }
}
const ending = /non (?:è|sono) più valid|non (?:vale|valgono) più/;

export const paymentMethods = ['pm_card_visa', 'pm_card_pendingRefund', 'pm_card_refundFail'];

/** So many random histories, each of an order of its own. */
export async function playHistories(
  server: TestServer,
  payment_method: string,
  numRuns: number,
): Promise<void> {
  const admin = await makeAdmin(server);
  await setPolicy(server, { refund_days: 60, refund_stop_days: 0 });
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 6, maxLength: 14 }), async (steps) => {
      const order = await makePaid(server, {
        selected_objects: [{ object_id: 'Loggione', ticket_type: 'intero', quantity: 3 }],
        payment_method,
      });
      const { db } = server.house.ctx;
      await db('orders').where({ id: order.order_id }).update({ buyer_email: 'eva@example.it' });
      const holder_email = 'anna@example.it';
      await db('tickets').where({ id: order.tickets[0]! }).update({ holder_email });
      for (const step of steps) {
        server.clock.advance(1);
        await take(server, step, { order, admin });
        await expectSoundBooks(server);
      }
      server.house.standins!.stripe!.faults.clear();
      // A burnt key is found out at one visit, and the next, under a new key, is another.
      for (const wait of [minute, 5 * minute, 30 * minute, minute, minute])
        await passTime(server, wait);
      await expectSoundBooks(server);
      await expectStripesBooks(server, order);
      await expectTold(server, order);
    }),
    { numRuns, endOnFailure: true },
  );
  expect(server.logged).toEqual([]);
}
