/**
 * Actions in which the real process is killed with SIGKILL at a fault point or before an outside
 * call; afterwards all books agree.
 */
import { expect } from 'vitest';
import { quoteRefund } from '#server/contract/order/refunds.ts';
import { ask, callOk, until, type Booked } from '#tests/support/make.ts';
import { startMortal } from '#tests/support/mortal.ts';
import { event, makePatron, type Patron } from '#tests/support/patron.ts';
import { buy, cancelAndRefund, expectPeace } from './evening.ts';

const minute = 60_000;

interface Scenario {
  /**
   * One point for each commit and each outside answer, because a death between two of them leaves
   * the same state.
   */
  points: string[];
  /** Sets up the state before the part in which the process dies. */
  prepare?: (patron: Patron) => Promise<Booked>;
  /** The part in which the process dies; every caller tries again. Throws if the end is wrong. */
  run: (patron: Patron, prepared: Booked) => Promise<void>;
}

export const scenarios: Record<string, Scenario> = {
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
      const of = (table: string, columns: string) => rowsOf(patron, order, table, columns);
      await until(async () => (await of('payments', 'charge_id'))[0]?.['charge_id'] != null);
      expect(await of('payments', 'id')).toHaveLength(1);
      expect(await of('tickets', 'state')).toEqual([{ state: 'valid' }, { state: 'valid' }]);
      expect(await of('mails', 'kind, state')).toEqual([{ kind: 'tickets', state: 'sent' }]);
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
  'using the last of a code': {
    points: ['order_stored', 'seats_released', 'order_ended', 'session_adopted', 'confirmed'],
    async run(patron) {
      const used = await leaveOneUse(patron);
      const codes = [spelling];
      await patron.cancel(await patron.book({ codes }));
      await until(async () => (await usesOfCode(patron)) === used);
      const order = await patron.book({ codes });
      await patron.pay(order);
      await patron.reaches(order.order_id, 'confirmed');
      expect(await usesOfCode(patron)).toBe(used + 1);
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
      await untilRefunded(patron, order);
      expect(await rowsOf(patron, order, 'refunds', 'id')).toHaveLength(1);
      await patron.seats.release(event, requestsOf(order), 'house seats');
    },
  },
  refunding: {
    points: ['refund_requested', 'before payments.refund', 'refund_sent', 'refund_seats_released'],
    prepare: buy,
    async run(patron, order) {
      await refundAll(patron, order);
      await untilRefunded(patron, order);
      await until(
        async () => (await seatStatuses(patron, order)).every((status) => status === 'free'),
        20_000,
      );
      await patron.rest();
      const cents = await rowsOf(patron, order, 'refunds', 'amount_cents');
      expect(cents).toEqual([{ amount_cents: 5_600 }]);
      const mails = await rowsOf(patron, order, 'mails', 'kind, state');
      expect(mails.filter(({ kind }) => kind === 'refunded')).toEqual([
        { kind: 'refunded', state: 'sent' },
      ]);
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
      await until(async () => {
        const refunds = await rowsOf(patron, order, 'refunds', 'origin');
        return refunds.filter(({ origin }) => origin === 'stripe').length === 1;
      }, 20_000);
      await patron.rest();
      stripe!.faults.remove(rule.id);
    },
  },
  'sending odd money back': {
    points: ['attention_settled'],
    async run(patron) {
      const order = await patron.book();
      // Simulates a change of the list price between two readings.
      await patron.rows(
        'UPDATE orders SET total_cents = total_cents - 200 WHERE id = ?',
        order.order_id,
      );
      await patron.rows(
        'UPDATE order_lines SET price_cents = price_cents - 100 WHERE order_id = ?',
        order.order_id,
      );
      await patron.pay(order);
      await until(async () => {
        const sql = 'SELECT needs_attention AS why FROM orders WHERE id = ?';
        return (await patron.rows(sql, order.order_id))[0]!['why'] === 'amount_differs';
      }, 20_000);
      const decided = await patron.house.persist(() =>
        ask(patron.house, 'POST', `/api/admin/orders/${order.order_id}/settle`, {
          body: { decision: 'refund', note: 'Importo sbagliato' },
          headers: patron.admin,
        }),
      );
      // 409: the server had handled the request before it died.
      expect([200, 409]).toContain(decided.status);
      await untilRefunded(patron, order);
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

const spelling = 'META26';

/** A code of which one order is left; returns how many orders have used it. */
async function leaveOneUse(patron: Patron): Promise<number> {
  const scope = { categories: null, ticket_types: null, channels: null, from: null, until: null };
  const rule = { kind: 'code', name: 'Metà', scope, meets: false, percent: 50, off_cents: null };
  await patron.rows(
    `INSERT INTO price_rules (id, content, created_at) VALUES ('r', ?, 0) ON CONFLICT DO NOTHING`,
    JSON.stringify(rule),
  );
  await patron.rows(
    `INSERT INTO price_codes (id, rule_id, spelling, orders_used, tickets_used, created_at)
      VALUES ('c', 'r', ?, 0, 0, 0) ON CONFLICT DO NOTHING`,
    spelling,
  );
  await patron.rows('UPDATE price_codes SET most_orders = orders_used + 1');
  return usesOfCode(patron);
}

async function usesOfCode(patron: Patron): Promise<number> {
  const [code] = await patron.rows<{ used: number }>('SELECT orders_used AS used FROM price_codes');
  return Number(code!.used);
}

const rowsOf = (patron: Patron, { order_id }: Booked, table: string, columns: string) =>
  patron.rows(`SELECT ${columns} FROM ${table} WHERE order_id = ?`, order_id);

async function untilRefunded(patron: Patron, order: Booked): Promise<void> {
  await until(async () => {
    const refunds = await rowsOf(patron, order, 'refunds', 'state');
    return refunds.length > 0 && refunds.every(({ state }) => state === 'succeeded');
  }, 20_000);
}

async function refundAll(patron: Patron, order: Booked): Promise<void> {
  const params = { orderId: order.order_id };
  await patron.house.persist(async () => {
    const quote = await callOk(patron.house, quoteRefund, { params }, patron.admin);
    // If the server handled the first try before it died, nothing is left to refund.
    if (quote.obstacle !== null) return;
    const answer = await ask(patron.house, 'POST', `/api/admin/orders/${order.order_id}/refunds`, {
      body: {
        expected_cents: quote.amount_cents,
        expected_left_cents: quote.left_cents,
        reason: 'Richiesta telefonica',
      },
      headers: patron.admin,
    });
    // 409: the worker has just read a change that Stripe made on its own.
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
  const labels = order.selected_objects.map(({ object_id }) => object_id);
  return [...(await patron.seats.read(event, labels)).values()].map(({ status }) => status);
}

/** Simulates another process that ended the order while its session stayed open. */
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

/** At each of these points the process dies once and restarts, and nothing is lost or doubled. */
export async function dieAtEach({ points, prepare, run }: Scenario): Promise<void> {
  await using house = await startMortal();
  const patron = await makePatron(house);
  for (const [round, point] of points.entries()) {
    const prepared = (await prepare?.(patron)) as Booked;
    await house.persist(() => house.tell({ kind: 'arm', point }));
    await run(patron, prepared);
    // Stripe sends an event again if the receiver was absent.
    await until(async () => {
      await house.standins.stripe!.tick();
      return house.deaths() > round;
    }, 10_000).catch(() => {});
    expect([point, house.deaths()]).toEqual([point, round + 1]);
  }
  await expectPeace(patron);
}
