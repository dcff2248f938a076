/** Reservations whose price is paid in parts at the till: what people asked, and where it is. */
import { reservedOrders } from '#db/counter/shifts.ts';
import type { OrderRow, PaymentRow, RefundRow } from '#db/rows.ts';
import type { PaymentAsk } from '#server/domain/counter/counter.ts';
import { countedRefunds } from '#server/domain/payment/refund.ts';
import { addDeposit } from '#server/services/counter/reservations.ts';
import type { SaleAsk } from '#server/services/counter/sell.ts';
import { one, type Act } from './act.ts';
import { ensureShift, sellAs, sellers, tillCart, totalOf } from './counter-deeds.ts';
import { wishFor, type Deed } from './history.ts';
import { eveningOf, type World } from './world.ts';

export const depositDeeds: Partial<Record<Deed, Act>> = {
  async 'till reserves'(world, ctx, { which, how }) {
    const seller = sellers[which % sellers.length]!;
    await ensureShift(ctx, seller);
    const wish = wishFor(world, how % 3);
    const { number, ...cart } = tillCart(world, { wish, event_id: eveningOf(world, 0) });
    const expected_cents = await totalOf(ctx, cart);
    const pay_by = world.scheduler.now() + (20 + (how % 5) * 10) * 60_000;
    const deposit: PaymentAsk[] = [{ method: 'cash', amount_cents: expected_cents >> 2 }];
    const reservation = { pay_by, ...(how % 2 === 0 && { deposit }) };
    const ask: SaleAsk = {
      ...cart,
      expected_cents,
      reservation,
      ...(wish.length > 1 && seller.role === 'office' ? { group_reason: 'gita' } : {}),
    };
    world.sales[number - 1] = { seller, ask };
    await sellAs(world, ctx, { seller, ask });
  },
  /** A third of the calls repeats an earlier one, as after a lost answer. */
  async 'till takes a part'(world, ctx, { which, how }) {
    const seller = sellers[how % sellers.length]!;
    await ensureShift(ctx, seller);
    const earlier = how % 3 === 0 ? one(world.parts, which) : undefined;
    if (earlier) return void (await addDeposit(ctx, earlier.seller, earlier));
    const order = one(await reservedOrders(ctx.db, { limit: 20, event_id: undefined }), which);
    if (!order) return;
    const amount_cents = Math.floor((order.total_cents - order.paid_cents) / 2);
    if (amount_cents === 0) return;
    const key = `part-${String(world.parts.length).padStart(8, '0')}`;
    const method = how % 2 === 0 ? ('cash' as const) : ('pos' as const);
    const part = { seller, order_id: order.order_id, key, payments: [{ method, amount_cents }] };
    world.parts.push(part);
    await addDeposit(ctx, seller, part);
    world.count('part of a reservation taken');
  },
};

/** Runs after every step: each part is taken once, and a reservation that ended has none left. */
export async function checkParts(world: World): Promise<void> {
  const { db } = world.store;
  const orders = await db<OrderRow>('orders').whereNotNull('deposit_end');
  for (const order of orders) {
    const { id, state, paid_cents } = order;
    const payments = await db<PaymentRow>('payments').where({ order_id: id, kind: 'manual' });
    const taken = payments.reduce((sum, { amount_cents }) => sum + amount_cents, 0);
    if (taken > mostAsked(world, order))
      world.wrong(`${taken} were taken for parts of ${id}, more than anybody asked for`);
    if (state !== 'deleted') continue;
    const refunds = await db<RefundRow>('refunds')
      .where({ order_id: id })
      .whereIn('state', countedRefunds as RefundRow['state'][]);
    const back = refunds.reduce((sum, { amount_cents }) => sum + amount_cents, 0);
    if (back !== paid_cents)
      world.wrong(`${id} ended with ${paid_cents} paid, and ${back} were given back or kept`);
  }
}

/** What sellers asked for, each part once; a confirmed order was paid to its end. */
function mostAsked({ sales, parts: all }: World, { id, state, ...order }: OrderRow): number {
  if (state === 'confirmed') return order.total_cents;
  const sale = sales.find((known) => known?.ask.sale_key === order.sale_key);
  const parts = all.filter((part) => part.order_id === id);
  const asked = [sale?.ask.reservation?.deposit ?? [], ...parts.map(({ payments }) => payments)];
  return asked.flat().reduce((sum, { amount_cents }) => sum + amount_cents, 0);
}
