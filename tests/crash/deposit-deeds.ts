/** A reservation that is paid in parts, at each of whose writes a server is killed. */
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { collectReservation, makeSale, takeDeposit } from '#server/contract/counter.ts';
import { addressOf } from '#server/contract/endpoint.ts';
import { openShift } from '#server/contract/shifts.ts';
import { newSaleKey, till } from '#tests/support/counter.ts';
import { ask, until, type Booked } from '#tests/support/make.ts';
import { event, type Patron } from '#tests/support/patron.ts';
import { giveBack, heard, patienceMs, validOf, type Deed } from './deed.ts';

/** Two seats, of whose price two parts are paid before the rest. */
const [total, first, second] = [5_900, 2_000, 1_500];
const cash = (amount_cents: number) => [{ method: 'cash' as const, amount_cents }];

export const depositDeeds: Record<string, Deed> = {
  'a reservation is paid in three parts': {
    prepare: async () => [],
    async run(patron) {
      const order = await reserve(patron);
      const params = { orderId: order.order_id };
      const part = { deposit_key: randomUUID(), payments: cash(second) };
      await press(patron, addressOf(takeDeposit, params), part);
      const rest = { payments: cash(total - first - second) };
      await press(patron, addressOf(collectReservation, params), rest);
      await patron.reaches(order.order_id, 'confirmed');
      await patron.rest();
      const paid = await patron.rows(
        'SELECT amount_cents AS cents FROM payments WHERE order_id = ? ORDER BY amount_cents',
        order.order_id,
      );
      expect(paid).toEqual([second, first, total - first - second].map((cents) => ({ cents })));
      await giveBack(patron, order, await validOf(patron, order), { handed_back: true });
      await patron.rest();
    },
  },
};

async function reserve(patron: Patron): Promise<Pick<Booked, 'order_id'>> {
  const { house, admin: headers } = patron;
  const shift = { till_id: till, float_cents: 10_000 };
  await house.persist(() => ask(house, 'POST', openShift.path, { body: shift, headers }));
  const held = await patron.hold(await patron.freeSeats(undefined, event), event);
  const pay_by = new Date(Date.now() + 20 * 86_400_000).toISOString();
  return press(patron, makeSale.path, {
    ...held,
    sale_key: newSaleKey(),
    event_id: event,
    expected_cents: total,
    reservation: { pay_by, deposit: cash(first) },
  });
}

/** The seller presses again until it is done. */
async function press(patron: Patron, path: string, body: object) {
  const { house, admin: headers } = patron;
  let order: Pick<Booked, 'order_id'> | undefined;
  await until(async () => {
    const answer = await house.persist(() => ask(house, 'POST', path, { body, headers }));
    heard(answer);
    if (answer.status === 200) order = answer.body as Booked;
    return order !== undefined;
  }, patienceMs);
  return order!;
}
