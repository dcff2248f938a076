/** The real process, killed with SIGKILL at every fault point and around every outside call of book, confirm, cancel and refund; afterwards the books of all sides agree. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { quoteRefund } from '#server/contract/order/refunds.ts';
import { ask, callOk, until, type Booked } from '#tests/support/make.ts';
import { startMortal } from '#tests/support/mortal.ts';
import { event, makePatron, type Patron } from '#tests/support/patron.ts';
import { buy, cancelAndRefund, expectPeace } from './evening.ts';

const minute = 60_000;

interface Scenario {
  /** What a death leaves behind differs only from commit to commit and from answer to answer: one point for each, the product's own where there is one. */
  points: string[];
  /** What is so before the fatal part. */
  prepare?: (patron: Patron) => Promise<Booked>;
  /** The part in which it dies; everybody tries again. Throws if the end is not as it should be. */
  run: (patron: Patron, prepared: Booked) => Promise<void>;
}

const scenarios: Record<string, Scenario> = {
  buying: {
    points: [
      'order_stored',
      'seats_booked',
      'session_opened',
      'session_adopted',
      'webhook_stored',
      'before payments.read',
      'confirmed',
      'payment_read',
      'payment_booked',
      'mail_accepted',
    ],
    async run(patron) {
      const order = await patron.book();
      await patron.pay(order);
      await patron.reaches(order.order_id, 'confirmed');
      await patron.rest();
      await until(
        async () =>
          (
            await patron.rows(
              'SELECT id FROM payments WHERE order_id = ? AND charge_id IS NOT NULL',
              order.order_id,
            )
          ).length === 1,
      );
      expect(
        await patron.rows('SELECT state FROM tickets WHERE order_id = ?', order.order_id),
      ).toEqual([{ state: 'valid' }, { state: 'valid' }]);
      expect(
        await patron.rows('SELECT kind, state FROM mails WHERE order_id = ?', order.order_id),
      ).toEqual([{ kind: 'tickets', state: 'sent' }]);
    },
  },
  'a session that Stripe spoils': {
    points: ['attempt_stored'],
    async run(patron) {
      patron.house.standins.stripe!.faults.add({
        on: 'request',
        method: 'POST',
        path: '/v1/checkout/sessions',
        action: 'saved_500',
      });
      const order = await patron.book();
      await patron.pay(order);
      await patron.reaches(order.order_id, 'confirmed');
    },
  },
  cancelling: {
    points: ['before payments.expire', 'session_closed', 'seats_released', 'order_ended'],
    async run(patron) {
      const order = await patron.book();
      await patron.cancel(order);
      await patron.reaches(order.order_id, 'deleted');
      expect(await seatStatuses(patron, order)).toEqual(['free', 'free']);
    },
  },
  'running out': {
    points: ['seats_released'],
    async run(patron) {
      const order = await patron.book();
      await patron.house.persist(() => patron.house.advance(16 * minute));
      await patron.reaches(order.order_id, 'deleted');
      expect(await seatStatuses(patron, order)).toEqual(['free', 'free']);
    },
  },
  'paying after the end, seats still free': {
    points: ['seats_retaken'],
    async run(patron) {
      const order = await patron.book();
      await endBehindOurBack(patron, order);
      await patron.pay(order);
      await patron.reaches(order.order_id, 'confirmed');
      expect(await seatStatuses(patron, order)).toEqual(['booked', 'booked']);
    },
  },
  'paying after the end, seats gone': {
    points: ['late_refund_stored'],
    async run(patron) {
      const order = await patron.book();
      await endBehindOurBack(patron, order);
      await patron.seats.book(event, requestsOf(order), {
        orderId: 'house seats',
        holdToken: null,
      });
      await patron.pay(order);
      await until(
        async () =>
          (await patron.rows('SELECT state FROM refunds WHERE order_id = ?', order.order_id))[0]?.[
            'state'
          ] === 'succeeded',
        20_000,
      );
      expect(
        await patron.rows('SELECT amount_cents FROM refunds WHERE order_id = ?', order.order_id),
      ).toHaveLength(1);
      await patron.seats.release(event, requestsOf(order), 'house seats');
    },
  },
  refunding: {
    points: ['refund_requested', 'before payments.refund', 'refund_sent', 'refund_seats_released'],
    prepare: buy,
    async run(patron, order) {
      await refundAll(patron, order);
      await until(
        async () =>
          (await patron.rows('SELECT state FROM refunds WHERE order_id = ?', order.order_id)).every(
            (refund) => refund['state'] === 'succeeded',
          ),
        20_000,
      );
      await until(
        async () => (await seatStatuses(patron, order)).every((status) => status === 'free'),
        20_000,
      );
      await patron.rest();
      expect(
        await patron.rows('SELECT amount_cents FROM refunds WHERE order_id = ?', order.order_id),
      ).toEqual([{ amount_cents: 5_600 }]);
      expect(
        await patron.rows(
          `SELECT kind, state FROM mails WHERE order_id = ? AND kind = 'refunded'`,
          order.order_id,
        ),
      ).toEqual([{ kind: 'refunded', state: 'sent' }]);
    },
  },
  'refunding what was refunded at Stripe without us': {
    points: ['before payments.payment'],
    prepare: buy,
    async run(patron, order) {
      const { stripe } = patron.house.standins;
      const rule = stripe!.faults.add({ on: 'delivery', action: 'drop', times: 'always' });
      const [row] = await patron.rows<{ payment_intent: string }>(
        'SELECT payment_intent FROM orders WHERE id = ?',
        order.order_id,
      );
      await fetch(`${stripe!.url}/v1/refunds`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${stripe!.secretKey}`,
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: new URLSearchParams(row!),
      });
      await refundAll(patron, order);
      await until(
        async () =>
          (
            await patron.rows(
              `SELECT id FROM refunds WHERE order_id = ? AND origin = 'stripe'`,
              order.order_id,
            )
          ).length === 1,
        20_000,
      );
      await patron.rest();
      stripe!.faults.remove(rule.id);
    },
  },
  'sending odd money back': {
    points: ['attention_settled'],
    async run(patron) {
      const order = await patron.book();
      // As if the list price had changed between two readings.
      await patron.rows(
        'UPDATE orders SET total_cents = total_cents - 200 WHERE id = ?',
        order.order_id,
      );
      await patron.rows(
        'UPDATE order_lines SET price_cents = price_cents - 100 WHERE order_id = ?',
        order.order_id,
      );
      await patron.pay(order);
      const attention = async () =>
        (
          await patron.rows<{ needs_attention: string | null }>(
            'SELECT needs_attention FROM orders WHERE id = ?',
            order.order_id,
          )
        )[0]!.needs_attention;
      await until(async () => (await attention()) === 'amount_differs', 20_000);
      const decided = await patron.house.persist(() =>
        ask(patron.house, 'POST', `/api/admin/orders/${order.order_id}/settle`, {
          body: { decision: 'refund', note: 'Importo sbagliato' },
          headers: patron.admin,
        }),
      );
      // 409: it was heard before it died.
      expect([200, 409]).toContain(decided.status);
      await until(
        async () =>
          (await patron.rows('SELECT state FROM refunds WHERE order_id = ?', order.order_id))[0]?.[
            'state'
          ] === 'succeeded',
        20_000,
      );
      await patron.reaches(order.order_id, 'deleted');
      expect(await seatStatuses(patron, order)).toEqual(['free', 'free']);
    },
  },
  'cancelling an event': {
    points: ['event_cancelled', 'cancellation_page', 'order_of_cancelled_refunded'],
    prepare: buy,
    run: (patron, order) => cancelAndRefund(patron, [order]),
  },
};

/** Points that no scenario here can come by: named, so that a new one is not forgotten. */
const elsewhere: Record<string, string> = {
  books_followed: 'tests/crash/broken-off.test.ts: the book of an evening',
  erasure_begun: 'tests/crash/broken-off.test.ts: a person who wants to be erased',
  figures_kept: 'tests/crash/broken-off.test.ts: figures of reports',
  payout_lines_stored: 'tests/server/reconcile/payouts.test.ts: dies between two pages',
  payout_read: 'tests/server/reconcile/payouts.test.ts: dies before it compares',
  program_told: 'tests/server/program/webhooks.test.ts: dies between sending and noting',
  buyers_forgotten: 'tests/server/site/forgetting.test.ts: the power goes between two steps',
  message_page_stored: 'tests/server/mail/messages.test.ts: dies between two pages',
  order_recovered:
    'the order has ended by then and its task settles it: tests/server/backup/disaster.test.ts, and paying after the end above',
  part_compared: 'tests/server/reconcile/comparison.test.ts: a comparison that is broken off',
  move_stored: 'tests/server/booking/move-faults.test.ts: dies at each of its points',
  move_seats_taken: 'tests/server/booking/move-faults.test.ts: the same',
  tickets_moved: 'tests/server/booking/move-faults.test.ts: the same',
  move_taken_back: 'tests/server/booking/move-faults.test.ts: the same',
  move_seats_left: 'tests/server/booking/move-faults.test.ts: the same',
  price_retired: 'tests/server/event/prices.test.ts: dies while it archives a price',
  price_named: 'tests/server/event/prices.test.ts: a name that Stripe has and the book has not',
  printed: 'tests/server/counter/print.test.ts: dies when the paper is out',
  product_made: 'tests/server/event/prices.test.ts: dies between product and price',
  reminders_told: 'tests/server/event/reminders.test.ts: dies between two mails',
  contingent_placed:
    'tests/server/event/contingents.test.ts: dead between the seat map and the book',
  contingent_dropped: 'tests/server/event/contingents.test.ts: dies while it is released',
  contingent_grown:
    'tests/server/event/contingent-seats.test.ts: dies between the seat map and the book',
  rehousing_hall_made: 'tests/server/event/rehousing.test.ts: dead at each step of the run',
  rehousing_order_taken: 'tests/server/event/rehousing.test.ts: the same',
  rehousing_taken: 'tests/server/event/rehousing.test.ts: the same',
  rehousing_committed: 'tests/server/event/rehousing.test.ts: the same',
  rehousing_left: 'tests/server/event/rehousing.test.ts: the same',
  rehousing_given_back:
    'tests/server/event/rehousing.test.ts: called off, and dies on the way back',
  seats_blocked: 'tests/server/event/blocks.test.ts: dead between the seat map and the book',
  seats_unblocked: 'tests/server/event/blocks.test.ts: dies while it gives seats back',
  registry_sealed:
    'one transaction, and the next run goes on: tests/server/office/registry.test.ts',
  silent_order_answered: 'tests/server/event/postponement.test.ts: dies between two silent orders',
  refund_noted: 'between two readings of one refund: tests/simulation',
  refund_refused:
    'Stripe says no to what it had shown as possible a moment before: tests/server/refund/refunds.test.ts',
};

async function refundAll(patron: Patron, order: Booked): Promise<void> {
  const params = { orderId: order.order_id };
  await patron.house.persist(async () => {
    const quote = await callOk(patron.house, quoteRefund, { params }, patron.admin);
    // The first try may have been heard before it died: then there is nothing left to ask for.
    if (quote.obstacle !== null) return;
    const answer = await ask(patron.house, 'POST', `/api/admin/orders/${order.order_id}/refunds`, {
      body: {
        expected_cents: quote.amount_cents,
        expected_left_cents: quote.left_cents,
        reason: 'Richiesta telefonica',
      },
      headers: patron.admin,
    });
    // 409: the worker has just read what Stripe had done without us.
    expect([200, 409]).toContain(answer.status);
  });
}

const requestsOf = (order: Booked) =>
  order.selected_objects.map(({ object_id }) => ({
    label: object_id,
    quantity: null,
    ticket_type: 'intero',
  }));

async function seatStatuses(patron: Patron, order: Booked): Promise<string[]> {
  return [
    ...(
      await patron.seats.read(
        event,
        order.selected_objects.map((object) => object.object_id),
      )
    ).values(),
  ].map((object) => object.status);
}

/** As if another process had ended the order though its session lived on. */
async function endBehindOurBack(patron: Patron, order: Booked): Promise<void> {
  await patron.seats.release(event, requestsOf(order), order.order_id);
  const now = Date.now();
  await patron.rows(
    `UPDATE orders SET state = 'deleted', deleted_at = ?, checkout_url = NULL WHERE id = ?`,
    now,
    order.order_id,
  );
  await patron.rows(
    'UPDATE order_lines SET released_at = ? WHERE order_id = ?',
    now,
    order.order_id,
  );
}

for (const [name, { points, prepare, run }] of Object.entries(scenarios)) {
  test(
    `killed while ${name}: at each of ${points.length} points the process dies once, comes back, and nothing is lost or doubled`,
    { timeout: 120_000 },
    async () => {
      await using house = await startMortal();
      const patron = await makePatron(house);
      for (const [round, point] of points.entries()) {
        const prepared = (await prepare?.(patron)) as Booked;
        await house.persist(() => house.tell({ kind: 'arm', point }));
        await run(patron, prepared);
        // Stripe tells an absent receiver again after a while.
        await until(async () => {
          await house.standins.stripe!.tick();
          return house.deaths() > round;
        }, 10_000).catch(() => {});
        expect([point, house.deaths()]).toEqual([point, round + 1]);
      }
      await expectPeace(patron);
    },
  );
}

test('every fault point of the source is a place to die in one of these tests', () => {
  const folder = join(import.meta.dirname, '../../server/services');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const sources = files.filter((file) => file.endsWith('.ts'));
  const inSource = sources.flatMap((file) =>
    [...readFileSync(join(folder, file), 'utf8').matchAll(/\.fault\('([a-z_]+)'\)/g)].map(
      (match) => match[1]!,
    ),
  );
  expect(inSource.length).toBeGreaterThan(20);
  const covered = new Set([
    ...Object.values(scenarios).flatMap((scenario) => scenario.points),
    ...Object.keys(elsewhere),
  ]);
  expect([...new Set(inSource)].filter((point) => !covered.has(point))).toEqual([]);
});
