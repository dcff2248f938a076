/**
 * Two people at two tills: they open and close shifts, sell, give away, reserve, and take the
 * money for reservations.
 */
import { reservedOrders } from '#db/counter/shifts.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Ctx } from '#server/services/context.ts';
import { collect, dropReservation } from '#server/services/counter/reservations.ts';
import { sell, type SaleAsk, type Seller } from '#server/services/counter/sell.ts';
import { endShift, moveCash, openShift, ownShift } from '#server/services/counter/shifts.ts';
import { tillFor } from '#server/services/counter/desk.ts';
import { hearOf, one, type Act } from './act.ts';
import { requestsOf, selectionOf, wishFor, type Deed, type Wish } from './history.ts';
import { operationNow } from './scheduler.ts';
import { eveningOf, hall, hallOf, type World } from './world.ts';

export const sellers: readonly Seller[] = [
  { id: 'ada', role: 'office' },
  { id: 'bea', role: 'cassa' },
];
const float_cents = 5_000;

export const counterDeeds: Partial<Record<Deed, Act>> = {
  async 'till sells'(world, ctx, { which, how }) {
    const seller = sellers[which % sellers.length]!;
    await ensureShift(ctx, seller);
    const wish = wishFor(world, how);
    const { number, ...cart } = tillCart(world, { wish, event_id: eveningOf(world, how >> 2) });
    const ask: SaleAsk = {
      ...cart,
      expected_cents: 0,
      ...(wish.length > 1 && seller.role === 'office' ? { group_reason: 'gita' } : {}),
      ...(which > 5 ? { buyer: { name: 'Carla', email: 'carla@example.it' } } : {}),
    };
    const total = await totalOf(ctx, ask);
    Object.assign(
      ask,
      wayToPay(total, { number: which * 16 + how, now: world.scheduler.now(), seller }),
    );
    world.sales[number - 1] = { seller, ask };
    // The drawer is counted during the sale, which chance alone would rarely arrange.
    const counting = which > 5 ? countDrawer(ctx, seller).catch(onlyRefused) : null;
    const ends = await Promise.allSettled([sellAs(world, ctx, { seller, ask }), counting]);
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  },
  /** Repeats a sale with the same key, as after a lost answer. */
  async 'till sells again'(world, ctx, { which }) {
    const sale = one(
      world.sales.filter((known) => known !== null),
      which,
    );
    if (sale) await sellAs(world, ctx, sale);
  },
  async 'till collects'(world, ctx, { which, how }) {
    const seller = sellers[which % sellers.length]!;
    const event_id = eveningOf(world, how);
    const order = one(await reservedOrders(ctx.db, { limit: 20, event_id }), how >> 1);
    if (!order) return;
    const { order_id } = order;
    if (how % 4 === 0) return dropReservation(ctx, seller, order_id);
    const payments = [
      { method: 'pos' as const, amount_cents: order.total_cents - order.paid_cents },
    ];
    await collect(ctx, seller, { order_id, payments });
    hearOf(world, order_id, null);
    if (!operationNow()?.machine.dead) world.toldConfirmed.add(order_id);
  },
  /** Mostly counts the drawer of the latest seller, so that it closes during a sale. */
  async 'till counts'(world, ctx, { which, how }) {
    const seller = world.sales.at(-1)?.seller ?? sellers[which % sellers.length]!;
    if (how % 3 === 0)
      return moveCash(ctx, seller, { amount_cents: how % 2 ? 500 : -300, reason: 'resto' });
    await countDrawer(ctx, seller);
  },
};

/** The next sale of a till: its key, and its seats held. */
export function tillCart(world: World, { wish, event_id }: { wish: Wish; event_id: string }) {
  world.sales.push(null);
  const number = world.sales.length;
  const hold_token = `till-${number}`;
  hallOf(world, event_id).hold(requestsOf(wish), hold_token);
  return {
    number,
    sale_key: `sale-key-of-${String(number).padStart(8, '0')}`,
    event_id,
    hold_token,
    selected_objects: selectionOf(wish),
  };
}

/** Closes the shift as if the drawer held the expected cash. */
export async function countDrawer(ctx: Ctx, seller: Seller): Promise<void> {
  const shift = await ownShift(ctx, seller);
  if (!shift) return;
  const expected_cents = shift.report.expected_cents ?? 0;
  await endShift(ctx, seller, {
    pieces: { 100: Math.max(0, Math.floor(expected_cents / 100)) },
    expected_cents,
    difference_reason: 'spiccioli',
  });
}

export function onlyRefused(error: unknown): void {
  if (!(error instanceof Refusal)) throw error;
}

export async function ensureShift(ctx: Ctx, seller: Seller): Promise<void> {
  if ((await ownShift(ctx, seller)) !== null) return;
  await openShift(ctx, seller, { till_id: `till-of-${seller.id}`, float_cents });
}

/** The total as the till's screen computes it. */
export async function totalOf(
  ctx: Ctx,
  { event_id, selected_objects }: Pick<SaleAsk, 'event_id' | 'selected_objects'>,
): Promise<number> {
  const { pricing } = await tillFor(ctx, event_id);
  return selected_objects.reduce((sum, { object_id, ticket_type, quantity = 1 }) => {
    const category = hall.find(({ label }) => label === object_id)?.category;
    const type = pricing
      .find((known) => known.category === category)
      ?.ticketTypes.find((known) => known.ticketType === ticket_type);
    return sum + (type ? (type.unit_amount + type.fee_cents) * quantity : 0);
  }, 0);
}

function wayToPay(
  total: number,
  { number, now, seller }: { number: number; now: number; seller: Seller },
): Partial<SaleAsk> {
  const given_cents = total + (number % 3) * 500;
  const ways: Partial<SaleAsk>[] = [
    { payments: [{ method: 'cash', amount_cents: total, given_cents }] },
    { gift: { reason: 'stampa' } },
    { reservation: { pay_by: now + (20 + (number % 5) * 10) * 60_000 } },
    {
      payments: [
        { method: 'cash', amount_cents: Math.floor(total / 2) },
        { method: 'pos', amount_cents: Math.ceil(total / 2) },
      ],
    },
    seller.role === 'office' && total > 100
      ? {
          expected_cents: total - 100,
          by_hand: { total_cents: total - 100, reason: 'cortesia' },
          payments: [{ method: 'cash', amount_cents: total - 100 }],
        }
      : { payments: [{ method: 'pos', amount_cents: total }] },
  ];
  return { expected_cents: total, ...ways[number % ways.length] };
}

export async function sellAs(
  world: World,
  ctx: Ctx,
  { seller, ask }: { seller: Seller; ask: SaleAsk },
): Promise<void> {
  try {
    const sale = await sell(ctx, seller, ask);
    hearOf(world, sale.order_id, null);
    if (sale.state === 'confirmed' && !operationNow()?.machine.dead) {
      world.toldConfirmed.add(sale.order_id);
      world.toldSales.set(sale.order_id, sale);
    }
    world.count(`sold at the till: ${sale.state}`);
  } catch (error) {
    const { order_id } = ((error instanceof Refusal && error.detail) || {}) as {
      order_id?: string;
    };
    if (order_id !== undefined) hearOf(world, order_id, null);
    throw error;
  }
}
