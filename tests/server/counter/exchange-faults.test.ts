/** An exchange that breaks off at each of its steps: nothing of it, or all of it, and once. */
import { expect } from 'vitest';
import { makeSale } from '#server/contract/counter.ts';
import { testOnBoth as test } from '#tests/support/both.ts';
import { openDrawer } from '#tests/support/counter.ts';
import { exchangeBody } from '#tests/support/exchange.ts';
import { ask, callOk, demoEvent } from '#tests/support/make.ts';
import {
  expectSoundBooks,
  makePaid,
  passTime,
  refundByOffice,
  stateOf,
} from '#tests/support/refunds.ts';
import { refundsAtStripe } from '#tests/support/stripe-desk.ts';

const minute = 60_000;
let broken = '';

test(
  'a sale at the till that dies is finished by the same call, and its refund pays each payment once',
  async (server, admin) => {
    await openDrawer(server, admin);
    for (const [nth, point] of ['order_stored', 'seats_booked', 'confirmed'].entries()) {
      const old = await makePaid(server, { nth });
      const wanted = { order_id: old.order_id, event_id: demoEvent, nth: 4 + nth };
      const body = await exchangeBody(server, admin, { ...wanted, total_cents: 6_400 });
      broken = point;
      const died = await ask(server, 'POST', makeSale.path, { body, headers: admin });
      broken = '';
      const isDone = point === 'confirmed';
      const { tickets } = await stateOf(server, old);
      expect([point, died.status, tickets]).toEqual([
        point,
        500,
        isDone ? ['refunded', 'refunded'] : ['valid', 'valid'],
      ]);
      await expectSoundBooks(server);
      server.clock.advance(2 * minute);
      const sale = await callOk(server, makeSale, { body }, admin);
      expect(sale).toMatchObject({ state: 'confirmed', replayed: true });
      expect(await stateOf(server, old)).toMatchObject({ tickets: ['refunded', 'refunded'] });
      broken = ['refund_requested', 'refund_sent', 'refund_noted'][nth]!;
      await refundByOffice(server, admin, sale, { handed_back: true }).catch(() => {});
      await server.runDue();
      broken = '';
      for (const wait of [minute, 5 * minute]) await passTime(server, wait);
      expect(await stateOf(server, sale)).toMatchObject({
        paid_cents: 6_400,
        refunded_cents: 6_400,
      });
      expect(await refundsAtStripe(server, old.payment_intent)).toEqual([
        { amount: 5_600, status: 'succeeded' },
      ]);
      await expectSoundBooks(server);
    }
  },
  {
    fault(at) {
      if (at === broken) throw new Error(`died at ${at}`);
    },
  },
);
